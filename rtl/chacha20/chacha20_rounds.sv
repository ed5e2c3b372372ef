// SPDX-License-Identifier: Apache-2.0
// Steps First to First + Count - 1 of the rounds on a whole state (RFC 8439, 2.3), combinational.
// Four steps are a round; even rounds work on columns, odd ones on diagonals.

module chacha20_rounds
  import chacha20_pkg::*;
#(
    parameter int unsigned First = 0,
    parameter int unsigned Count = 1,  // at least 1
    parameter bit XorFirst = 1'b0,  // state_i is after the addition of step First - 1, no more
    parameter bit SwapDiagonals = 1'b0  // in both outputs
) (
    input  state_t state_i,
    output state_t state_o,
    output state_t added_o   // after the last step's addition, before its XOR
);

  for (genvar k = 0; k < Count; k++) begin : gen_step
    localparam int unsigned Step = First + k;

    state_t from, added, to;
    if (k == 0) begin : gen_first
      assign from = XorFirst ? step_xor(state_i, First - 1) : state_i;
    end else begin : gen_next
      assign from = gen_step[k-1].to;
    end

    for (genvar column = 0; column < 4; column++) begin : gen_column
      localparam int unsigned A = word_at(0, column, Step);
      localparam int unsigned B = word_at(1, column, Step);
      localparam int unsigned C = word_at(2, column, Step);
      localparam int unsigned D = word_at(3, column, Step);

      chacha20_quarter_step #(
          .Index(Step % 4)
      ) u_step (
          .a_i(from[A]),
          .b_i(from[B]),
          .c_i(from[C]),
          .d_i(from[D]),
          .a_o(to[A]),
          .b_o(to[B]),
          .c_o(to[C]),
          .d_o(to[D])
      );
      assign {added[A], added[C]} = {to[A], to[C]};
      assign {added[B], added[D]} = {from[B], from[D]};
    end
  end

  if (SwapDiagonals) begin : gen_swapped
    assign state_o = swap_diagonals(gen_step[Count-1].to);
    assign added_o = swap_diagonals(gen_step[Count-1].added);
  end else begin : gen_straight
    assign state_o = gen_step[Count-1].to;
    assign added_o = gen_step[Count-1].added;
  end

endmodule
