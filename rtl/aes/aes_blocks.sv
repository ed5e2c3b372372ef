// SPDX-License-Identifier: Apache-2.0
// Streams around a cipher core that never stalls: a block is taken only when there is room for its result.
// What is added behind the cipher waits beside it.

module aes_blocks
  import aes_pkg::*;
#(
    parameter int unsigned Depth,  // of both FIFOs: blocks under way and waiting
    parameter int unsigned Extra   // bits that pass by
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               wipe_i,
    output logic               room_o,        // a block may move
    input  logic               move_i,
    input  block_t             mask_i,
    input  logic   [Extra-1:0] extra_i,
    output logic               idle_o,        // none is in the cipher
    // From the cipher, in order
    input  logic               made_i,
    input  block_t             made_block_i,
    output logic               valid_o,
    input  logic               ready_i,
    output block_t             block_o,       // cipher's
    output block_t             mask_o,
    output logic   [Extra-1:0] extra_o
);

  // A credit is room for one block in the FIFO behind the cipher.
  typedef logic [$clog2(Depth):0] count_t;
  count_t credits_q, inside_q;
  logic room_q, idle_q, used_q;

  assign room_o = room_q;
  assign idle_o = idle_q;
  always_ff @(posedge clk_i) begin
    used_q <= valid_o && ready_i;
    if (used_q && !move_i) credits_q <= credits_q + 1'b1;
    if (!used_q && move_i) credits_q <= credits_q - 1'b1;
    room_q <= used_q || (move_i ? credits_q > 1 : credits_q != '0);
    if (made_i && !move_i) inside_q <= inside_q - 1'b1;
    if (!made_i && move_i) inside_q <= inside_q + 1'b1;
    idle_q <= !move_i && (made_i ? inside_q <= 1 : inside_q == '0);
    if (rst_i || wipe_i) begin
      used_q <= 1'b0;
      credits_q <= count_t'(Depth);
      inside_q <= '0;
      {room_q, idle_q} <= '1;
    end
  end

  // Its way is far longer than a block RAM's: what is added may come a cycle later. In a wipe it is zero.
  logic moved_q;
  logic [128+Extra-1:0] added_q;
  always_ff @(posedge clk_i) begin
    moved_q <= move_i && !rst_i && !wipe_i;
    added_q <= wipe_i ? '0 : {extra_i, mask_i};
  end

  logic unused_ready, unused_mask_ready, mask_valid;
  logic [$clog2(Depth+1)-1:0] unused_level, unused_mask_level;

  stream_fifo #(
      .Width     (128),
      .Depth     (Depth),
      .CleanInput(1'b1)
  ) u_made (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(made_i),
      .ready_o(unused_ready),
      .data_i (made_block_i),
      .valid_o,
      .ready_i,
      .data_o (block_o),
      .level_o(unused_level)
  );

  stream_fifo #(
      .Width     (128 + Extra),
      .Depth     (Depth),
      .CleanInput(1'b1)
  ) u_masks (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(moved_q),
      .ready_o(unused_mask_ready),
      .data_i (added_q),
      .valid_o(mask_valid),
      .ready_i(valid_o && ready_i),
      .data_o ({extra_o, mask_o}),
      .level_o(unused_mask_level)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_i && !wipe_i) begin
      room_for_made : assert (!made_i || unused_ready);
      room_for_mask : assert (!moved_q || unused_mask_ready);
      mask_is_there : assert (!valid_o || mask_valid);
    end
  end

endmodule
