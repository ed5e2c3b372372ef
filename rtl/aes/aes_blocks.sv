// SPDX-License-Identifier: Apache-2.0
// Streams around a cipher core that never stalls: a block is taken only when there is room for its
// result. What is added to the cipher's output waits in a memory beside it, and is added as soon as
// the block leaves. Only the result may wait for its consumer.

module aes_blocks
  import aes_pkg::*;
#(
    parameter int unsigned Depth,  // of both memories, a power of two: blocks in flight and waiting
    parameter int unsigned Extra,  // bits that accompany a block
    parameter bit Near  // no path from the output's handshake to block RAM
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               wipe_i,
    output logic               room_o,        // a block may be taken
    input  logic               take_i,
    input  logic               move_i,        // it enters the cipher, now or later
    input  block_t             mask_i,
    input  logic   [     15:0] keep_i,
    input  logic               partial_i,     // no result
    input  logic   [Extra-1:0] extra_i,
    output logic               idle_o,        // none is in the cipher
    output logic               busy_o,        // from a block to its result
    // From the cipher, in order
    input  logic               made_i,
    input  block_t             made_block_i,
    output logic               valid_o,
    input  logic               ready_i,
    output block_t             data_o,        // 0 where nothing is kept, or all is partial
    output logic   [     15:0] keep_o,
    output logic               partial_o,
    output logic   [Extra-1:0] extra_o
);

  // A credit is room for one block in the FIFO behind the cipher.
  logic used_q, all_free, some_inside, unused_full;
  logic [1:0] unused_next;

  assign idle_o = !some_inside;
  assign busy_o = !all_free || used_q;
  always_ff @(posedge clk_i) begin
    used_q <= valid_o && ready_i;
    if (rst_i || wipe_i) used_q <= 1'b0;
  end

  stream_count #(
      .Max  (Depth),
      .Start(Depth)
  ) u_credits (
      .clk_i,
      .rst_i(rst_i || wipe_i),
      .give_i(used_q),
      .take_i,
      .some_o(room_o),
      .some_next_o(unused_next[0]),
      .full_o(all_free)
  );

  stream_count #(
      .Max  (Depth),
      .Start(0)
  ) u_inside (
      .clk_i,
      .rst_i(rst_i || wipe_i),
      .give_i(take_i),
      .take_i(made_i),
      .some_o(some_inside),
      .some_next_o(unused_next[1]),
      .full_o(unused_full)
  );

  // ---- beside the cipher: what is added to a block ----------------------------------------------
  // Block RAM is far away: nothing at it waits for anything in the same cycle. Its address goes on
  // with each block that leaves, and the block waits two cycles for what comes out.
  typedef struct packed {
    logic [Extra-1:0] extra;
    logic             partial;
    logic [15:0]      keep;
    block_t           mask;
  } beside_t;
  beside_t added;
  block_t [1:0] made_block_q;
  logic [1:0] made_q;

  stream_aside #(
      .Width($bits(beside_t)),
      .Depth(Depth)
  ) u_beside (
      .clk_i,
      .rst_i,
      .wipe_i,
      .push_i(move_i),
      .data_i(wipe_i ? '0 : {extra_i, partial_i, keep_i, mask_i}),
      .pop_i (made_i),
      .data_o(added)
  );

  always_ff @(posedge clk_i) begin
    made_q <= {made_q[0], made_i};
    made_block_q <= {made_block_q[0], made_block_i};
    if (wipe_i) made_block_q <= '0;
    if (rst_i || wipe_i) made_q <= '0;
  end

  // ---- results, behind the cipher ---------------------------------------------------------------
  typedef struct packed {
    logic [Extra-1:0] extra;
    logic             partial;
    logic [15:0]      keep;
    block_t           data;
  } result_t;
  result_t sum_q, result;
  logic summed_q;

  always_ff @(posedge clk_i) begin
    summed_q <= made_q[1] && !rst_i && !wipe_i;
    sum_q.extra <= added.extra;
    sum_q.partial <= added.partial;
    sum_q.keep <= added.keep;
    for (int unsigned i = 0; i < 16; i++) begin
      sum_q.data[i] <= (made_block_q[1][i] ^ added.mask[i]) & {8{added.keep[i] && !added.partial}};
    end
    if (wipe_i) sum_q <= '0;
  end

  if (Near) begin : gen_near
    stream_buffer #(
        .Width($bits(result_t)),
        .Depth(Depth),
        .Near (1'b1)
    ) u_results (
        .clk_i,
        .rst_i,
        .wipe_i,
        .push_i (summed_q),
        .data_i (sum_q),
        .offer_i('0),
        .valid_o,
        .ready_i,
        .data_o (result)
    );
  end else begin : gen_fifo
    logic unused_ready;
    logic [$clog2(Depth+1)-1:0] unused_level;

    stream_fifo #(
        .Width     ($bits(result_t)),
        .Depth     (Depth),
        .CleanInput(1'b1)
    ) u_results (
        .clk_i,
        .rst_i,
        .wipe_i,
        .valid_i(summed_q),
        .ready_o(unused_ready),
        .data_i (sum_q),
        .valid_o,
        .ready_i,
        .data_o (result),
        .level_o(unused_level)
    );
  end
  assign {extra_o, partial_o, keep_o, data_o} = result;

  // Results that wait, the one on its way out of the sum too
  typedef logic [$clog2(Depth):0] count_t;
  count_t results_q;
  always_ff @(posedge clk_i) begin
    results_q <= results_q + count_t'(summed_q) - count_t'(valid_o && ready_i);
    if (rst_i || wipe_i) results_q <= '0;
    if (!rst_i && !wipe_i) begin
      room_for_result : assert (results_q <= count_t'(Depth));
    end
  end

endmodule
