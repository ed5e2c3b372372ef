// SPDX-License-Identifier: Apache-2.0
// A message's param becomes one of the cipher's, or two for XChaCha20 (draft-irtf-cfrg-xchacha-03,
// 2.3): the first for HChaCha20, whose result is the key of the second. Combinational but for that.

module chacha20_poly1305_params
  import chacha20_poly1305_pkg::*;
(
    input  logic                         clk_i,
    input  logic                         rst_i,
    input  logic                         wipe_i,
    input  logic                         valid_i,
    output logic                         ready_o,
    input  param_t                       param_i,
    // Result of HChaCha20: there until it is taken
    input  logic                         subkey_valid_i,
    output logic                         subkey_ready_o,
    input  logic                 [255:0] subkey_i,
    // To the cipher, and, with its handshake, to the front
    input  logic                         free_i,          // the front can take one; stays so
    input  logic                         key_taken_i,     // by the front: the key of a Mac
    output logic                         valid_o,
    input  logic                         ready_i,
    output logic                         subkey_o,        // it is HChaCha20's
    output chacha20_pkg::param_t         param_o
);

  // waiting_q: HChaCha20 is under way; keyed_q: the front has a Mac, but not yet its key
  logic waiting_q, keyed_q, mac;
  assign mac = param_i.operation == Mac;
  assign subkey_o = param_i.extended && !waiting_q;
  assign valid_o = valid_i && free_i && (subkey_valid_i || !waiting_q) && !keyed_q;
  assign ready_o = mac ? key_taken_i : ready_i && !subkey_o;
  assign subkey_ready_o = ready_o && waiting_q;

  always_ff @(posedge clk_i) begin
    if (valid_o && ready_i) waiting_q <= subkey_o;
    if (valid_o && ready_i) keyed_q <= mac;
    if (key_taken_i) keyed_q <= 1'b0;
    if (rst_i || wipe_i) {waiting_q, keyed_q} <= '0;
  end

  logic aead;
  logic [32:0] ceiling;
  assign aead = param_i.operation inside {Seal, Open};
  assign ceiling = {1'b0, param_i.data_bytes} + (aead ? 33'd127 : 33'd63);

  always_comb begin
    param_o.raw = subkey_o;
    param_o.blocks = ceiling[32:6];
    if (mac) param_o.blocks = '0;
    if (subkey_o) param_o.blocks = 27'd1;
    param_o.key   = waiting_q ? subkey_i : param_i.key;
    // Of HChaCha20, words 12 to 15 are bytes 0 to 15 of the nonce; otherwise the counter, bytes 12 to
    // 15, or zeros with the subkey, and bytes 16 to 23.
    param_o.nonce = subkey_o ? param_i.nonce[127:32] : param_i.nonce[191:96];
    if (waiting_q) param_o.nonce[31:0] = '0;
    param_o.counter = param_i.operation == Cipher ? param_i.counter : '0;
    if (subkey_o) param_o.counter = param_i.nonce[31:0];
  end

endmodule
