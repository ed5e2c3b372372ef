// SPDX-License-Identifier: Apache-2.0
// Poly1305 with one 32 x 32 multiplier (4 of 16 x 18): one word of the accumulator h times one word
// of r per cycle, column by column. Control of poly1305_serial_data, which explains the arithmetic.

module poly1305_serial
  import poly1305_pkg::*;
(
    input logic clk_i,
    input logic rst_i,
    input logic wipe_i,
    input logic key_valid_i,
    output logic key_ready_o,
    output logic [2:0] key_word_o,  // word of {s, r} that is wanted
    input logic [31:0] key_i,
    // A block, word by word
    input logic valid_i,
    output logic ready_o,
    output logic [1:0] at_o,  // word that is wanted
    input logic [31:0] word_i,
    input logic [4:0] kept_i,  // its bytes that are kept, and the byte before them
    input logic whole_i,  // the block has 16 bytes
    input logic last_i,
    output logic tag_valid_o,
    input logic tag_ready_i,
    output logic [127:0] tag_o,
    output logic tag_word_o,  // before that: in the next cycle its next word is in tag_o[127:96]
    output logic empty_o  // nothing is in progress
);

  typedef enum logic [2:0] {
    StIdle,
    StKey,  // r and its multiples go to their memory, h becomes 0
    StBlock,  // waits for a block
    StMultiply,  // reads words of h and r: column_q, word_q
    StDrain,  // waits for the last column, as far as reads need it, and for the tag's place
    StCompare,  // carries of h + 5
    StAdd  // tag = h + s, or h + 5 + s
  } state_e;

  state_e state_q, state_d;
  logic [3:0] count_q;
  logic [2:0] column_q, word_q;
  logic last_q, tag_valid_q, step_end;

  // A column reads words 3, 2, 1, 0 and the word above; column 0 has no word above, column 4 only
  // that.
  logic column_end;
  assign column_end = word_q == 3'd4 || (word_q == 3'd0 && column_q == 3'd0);

  always_comb begin
    state_d  = state_q;
    step_end = 1'b0;
    unique case (state_q)
      StIdle: begin
        step_end = 1'b1;
        if (key_valid_i) state_d = StKey;
      end
      StKey: begin
        step_end = count_q == 4'd12;
        if (step_end) state_d = StBlock;
      end
      StBlock: begin
        step_end = 1'b1;
        if (valid_i) state_d = StMultiply;
      end
      StMultiply: begin
        step_end = column_q[2];
        if (step_end) state_d = StDrain;
      end
      StDrain: begin
        step_end = last_q ? count_q >= 4'd3 && !tag_valid_q : count_q == 4'd1;
        if (step_end) state_d = last_q ? StCompare : StBlock;
      end
      StCompare: begin
        step_end = count_q == 4'd4;
        if (step_end) state_d = StAdd;
      end
      default: begin
        step_end = count_q == 4'd5;
        if (step_end) state_d = StIdle;
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    if (count_q != 4'd3 || state_q != StDrain || step_end) count_q <= count_q + 1'b1;
    if (step_end && !wipe_i) count_q <= '0;
    if (state_q == StMultiply) begin
      word_q <= column_end ? 3'd3 : word_q == 3'd0 ? 3'd4 : word_q - 3'd1;
      if (column_end) column_q <= column_q + 3'd1;
      if (column_end && column_q == 3'd3) word_q <= 3'd4;
    end else begin
      word_q   <= 3'd3;
      column_q <= '0;
    end
    if (state_q == StMultiply) last_q <= last_i;
    if (rst_i) count_q <= '0;
    if (rst_i || wipe_i) state_q <= StIdle;
  end

  assign ready_o = state_q == StMultiply && column_q[2] && !wipe_i;
  assign key_ready_o = state_q == StKey && count_q == 4'd12 && !wipe_i;
  assign empty_o = state_q == StIdle;

  always_ff @(posedge clk_i) begin
    if (tag_ready_i) tag_valid_q <= 1'b0;
    if (state_q == StAdd && step_end) tag_valid_q <= 1'b1;
    if (rst_i || wipe_i) tag_valid_q <= 1'b0;
  end
  assign tag_valid_o = tag_valid_q && !wipe_i;

  // Reads: the passes at the end read words 0 to 3.
  serial_read_t read;
  always_comb begin
    read = '0;
    read.multiply = state_q == StMultiply;
    read.compare = state_q == StCompare && !count_q[2];
    read.add = state_q == StAdd && !count_q[2];
    read.five = state_q == StDrain;
    read.decide = state_q == StCompare && count_q[2];
    read.word = state_q == StMultiply ? word_q : {1'b0, count_q[1:0]};
    read.r = word_q == 3'd4 ? {1'b0, !column_q[2], column_q[1:0]} :
        {1'b0, word_q > column_q, column_q[1:0] - word_q[1:0]};
    if (state_q == StAdd) read.r = {2'b10, count_q[1:0]};
    read.last   = state_q == StMultiply && column_end;
    read.column = column_q;
  end

  poly1305_serial_data u_data (
      .clk_i,
      .wipe_i,
      .key_word_o,
      .key_i,
      .load_i (state_q == StKey),
      .count_i(count_q),
      .at_o,
      .word_i,
      .kept_i,
      .whole_i,
      .read_i (read),
      .tag_o,
      .tag_word_o
  );

endmodule
