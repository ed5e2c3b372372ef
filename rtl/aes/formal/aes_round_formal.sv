// SPDX-License-Identifier: Apache-2.0
// Proof of aes_round: a column is multiplied by the polynomial of FIPS 197, 5.1.3, and the inverse
// undoes both steps. Everything is XOR, so a proof for each single bit holds for all blocks.

module aes_round_formal
  import aes_pkg::*;
(
    input logic   clk_i,
    input block_t block_i
);

  block_t there, back, shifted, unused_shifted;

  aes_round #(
      .Directions(EncryptOnly)
  ) u_there (
      .bytes_i(block_i),
      .doubled_i(doubled_block(block_i)),
      .inverse_i(1'b0),
      .mix_columns_o(there),
      .shifted_o(shifted)
  );

  // The equivalent inverse cipher does InvShiftRows first (5.3.5): a block on which only MixColumns
  // was done.
  block_t mixed;
  always_comb begin
    for (int unsigned c = 0; c < 4; c++) begin
      mixed[4*c+:4] = mix_column(block_i[4*c+:4], doubled_word(block_i[4*c+:4]));
    end
  end
  aes_round #(
      .Directions(BothDirections)
  ) u_back (
      .bytes_i(shift_rows(mixed)),
      .doubled_i('0),
      .inverse_i(1'b1),
      .mix_columns_o(back),
      .shifted_o(unused_shifted)
  );

  function automatic block_t doubled_block(block_t x);
    block_t result;
    for (int unsigned i = 0; i < 16; i++) result[i] = doubled(x[i]);
    return result;
  endfunction

  // By the standard's matrix
  function automatic byte_t by_matrix(block_t x, int unsigned row, int unsigned column);
    byte_t result = '0;
    for (int unsigned k = 0; k < 4; k++) begin
      // the byte that ShiftRows brings to row k of the column
      byte_t value = x[4*((column+k)%4)+k];
      result ^= product(value, k == row ? 8'h02 : k == (row + 1) % 4 ? 8'h03 : 8'h01);
    end
    return result;
  endfunction

  block_t standard;
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) standard[i] = by_matrix(block_i, i % 4, i / 4);
  end
  always_comb assume ((block_i & (block_i - 1'b1)) == '0);

  always_ff @(posedge clk_i) begin
    is_the_matrix : assert (there == standard);
    is_undone : assert (back == block_i);
    rows : assert (inverse_shift_rows(shifted) == block_i);
    reached : cover (there[15] == 8'h1b);
  end

endmodule
