// SPDX-License-Identifier: Apache-2.0
// AES over a packet in beats of a block each: modes of operation around a core that never stalls.

module aes_stream
  import aes_pkg::*;
#(
    parameter structure_e  Structure,     // Ring or Pipeline
    parameter sbox_e       SBox,
    parameter int unsigned RoundStages,
    parameter key_sizes_e  KeySizes,
    parameter directions_e Directions,
    parameter modes_e      Modes,
    parameter bit          KeysOnTheFly,
    parameter int unsigned UserBits
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  wipe_i,
    input  logic                  param_valid_i,
    output logic                  param_ready_o,
    input  param_t                param_i,
    input  logic                  valid_i,
    output logic                  ready_o,
    input  block_t                data_i,
    input  logic   [        15:0] keep_i,
    input  logic                  last_i,
    input  logic   [UserBits-1:0] user_i,
    output logic                  valid_o,
    input  logic                  ready_i,
    output block_t                data_o,
    output logic   [        15:0] keep_o,
    output logic                  last_o,
    output logic   [  UserBits:0] user_o,         // {no whole block in Ecb, Cbc: 0, user_i}
    output logic                  busy_o,
    output logic                  starved_o,      // a block could go in, there is none
    output logic                  block_o         // a block is done
);

  // ---- packets: one is open, the param of another waits while its key is expanded ---------------
  logic key_valid, key_ready, opens, next_q, next_decrypt_q;
  mode_e next_mode_q;
  logic [127:0] next_iv_q;
  logic opened, cipher_ready, take, move, made, room, idle, chained, whole, blocks_busy;
  block_t block, mask, last_key, made_block;

  assign key_valid = param_valid_i && !next_q;
  assign param_ready_o = key_ready;

  typedef struct packed {
    logic [UserBits-1:0] user;
    logic [15:0]         keep;
    block_t              data;
  } beat_t;
  beat_t beat;
  logic  last;

  aes_entry #(
      .Registered(Structure == Pipeline),
      .Width     ($bits(beat_t))
  ) u_entry (
      .clk_i,
      .rst_i,
      .wipe_i,
      .opens_i       (opens),
      .cipher_ready_i(cipher_ready),
      .room_i        (room),
      .wait_i        (chained && !idle),
      .valid_i,
      .ready_o,
      .last_i,
      .beat_i        ({user_i, keep_i, data_i}),
      .take_o        (take),
      .move_o        (move),
      .last_o        (last),
      .beat_o        (beat)
  );

  // A param stays until it is taken: until then it is copied over and over.
  always_ff @(posedge clk_i) begin
    if (!next_q) begin
      next_mode_q <= param_i.mode;
      next_decrypt_q <= param_i.decrypt;
      next_iv_q <= param_i.iv;
    end
    if (key_ready) next_q <= 1'b1;
    if (opens) next_q <= 1'b0;
    if (wipe_i) next_iv_q <= '0;
    if (rst_i || wipe_i) next_q <= 1'b0;
  end

  aes_modes #(
      .Modes(Modes)
  ) u_modes (
      .clk_i,
      .wipe_i,
      .open_i      (opens),
      .mode_i      (next_mode_q),
      .decrypt_i   (next_decrypt_q),
      .iv_i        (next_iv_q),
      .move_i      (move),
      .data_i      (beat.data),
      .last_key_i  (last_key),
      .block_o     (block),
      .mask_o      (mask),
      .made_i      (made),
      .made_block_i(made_block),
      .chained_o   (chained),
      .whole_o     (whole)
  );

  // ---- the cipher -------------------------------------------------------------------------------
  logic inverse;
  assign inverse = param_i.decrypt && (param_i.mode == Ecb || param_i.mode == Cbc);

  aes_cipher #(
      .Structure   (Structure),
      .SBox        (SBox),
      .RoundStages (RoundStages),
      .KeySizes    (KeySizes),
      .Directions  (Directions),
      .KeysOnTheFly(KeysOnTheFly)
  ) u_cipher (
      .clk_i,
      .rst_i,
      .wipe_i,
      .key_valid_i(key_valid),
      .key_ready_o(key_ready),
      .key_i      (param_i.key),
      .size_i     (param_i.size),
      .decrypt_i  (inverse),
      .opens_o    (opens),
      .open_o     (opened),
      .last_key_o (last_key),
      .valid_i    (move),
      .ready_o    (cipher_ready),
      .block_i    (block),
      .last_i     (last),
      .valid_o    (made),
      .block_o    (made_block)
  );

  // ---- behind it --------------------------------------------------------------------------------
  aes_blocks #(
      .Depth(output_depth(Structure, RoundStages)),
      .Extra(1 + UserBits),
      .Near (Structure == Pipeline)
  ) u_blocks (
      .clk_i,
      .rst_i,
      .wipe_i,
      .room_o      (room),
      .take_i      (take),
      .move_i      (move),
      .mask_i      (mask),
      .keep_i      (beat.keep),
      .partial_i   (whole && beat.keep != '1 && beat.keep[0]),
      .extra_i     ({last, beat.user}),
      .idle_o      (idle),
      .busy_o      (blocks_busy),
      .made_i      (made),
      .made_block_i(made_block),
      .valid_o,
      .ready_i,
      .data_o,
      .keep_o,
      .partial_o   (user_o[UserBits]),
      .extra_o     ({last_o, user_o[UserBits-1:0]})
  );

  assign busy_o = next_q || opened || blocks_busy;
  assign starved_o = ready_o && !valid_i;
  assign block_o = made;

endmodule
