// SPDX-License-Identifier: Apache-2.0
// Turns a message's param into one for the cipher, or for XChaCha20 into two
// (draft-irtf-cfrg-xchacha-03, 2.3): the first for HChaCha20, whose result is the key of the
// second. The number of blocks is worked out in the cycle before: its carry chain and what the
// cipher does with it are too long for one. That the cipher has taken a param is said a cycle later
// for the same reason; the message stays until then.

module chacha20_poly1305_params
  import chacha20_poly1305_pkg::*;
(
    input  logic                         clk_i,
    input  logic                         rst_i,
    input  logic                         wipe_i,
    input  logic                         valid_i,
    output logic                         ready_o,
    input  operation_e                   operation_i,
    input  logic                         extended_i,
    input  logic                 [ 31:0] data_bytes_i,
    input  logic                 [ 31:0] counter_i,
    input  logic                 [191:0] nonce_i,
    input  logic                 [255:0] key_i,
    // Result of HChaCha20: there until it is taken
    input  logic                         subkey_valid_i,
    output logic                         subkey_ready_o,
    input  logic                 [255:0] subkey_i,
    // To the front
    input  logic                         free_i,          // there is room; stays so until a start
    input  logic                         key_taken_i,     // by the front: the key of a Mac
    output logic                         start_o,         // the cipher has taken a param
    output logic                         subkey_o,        // with it: that was HChaCha20's
    output logic                         tag_o,           // with it: the message has a tag
    // To the cipher
    output logic                         valid_o,
    input  logic                         ready_i,
    output chacha20_pkg::param_t         param_o
);

  // waiting_q: HChaCha20 is in progress; keyed_q: the front has a Mac, but not yet its key;
  // go_q: a param is here since the last cycle, of which blocks_q is, and there is room for it
  logic waiting_q, keyed_q, go_q, mac, subkey, taken;
  logic [26:0] blocks_q;
  assign mac = operation_i == Mac;
  assign subkey = extended_i && !waiting_q;
  assign valid_o = go_q && (subkey_valid_i || !waiting_q) && !keyed_q;
  assign taken = valid_o && ready_i;
  assign ready_o = mac ? key_taken_i : start_o && !subkey_o;

  always_ff @(posedge clk_i) begin
    start_o  <= taken;
    subkey_o <= subkey;
    tag_o    <= !subkey && operation_i != Cipher;
    // Nothing uses it any more.
    subkey_ready_o <= taken && waiting_q;
    if (taken) waiting_q <= subkey;
    if (taken) keyed_q <= mac;
    if (key_taken_i) keyed_q <= 1'b0;
    // Not right after a start: two cycles later it is known whether there is room for another.
    go_q <= valid_i && !ready_o && free_i && !taken && !start_o;
    if (rst_i || wipe_i) {start_o, subkey_ready_o, waiting_q, keyed_q, go_q} <= '0;
  end

  logic aead, rest;
  assign aead = operation_i inside {Seal, Open};
  assign rest = data_bytes_i[5:0] != '0;
  always_ff @(posedge clk_i) begin
    blocks_q <= mac ? '0 : {1'b0, data_bytes_i[31:6]} + 27'(aead) + 27'(rest);
  end

  always_comb begin
    param_o.hchacha = subkey;
    param_o.blocks = subkey ? 27'd1 : blocks_q;
    param_o.key = waiting_q ? subkey_i : key_i;
    // Of HChaCha20, words 12 to 15 are bytes 0 to 15 of the nonce; otherwise the counter, bytes 12
    // to 15, or zeros with the subkey, and bytes 16 to 23.
    param_o.nonce = subkey ? nonce_i[127:32] : nonce_i[191:96];
    if (waiting_q) param_o.nonce[31:0] = '0;
    param_o.counter = operation_i == Cipher ? counter_i : '0;
    if (subkey) param_o.counter = nonce_i[31:0];
  end

endmodule
