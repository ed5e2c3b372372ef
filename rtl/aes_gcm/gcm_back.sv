// SPDX-License-Identifier: Apache-2.0
// Sends what leaves the cipher where route_i says: to GHASH, to the output. The computed tag is
// compared with the expected one.

module gcm_back
  import gcm_pkg::*;
#(
    parameter int unsigned DigitBits,
    parameter int unsigned PieceBits
) (
    input  logic           clk_i,
    input  logic           rst_i,
    input  logic           wipe_i,
    // From the cipher
    input  logic           valid_i,
    output logic           ready_o,
    input  logic   [127:0] result_i,          // what came out
    input  logic   [127:0] data_i,            // what went in
    input  logic   [ 15:0] keep_i,
    input  logic           partial_i,         // no result
    input  route_t         route_i,
    // Result
    output logic           valid_o,
    input  logic           ready_i,
    output logic   [127:0] data_o,
    output logic   [ 15:0] keep_o,
    output logic           last_o,
    output logic   [  1:0] user_o,
    // Hash of an iv
    output logic           counter_valid_o,   // one cycle
    output logic   [127:0] counter_o,
    // Tags
    input  logic           expected_valid_i,
    output logic           expected_ready_o,
    input  logic           expected_i,        // there is one
    input  logic   [  4:0] expected_bytes_i,
    input  logic   [127:0] expected_tag_i,
    output logic           tag_valid_o,
    input  logic           tag_ready_i,
    output logic   [127:0] tag_o,
    output logic           tag_match_o,
    output logic           tag_user_o,        // a beat of the message was marked
    output logic           busy_o
);

  // ---- a block for two consumers, which take it together ----------------------------------------
  typedef struct packed {
    logic [1:0]   user;
    logic         last;
    logic [15:0]  keep;
    logic [127:0] data;
  } beat_t;
  beat_t beat, made;
  logic block_ready, out_ready, hashes, mask_full_q, mask_free, move;
  logic [1:0] beats;

  assign hashes = route_i.hash || route_i.key;
  assign mask_free = !route_i.counter || !mask_full_q;
  assign ready_o = (block_ready || !hashes) && (out_ready || !route_i.out) && mask_free && !wipe_i;
  assign move = valid_i && ready_o;
  assign beat = '{
          user: {partial_i, route_i.user},
          last: route_i.out_last,
          keep: keep_i,
          data: result_i
      };

  stream_fifo #(
      .Width($bits(beat_t)),
      .Depth(2)
  ) u_out (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(move && route_i.out),
      .ready_o(out_ready),
      .data_i (beat),
      .valid_o,
      .ready_i,
      .data_o (made),
      .level_o(beats)
  );
  assign {user_o, last_o, keep_o, data_o} = made;

  // Input of GHASH. Whether GHASH takes a block does not affect anything in front of it in that
  // cycle.
  typedef struct packed {
    logic                  marked;     // a beat of the message, up to here
    logic                  iv;
    ghash_pkg::remaining_t remaining;
    logic [127:0]          data;
  } block_t;
  block_t offered, block;
  logic block_valid, hash_ready, hash_valid, hash_taken, hash_busy, marked_q;
  logic [127:0] hash;
  assign offered = '{
          marked: marked_q || route_i.user,
          iv: route_i.iv,
          remaining: route_i.key ? '0 : route_i.remaining,
          data: route_i.plain ? data_i : result_i
      };

  stream_spill #(
      .Width($bits(block_t))
  ) u_blocks (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(move && hashes),
      .ready_o(block_ready),
      .data_i (offered),
      .valid_o(block_valid),
      .ready_i(hash_ready),
      .data_o (block)
  );

  ghash #(
      .DigitBits(DigitBits),
      .PieceBits(PieceBits)
  ) u_hash (
      .aclk         (clk_i),
      .aresetn      (!rst_i),
      .wipe_i,
      .s_valid_i    (block_valid),
      .s_ready_o    (hash_ready),
      .s_block_i    (block.data),
      .s_remaining_i(block.remaining),
      .hash_valid_o (hash_valid),
      .hash_ready_i (hash_taken),
      .hash_o       (hash),
      .busy_o       (hash_busy)
  );

  // ---- tags: one hash is in progress; its mask and marks wait here ------------------------------
  logic iv_q, counter_valid_q, hash_marked_q, made_q, tag_user_q, tag_taken, expected_busy;
  logic [127:0] mask_q, tag_q;

  assign hash_taken = hash_valid && (iv_q || !made_q);
  assign counter_valid_o = counter_valid_q;
  assign counter_o = hash;  // it stays: the next block to be hashed comes behind the counter block

  always_ff @(posedge clk_i) begin
    // The block that the mask comes from depends only on whether the mask's register is free.
    if (valid_i && route_i.counter && !mask_full_q) begin
      mask_q <= result_i;
      mask_full_q <= 1'b1;
    end
    if (move && (route_i.hash || route_i.out)) marked_q <= marked_q || route_i.user;
    if (move && (route_i.hash ? route_i.remaining == 1 && !route_i.iv : route_i.out_last))
      marked_q <= 1'b0;
    if (block_valid && hash_ready && block.remaining == 1) begin
      iv_q <= block.iv;
      hash_marked_q <= block.marked;
    end
    counter_valid_q <= hash_taken && iv_q && !rst_i && !wipe_i;
    if (hash_taken && !iv_q) begin
      tag_q <= hash ^ mask_q;
      tag_user_q <= hash_marked_q;
      made_q <= 1'b1;
      mask_full_q <= 1'b0;
    end
    if (tag_taken) made_q <= 1'b0;
    if (wipe_i) {mask_q, tag_q} <= '0;
    if (rst_i || wipe_i) {mask_full_q, marked_q, made_q} <= '0;
  end

  tag_compare #(
      .Depth    (Tags),
      .Truncated(1'b1)
  ) u_tags (
      .clk_i,
      .rst_i,
      .wipe_i,
      .expected_valid_i,
      .expected_ready_o,
      .expected_i,
      .expected_bytes_i,
      .expected_tag_i,
      .computed_valid_i(made_q),
      .computed_ready_o(tag_taken),
      .computed_i      (tag_q),
      .valid_o         (tag_valid_o),
      .ready_i         (tag_ready_i),
      .tag_o,
      .match_o         (tag_match_o),
      .busy_o          (expected_busy)
  );

  assign tag_user_o = tag_user_q;
  assign busy_o = block_valid || hash_busy || made_q || mask_full_q || expected_busy || beats != '0;

endmodule
