// SPDX-License-Identifier: Apache-2.0
// One round of SHA-256 (FIPS 180-4, 6.2.2, step 3), in three cycles of one addition each. h + K + W
// is made in the round before, where h is g: so a state has it in place of h.

module sha256_ring_round
  import hash_pkg::*;
  import sha256_pkg::*;
(
    input  logic   clk_i,
    input  logic   wipe_i,
    input  state_t state_i,
    input  word_t  constant_i,  // K of the next round, with state_i
    input  word_t  word_i,      // W of the next round, a cycle later
    input  logic   clear_i,     // two cycles later: the result is zero, but for its hkw
    output state_t state_o,     // 3 cycles later
    output word_t  h_o          // with it: h alone
);

  word_t first_q, sigma0_q, sigma1_q, maj_q, hk_q;
  word_t t1_q, t2_q, hkw_q;
  logic [1:0][6:0][31:0] old_q;  // a to g
  typedef enum int unsigned {
    A = 6,
    B = 5,
    C = 4,
    D = 3,
    E = 2,
    F = 1,
    G = 0
  } place_e;

  always_ff @(posedge clk_i) begin
    first_q <= state_i.hkw + ch(state_i.e, state_i.f, state_i.g);
    sigma0_q <= big_sigma0(state_i.a);
    sigma1_q <= big_sigma1(state_i.e);
    maj_q <= maj(state_i.a, state_i.b, state_i.c);
    hk_q <= state_i.g + constant_i;
    t1_q <= first_q + sigma1_q;
    t2_q <= sigma0_q + maj_q;
    hkw_q <= hk_q + word_i;
    old_q <= {
      old_q[0], state_i.a, state_i.b, state_i.c, state_i.d, state_i.e, state_i.f, state_i.g
    };
    state_o.a <= t1_q + t2_q;
    state_o.e <= old_q[1][D] + t1_q;
    {state_o.b, state_o.c, state_o.d} <= {old_q[1][A], old_q[1][B], old_q[1][C]};
    {state_o.f, state_o.g, h_o} <= {old_q[1][E], old_q[1][F], old_q[1][G]};
    state_o.hkw <= hkw_q;
    if (clear_i) begin
      {state_o.a, state_o.b, state_o.c, state_o.d, state_o.e, state_o.f, state_o.g, h_o} <= '0;
    end
    if (wipe_i) begin
      {first_q, sigma0_q, sigma1_q, maj_q, hk_q, t1_q, t2_q, hkw_q, old_q, state_o, h_o} <= '0;
    end
  end

endmodule
