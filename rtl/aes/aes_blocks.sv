// SPDX-License-Identifier: Apache-2.0
// Streams around a cipher core that never stalls: a block is taken only when there is room for its result.
// What is added behind the cipher waits beside it, and is added as soon as a block leaves: only the sum
// has to wait for who takes it.

module aes_blocks
  import aes_pkg::*;
#(
    parameter int unsigned Depth,  // of both FIFOs: blocks under way and waiting
    parameter int unsigned Extra   // bits that pass by
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               wipe_i,
    output logic               room_o,        // a block may be taken
    input  logic               take_i,
    input  logic               move_i,        // it moves, now or later
    input  block_t             mask_i,
    input  logic   [     15:0] keep_i,
    input  logic               broken_i,      // no result
    input  logic   [Extra-1:0] extra_i,
    output logic               idle_o,        // none is in the cipher
    output logic               busy_o,        // from a block to its result
    // From the cipher, in order
    input  logic               made_i,
    input  block_t             made_block_i,
    output logic               valid_o,
    input  logic               ready_i,
    output block_t             data_o,        // 0 where nothing is kept, or all is broken
    output logic   [     15:0] keep_o,
    output logic               broken_o,
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

  // ---- beside the cipher: its way is far longer than a block RAM's, so this may come a cycle later ----------
  typedef struct packed {
    logic [Extra-1:0] extra;
    logic             broken;
    logic [15:0]      keep;
    block_t           mask;
  } beside_t;
  beside_t beside_q, beside;
  logic moved_q, unused_beside_ready, beside_valid;
  logic [$clog2(Depth+1)-1:0] unused_beside_level;

  always_ff @(posedge clk_i) begin
    moved_q  <= move_i && !rst_i && !wipe_i;
    beside_q <= wipe_i ? '0 : '{extra: extra_i, broken: broken_i, keep: keep_i, mask: mask_i};
  end

  stream_fifo #(
      .Width     ($bits(beside_t)),
      .Depth     (Depth),
      .CleanInput(1'b1)
  ) u_beside (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(moved_q),
      .ready_o(unused_beside_ready),
      .data_i (beside_q),
      .valid_o(beside_valid),
      .ready_i(made_i),
      .data_o (beside),
      .level_o(unused_beside_level)
  );

  // ---- behind it --------------------------------------------------------------------------------------------
  typedef struct packed {
    logic [Extra-1:0] extra;
    logic             broken;
    logic [15:0]      keep;
    block_t           data;
  } result_t;
  result_t sum_q, result;
  logic summed_q, unused_ready;
  logic [$clog2(Depth+1)-1:0] unused_level;

  always_ff @(posedge clk_i) begin
    summed_q <= made_i && !rst_i && !wipe_i;
    sum_q.extra <= beside.extra;
    sum_q.broken <= beside.broken;
    sum_q.keep <= beside.keep;
    for (int unsigned i = 0; i < 16; i++) begin
      sum_q.data[i] <= (made_block_i[i] ^ beside.mask[i]) & {8{beside.keep[i] && !beside.broken}};
    end
    if (wipe_i) sum_q <= '0;
  end

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
  assign {extra_o, broken_o, keep_o, data_o} = result;

  always_ff @(posedge clk_i) begin
    if (!rst_i && !wipe_i) begin
      room_for_result : assert (!summed_q || unused_ready);
      room_beside : assert (!moved_q || unused_beside_ready);
      beside_is_there : assert (!made_i || beside_valid);
    end
  end

endmodule
