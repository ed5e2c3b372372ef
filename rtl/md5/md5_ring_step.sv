// SPDX-License-Identifier: Apache-2.0
// One step of MD5 (RFC 1321, 3.4) in three cycles: an addition, the rotation, an addition. Its
// rotation is one of four, by the round. A + T + word is made in the step before, where A is D: so
// a state has it in place of A.

module md5_ring_step
  import hash_pkg::*;
  import md5_pkg::*;
#(
    int unsigned Place  // of the step in four
) (
    input  logic         clk_i,
    input  logic         wipe_i,
    input  state_t       state_i,
    input  logic   [1:0] round_i,     // with state_i
    input  word_t        constant_i,  // T of the next step, with state_i
    input  word_t        word_i,      // word of the next step, a cycle later
    input  logic         clear_i,     // two cycles later: the result is zero, but for its atm
    output state_t       state_o,     // 3 cycles later
    output word_t        a_o          // with it: A alone
);

  word_t sum_q, at_q, atm_q, turned_q;
  word_t [1:0] b_q, c_q, d_q;
  logic [1:0] round_q;
  always_ff @(posedge clk_i) begin
    sum_q   <= state_i.atm + mix(round_i, state_i.b, state_i.c, state_i.d);
    round_q <= round_i;
    at_q    <= state_i.d + constant_i;
    unique case (round_q)
      2'd0: turned_q <= rotl(sum_q, rotation(2'd0, 2'(Place)));
      2'd1: turned_q <= rotl(sum_q, rotation(2'd1, 2'(Place)));
      2'd2: turned_q <= rotl(sum_q, rotation(2'd2, 2'(Place)));
      2'd3: turned_q <= rotl(sum_q, rotation(2'd3, 2'(Place)));
    endcase
    atm_q <= at_q + word_i;
    b_q <= {b_q[0], state_i.b};
    c_q <= {c_q[0], state_i.c};
    d_q <= {d_q[0], state_i.d};
    state_o.b <= b_q[1] + turned_q;
    {state_o.c, state_o.d, a_o} <= {b_q[1], c_q[1], d_q[1]};
    state_o.atm <= atm_q;
    if (clear_i) {state_o.b, state_o.c, state_o.d, a_o} <= '0;
    if (wipe_i) {sum_q, at_q, atm_q, turned_q, b_q, c_q, d_q, state_o, a_o} <= '0;
  end

endmodule
