// SPDX-License-Identifier: Apache-2.0
// AES in CTR over a packet in beats of a word each, around the serial core. Latency from keystream
// and data to the output: 1 cycle.

module aes_words
  import aes_pkg::*;
#(
    parameter sbox_e       SBox,
    parameter key_sizes_e  KeySizes,
    parameter int unsigned UserBits
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic                 wipe_i,
    input  logic                 param_valid_i,
    output logic                 param_ready_o,
    output logic  [         3:0] param_word_o,   // 0; 1 to 4; 5 to 12
    input  word_t                param_i,        // {mode, size}; IV's, the last first; key's
    output logic                 param_last_o,
    input  logic                 valid_i,
    output logic                 ready_o,
    input  word_t                data_i,
    input  logic  [         3:0] keep_i,
    input  logic                 last_i,
    input  logic  [UserBits-1:0] user_i,
    output logic                 valid_o,
    input  logic                 ready_i,
    output word_t                data_o,
    output logic  [         3:0] keep_o,
    output logic                 last_o,
    output logic  [UserBits-1:0] user_o,
    output logic                 busy_o,
    output logic                 starved_o,      // keystream is there, no data
    output logic                 block_o         // a block of keystream is used up
);

  logic core_busy, open, key_valid, key_ready, needs, move, room;
  word_t key, result;

  aes_serial_core #(
      .SBox    (SBox),
      .KeySizes(KeySizes)
  ) u_core (
      .clk_i,
      .rst_i,
      .wipe_i,
      .param_valid_i,
      .param_ready_o,
      .param_word_o,
      .param_i,
      .param_last_o,
      .busy_o (core_busy),
      .open_o (open),
      .done_i (move && last_i),
      .valid_o(key_valid),
      .ready_i(key_ready),
      .word_o (key)
  );

  // A beat that keeps no byte 0 takes no keystream, and shows nothing.
  assign needs = keep_i[0];
  assign ready_o = open && room && (key_valid || !needs) && !wipe_i;
  assign move = valid_i && ready_o;
  assign key_ready = move && needs;

  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      result[8*i+:8] = (data_i[8*i+:8] ^ key[8*i+:8]) & {8{keep_i[i] && needs}};
    end
  end

  stream_register #(
      .Width(32 + 4 + 1 + UserBits)
  ) u_output (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(move),
      .ready_o(room),
      .data_i ({result, keep_i, last_i, user_i}),
      .valid_o,
      .ready_i,
      .data_o ({data_o, keep_o, last_o, user_o})
  );

  logic [1:0] word_q;
  always_ff @(posedge clk_i) begin
    if (key_ready) word_q <= word_q + 1'b1;
    if (rst_i || wipe_i || (move && last_i)) word_q <= '0;
  end
  assign block_o = move && (needs ? word_q == 2'd3 || last_i : last_i && word_q != '0);
  assign busy_o = core_busy || valid_o;
  assign starved_o = key_valid && !valid_i;

endmodule
