// SPDX-License-Identifier: Apache-2.0
// As chacha20_poly1305_params, for a cipher that takes its param in words: one multiplexer chooses
// among the words of both params.

module chacha20_poly1305_param_words
  import chacha20_poly1305_pkg::*;
(
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               wipe_i,
    input  logic               valid_i,
    output logic               ready_o,
    input  operation_e         operation_i,
    input  logic               extended_i,
    input  logic       [ 31:0] data_bytes_i,
    input  logic       [ 31:0] counter_i,
    input  logic       [191:0] nonce_i,
    input  logic       [255:0] key_i,
    // Result of HChaCha20, word by word
    input  logic               subkey_valid_i,
    output logic               subkey_next_o,
    output logic               subkey_ready_o,  // with the last one
    input  logic       [ 31:0] subkey_i,
    // To the cipher, and, when its last word is taken, to the front
    input  logic               free_i,
    input  logic               key_taken_i,
    output logic               valid_o,
    input  logic               ready_i,
    output logic               start_o,
    output logic               subkey_o,
    output logic       [ 31:0] word_o
);

  // 7: {raw, blocks}; 8 to 15: key; 16 to 19: counter and nonce
  localparam logic [4:0] First = 5'd7;
  localparam logic [4:0] Last = 5'd19;
  logic [4:0] word_q;

  // waiting_q: HChaCha20 is under way; keyed_q: the front has a Mac, but not yet its key
  logic waiting_q, keyed_q, mac, move;
  assign mac = operation_i == Mac;
  assign subkey_o = extended_i && !waiting_q;
  assign valid_o = valid_i && free_i && (subkey_valid_i || !waiting_q) && !keyed_q;
  assign move = valid_o && ready_i;
  assign start_o = move && word_q == Last;
  assign ready_o = mac ? key_taken_i : start_o && !subkey_o;
  assign subkey_next_o = move && waiting_q && word_q[3];
  assign subkey_ready_o = start_o && waiting_q;

  always_ff @(posedge clk_i) begin
    if (move) word_q <= start_o ? First : word_q + 1'b1;
    if (start_o) waiting_q <= subkey_o;
    if (start_o) keyed_q <= mac;
    if (key_taken_i) keyed_q <= 1'b0;
    if (rst_i || wipe_i) begin
      word_q <= First;
      {waiting_q, keyed_q} <= '0;
    end
  end

  logic [26:0] blocks;
  assign blocks = {1'b0, data_bytes_i[31:6]} + 27'(operation_i inside {Seal, Open}) +
      27'(data_bytes_i[5:0] != '0);

  // Of HChaCha20, bytes 0 to 15 of the nonce are where counter and nonce are; otherwise the nonce's last
  // 12 bytes, or zeros and its last 8 with the subkey
  logic [3:0][31:0] tail;
  always_comb begin
    tail = {nonce_i[191:96], operation_i == Cipher ? counter_i : 32'd0};
    if (waiting_q) tail[1] = '0;
    if (subkey_o) tail = nonce_i[127:0];
    word_o = {subkey_o, 4'b0, subkey_o ? 27'd1 : mac ? 27'd0 : blocks};
    if (word_q[3]) word_o = waiting_q ? subkey_i : key_i[32*word_q[2:0]+:32];
    if (word_q[4]) word_o = tail[word_q[1:0]];
  end

endmodule
