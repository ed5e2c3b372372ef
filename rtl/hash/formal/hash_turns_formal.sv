// SPDX-License-Identifier: Apache-2.0
// Proof, for any message in any buffer and all time: it is in one place of the ring at most, each
// of its blocks is hashed once, in order, from the right chaining value, and its digest goes to its
// own job, after its last block. A free place takes the message that waits at once.
//
// Assumed: the queue of those that wait gives each once, as it came (proved with stream_fifo), and
// a memory what was written to it.

module hash_turns_formal #(
    int unsigned Places = 7,
    int unsigned Passes = 2,
    localparam int unsigned BufferWidth = 3,
    localparam int unsigned BlockWidth = 2,
    localparam int unsigned JobWidth = 4
) (
    input logic                   clk_i,
    input logic                   whole_i,
    input logic [BufferWidth-1:0] whole_buffer_i,
    input logic [   BlockWidth:0] whole_block_i,
    input logic                   whole_first_i,
    input logic                   whole_final_i,
    input logic                   whole_restored_i,
    input logic                   whole_error_i,
    input logic [     JobWidth:0] whole_job_i
);

  logic [BufferWidth-1:0] buffer;  // any
  always_ff @(posedge clk_i) buffer <= buffer;
  logic rst_q = 1'b1;
  always_ff @(posedge clk_i) rst_q <= 1'b0;

  /* verilator lint_off UNUSEDSIGNAL */
  logic used, done, read, read_initial, write, write_digest, write_error;
  logic [BufferWidth-1:0] used_buffer, read_buffer, write_buffer;
  logic [JobWidth:0] write_job;
  logic [Places-1:0] active, was_active, message;
  logic [Places-1:0][$clog2(Passes)-1:0] pass;
  logic [Places-1:0][BufferWidth+BlockWidth-1:0] block;
  /* verilator lint_on UNUSEDSIGNAL */
  hash_turns #(
      .Places(Places),
      .Passes(Passes),
      .MessagePasses(1),
      .BufferWidth(BufferWidth),
      .BlockWidth(BlockWidth),
      .JobWidth(JobWidth)
  ) u_dut (
      .clk_i,
      .rst_i         (rst_q),
      .wipe_i        (1'b0),
      .whole_i       (whole_i && !rst_q),
      .whole_buffer_i,
      .whole_block_i,
      .whole_first_i,
      .whole_final_i,
      .whole_restored_i,
      .whole_error_i,
      .whole_job_i,
      .used_o        (used),
      .done_o        (done),
      .used_buffer_o (used_buffer),
      .active_o      (active),
      .was_active_o  (was_active),
      .message_o     (message),
      .pass_o        (pass),
      .block_o       (block),
      .read_o        (read),
      .read_initial_o(read_initial),
      .read_buffer_o (read_buffer),
      .write_o       (write),
      .write_digest_o(write_digest),
      .write_error_o (write_error),
      .write_buffer_o(write_buffer),
      .write_job_o   (write_job)
  );

  // ---- the message ------------------------------------------------------------------------------
  logic waits_q = 1'b0, turns_q = 1'b0;  // in the queue; in the ring
  logic final_q, restored_q;
  logic first_q;  // no block of it was hashed
  logic [BlockWidth:0] newest_q, block_q;  // numbers of the block that came last, and is hashed
  logic [BlockWidth:0] used_q;  // blocks that were hashed
  logic [  JobWidth:0] job_q;
  logic whole, taken, here, ends, looked_up;
  assign looked_up = turns_q && u_dut.asked == buffer;
  assign whole = whole_i && !rst_q && whole_buffer_i == buffer;
  assign taken = u_dut.take && u_dut.waiting.buffer == buffer;
  assign here = u_dut.now.bound && u_dut.now.buffer == buffer;
  assign ends = here && u_dut.block_ends;

  always_comb begin
    if (whole && whole_first_i) begin
      assume (!waits_q && !turns_q && whole_block_i == '0);
    end
    if (whole && !whole_first_i) begin
      assume (waits_q || turns_q);
      assume (!final_q && whole_block_i == newest_q + 1'b1);
      assume (newest_q - block_q < (BlockWidth + 1)'(2 ** BlockWidth));
    end
    if (taken) assume (waits_q && u_dut.waiting.job == job_q);
    if (taken) assume (u_dut.waiting.restored == restored_q);
    if (looked_up) assume (u_dut.found.block == newest_q && u_dut.found.final_block == final_q);
  end

  always_ff @(posedge clk_i) begin
    if (taken) {waits_q, turns_q} <= 2'b01;
    if (ends && u_dut.ended_q) turns_q <= 1'b0;
    if (here && u_dut.next.block != u_dut.now.block) block_q <= block_q + 1'b1;
    if (ends) used_q <= used_q + 1'b1;
    if (ends) first_q <= 1'b0;
    if (whole) {newest_q, final_q} <= {whole_block_i, whole_final_i};
    if (whole && whole_first_i) begin
      {waits_q, first_q}  <= '1;
      {job_q, restored_q} <= {whole_job_i, whole_restored_i};
      {block_q, used_q}   <= '0;
    end
  end

  // ---- where it is ------------------------------------------------------------------------------
  logic [Places-1:0] is_here;
  logic exact, is_active, is_fresh;
  always_comb begin
    exact = 1'b1;
    is_active = 1'b0;
    is_fresh = 1'b0;
    for (int unsigned i = 0; i < Places; i++) begin
      is_here[i] = u_dut.place_q[i].bound && u_dut.place_q[i].buffer == buffer;
      if (is_here[i]) begin
        exact = u_dut.place_q[i].block == block_q && u_dut.place_q[i].job == job_q;
        is_active = u_dut.place_q[i].active;
        is_fresh = u_dut.place_q[i].fresh;
      end
    end
  end

  logic unbound_active;
  always_comb begin
    unbound_active = 1'b0;
    for (int unsigned i = 0; i < Places; i++) begin
      if (u_dut.place_q[i].active && !u_dut.place_q[i].bound) unbound_active = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_q) begin
      in_one_place : assert (turns_q ? $onehot(is_here) : is_here == '0);
      not_both : assert (!(turns_q && waits_q));
      right_block_and_job : assert (exact);
      no_block_without_message : assert (!unbound_active);
      if (turns_q) begin
        each_block_once : assert (used_q == (is_active ? block_q : block_q + 1'b1));
        first_value : assert (is_fresh == (first_q && !restored_q));
      end
      if (turns_q || waits_q) begin
        no_block_before_it_came : assert (newest_q - block_q <= (BlockWidth + 1)'(2 ** BlockWidth));
      end
      if (waits_q) nothing_used : assert (used_q == '0 && block_q == '0 && first_q);
      if (here) begin
        another_came : assert (!u_dut.another_q || newest_q != block_q);
        ended : assert (!u_dut.ended_q || (final_q && newest_q == block_q));
        not_both_q : assert (!(u_dut.another_q && u_dut.ended_q));
      end
      if (ends) begin
        its_sum :
        assert (u_dut.next_sum.add && u_dut.next_sum.write && u_dut.next_sum.buffer == buffer);
        its_job : assert (u_dut.next_sum.job == job_q);
        digest_after_the_last : assert (!u_dut.ended_q || u_dut.next_sum.digest);
        from_the_first_value : assert (u_dut.next_sum.initial_value == (first_q && !restored_q));
      end
      no_starving : assert (u_dut.now.bound || !u_dut.waiting_valid || u_dut.next.active);
    end
  end

endmodule
