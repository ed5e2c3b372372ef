// SPDX-License-Identifier: Apache-2.0
// Ends the jobs in ring order: when a job's data is written and answered and its tag is there, its
// status is written into its descriptor, the tag with it, and when that is answered the tail moves.
// Several statuses can be under way.
module saltmill_completion
  import saltmill_device_pkg::*;
#(
    parameter int unsigned JobDepth = 16
) (
    input  logic                clk_i,
    input  logic                rst_i,
    input  logic                wipe_i,
    // Ring
    input  logic        [ 63:0] base_i,
    input  logic        [ 15:0] mask_i,
    // Jobs, in order
    input  logic                ending_valid_i,
    output logic                ending_ready_o,
    input  ending_t             ending_i,
    // Jobs that write data: the packet has passed the alignment; the last burst is answered
    input  logic                passed_i,
    input  logic                passed_error_i,
    input  logic                written_i,
    input  logic                written_error_i,
    // Jobs with a tag
    input  logic                tag_valid_i,
    output logic                tag_ready_o,
    input  tag_t                tag_i,
    // Status writes
    output logic                status_valid_o,
    input  logic                status_ready_i,
    output logic        [ 63:0] status_entry_o,       // address of the descriptor
    output logic                status_has_tag_o,     // with the tag
    output logic        [127:0] status_tag_o,
    output job_status_e         status_o,
    input  logic                status_done_i,
    // Finished jobs
    output logic        [ 15:0] tail_o,
    output logic                ended_o,              // its status is asked for
    output logic        [ 31:0] ended_length_o,
    output logic                finished_o,
    output logic                finished_interrupt_o  // this job asks for an interrupt of its own
);

  logic rst;
  assign rst = rst_i || wipe_i;

  logic ending_valid, ending_pop;
  ending_t ending;
  stream_fifo #(
      .Width($bits(ending_t)),
      .Depth(JobDepth)
  ) u_endings (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(ending_valid_i),
      .ready_o(ending_ready_o),
      .data_i (ending_i),
      .valid_o(ending_valid),
      .ready_i(ending_pop),
      .data_o (ending),
      .level_o()
  );

  // A job's read error is known when its packet has passed, before its last burst is answered: one
  // queue for each. At most as many jobs are in either as there are endings waiting.
  logic read_failed, written_valid, write_failed;
  logic data_pop;
  stream_fifo #(
      .Width(1),
      .Depth(2 * JobDepth)
  ) u_passed (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(passed_i),
      .ready_o(),
      .data_i (passed_error_i),
      .valid_o(),
      .ready_i(data_pop),
      .data_o (read_failed),
      .level_o()
  );
  stream_fifo #(
      .Width(1),
      .Depth(2 * JobDepth)
  ) u_written (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(written_i),
      .ready_o(),
      .data_i (written_error_i),
      .valid_o(written_valid),
      .ready_i(data_pop),
      .data_o (write_failed),
      .level_o()
  );

  // ---- status writes -----------------------------------------------------------------------------
  logic interrupts_space;
  logic [15:0] next_q;  // the job whose status is written next
  always_comb begin
    status_o = ending.status;
    if (ending.has_tag && !tag_i.match) status_o = StatusTagMismatch;
    if (ending.writes && write_failed) status_o = StatusWriteError;
    if (ending.writes && read_failed) status_o = StatusReadError;
    if (ending.has_tag && tag_i.read_failed) status_o = StatusReadError;
  end

  assign status_valid_o = ending_valid && (!ending.writes || written_valid)
      && (!ending.has_tag || tag_valid_i) && interrupts_space;
  assign status_entry_o = base_i + (64'(next_q & mask_i) << DescriptorBits);
  assign status_has_tag_o = ending.has_tag;
  // Whoever opens a message that is not genuine must not learn its right tag.
  assign status_tag_o = ending.opens || status_o != StatusOk ? '0 : tag_i.tag;
  assign ending_pop = status_valid_o && status_ready_i;
  assign data_pop = ending_pop && ending.writes;
  assign tag_ready_o = ending_pop && ending.has_tag;
  assign ended_o = ending_pop;
  assign ended_length_o = ending.length;

  stream_fifo #(
      .Width(1),
      .Depth(JobDepth)
  ) u_interrupts (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(ending_pop),
      .ready_o(interrupts_space),
      .data_i (ending.own_interrupt),
      .valid_o(),
      .ready_i(status_done_i),
      .data_o (finished_interrupt_o),
      .level_o()
  );

  assign finished_o = status_done_i;
  always_ff @(posedge clk_i) begin
    if (ending_pop) next_q <= next_q + 1'b1;
    if (status_done_i) tail_o <= tail_o + 1'b1;
    if (rst) begin
      next_q <= '0;
      tail_o <= '0;
    end
  end

endmodule
