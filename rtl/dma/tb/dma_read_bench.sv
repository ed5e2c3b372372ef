// SPDX-License-Identifier: Apache-2.0
// For simulation: dma_read and dma_read_channel joined, as they are in a device.

module dma_read_bench
  import dma_pkg::*;
#(
    int unsigned DataBytes   = 16,
    int unsigned AddressBits = 32,
    alignment_e  Alignment   = AnyByte,
    int unsigned BurstBytes  = 1024,
    int unsigned BufferBytes = 4096,
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
    input  logic                   job_zeros_i,
    input  logic                   job_continues_i,
    output logic                   valid_o,
    input  logic                   ready_i,
    output logic [8*DataBytes-1:0] data_o,
    output logic [  DataBytes-1:0] keep_o,
    output logic                   last_o,
    output logic                   error_o,
    input  logic                   fetch_valid_i,
    output logic                   fetch_ready_o,
    input  logic [AddressBits-1:0] fetch_address_i,
    input  logic [            7:0] fetch_len_i,
    output logic                   fetch_beat_o,
    output logic [8*DataBytes-1:0] fetch_data_o,
    output logic                   fetch_error_o,
    output logic                   fetch_last_o,
    output logic                   arvalid_o,
    input  logic                   arready_i,
    output logic                   arid_o,
    output logic [AddressBits-1:0] araddr_o,
    output logic [            7:0] arlen_o,
    input  logic                   rvalid_i,
    output logic                   rready_o,
    input  logic                   rid_i,
    input  logic [8*DataBytes-1:0] rdata_i,
    input  logic [            1:0] rresp_i,
    input  logic                   rlast_i
);

  logic data_valid, data_ready, data_beat, beat_open;
  logic [AddressBits-1:0] data_address;
  logic [7:0] data_len;

  dma_read #(
      .DataBytes  (DataBytes),
      .AddressBits(AddressBits),
      .Alignment  (Alignment),
      .BurstBytes (BurstBytes),
      .BufferBytes(BufferBytes),
      .JobDepth   (JobDepth)
  ) u_read (
      .clk_i,
      .rst_i,
      .wipe_i,
      .job_valid_i,
      .job_ready_o,
      .job_address_i,
      .job_length_m1_i,
      .job_zeros_i,
      .job_continues_i,
      .request_valid_o  (data_valid),
      .request_ready_i  (data_ready),
      .request_address_o(data_address),
      .request_len_o    (data_len),
      .beat_open_o      (beat_open),
      .beat_valid_i     (data_beat),
      .beat_data_i      (fetch_data_o),
      .beat_error_i     (fetch_error_o),
      .valid_o,
      .ready_i,
      .data_o,
      .keep_o,
      .last_o,
      .error_o
  );

  dma_read_channel #(
      .DataBytes  (DataBytes),
      .AddressBits(AddressBits),
      .Outstanding(Outstanding)
  ) u_channel (
      .clk_i,
      .rst_i,
      .abort_i       (wipe_i),
      .idle_o,
      .stale_o,
      .data_valid_i  (data_valid),
      .data_ready_o  (data_ready),
      .data_address_i(data_address),
      .data_len_i    (data_len),
      .data_beat_o   (data_beat),
      .fetch_valid_i,
      .fetch_ready_o,
      .fetch_address_i,
      .fetch_len_i,
      .fetch_beat_o,
      .beat_open_i   (beat_open),
      .beat_data_o   (fetch_data_o),
      .beat_error_o  (fetch_error_o),
      .beat_last_o   (fetch_last_o),
      .arvalid_o,
      .arready_i,
      .arid_o,
      .araddr_o,
      .arlen_o,
      .rvalid_i,
      .rready_o,
      .rid_i,
      .rdata_i,
      .rresp_i,
      .rlast_i
  );

endmodule
