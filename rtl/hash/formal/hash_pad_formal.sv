// SPDX-License-Identifier: Apache-2.0
// Proof, for messages of any length and all time: each byte of each word is the one that the
// standard has there, and the last word is that of the right block.

module hash_pad_formal
  import hash_pkg::*;
#(
    bit BigEndian = 1'b1
) (
    input logic        clk_i,
    input logic        start_i,
    input logic        part_i,
    input logic [54:0] blocks_i,
    input logic        valid_i,
    input logic [31:0] data_i,
    input logic [ 3:0] keep_i,
    input logic        last_i,
    input logic        ready_i
);

  logic rst_q = 1'b1;
  always_ff @(posedge clk_i) rst_q <= 1'b0;

  logic open, start, in_ready, valid, final_word;
  logic [31:0] word;
  assign start = start_i && !open && !rst_q;
  hash_pad #(
      .BigEndian(BigEndian)
  ) u_dut (
      .clk_i,
      .rst_i  (rst_q),
      .wipe_i (1'b0),
      .start_i(start),
      .part_i,
      .blocks_i,
      .open_o (open),
      .valid_i,
      .ready_o(in_ready),
      .data_i,
      .keep_i,
      .last_i,
      .valid_o(valid),
      .ready_i,
      .word_o (word),
      .final_o(final_word)
  );

  // ---- the message ------------------------------------------------------------------------------
  logic [60:0] before_q;  // bytes in the parts before
  logic [60:0] bytes_q;  // that came of this part
  logic [60:0] words_q;  // that were given
  logic part_q, ended_q = 1'b0;
  logic [2:0] count;  // bytes of the word that comes
  assign count = 3'(keep_i[0]) + 3'(keep_i[1]) + 3'(keep_i[2]) + 3'(keep_i[3]);
  always_comb begin
    assume (keep_i inside {4'b0000, 4'b0001, 4'b0011, 4'b0111, 4'b1111});
    assume (last_i || keep_i[3]);
    assume (!start || !blocks_i[54]);  // that 2^61 bytes are not reached
    assume (bytes_q[60:59] == '0);
    if (part_q && last_i) assume (words_q[3:0] == '1 && keep_i[3]);
  end
  always_ff @(posedge clk_i) begin
    if (valid_i && in_ready) begin
      bytes_q <= bytes_q + 61'(count);
      ended_q <= last_i;
    end
    if (valid && ready_i) words_q <= words_q + 1'b1;
    if (start) begin
      before_q <= {blocks_i, 6'd0};
      {bytes_q, words_q, ended_q} <= '0;
      part_q <= part_i;
    end
  end

  // ---- its words --------------------------------------------------------------------------------
  logic [60:0] length, last_word, place;
  logic [63:0] bits;
  logic [31:0] bytes;  // the word in memory's order
  logic [7:0] expected;
  logic message_ends;
  assign message_ends = ended_q || (valid_i && in_ready && last_i);
  assign length = ended_q ? bytes_q : bytes_q + 61'(count);
  assign last_word = part_q ? {6'd0, length[60:6]} * 16 - 61'd1 :
      ((length + 61'd8) >> 6) * 16 + 61'd15;
  assign bits = {before_q + length, 3'd0};
  assign bytes = BigEndian ? swapped(word) : word;
  always_comb begin
    if (!rst_q && valid && ready_i) begin
      assert (final_word == (message_ends && words_q == last_word));
      for (int unsigned i = 0; i < 4; i++) begin
        place = 4 * words_q + 61'(i);
        expected = '0;
        if (place == length && !part_q) expected = 8'h80;
        if (!ended_q && keep_i[i]) expected = data_i[8*i+:8];
        if (words_q < last_word - 61'd1 || part_q) assert (bytes[8*i+:8] == expected);
      end
      if (message_ends && !part_q && words_q == last_word - 61'd1)
        assert (word == (BigEndian ? bits[63:32] : bits[31:0]));
      if (message_ends && !part_q && words_q == last_word)
        assert (word == (BigEndian ? bits[31:0] : bits[63:32]));
    end
  end

  // ---- what is always true ----------------------------------------------------------------------
  always_comb begin
    if (!rst_q && open) begin
      assert (u_dut.part_q == part_q && u_dut.index_q == words_q[3:0]);
      assert (55'(u_dut.blocks_q + 55'(u_dut.whole_q)) == 55'((before_q + bytes_q) >> 6));
      assert (before_q[5:0] == '0 && (!u_dut.whole_q || words_q[3:0] == '0));
      assert (ended_q == !u_dut.message_q);
      assert ($onehot({u_dut.message_q, u_dut.zeros_q, u_dut.length_q}));
      if (ended_q) begin
        assert (u_dut.rest_q == bytes_q[5:0] && !part_q);
        assert (u_dut.one_q == (4 * words_q == bytes_q));
        assert (4 * words_q >= bytes_q && words_q <= last_word && !bytes_q[60]);
        assert (u_dut.length_q == (words_q == last_word));
      end else begin
        assert (bytes_q == 4 * words_q && words_q[60:59] == '0);
      end
      assert (!before_q[60]);
    end
    if (!rst_q && !open) assert (u_dut.index_q == '0);
  end

  always_ff @(posedge clk_i) begin
    c_two_blocks : cover (valid && ready_i && final_word && bytes_q == 61'd60 && !part_q);
    c_part : cover (valid && ready_i && final_word && part_q);
  end

endmodule
