// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4, 6.2.2), one round per cycle: a block takes 64 rounds and a cycle that loads
// the working variables. a to d and e to h are two shift registers of which a round makes the first
// words, and so are the two halves of the chaining value: hash_steps has the rest.

module sha256_serial
  import hash_pkg::*;
  import sha256_pkg::*;
(
    input  logic          clk_i,
    input  logic          rst_i,
    input  logic          wipe_i,
    // As hash_steps
    input  logic          start_i,
    input  logic          restored_i,
    output logic          busy_o,
    input  logic          value_valid_i,
    output logic          value_ready_o,
    input  word_t         value_i,
    input  logic          word_valid_i,
    output logic          word_ready_o,
    input  word_t         word_i,
    input  logic          word_final_i,
    output logic          digest_valid_o,
    input  logic          digest_ready_i,
    output logic  [127:0] digest_o,
    output logic          digest_last_o
);

  logic [3:0][31:0] low_q, high_q;  // the chaining value, a to d and e to h
  logic step, load, early, zero, turn, half;
  logic [5:0] unused;
  word_t constant;
  hash_steps #(
      .Halves   (2),
      .First    (3),
      .ExtraTurn(1'b0),
      .Constants(K)
  ) u_steps (
      .step_o    (step),
      .load_o    (load),
      .early_o   (early),
      .zero_o    (zero),
      .turn_o    (turn),
      .half_o    (half),
      .index_o   (unused),
      .constant_o(constant),
      .leaving_i (swapped(half ? high_q[3] : low_q[3])),
      .*
  );

  word_t word;
  sha256_schedule u_schedule (
      .clk_i,
      .wipe_i,
      .step_i   (step),
      .message_i(word_ready_o),
      .word_i,
      .word_o   (word)
  );

  // ---- rounds -----------------------------------------------------------------------------------
  word_t a_q, b_q, c_q, d_q, e_q, f_q, g_q;
  word_t hk_q, hkw_q;  // of h of the round after the next: h + K; of the next: h + K + W
  word_t low_next, high_next, t1, t2;
  assign low_next = low_q[3] + a_q;
  assign high_next = high_q[3] + e_q;
  assign t1 = hkw_q + ch(e_q, f_q, g_q) + big_sigma1(e_q);
  assign t2 = maj(a_q, b_q, c_q) + big_sigma0(a_q);

  always_ff @(posedge clk_i) begin
    if (step) begin
      {b_q, c_q, d_q} <= load ? {low_q[0], low_q[1], low_q[2]} : {a_q, b_q, c_q};
      {f_q, g_q} <= load ? {high_q[0], high_q[1]} : {e_q, f_q};
      a_q <= load ? low_next : t1 + t2;
      e_q <= load ? high_next : d_q + t1;
      hk_q <= constant + (early ? high_q[1] : f_q);
      hkw_q <= hk_q + word;
    end
    if (zero) {a_q, e_q} <= '0;
    if (wipe_i) {a_q, b_q, c_q, d_q, e_q, f_q, g_q, hk_q, hkw_q} <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (turn) begin
      low_q  <= {low_q[2:0], value_ready_o && !half ? value_i : low_next};
      high_q <= {high_q[2:0], value_ready_o && half ? value_i : high_next};
    end
    if (rst_i || wipe_i || start_i) {high_q, low_q} <= Initial;
  end

endmodule
