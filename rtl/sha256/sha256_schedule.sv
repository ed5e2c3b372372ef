// SPDX-License-Identifier: Apache-2.0
// The message schedule of one block (FIPS 180-4, 6.2.2, step 1): words 0 to 15 pass through, those
// to 63 are made. A word is the sum of four: one addition per step, in three steps before it is
// due.

module sha256_schedule
  import hash_pkg::*;
  import sha256_pkg::*;
(
    input  logic  clk_i,
    input  logic  wipe_i,
    input  logic  step_i,    // word t is used: t is 0 to 63 in turn
    input  logic  message_i, // it is one of the message: t < 16
    input  word_t word_i,    // then: it
    output word_t word_o     // word t
);

  // In step t: past_q[j] is word t - 1 - j; the sums are of words t + 3, t + 2 and t + 1, without
  // what comes later in the message.
  logic [12:0][31:0] past_q;
  word_t first_q, second_q, next_q;
  assign word_o = message_i ? word_i : next_q;

  always_ff @(posedge clk_i) begin
    if (step_i) begin
      past_q   <= {past_q[11:0], word_o};
      first_q  <= past_q[12] + small_sigma0(past_q[11]);
      second_q <= first_q + past_q[4];
      next_q   <= second_q + small_sigma1(past_q[0]);
    end
    if (wipe_i) {past_q, first_q, second_q, next_q} <= '0;
  end

endmodule
