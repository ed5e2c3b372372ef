// SPDX-License-Identifier: Apache-2.0
// Datapath of the serial structure: h = (h + block) * r in words of 32 bits, and the tag.
//
// r is clamped, so its words 1 to 3 are multiples of 4. With s_j = 5 * r_j / 4, a product of r_j
// above 2^128 becomes one of s_j below it, and only the word above the columns has to be folded:
//
//   column 0: h3 s1 + h2 s2 + h1 s3 + h0 r0
//   column 1: h3 s2 + h2 s3 + h1 r0 + h0 r1 + h4 s1
//   column 2: h3 s3 + h2 r0 + h1 r1 + h0 r2 + h4 s2
//   column 3: h3 r0 + h2 r1 + h1 r2 + h0 r3 + h4 s3
//   above: h4 r0 and the carry; its part above 2^130, times 5, goes to word 0
//
// Words are read with the block added but without carries: h0 has up to 34 bits, the others 33, h4
// has 3. What is read in cycle t is in the sum of its column after cycle t + 4.

module poly1305_serial_data
  import poly1305_pkg::*;
(
    input logic clk_i,
    input logic wipe_i,
    output logic [2:0] key_word_o,
    input logic [31:0] key_i,  // that word of {s, r}
    input logic load_i,  // the key, with count_i from 0 to 12
    input logic [3:0] count_i,  // counts in a wipe
    output logic [1:0] at_o,
    input logic [31:0] word_i,  // that word of the block
    input logic [4:0] kept_i,  // its bytes, and the byte before them
    input logic whole_i,  // the block has 16 bytes
    input serial_read_t read_i,
    output logic [127:0] tag_o,
    output logic tag_word_o  // its words, from the lowest, are in tag_o[127:96] a cycle later
);

  // r_0 to r_3, s_0 (not used) to s_3, and the words of s. The second register keeps Yosys from
  // making the multiplexer twice, once with the zeros of quarter_q in it.
  logic [31:0] r_memory[16];
  logic [31:0] key_q, key_late_q, r;
  logic [28:0] r_q;
  logic [25:0] quarter_q;  // of r_j, or 0
  logic [3:0] count_q, to_q;
  logic load_q, load_late_q;
  assign key_word_o = {count_i[3], count_i[1:0]};

  always_ff @(posedge clk_i) begin
    key_q <= clamped_word(key_i, key_word_o);
    key_late_q <= key_q;
    quarter_q <= key_q[27:2];
    if (!count_q[2]) quarter_q <= '0;
    {count_q, to_q} <= {count_i, count_q};
    {load_q, load_late_q} <= {load_i, load_q};
    if (wipe_i) {key_q, key_late_q, quarter_q} <= '0;
  end
  always_ff @(posedge clk_i) begin
    if (load_late_q || wipe_i) r_memory[to_q] <= key_late_q + {6'd0, quarter_q};
  end
  assign r = r_memory[read_i.r];

  // Added to h: a word of s, or of the block with a one behind its last kept byte
  logic [31:0] added_q;
  logic [4:0] kept;
  logic whole_q;
  assign at_o = read_i.word[1:0];
  always_comb begin
    kept = kept_i;
    if (!read_i.multiply) kept = read_i.add ? '1 : '0;
  end
  always_ff @(posedge clk_i) begin
    added_q <= read_i.add ? r : word_i;
    for (int unsigned i = 0; i < 4; i++) begin
      if (!kept[i+1]) added_q[8*i+:8] <= {7'd0, kept[i]};
    end
    whole_q <= whole_i;
    if (wipe_i) added_q <= '0;
  end

  // The use of the data that is i registers behind the read
  serial_read_t [4:0] read_q;
  logic [4:0] bank_was_q;
  logic bank_q;
  always_ff @(posedge clk_i) begin
    read_q <= {read_q[3:0], read_i};
    bank_was_q <= {bank_was_q[3:0], bank_q};
    if (wipe_i) begin
      for (int unsigned i = 0; i < 5; i++) {read_q[i].multiply, read_q[i].last} <= '0;
    end
  end

  // h, twice: the words that are read, and those that are written. bank_q swaps them after the last
  // read. A carry is added a cycle later, in the passes at the end: one adder per cycle.
  logic [33:0] h_memory[8];
  logic [ 1:0] above_q;
  logic [33:0] h, h_q;
  logic [35:0] sum;
  logic [ 3:0] carry_q;
  logic [28:0] r_operand_q;
  assign h   = h_memory[{bank_was_q[0], read_q[0].word[1:0]}] + {2'd0, added_q};
  assign sum = {2'd0, h_q} + {32'd0, carry_q};

  always_ff @(posedge clk_i) begin
    if (read_i.multiply && read_i.column[2]) bank_q <= !bank_q;
    h_q <= h;
    if (read_q[0].word[2]) h_q <= {31'd0, {1'b0, above_q} + {2'd0, whole_q}};
    r_q <= r[28:0];
    r_operand_q <= r_q;
    if (wipe_i) {h_q, r_q, r_operand_q, bank_q} <= '0;
  end

  // Carries of the passes at the end
  logic reached;
  assign reached = {2'd0, above_q} + carry_q >= 4'd4;
  always_ff @(posedge clk_i) begin
    carry_q <= '0;
    if (read_q[1].compare || read_q[1].add) carry_q <= sum[35:32];
    if (read_q[1].five || (read_q[1].decide && reached)) carry_q <= 4'd5;
    if (wipe_i) carry_q <= '0;
  end

  // The product, then the sum of its column; the upper part of the sum goes to the next column
  logic [31:0] low_q, high_q;
  logic [33:0] cross_a_q, cross_b_q;
  logic [63:0] product_q, column, column_q;
  logic [31:0] done_q;

  always_ff @(posedge clk_i) begin
    low_q <= {16'd0, h_q[15:0]} * {16'd0, r_operand_q[15:0]};
    cross_a_q <= {16'd0, h_q[33:16]} * {18'd0, r_operand_q[15:0]};
    cross_b_q <= {18'd0, h_q[15:0]} * {21'd0, r_operand_q[28:16]};
    high_q <= {14'd0, h_q[33:16]} * {19'd0, r_operand_q[28:16]};
    product_q <= {high_q, low_q} + {13'd0, {1'b0, cross_a_q} + {1'b0, cross_b_q}, 16'd0};
    if (!read_q[2].multiply) product_q <= '0;
  end

  assign column = product_q + column_q;
  always_ff @(posedge clk_i) begin
    done_q   <= column[31:0];
    column_q <= {column[63:32], read_q[3].last ? column[63:32] : column[31:0]};
    if (read_q[3].last) column_q[63:32] <= '0;
    if (load_i || wipe_i) {column_q, done_q} <= '0;
  end

  // Words of the new h. Columns are written to the bank that is not read. Word 0 waits for what is
  // above 2^130. Widths are those of the largest possible value, so that no carry-save adder is
  // made.
  logic done;
  logic [1:0] to;
  logic [31:0] word_0_q, five_above;
  logic [33:0] written;
  assign done = read_q[4].last;
  assign to = load_i || wipe_i ? count_i[1:0] : read_q[4].column[1:0];
  assign five_above = {2'd0, done_q[31:2]} + {done_q[31:2], 2'd0};
  assign written = read_q[4].column[2] ? {2'd0, word_0_q} + {2'd0, five_above} : {2'd0, done_q};

  always_ff @(posedge clk_i) begin
    if (done || load_i || wipe_i) begin
      h_memory[{wipe_i?count_i[2] : load_i?bank_q : !bank_was_q[4], to}] <= written;
    end
  end

  always_ff @(posedge clk_i) begin
    if (done && read_q[4].column == '0) word_0_q <= done_q;
    if (done && read_q[4].column[2]) above_q <= done_q[1:0];
    if (load_i || wipe_i) above_q <= '0;
    if (wipe_i) word_0_q <= '0;
  end

  logic [127:0] tag_q;
  assign tag_o = tag_q;
  assign tag_word_o = read_q[1].add;
  always_ff @(posedge clk_i) begin
    if (read_q[1].add) tag_q <= {sum[31:0], tag_q[127:32]};
    if (wipe_i) tag_q <= '0;
  end

endmodule
