// SPDX-License-Identifier: Apache-2.0
// One of the four steps of a quarter round (RFC 8439, 2.1): an addition, an XOR and a rotation to
// the left. Combinational.

module chacha20_quarter_step
  import chacha20_pkg::*;
#(
    parameter int unsigned Index  // 0 to 3
) (
    input  word_t a_i,
    input  word_t b_i,
    input  word_t c_i,
    input  word_t d_i,
    output word_t a_o,
    output word_t b_o,
    output word_t c_o,
    output word_t d_o
);

  function automatic word_t rotated(word_t word);
    return {word[31-RotateLeft[Index]:0], word[31-:RotateLeft[Index]]};
  endfunction

  if (Index % 2 == 0) begin : gen_a_d
    assign a_o = a_i + b_i;
    assign b_o = b_i;
    assign c_o = c_i;
    assign d_o = rotated(d_i ^ a_o);
  end else begin : gen_c_b
    assign a_o = a_i;
    assign b_o = rotated(b_i ^ c_o);
    assign c_o = c_i + d_i;
    assign d_o = d_i;
  end

endmodule
