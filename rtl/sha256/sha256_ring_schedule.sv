// SPDX-License-Identifier: Apache-2.0
// The message schedule (FIPS 180-4, 6.2.2, step 1) of all messages in a ring: word t comes out for
// round unit t mod Unroll, at age(t) of the message's place (hash_turns). Where words pass by, they
// are added: the first two of a sum of four, some rounds later the third, then the last. What is
// not complete waits in block RAM.

module sha256_ring_schedule
  import hash_pkg::*;
  import sha256_pkg::*;
#(
    int unsigned Unroll  // 2 or 4
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               wipe_i,
    // A cycle before its age
    input  logic  [Unroll-1:0] message_i,  // it is one of the message
    input  word_t [Unroll-1:0] word_i,     // then: it
    output word_t [Unroll-1:0] word_o      // at its age
);

  function automatic int unsigned age(int unsigned t);
    return t / Unroll * ring_places(Unroll) + ring_word_age(t % Unroll);
  endfunction
  // To the third word, as long for all; to the last one, the shortest
  localparam int unsigned ToThird = age(9) - age(1) - 2;
  localparam int unsigned ToLast = 5 / Unroll * ring_places(Unroll) + 5 % Unroll * 3;

  word_t [Unroll-1:0] word_q, two_q, two, three_q, three, small0_q, small1_q;
  assign word_o = word_q;

  for (genvar j = 0; j < Unroll; j++) begin : gen_word
    localparam int unsigned Second = (j + 1) % Unroll;
    localparam int unsigned Third = (j + 9) % Unroll;
    localparam int unsigned Last = (j + 14) % Unroll;
    localparam int unsigned Wait = age(j + 1) - age(j) + 1;
    localparam int unsigned More = age(j + 14) - age(j + 9) - ToLast;
    localparam int unsigned Due = age(j + 16) - age(j + 14) - 2;
    word_t past_q[Wait];
    word_t made_q[ Due];
    word_t last;

    always_ff @(posedge clk_i) begin
      word_q[j] <= message_i[j] ? word_i[j] : made_q[Due-1];
      past_q[0] <= word_q[j];
      for (int unsigned i = 1; i < Wait; i++) past_q[i] <= past_q[i-1];
      small0_q[j] <= small_sigma0(word_q[j]);
      small1_q[j] <= small_sigma1(word_q[j]);
      two_q[j] <= past_q[Wait-1] + small0_q[Second];
      three_q[j] <= two[j] + word_q[Third];
      made_q[0] <= last + small1_q[Last];
      for (int unsigned i = 1; i < Due; i++) made_q[i] <= made_q[i-1];
      if (wipe_i) begin
        {word_q[j], small0_q[j], small1_q[j], two_q[j], three_q[j]} <= '0;
        for (int unsigned i = 0; i < Wait; i++) past_q[i] <= '0;
        for (int unsigned i = 0; i < Due; i++) made_q[i] <= '0;
      end
    end

    if (More == 0) begin : gen_last
      assign last = three[j];
    end else begin : gen_more
      word_t more_q[More];
      always_ff @(posedge clk_i) begin
        more_q[0] <= wipe_i ? '0 : three[j];
        for (int unsigned i = 1; i < More; i++) more_q[i] <= wipe_i ? '0 : more_q[i-1];
      end
      assign last = more_q[More-1];
    end
  end

  hash_delay #(
      .Width (32 * Unroll),
      .Cycles(ToThird)
  ) u_to_third (
      .clk_i,
      .rst_i,
      .data_i(two_q),
      .data_o(two)
  );
  hash_delay #(
      .Width (32 * Unroll),
      .Cycles(ToLast)
  ) u_to_last (
      .clk_i,
      .rst_i,
      .data_i(three_q),
      .data_o(three)
  );

endmodule
