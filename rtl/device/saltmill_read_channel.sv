// SPDX-License-Identifier: Apache-2.0
// The read half of the AXI4 master: descriptors (ID 1) before data (ID 0) on the address channel,
// beats given back by ID. Whoever asks has room for what comes, so RREADY is always 1. After
// abort_i nothing new is asked for; idle_o tells when everything under way has come back.
module saltmill_read_channel #(
    parameter int unsigned DataBytes = 16
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   abort_i,
    output logic                   idle_o,
    // Descriptor bursts
    input  logic                   fetch_valid_i,
    output logic                   fetch_ready_o,
    input  logic [           63:0] fetch_address_i,
    output logic                   fetch_beat_o,
    // Data bursts
    input  logic                   data_valid_i,
    output logic                   data_ready_o,
    input  logic [           63:0] data_address_i,
    input  logic [            8:0] data_beats_i,
    output logic                   data_beat_o,
    // Beat, for whom fetch_beat_o or data_beat_o says
    output logic [8*DataBytes-1:0] beat_data_o,
    output logic                   beat_error_o,
    output logic                   beat_last_o,
    // AXI4
    output logic                   arvalid_o,
    input  logic                   arready_i,
    output logic                   arid_o,
    output logic [           63:0] araddr_o,
    output logic [            7:0] arlen_o,
    input  logic                   rvalid_i,
    output logic                   rready_o,
    input  logic                   rid_i,
    input  logic [8*DataBytes-1:0] rdata_i,
    input  logic [            1:0] rresp_i,
    input  logic                   rlast_i
);

  localparam int unsigned FetchBeats = saltmill_device_pkg::DescriptorBytes / DataBytes;

  logic free, take;
  assign free = (!arvalid_o || arready_i) && !abort_i;
  assign fetch_ready_o = free;
  assign data_ready_o = free && !fetch_valid_i;
  assign take = free && (fetch_valid_i || data_valid_i);

  always_ff @(posedge clk_i) begin
    if (take) begin
      arvalid_o <= 1'b1;
      arid_o    <= fetch_valid_i;
      araddr_o  <= fetch_valid_i ? fetch_address_i : data_address_i;
      arlen_o   <= fetch_valid_i ? 8'(FetchBeats - 1) : 8'(data_beats_i - 9'd1);
    end else if (arready_i) begin
      arvalid_o <= 1'b0;
    end
    if (rst_i) arvalid_o <= 1'b0;
  end

  logic [15:0] outstanding_q;  // bursts; far more than credits allow
  always_ff @(posedge clk_i) begin
    outstanding_q <= outstanding_q + 16'(take) - 16'(rvalid_i && rlast_i);
    if (rst_i) outstanding_q <= '0;
  end
  assign idle_o = outstanding_q == 0;

  assign rready_o = 1'b1;
  assign fetch_beat_o = rvalid_i && rid_i && !abort_i;
  assign data_beat_o = rvalid_i && !rid_i && !abort_i;
  assign beat_data_o = rdata_i;
  assign beat_error_o = rresp_i[1];  // SLVERR or DECERR
  assign beat_last_o = rlast_i;

  logic unused;  // EXOKAY is not told from OKAY
  assign unused = rresp_i[0];

endmodule
