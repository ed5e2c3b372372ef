// SPDX-License-Identifier: Apache-2.0
// Sends what leaves the cipher where its route says: to the one-time key, to Poly1305, to the
// output. The computed tag is compared with the expected one.

module chacha20_poly1305_back
  import chacha20_poly1305_pkg::*;
#(
    parameter int unsigned DataBytes,
    parameter int unsigned Tags        // expected tags that can wait
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     wipe_i,
    // From the cipher
    input  logic                     valid_i,
    output logic                     ready_o,
    input  logic   [8*DataBytes-1:0] data_i,            // what came out
    input  logic   [8*DataBytes-1:0] plain_i,           // what went in
    input  logic   [  DataBytes-1:0] keep_i,
    input  logic   [  DataBytes-1:0] mac_keep_i,
    input  route_t                   route_i,
    input  logic                     no_keystream_i,    // there was no keystream
    // Result
    output logic                     valid_o,
    input  logic                     ready_i,
    output logic   [8*DataBytes-1:0] data_o,
    output logic   [  DataBytes-1:0] keep_o,
    output logic                     last_o,
    output logic   [            1:0] user_o,
    // Subkey for XChaCha20
    output logic                     subkey_valid_o,
    input  logic                     subkey_ready_i,
    // One-time key and subkey
    output logic                     key_valid_o,
    input  logic                     key_ready_i,
    output logic   [          255:0] key_o,
    // To Poly1305
    output logic                     mac_valid_o,
    input  logic                     mac_ready_i,
    output logic   [8*DataBytes-1:0] mac_data_o,
    output logic   [  DataBytes-1:0] mac_keep_o,
    output logic                     mac_last_o,
    // Tags
    input  logic                     made_valid_i,
    output logic                     made_ready_o,
    input  logic   [          127:0] made_i,
    input  logic                     expected_valid_i,
    output logic                     expected_ready_o,  // stays, whatever is taken meanwhile
    input  logic                     expected_i,        // there is one
    input  logic   [          127:0] expected_tag_i,
    output logic                     tag_valid_o,
    input  logic                     tag_ready_i,
    output logic   [          127:0] tag_o,
    output logic                     tag_match_o,
    output logic                     tag_user_o,        // a beat of the message was marked
    output logic                     busy_o
);

  logic [8*DataBytes-1:0] word;
  logic key_full_q, subkey_q;
  logic [255:0] key_q;
  logic key_free;

  assign word = route_i.plain ? plain_i : data_i;
  assign key_free = !key_full_q || !route_i.key;
  // A beat can go to the output and to Poly1305. Each takes it when it is ready, and sees it once.
  logic out_done_q, mac_done_q, out_done, mac_done;
  assign out_done = !route_i.out || out_done_q || ready_i;
  assign mac_done = !route_i.mac || mac_done_q || mac_ready_i;
  assign ready_o  = key_free && out_done && mac_done && !wipe_i;

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      out_done_q <= route_i.out && out_done && !ready_o;
      mac_done_q <= route_i.mac && mac_done && !ready_o;
    end
    if (rst_i || wipe_i) {out_done_q, mac_done_q} <= '0;
  end

  assign valid_o = valid_i && route_i.out && !out_done_q && !wipe_i;
  assign data_o = data_i;
  assign keep_o = keep_i;
  assign last_o = route_i.out_last;
  assign user_o = {no_keystream_i, route_i.user};

  assign mac_valid_o = valid_i && route_i.mac && !mac_done_q && !wipe_i;
  assign mac_data_o = word;
  assign mac_keep_o = mac_keep_i;
  assign mac_last_o = route_i.mac_last;

  assign key_valid_o = key_full_q && !subkey_q;
  assign subkey_valid_o = key_full_q && subkey_q;
  assign key_o = key_q;

  always_ff @(posedge clk_i) begin
    if (valid_i && route_i.key && key_free) begin
      key_q <= {word, key_q[255:8*DataBytes]};
      subkey_q <= route_i.subkey;
      key_full_q <= route_i.key_end;
    end
    // Each is ready only for what it was offered.
    if (subkey_q ? subkey_ready_i : key_ready_i) key_full_q <= 1'b0;
    if (wipe_i) key_q <= '0;
    if (rst_i || wipe_i) key_full_q <= 1'b0;
  end

  // Tags
  logic tag_taken, expected_busy;
  assign tag_taken = made_valid_i && made_ready_o;
  assign busy_o = key_full_q || expected_busy;

  tag_compare #(
      .Depth(Tags)
  ) u_tags (
      .clk_i,
      .rst_i,
      .wipe_i,
      .expected_valid_i,
      .expected_ready_o,
      .expected_i,
      .expected_bytes_i('0),
      .expected_tag_i,
      .computed_valid_i(made_valid_i),
      .computed_ready_o(made_ready_o),
      .computed_i      (made_i),
      .valid_o         (tag_valid_o),
      .ready_i         (tag_ready_i),
      .tag_o,
      .match_o         (tag_match_o),
      .busy_o          (expected_busy)
  );

  // Per message: whether a beat was marked, until its tag is there. There is room, because there
  // was room for the message's expected tag.
  localparam int unsigned MarkBits = Tags == 1 ? 1 : $clog2(Tags);
  logic marks[2**MarkBits];
  logic [MarkBits-1:0] mark_write_q, mark_read_q;
  logic marked, marked_q, mac_end;
  assign marked = marked_q || route_i.user;
  assign mac_end = valid_i && ready_o && route_i.mac_last;
  assign tag_user_o = marks[mark_read_q];

  always_ff @(posedge clk_i) if (mac_end) marks[mark_write_q] <= marked;
  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o && route_i.mac) marked_q <= marked && !route_i.mac_last;
    if (mac_end) mark_write_q <= mark_write_q + 1'b1;
    if (tag_taken) mark_read_q <= mark_read_q + 1'b1;
    if (rst_i || wipe_i) begin
      marked_q <= 1'b0;
      {mark_write_q, mark_read_q} <= '0;
    end
  end

endmodule
