// SPDX-License-Identifier: Apache-2.0
// The message schedule (FIPS 180-4, 6.2.2, step 1) of a pipeline: word t is there 2 * t cycles
// after word 0. A word is a sum of four: each part is added when it comes by, and what is not
// complete waits in small RAMs.

module sha256_pipe_schedule
  import hash_pkg::*;
  import sha256_pkg::*;
(
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         wipe_i,
    input  word_t [15:0] message_i,
    output word_t [63:0] word_o
);

  assign word_o[15:0] = message_i;

  for (genvar t = 16; t < 64; t++) begin : gen_word
    word_t [1:0] past_q;
    word_t word_q, two, three, four;
    always_ff @(posedge clk_i) begin
      past_q <= {past_q[0], word_o[t-16]};
      word_q <= four;
      if (wipe_i) {past_q, word_q} <= '0;
    end
    assign word_o[t] = word_q;

    // With the words t - 15, t - 7 and t - 2, which come 30, 14 and 4 cycles before this one
    hash_short_delay #(
        .Width (32),
        .Cycles(16)
    ) u_two (
        .clk_i,
        .rst_i,
        .data_i(past_q[1] + small_sigma0(word_o[t-15])),
        .data_o(two)
    );
    hash_short_delay #(
        .Width (32),
        .Cycles(10)
    ) u_three (
        .clk_i,
        .rst_i,
        .data_i(two + word_o[t-7]),
        .data_o(three)
    );
    hash_short_delay #(
        .Width (32),
        .Cycles(3)
    ) u_four (
        .clk_i,
        .rst_i,
        .data_i(three + small_sigma1(word_o[t-2])),
        .data_o(four)
    );
  end

endmodule
