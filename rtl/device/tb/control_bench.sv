// SPDX-License-Identifier: Apache-2.0
// For simulation: saltmill_control with a description in which every field is another.
module control_bench #(
    parameter int unsigned AddressBits = 32,
    parameter int unsigned DataBytes   = 32
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic [           11:0] s_axil_awaddr,
    input  logic [            2:0] s_axil_awprot,
    input  logic                   s_axil_awvalid,
    output logic                   s_axil_awready,
    input  logic [           31:0] s_axil_wdata,
    input  logic [            3:0] s_axil_wstrb,
    input  logic                   s_axil_wvalid,
    output logic                   s_axil_wready,
    output logic [            1:0] s_axil_bresp,
    output logic                   s_axil_bvalid,
    input  logic                   s_axil_bready,
    input  logic [           11:0] s_axil_araddr,
    input  logic [            2:0] s_axil_arprot,
    input  logic                   s_axil_arvalid,
    output logic                   s_axil_arready,
    output logic [           31:0] s_axil_rdata,
    output logic [            1:0] s_axil_rresp,
    output logic                   s_axil_rvalid,
    input  logic                   s_axil_rready,
    output logic                   enable_o,
    output logic                   wipe_request_o,
    input  logic                   wipe_i,
    output logic [AddressBits-1:7] base_o,
    output logic [           15:0] mask_o,
    output logic [           15:0] head_o,
    input  logic [           15:0] tail_i,
    output logic                   key_write_o,
    output logic [            2:0] key_use_o,
    output logic [            7:0] key_write_word_o,
    output logic [           31:0] key_write_data_o,
    input  logic                   active_i,
    input  logic                   busy_i,
    input  logic                   stalled_input_i,
    input  logic                   stalled_output_i,
    input  logic                   block_i,
    input  logic                   begun_i,
    input  logic [           31:0] begun_bytes_i,
    input  logic                   finished_i,
    input  logic                   finished_interrupt_i,
    input  logic                   status_lost_i,
    output logic                   irq_o
);

  localparam saltmill_map_pkg::description_t Description = '{
      core_algorithm: 8'd2,
      core_structure: 4'd1,
      core_final_add: 1'b1,
      shape_unroll: 8'd4,
      shape_stages: 8'd16,
      shape_block_bytes: 16'd64,
      rate_cycles_per_block: 16'd10,
      rate_latency: 16'd321,
      clock_hz: 32'd123_456_789,
      capabilities_data_bytes: 8'(DataBytes),
      capabilities_any_alignment: 1'b1,
      capabilities_extended_nonce: 1'b0,
      capabilities_key_sizes: 3'b101,
      capabilities_key_slots: 8'd23,
      capabilities_max_log2_entries: 4'd9,
      operations_mask: 32'h8000_03BE,
      keyless_mask: 32'h4000_0002,
      digest_bytes: 7'd48,
      port_address_bits: 8'(AddressBits)
  };

  saltmill_control #(
      .Description(Description),
      .AddressBits(AddressBits)
  ) u_control (
      .*
  );

endmodule
