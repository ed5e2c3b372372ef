// SPDX-License-Identifier: Apache-2.0
// Proof of chacha20_ring: each pass applies the rounds of RFC 8439 to a state that has entered,
// whatever enters in the other slots and whatever the registers hold at first. enter_i is the only
// control in a ring, so a pass from any state covers everything that can happen to a slot.

module chacha20_ring_formal
  import chacha20_pkg::*;
#(
    int unsigned Unroll = 2,
    int unsigned Stages = 8,
    int unsigned Passes = 2   // that are looked at
) (
    input logic         clk_i,
    input logic   [3:0] enter_i,
    input state_t       state_i
);

  state_t state_o;

  chacha20_ring #(
      .Unroll(Unroll),
      .Stages(Stages)
  ) u_ring (
      .*
  );

  // Written anew from the standard: a quarter round (2.1), on columns and on diagonals (2.3)
  function automatic word_t rolled(word_t word, int unsigned left);
    return (word << left) | (word >> (32 - left));
  endfunction

  function automatic state_t quarter_round(state_t state, int unsigned a, int unsigned b,
                                           int unsigned c, int unsigned d);
    state[a] += state[b];
    state[d] = rolled(state[d] ^ state[a], 16);
    state[c] += state[d];
    state[b] = rolled(state[b] ^ state[c], 12);
    state[a] += state[b];
    state[d] = rolled(state[d] ^ state[a], 8);
    state[c] += state[d];
    state[b] = rolled(state[b] ^ state[c], 7);
    return state;
  endfunction

  function automatic state_t double_round(state_t state);
    state = quarter_round(state, 0, 4, 8, 12);
    state = quarter_round(state, 1, 5, 9, 13);
    state = quarter_round(state, 2, 6, 10, 14);
    state = quarter_round(state, 3, 7, 11, 15);
    state = quarter_round(state, 0, 5, 10, 15);
    state = quarter_round(state, 1, 6, 11, 12);
    state = quarter_round(state, 2, 7, 8, 13);
    return quarter_round(state, 3, 4, 9, 14);
  endfunction

  // The slot under test is at the entry in the first cycle and after each pass; two rounds take
  // Span cycles. The assertions in between help the solver: it never sees more than two rounds.
  localparam int unsigned Span = 2 * Stages / Unroll;
  int unsigned age_q = 0;
  logic entry, done;
  state_t reached, expected_q;
  assign entry = age_q % Stages == 0;
  assign done  = age_q % Span == 0;

  // With an odd Unroll, in every other pass word i of row r is in the place of word r - i.
  function automatic state_t back(state_t state);
    return {
      state[12],
      state[13],
      state[14],
      state[15],
      state[11],
      state[8],
      state[9],
      state[10],
      state[6],
      state[7],
      state[4],
      state[5],
      state[1],
      state[2],
      state[3],
      state[0]
    };
  endfunction

  always_comb begin
    reached = step_xor(state_o, 4 * Rounds - 1);
    for (int unsigned i = 1; i < Stages; i++) begin
      if (age_q % Stages == i) reached = u_ring.next[i-1];
    end
    if (Unroll % 2 != 0 && age_q % (2 * Stages) > Stages) reached = back(reached);
  end

  always_comb assume (!entry || enter_i == {4{age_q == 0}});

  always_ff @(posedge clk_i) begin
    age_q <= age_q + 1;
    if (done) expected_q <= double_round(age_q == 0 ? state_i : expected_q);
    if (done && age_q != 0) begin
      as_the_standard : assert (reached == expected_q);
      came_round : cover (age_q == Passes * Stages);
    end
  end

endmodule
