// SPDX-License-Identifier: Apache-2.0
// Padding of SHA-256 (FIPS 180-4, 5.1.1) and of MD5 (RFC 1321, 3.1 and 3.2): the words of a message
// become whole blocks of 16 words: the message, a bit 1, zeros, and its length in bits. No latency:
// a word of the message goes through, and those of the padding follow, one per cycle.
//
// A part of a message that is not its last gets no padding. If it is not whole blocks, zeros fill
// the last of them.

module hash_pad
  import hash_pkg::*;
#(
    bit BigEndian  // words and length, as SHA-256 has them; 0: little-endian, as MD5
) (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        wipe_i,
    // Opens a message, or a part of one: not while one is open
    input  logic        start_i,
    input  logic        part_i,    // more follows: no padding
    input  logic [54:0] blocks_i,  // of the message, that came before
    output logic        open_o,    // until its last word is taken
    // The message: byte 0 is [7:0]; an empty one is a word with keep = 0
    input  logic        valid_i,
    output logic        ready_o,
    input  logic [31:0] data_i,
    input  logic [ 3:0] keep_i,    // contiguous from byte 0, full except with last_i
    input  logic        last_i,
    // Words of blocks
    output logic        valid_o,
    input  logic        ready_i,
    output logic [31:0] word_o,
    output logic        final_o    // last word of the message's or part's last block
);

  // What the next word is of: the message, zeros (the bit 1 in front of them, if one_q), or the
  // second word of its length. At most one is set; none: no message is open.
  logic message_q, zeros_q, length_q;
  logic part_q, one_q, take, full, whole_q;
  logic [ 1:0] kept;  // bytes of the word, if it is not full
  logic [ 3:0] index_q;  // of the word in its block
  logic [54:0] blocks_q;  // whole blocks of the message
  logic [ 5:0] rest_q;  // bytes of the message after them
  logic [63:0] bits;

  assign full = keep_i[3];
  assign kept = full ? 2'd0 : {keep_i[1], keep_i[0] && (!keep_i[1] || keep_i[2])};
  assign open_o = message_q || zeros_q || length_q;
  assign valid_o = ((message_q && valid_i) || zeros_q || length_q) && !wipe_i;
  assign ready_o = message_q && ready_i;
  assign take = valid_o && ready_i;
  assign final_o = index_q == 4'd15 && (length_q || (part_q && (zeros_q || last_i)));

  // ---- the word ---------------------------------------------------------------------------------
  function automatic logic [31:0] in_order(logic [31:0] bytes);
    return BigEndian ? swapped(bytes) : bytes;
  endfunction

  logic [31:0] ended;  // the message's word, with the bit 1 behind its last byte
  logic length_now;  // the first word of the length
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      ended[8*i+:8] = keep_i[i] ? data_i[8*i+:8] : '0;
      if (!keep_i[i] && (i == 0 || keep_i[(i+3)%4])) ended[8*i+7] = !part_q;
    end
  end
  assign bits = {blocks_q, rest_q, 3'd0};
  assign length_now = index_q == 4'd14 && !one_q && !part_q;
  always_comb begin
    unique case (1'b1)
      message_q: word_o = in_order(ended);
      length_q:  word_o = BigEndian ? bits[31:0] : bits[63:32];
      default: begin
        word_o = in_order({24'd0, one_q, 7'd0});
        if (length_now) word_o = BigEndian ? bits[63:32] : bits[31:0];
      end
    endcase
  end

  // ---- where it is ------------------------------------------------------------------------------
  // What the length needs does not wait for the handshake, which comes from far: the rest is that
  // of the word that was there last, and a whole block counts a cycle later.
  always_ff @(posedge clk_i) begin
    whole_q <= take && message_q && full && index_q == 4'd15;
    if (whole_q) blocks_q <= blocks_q + 1'b1;
    if (message_q) begin
      rest_q <= {index_q + 4'(full), kept};
      one_q  <= full && !part_q;
    end
    if (take) begin
      index_q <= index_q + 1'b1;
      if (message_q && last_i) {message_q, zeros_q} <= 2'b01;
      if (zeros_q) begin
        one_q <= 1'b0;
        if (length_now) {zeros_q, length_q} <= 2'b01;
      end
      if (final_o) {message_q, zeros_q, length_q} <= '0;
    end
    if (start_i) begin
      message_q <= 1'b1;
      part_q <= part_i;
      blocks_q <= blocks_i;
    end
    if (rst_i || wipe_i) begin
      {message_q, zeros_q, length_q} <= '0;
      {index_q, one_q, whole_q} <= '0;
    end
    if (wipe_i) {part_q, blocks_q, rest_q} <= '0;
  end

endmodule
