// SPDX-License-Identifier: Apache-2.0
// One round of SHA-256 (FIPS 180-4, 6.2.2, step 3) in two cycles. T1 is a sum of four, whose first
// three become two words in a carry-save adder; the second cycle adds what is left. h + K + W is
// made in the round before, where h is g: so a state has it in place of h.

module sha256_pipe_round
  import hash_pkg::*;
  import sha256_pkg::*;
(
    input  logic   clk_i,
    input  logic   wipe_i,
    input  state_t state_i,
    input  word_t  word_i,   // K + W of the next round, a cycle later
    input  logic   clear_i,  // a cycle later: the result is zero
    output state_t state_o   // 2 cycles later
);

  word_t save_q, carry_q, t2_q;  // save + carry = T1
  word_t a_q, b_q, c_q, d_q, e_q, f_q, g_q;
  word_t ch_e, sigma_e;
  assign ch_e = ch(state_i.e, state_i.f, state_i.g);
  assign sigma_e = big_sigma1(state_i.e);

  always_ff @(posedge clk_i) begin
    save_q <= state_i.hkw ^ ch_e ^ sigma_e;
    carry_q <= maj(state_i.hkw, ch_e, sigma_e) << 1;
    t2_q <= big_sigma0(state_i.a) + maj(state_i.a, state_i.b, state_i.c);
    {a_q, b_q, c_q, d_q} <= {state_i.a, state_i.b, state_i.c, state_i.d};
    {e_q, f_q, g_q} <= {state_i.e, state_i.f, state_i.g};
    state_o.a <= (save_q ^ carry_q ^ t2_q) + (maj(save_q, carry_q, t2_q) << 1);
    state_o.e <= (save_q ^ carry_q ^ d_q) + (maj(save_q, carry_q, d_q) << 1);
    {state_o.b, state_o.c, state_o.d} <= {a_q, b_q, c_q};
    {state_o.f, state_o.g} <= {e_q, f_q};
    state_o.hkw <= g_q + word_i;
    if (clear_i) state_o <= '0;
    if (wipe_i) begin
      {save_q, carry_q, t2_q, a_q, b_q, c_q, d_q, e_q, f_q, g_q, state_o} <= '0;
    end
  end

endmodule
