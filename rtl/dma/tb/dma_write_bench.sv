// SPDX-License-Identifier: Apache-2.0
// For simulation: dma_write and dma_write_channel joined, as they are in a device.

module dma_write_bench
  import dma_pkg::*;
#(
    int unsigned DataBytes   = 16,
    int unsigned AddressBits = 32,
    alignment_e  Alignment   = AnyByte,
    int unsigned BurstBytes  = 1024,
    int unsigned JobDepth    = 64,
    int unsigned Outstanding = 32
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   wipe_i,
    output logic                   idle_o,
    output logic                   stale_o,
    input  logic                   job_valid_i,
    output logic                   job_ready_o,
    input  logic [AddressBits-1:0] job_address_i,
    input  logic [           31:0] job_length_m1_i,
    input  logic                   valid_i,
    output logic                   ready_o,
    input  logic [8*DataBytes-1:0] data_i,
    input  logic [  DataBytes-1:0] keep_i,
    input  logic                   last_i,
    input  logic                   error_i,
    output logic                   data_done_o,
    output logic                   data_read_error_o,
    output logic                   data_write_error_o,
    input  logic                   post_valid_i,
    output logic                   post_ready_o,
    input  logic [AddressBits-1:0] post_address_i,
    input  logic [            7:0] post_len_i,
    input  logic                   post_beat_valid_i,
    output logic                   post_beat_ready_o,
    input  logic [8*DataBytes-1:0] post_beat_i,
    input  logic [  DataBytes-1:0] post_strobe_i,
    output logic                   post_done_o,
    output logic                   post_error_o,
    output logic                   awvalid_o,
    input  logic                   awready_i,
    output logic                   awid_o,
    output logic [AddressBits-1:0] awaddr_o,
    output logic [            7:0] awlen_o,
    output logic                   wvalid_o,
    input  logic                   wready_i,
    output logic [8*DataBytes-1:0] wdata_o,
    output logic [  DataBytes-1:0] wstrb_o,
    output logic                   wlast_o,
    input  logic                   bvalid_i,
    output logic                   bready_o,
    input  logic                   bid_i,
    input  logic [            1:0] bresp_i
);

  logic data_valid, data_ready, data_last, data_error;
  logic [dma_pkg::beat_parts(9 * DataBytes)-1:0][1:0] data_beat_offer;
  logic data_beat_valid, data_beat_ready;
  logic [AddressBits-1:0] data_address;
  logic [7:0] data_len;
  logic [8*DataBytes-1:0] data_beat;
  logic [DataBytes-1:0] data_strobe;

  dma_write #(
      .DataBytes  (DataBytes),
      .AddressBits(AddressBits),
      .Alignment  (Alignment),
      .BurstBytes (BurstBytes),
      .JobDepth   (JobDepth)
  ) u_write (
      .clk_i,
      .rst_i,
      .wipe_i,
      .job_valid_i,
      .job_ready_o,
      .job_address_i,
      .job_length_m1_i,
      .valid_i,
      .ready_o,
      .data_i,
      .keep_i,
      .last_i,
      .error_i,
      .request_valid_o  (data_valid),
      .request_ready_i  (data_ready),
      .request_address_o(data_address),
      .request_len_o    (data_len),
      .request_last_o   (data_last),
      .request_error_o  (data_error),
      .beat_offer_i     (data_beat_offer),
      .beat_valid_o     (data_beat_valid),
      .beat_ready_i     (data_beat_ready),
      .beat_data_o      (data_beat),
      .beat_strobe_o    (data_strobe)
  );

  dma_write_channel #(
      .DataBytes  (DataBytes),
      .AddressBits(AddressBits),
      .BurstBytes (BurstBytes),
      .Outstanding(Outstanding)
  ) u_channel (
      .clk_i,
      .rst_i,
      .abort_i          (wipe_i),
      .idle_o,
      .stale_o,
      .data_valid_i     (data_valid),
      .data_ready_o     (data_ready),
      .data_address_i   (data_address),
      .data_len_i       (data_len),
      .data_last_i      (data_last),
      .data_error_i     (data_error),
      .data_beat_offer_o(data_beat_offer),
      .data_beat_valid_i(data_beat_valid),
      .data_beat_ready_o(data_beat_ready),
      .data_beat_i      (data_beat),
      .data_strobe_i    (data_strobe),
      .data_done_o,
      .data_read_error_o,
      .data_write_error_o,
      .post_valid_i,
      .post_ready_o,
      .post_address_i,
      .post_len_i,
      .post_beat_valid_i,
      .post_beat_ready_o,
      .post_beat_i,
      .post_strobe_i,
      .post_done_o,
      .post_error_o,
      .awvalid_o,
      .awready_i,
      .awid_o,
      .awaddr_o,
      .awlen_o,
      .wvalid_o,
      .wready_i,
      .wdata_o,
      .wstrb_o,
      .wlast_o,
      .bvalid_i,
      .bready_o,
      .bid_i,
      .bresp_i
  );

endmodule
