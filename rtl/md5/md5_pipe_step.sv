// SPDX-License-Identifier: Apache-2.0
// One step of MD5 (RFC 1321, 3.4) in two cycles: an addition; the rotation, which is fixed, and an
// addition. A + T + word is made in the step before, where A is D: so a state has it in place of A.

module md5_pipe_step
  import hash_pkg::*;
  import md5_pkg::*;
#(
    logic [1:0] Round,
    logic [1:0] Place   // of the step in four
) (
    input  logic   clk_i,
    input  logic   wipe_i,
    input  state_t state_i,
    input  word_t  word_i,   // T + word of the next step, a cycle later
    input  logic   clear_i,  // a cycle later: the result is zero
    output state_t state_o   // 2 cycles later
);

  word_t sum_q, b_q, c_q, d_q;
  always_ff @(posedge clk_i) begin
    sum_q <= state_i.atm + mix(Round, state_i.b, state_i.c, state_i.d);
    {b_q, c_q, d_q} <= {state_i.b, state_i.c, state_i.d};
    state_o.atm <= d_q + word_i;
    state_o.b <= b_q + rotl(sum_q, rotation(Round, Place));
    {state_o.c, state_o.d} <= {b_q, c_q};
    if (clear_i) state_o <= '0;
    if (wipe_i) {sum_q, b_q, c_q, d_q, state_o} <= '0;
  end

endmodule
