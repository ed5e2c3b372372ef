// SPDX-License-Identifier: Apache-2.0
// dma_align_out for prove_wipe, which wants AXI's reset.

module dma_align_out_wipe_formal
  import dma_pkg::*;
#(
    int unsigned DataBytes = 16,
    alignment_e  Alignment = AnyByte
) (
    input  logic                         aclk,
    input  logic                         aresetn,
    input  logic                         wipe_i,
    input  logic                         job_valid_i,
    input  logic [$clog2(DataBytes)-1:0] job_offset_i,
    input  logic [  $clog2(DataBytes):0] job_last_lane_i,
    input  logic                         valid_i,
    input  logic [      8*DataBytes-1:0] data_i,
    input  logic [        DataBytes-1:0] keep_i,
    input  logic                         last_i,
    input  logic                         error_i,
    input  logic                         room_i,
    output logic                         valid_o,
    output logic [      8*DataBytes-1:0] data_o,
    output logic [        DataBytes-1:0] strobe_o
);

  dma_align_out #(
      .DataBytes(DataBytes),
      .Alignment(Alignment)
  ) u_align (
      .clk_i      (aclk),
      .rst_i      (!aresetn),
      .wipe_i,
      .job_valid_i,
      .job_ready_o(),
      .job_offset_i,
      .job_last_lane_i,
      .valid_i,
      .ready_o    (),
      .data_i,
      .keep_i,
      .last_i,
      .error_i,
      .room_i,
      .valid_o,
      .data_o,
      .strobe_o,
      .end_o      (),
      .error_o    ()
  );

endmodule
