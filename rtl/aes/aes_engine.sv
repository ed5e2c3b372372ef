// SPDX-License-Identifier: Apache-2.0
// AES over packets of blocks: modes of operation around a cipher core that never stalls. The key of
// the next packet is expanded while one is open. The last AddRoundKey is part of what aes_modes
// adds to the cipher's output; behind the cipher in aes_cbc it is done there (decision 57).

module aes_engine
  import aes_pkg::*;
#(
    parameter structure_e Structure,  // Ring or Pipeline
    parameter sbox_e SBox,
    parameter int unsigned RoundStages,
    parameter key_sizes_e KeySizes,
    parameter directions_e Directions,
    parameter modes_e Modes,
    parameter round_keys_e RoundKeys = StoredKeys,
    parameter bit Near,  // no path from the output's handshake to block RAM
    parameter int unsigned Extra  // bits that accompany a block
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               wipe_i,
    // One param per packet; may run ahead of the data
    input  logic               param_valid_i,    // stays until it is ready
    output logic               param_ready_o,
    input  param_t             param_i,
    output logic               next_o,           // a param is taken, its packet not yet open
    output logic               opens_o,          // it is open from the next cycle on
    // A first counter block that replaces the param's IV: before the blocks that count
    input  logic               counter_valid_i,
    input  block_t             counter_i,
    // Blocks of the open packet
    input  logic               valid_i,
    output logic               ready_o,
    input  block_t             data_i,
    input  logic   [     15:0] keep_i,
    input  logic               last_i,           // of the packet
    input  logic               zero_i,           // the cipher's input is 0
    input  logic               counts_i,         // uses up a counter block or chaining value
    input  logic   [Extra-1:0] extra_i,
    // Results in the same order
    output logic               valid_o,
    input  logic               ready_i,
    output block_t             data_o,           // 0 where nothing is kept, or all is partial
    output logic   [     15:0] keep_o,
    output logic               partial_o,        // a block of ECB or CBC that is not whole
    output logic   [Extra-1:0] extra_o,
    output logic               busy_o,           // from a param to its packet's last result
    output logic               block_o           // the cipher has done a block
);

  // ---- packets: one is open, the param of another waits while its key is expanded ---------------
  logic key_ready, opens, opened, next_q, next_decrypt_q, cipher_ready, made, idle, chained, room;
  logic   whole;
  mode_e  next_mode_q;
  block_t next_iv_q;

  assign param_ready_o = key_ready;
  assign next_o = next_q;
  assign opens_o = opens;

  // Follow param_i until it is taken
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

  // ---- blocks, and the mode of operation --------------------------------------------------------
  typedef struct packed {
    logic [Extra-1:0] extra;
    logic             zero;
    logic             counts;
    logic             partial;
    logic [15:0]      keep;
    block_t           data;
  } beat_t;
  beat_t arrives, beat;
  logic take, move, last, blocks_busy;
  block_t block, mask, last_key, made_block;

  assign arrives = '{
          extra: extra_i,
          zero: zero_i,
          counts: counts_i,
          partial: whole && keep_i != '1 && keep_i[0],
          keep: keep_i,
          data: data_i
      };

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
      .beat_i        (arrives),
      .take_o        (take),
      .move_o        (move),
      .last_o        (last),
      .beat_o        (beat)
  );

  aes_modes #(
      .Modes(Modes)
  ) u_modes (
      .clk_i,
      .wipe_i,
      .open_i      (opens),
      .mode_i      (counter_valid_i ? Ctr32 : next_mode_q),
      .decrypt_i   (next_decrypt_q && !counter_valid_i),
      .iv_i        (next_iv_q),
      .counter_valid_i,
      .counter_i,
      .move_i      (move && beat.counts),
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
  aes_cipher #(
      .Structure  (Structure),
      .SBox       (SBox),
      .RoundStages(RoundStages),
      .KeySizes   (KeySizes),
      .Directions (Directions),
      .RoundKeys  (RoundKeys)
  ) u_cipher (
      .clk_i,
      .rst_i,
      .wipe_i,
      .key_valid_i(param_valid_i && !next_q),
      .key_ready_o(key_ready),
      .key_i      (param_i.key),
      .size_i     (param_i.size),
      .decrypt_i  (param_i.decrypt && (param_i.mode == Ecb || param_i.mode == Cbc)),
      .opens_o    (opens),
      .open_o     (opened),
      .last_key_o (last_key),
      .valid_i    (move),
      .ready_o    (cipher_ready),
      .block_i    (beat.zero ? '0 : block),
      .last_i     (last),
      .valid_o    (made),
      .block_o    (made_block)
  );

  // ---- results, behind the cipher ---------------------------------------------------------------
  aes_blocks #(
      .Depth(output_depth(Structure, RoundStages)),
      .Extra(Extra),
      .Near (Near)
  ) u_blocks (
      .clk_i,
      .rst_i,
      .wipe_i,
      .room_o      (room),
      .take_i      (take),
      .move_i      (move),
      .mask_i      (mask),
      .keep_i      (beat.keep),
      .partial_i   (beat.partial),
      .extra_i     (beat.extra),
      .idle_o      (idle),
      .busy_o      (blocks_busy),
      .made_i      (made),
      .made_block_i(made_block),
      .valid_o,
      .ready_i,
      .data_o,
      .keep_o,
      .partial_o,
      .extra_o
  );

  assign busy_o  = next_q || opened || blocks_busy;
  assign block_o = made;

endmodule
