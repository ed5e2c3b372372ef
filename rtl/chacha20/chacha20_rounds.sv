// SPDX-License-Identifier: Apache-2.0
// Steps First to First + Count - 1 of the rounds on a whole state (RFC 8439, 2.3), combinational.
// Four steps are a round; even rounds work on columns, odd ones on diagonals.

module chacha20_rounds
  import chacha20_pkg::*;
#(
    parameter int unsigned First = 0,
    parameter int unsigned Count = 1   // at least 1
) (
    input  state_t state_i,
    output state_t state_o
);

  function automatic state_t step(state_t state, int unsigned index);
    state_t result;
    for (int unsigned column = 0; column < 4; column++) begin
      int unsigned shift = (index / 4) % 2;  // how far each row is turned against the one above
      int unsigned a = column;
      int unsigned b = 4 + (column + shift) % 4;
      int unsigned c = 8 + (column + 2 * shift) % 4;
      int unsigned d = 12 + (column + 3 * shift) % 4;
      {result[a], result[b], result[c], result[d]} =
          quarter_step({state[a], state[b], state[c], state[d]}, 2'(index % 4));
    end
    return result;
  endfunction

  always_comb begin
    state_o = state_i;
    for (int unsigned k = 0; k < Count; k++) state_o = step(state_o, First + k);
  end

endmodule
