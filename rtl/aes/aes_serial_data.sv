// SPDX-License-Identifier: Apache-2.0
// The data of the serial structure: four S-boxes, MixColumns and AddRoundKey for one column, the
// key schedule in a block RAM, the states of two blocks in small RAMs. What is read in a cycle
// leaves the S-boxes three cycles later; in that cycle it is mixed, the key is added, and the
// result is written.

module aes_serial_data
  import aes_pkg::*;
#(
    parameter sbox_e SBox
) (
    input  logic        clk_i,
    input  logic        wipe_i,
    input  logic  [5:0] wipe_address_i,
    // Read: a column, its bytes from where ShiftRows takes them, or the last word
    input  logic        read_block_i,
    input  logic  [1:0] read_column_i,
    input  logic        read_last_i,
    input  logic  [5:0] key_address_i,    // a cycle later
    // Three cycles after the read, the new word is one of these, or else the substituted word
    input  logic        counter_i,        // a word of the counter block,
    input  logic        mix_i,            // the substituted word after MixColumns,
    input  logic        whole_i,          // the last word, unchanged,
    input  logic        rotate_i,         // the substituted word, rotated, plus
    input  byte_t       constant_i,       // this constant
    output word_t       word_o,           // it, with the round key added
    input  logic        write_state_i,
    input  logic        write_block_i,
    input  logic  [1:0] write_column_i,
    input  logic        write_last_i,
    // The next param word replaces the last word
    input  logic        load_i,
    input  word_t       param_i,
    // The last word goes to the key schedule, or into the counter block
    input  logic        write_key_i,
    input  logic  [5:0] write_address_i,
    input  logic        load_counter_i,
    input  logic        count_i,          // the word of the counter block was used
    input  logic        carry_i,          // 1 is added to it
    output logic        carry_o
);

  // ---- states: a row in a RAM, a column of one of two blocks in a word --------------------------
  word_t column, substituted, last_q, word;

  for (genvar r = 0; r < 4; r++) begin : gen_row
    byte_t memory[16];
    logic [1:0] from;
    assign from = read_column_i + 2'(r);
    assign column[8*r+:8] = memory[{1'b0, read_block_i, from}];
    always_ff @(posedge clk_i) begin
      if (write_state_i || wipe_i) begin
        memory[wipe_i?wipe_address_i[3:0] : {1'b0, write_block_i, write_column_i}] <= word[8*r+:8];
      end
    end
  end

  logic [3:0][7:0] unused_doubled;
  aes_sub_bytes #(
      .Bytes     (4),
      .SBox      (SBox),
      .Registers (3),
      .Directions(EncryptOnly)
  ) u_sub (
      .clk_i,
      .bytes_i       (read_last_i ? last_q : column),
      .inverse_i     (1'b0),
      .inverse_late_i(1'b0),
      .bytes_o       (substituted),
      .doubled_o     (unused_doubled)
  );

  // ---- key schedule -----------------------------------------------------------------------------
  (* no_rw_check, ramstyle = "no_rw_check" *)
  word_t keys[64];
  word_t read_q, key_q;
  always_ff @(posedge clk_i) begin
    if (write_key_i || wipe_i) keys[wipe_i?wipe_address_i : write_address_i] <= last_q;
    read_q <= keys[key_address_i];
    key_q  <= read_q;
  end

  // ---- counter block: words of numbers, the lowest first ----------------------------------------
  function automatic word_t reversed(word_t x);
    return {x[7:0], x[15:8], x[23:16], x[31:24]};
  endfunction

  word_t counter_q[4];
  word_t counted;
  assign {carry_o, counted} = {1'b0, counter_q[0]} + 33'(carry_i);

  always_ff @(posedge clk_i) begin
    if (load_counter_i || count_i) begin
      for (int unsigned i = 0; i < 3; i++) counter_q[i] <= counter_q[i+1];
      counter_q[3] <= load_counter_i ? reversed(last_q) : counted;
    end
    if (wipe_i) for (int unsigned i = 0; i < 4; i++) counter_q[i] <= '0;
  end

  // ---- the new word -----------------------------------------------------------------------------
  word_t before_key;
  always_comb begin
    before_key = substituted;
    if (rotate_i) before_key = {substituted[7:0], substituted[31:8]} ^ 32'(constant_i);
    if (whole_i) before_key = last_q;
    if (mix_i) before_key = mix_column(substituted, doubled_word(substituted));
    if (counter_i) before_key = reversed(counter_q[0]);
  end
  assign word   = before_key ^ key_q;
  assign word_o = word;

  always_ff @(posedge clk_i) begin
    if (write_last_i) last_q <= word;
    if (load_i) last_q <= param_i;
    if (wipe_i) last_q <= '0;
  end

endmodule
