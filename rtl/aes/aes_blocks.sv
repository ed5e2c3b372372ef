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
  typedef logic [$clog2(Depth):0] count_t;
  count_t credits_q, inside_q;
  logic room_q, idle_q, used_q;

  assign room_o = room_q;
  assign idle_o = idle_q;
  assign busy_o = credits_q != count_t'(Depth) || used_q;
  always_ff @(posedge clk_i) begin
    used_q <= valid_o && ready_i;
    if (used_q && !take_i) credits_q <= credits_q + 1'b1;
    if (!used_q && take_i) credits_q <= credits_q - 1'b1;
    room_q <= used_q || (take_i ? credits_q > 1 : credits_q != '0);
    if (made_i && !take_i) inside_q <= inside_q - 1'b1;
    if (!made_i && take_i) inside_q <= inside_q + 1'b1;
    idle_q <= !take_i && (made_i ? inside_q <= 1 : inside_q == '0);
    if (rst_i || wipe_i) begin
      used_q <= 1'b0;
      credits_q <= count_t'(Depth);
      inside_q <= '0;
      {room_q, idle_q} <= '1;
    end
  end

  // ---- beside the cipher: the masks of its blocks -----------------------------------------------
  // Block RAM is far away, so nothing at it depends on a signal of the same cycle. Its address
  // moves on with each block that leaves; the block waits two cycles for the data.
  typedef struct packed {
    logic [Extra-1:0] extra;
    logic             partial;
    logic [15:0]      keep;
    block_t           mask;
  } beside_t;
  typedef logic [$clog2(Depth)-1:0] address_t;
  (* no_rw_check, ramstyle = "no_rw_check" *)
  logic [$bits(beside_t)-1:0] memory[Depth];
  beside_t beside_q, read_data_q, added_q;
  address_t write_q, read_q;
  logic moved_q;
  block_t [1:0] made_block_q;
  logic [1:0] made_q;

  always_ff @(posedge clk_i) begin
    moved_q  <= (move_i || wipe_i) && !rst_i;  // a wipe writes zeros everywhere
    beside_q <= wipe_i ? '0 : '{extra: extra_i, partial: partial_i, keep: keep_i, mask: mask_i};
    if (moved_q) write_q <= write_q + 1'b1;
    if (made_i) read_q <= read_q + 1'b1;
    if (wipe_i) read_q <= write_q + address_t'(2);  // it ends where the write does
    if (rst_i) {write_q, read_q} <= '0;
  end
  always_ff @(posedge clk_i) begin
    if (moved_q) memory[write_q] <= beside_q;
    read_data_q <= memory[read_q];
    added_q <= read_data_q;
  end

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
    sum_q.extra <= added_q.extra;
    sum_q.partial <= added_q.partial;
    sum_q.keep <= added_q.keep;
    for (int unsigned i = 0; i < 16; i++) begin
      sum_q.data[i] <= (made_block_q[1][i] ^ added_q.mask[i]) &
          {8{added_q.keep[i] && !added_q.partial}};
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
        .push_i(summed_q),
        .data_i(sum_q),
        .valid_o,
        .ready_i,
        .data_o(result)
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

  // Results that wait, including the one in sum_q
  count_t results_q;
  always_ff @(posedge clk_i) begin
    results_q <= results_q + count_t'(summed_q) - count_t'(valid_o && ready_i);
    if (rst_i || wipe_i) results_q <= '0;
    if (!rst_i && !wipe_i) begin
      room_for_result : assert (results_q <= count_t'(Depth));
      room_beside : assert (inside_q <= count_t'(Depth));
      beside_is_there : assert (!made_i || read_q != write_q);
    end
  end

endmodule
