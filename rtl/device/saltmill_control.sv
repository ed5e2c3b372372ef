// SPDX-License-Identifier: Apache-2.0
// The host's side of the device: register block (generated from saltmill.rdl), description of the
// device, counters and interrupt.
module saltmill_control
  import saltmill_registers_pkg::*;
  import saltmill_descriptor_pkg::*;
  import saltmill_map_pkg::*;
#(
    parameter description_t Description,
    parameter int unsigned AddressBits,
    localparam int unsigned BaseBits = AddressBits - DescriptorLog2
) (
    input  logic                clk_i,
    input  logic                rst_i,
    input  logic [        11:0] s_axil_awaddr,
    input  logic [         2:0] s_axil_awprot,
    input  logic                s_axil_awvalid,
    output logic                s_axil_awready,
    input  logic [        31:0] s_axil_wdata,
    input  logic [         3:0] s_axil_wstrb,
    input  logic                s_axil_wvalid,
    output logic                s_axil_wready,
    output logic [         1:0] s_axil_bresp,
    output logic                s_axil_bvalid,
    input  logic                s_axil_bready,
    input  logic [        11:0] s_axil_araddr,
    input  logic [         2:0] s_axil_arprot,
    input  logic                s_axil_arvalid,
    output logic                s_axil_arready,
    output logic [        31:0] s_axil_rdata,
    output logic [         1:0] s_axil_rresp,
    output logic                s_axil_rvalid,
    input  logic                s_axil_rready,
    // Control
    output logic                enable_o,
    output logic                wipe_request_o,
    input  logic                wipe_i,
    // Ring
    output logic [BaseBits-1:0] base_o,
    output logic [        15:0] mask_o,                // entries - 1
    output logic [        15:0] head_o,
    input  logic [        15:0] tail_i,
    // Key store
    output logic                key_write_o,
    output logic [         2:0] key_use_o,             // {one-time, size}
    output logic [         7:0] key_write_word_o,
    output logic [        31:0] key_write_data_o,
    // Events
    input  logic                active_i,
    input  logic                busy_i,
    input  logic                stalled_input_i,
    input  logic                stalled_output_i,
    input  logic                block_i,
    input  logic                begun_i,
    input  logic [        31:0] begun_bytes_i,
    input  logic                finished_i,
    input  logic                finished_interrupt_i,
    input  logic                status_lost_i,
    output logic                irq_o
);

  saltmill_registers__in_t  to_host;
  /* verilator lint_off UNUSEDSIGNAL */
  saltmill_registers__out_t from_host;
  /* verilator lint_on UNUSEDSIGNAL */

  logic req, req_is_wr, ack, err;
  logic [11:2] addr;
  logic [31:0] wr_data, rd_data;
  saltmill_axil u_axil (
      .req_o      (req),
      .req_is_wr_o(req_is_wr),
      .addr_o     (addr),
      .wr_data_o  (wr_data),
      .ack_i      (ack),
      .err_i      (err),
      .rd_data_i  (rd_data),
      .*
  );

  // ---- the address selects the register block, the counters, the key slots or nothing -----------
  logic block_q, counters_q, keys_q, nobody_q;  // pulses
  logic for_block, for_counters, for_keys;
  logic block_rd_ack, block_rd_err, block_wr_ack, block_wr_err, counter_ack;
  logic [31:0] block_data, counter_data;
  assign for_block = addr[11:RegistersLog2] == RegistersOffset[11:RegistersLog2];
  assign for_counters = addr[11:CountersLog2] == CountersOffset[11:CountersLog2]
      && 32'(addr[CountersLog2-1:2]) < CountersBytes / 4 && !req_is_wr;
  assign for_keys = addr[11:KeySlotsLog2] == KeySlotsOffset[11:KeySlotsLog2] && req_is_wr;
  assign ack = block_rd_ack || block_wr_ack || counter_ack || keys_q || nobody_q;
  assign err = block_rd_err || block_wr_err || nobody_q;
  assign rd_data = counter_ack ? counter_data : block_data;
  always_ff @(posedge clk_i) begin
    block_q <= req && for_block;
    counters_q <= req && for_counters;
    keys_q <= req && for_keys;
    nobody_q <= req && !for_block && !for_counters && !for_keys;
    // In a wipe, a key word that is written is acknowledged and dropped, in the wipe's last cycle
    // too.
    key_write_o <= req && for_keys && !wipe_i;
    if (rst_i) {block_q, counters_q, keys_q, nobody_q, key_write_o} <= '0;
  end
  assign key_write_word_o = addr[KeySlotsLog2-1:2];
  assign key_write_data_o = wr_data;

  // A copy of the address near the registers: the request is a cycle later anyway.
  logic [RegistersLog2-1:2] block_addr;
  always_ff @(posedge clk_i) block_addr <= addr[RegistersLog2-1:2];

  saltmill_registers u_registers (
      .clk                 (clk_i),
      .rst                 (rst_i),
      .s_cpuif_req         (block_q),
      .s_cpuif_req_is_wr   (req_is_wr),
      .s_cpuif_addr        ({block_addr, 2'b00}),
      .s_cpuif_wr_data     (wr_data),
      .s_cpuif_wr_biten    ('1),
      .s_cpuif_req_stall_wr(),
      .s_cpuif_req_stall_rd(),
      .s_cpuif_rd_ack      (block_rd_ack),
      .s_cpuif_rd_err      (block_rd_err),
      .s_cpuif_rd_data     (block_data),
      .s_cpuif_wr_ack      (block_wr_ack),
      .s_cpuif_wr_err      (block_wr_err),
      .hwif_in             (to_host),
      .hwif_out            (from_host)
  );

  // ---- counters and interrupt -------------------------------------------------------------------
  logic [Counters-1:0] events;
  always_comb begin
    events                       = '0;
    events[CounterCycles]        = active_i;
    events[CounterBusy]          = busy_i;
    events[CounterStalledInput]  = stalled_input_i;
    events[CounterStalledOutput] = stalled_output_i;
    events[CounterBlocks]        = block_i;
    events[CounterJobs]          = finished_i;
  end

  saltmill_counters #(
      // Wide memory ports spread the device over the chip.
      .Far(Description.capabilities_data_bytes > 32)
  ) u_counters (
      .clk_i,
      .rst_i,
      .clear_i    (from_host.control.clear_counters.value),
      .event_i    (events),
      .begun_i,
      .begun_bytes_i,
      .read_i     (counters_q),
      .read_word_i(addr[CountersLog2-1:2]),
      .ack_o      (counter_ack),
      .data_o     (counter_data)
  );

  logic raise;
  saltmill_interrupt u_interrupt (
      .clk_i,
      .rst_i    (rst_i || wipe_i),
      .finished_i,
      .at_once_i(finished_interrupt_i),
      .count_i  (from_host.interrupt_coalescing.count.value),
      .timeout_i(from_host.interrupt_coalescing.timeout.value),
      .raise_o  (raise)
  );
  always_ff @(posedge clk_i) begin
    irq_o <= (from_host.interrupt_status.done.value && from_host.interrupt_enable.done.value)
        || (from_host.interrupt_status.status_lost.value
            && from_host.interrupt_enable.status_lost.value);
    if (rst_i) irq_o <= 1'b0;
  end

  // ---- to the host ------------------------------------------------------------------------------
  always_comb begin
    to_host.core.algorithm.next = Description.core_algorithm;
    to_host.core.structure.next = Description.core_structure;
    to_host.core.final_add.next = Description.core_final_add;
    to_host.shape.unroll.next = Description.shape_unroll;
    to_host.shape.stages.next = Description.shape_stages;
    to_host.shape.block_bytes.next = Description.shape_block_bytes;
    to_host.rate.cycles_per_block.next = Description.rate_cycles_per_block;
    to_host.rate.latency.next = Description.rate_latency;
    to_host.clock.hz.next = Description.clock_hz;
    to_host.capabilities.data_bytes.next = Description.capabilities_data_bytes;
    to_host.capabilities.any_alignment.next = Description.capabilities_any_alignment;
    to_host.capabilities.extended_nonce.next = Description.capabilities_extended_nonce;
    to_host.capabilities.key_sizes.next = Description.capabilities_key_sizes;
    to_host.capabilities.key_slots.next = Description.capabilities_key_slots;
    to_host.capabilities.max_log2_entries.next = Description.capabilities_max_log2_entries;
    to_host.operations.mask.next = Description.operations_mask;
    to_host.keyless.mask.next = Description.keyless_mask;
    to_host.digest.bytes.next = Description.digest_bytes;
    to_host.port.address_bits.next = Description.port_address_bits;

    to_host.control.enable.hwclr = wipe_i;
    to_host.ring_head.index.hwclr = wipe_i;
    to_host.ring_base_high.address.hwclr = AddressBits == 32;
    to_host.ring_tail.index.next = tail_i;
    to_host.status.busy.next = active_i;
    to_host.status.wiping.next = wipe_i;
    to_host.interrupt_status.done.hwset = raise;
    to_host.interrupt_status.status_lost.hwset = status_lost_i;
  end

  // ---- from the host ----------------------------------------------------------------------------
  assign base_o = BaseBits'({
    from_host.ring_base_high.address.value, from_host.ring_base_low.address.value
  });
  assign head_o = from_host.ring_head.index.value;
  assign enable_o = from_host.control.enable.value;
  assign wipe_request_o = from_host.control.wipe.value;

  assign key_use_o = {from_host.key_use.one_time.value, from_host.key_use.size.value};
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 16; i++) begin
      mask_o[i] <= i < 32'(Description.capabilities_max_log2_entries)
          && i < 32'(from_host.ring_size.log2_entries.value);
    end
  end

endmodule
