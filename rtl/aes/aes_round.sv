// SPDX-License-Identifier: Apache-2.0
// The middle of a round: ShiftRows and MixColumns (FIPS 197, 5.1.2 and 5.1.3), or their inverses in
// the order of the equivalent inverse cipher (5.3.5). Combinational.

module aes_round
  import aes_pkg::*;
#(
    parameter directions_e Directions
) (
    input block_t bytes_i,  // substituted
    input block_t doubled_i,  // 2 x bytes_i
    input logic inverse_i,
    output block_t mix_columns_o,
    output block_t shifted_o  // of the last round: nothing is mixed
);

  block_t shifted;
  assign shifted_o = shifted;

  if (Directions == BothDirections) begin : gen_both
    logic unused;
    assign unused  = ^doubled_i;
    assign shifted = inverse_i ? inverse_shift_rows(bytes_i) : shift_rows(bytes_i);
    for (genvar c = 0; c < 4; c++) begin : gen_column
      word_t x;
      assign x = inverse_i ? before_inverse_mix(shifted[4*c+:4]) : shifted[4*c+:4];
      assign mix_columns_o[4*c+:4] = mix_column(x, doubled_word(x));
    end
  end else begin : gen_encrypt
    logic   unused;
    block_t twice;
    assign unused  = inverse_i;
    assign shifted = shift_rows(bytes_i);
    assign twice   = shift_rows(doubled_i);
    for (genvar c = 0; c < 4; c++) begin : gen_column
      assign mix_columns_o[4*c+:4] = mix_column(shifted[4*c+:4], twice[4*c+:4]);
    end
  end

endmodule
