// SPDX-License-Identifier: Apache-2.0
// MD5 (RFC 1321, 3.4), one step per cycle: a block takes 64 steps and a cycle that loads the
// registers. B, C, D and A are a shift register of which a step makes the first word, and so is the
// chaining value: hash_steps has the rest.

module md5_serial
  import hash_pkg::*;
  import md5_pkg::*;
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

  logic [3:0][31:0] value_q;  // the chaining value: B, C, D, A
  logic step, load, early, zero, turn, unused;
  logic [5:0] index;  // of the word that is used
  word_t constant;
  hash_steps #(
      .Halves   (1),
      .First    (0),
      .ExtraTurn(1'b1),
      .Constants(T)
  ) u_steps (
      .step_o    (step),
      .load_o    (load),
      .early_o   (early),
      .zero_o    (zero),
      .turn_o    (turn),
      .half_o    (unused),
      .index_o   (index),
      .constant_o(constant),
      .leaving_i (value_q[3]),
      .*
  );

  // ---- words: in the first round as they come, then from memory in the round's order ------------
  logic [3:0] place_q, write_place;
  word_t memory[16], word_q, word;
  assign word = word_ready_o ? word_i : word_q;
  assign write_place = wipe_i ? place_q : index[3:0];
  always_ff @(posedge clk_i) begin
    if (wipe_i || (step && word_ready_o)) memory[write_place] <= wipe_i ? '0 : word_i;
    if (step) begin
      word_q <= memory[place_q];
      // Of the word after the next
      place_q <= index[3:0] == 4'd14 ? first_word(
          index[5:4] + 1'b1
      ) : place_q + word_step(
          index[3:0] == 4'd15 ? index[5:4] + 1'b1 : index[5:4]
      );
    end
    if (wipe_i) begin
      word_q  <= '0;
      place_q <= place_q + 1'b1;
    end
  end

  // ---- steps ------------------------------------------------------------------------------------
  /* verilator lint_off UNUSEDSIGNAL */
  logic [5:0] n_q;  // of this step
  /* verilator lint_on UNUSEDSIGNAL */
  logic [1:0] round, place;  // and its place in four
  assign round = n_q[5:4];
  assign place = n_q[1:0];
  always_ff @(posedge clk_i) if (step) n_q <= load ? '0 : n_q + 1'b1;

  word_t b_q, c_q, d_q;
  word_t at_q, atm_q;  // of A of the step after the next: A + T; of the next: A + T + word
  word_t value_next, sum, turned;
  assign value_next = value_q[3] + b_q;
  assign sum = atm_q + mix(round, b_q, c_q, d_q);
  always_comb begin
    turned = rotated_most(sum, place);
    unique case (rotation_left(
        round, place
    ))
      2'd0: ;
      2'd1: turned = rotl(turned, 1);
      2'd2: turned = rotl(turned, 2);
      2'd3: turned = rotl(turned, 3);
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (step) begin
      {c_q, d_q} <= load ? {value_q[0], value_q[1]} : {b_q, c_q};
      b_q <= load ? value_next : b_q + turned;
      at_q <= constant + (early ? value_q[1] : c_q);
      atm_q <= at_q + word;
    end
    if (zero) b_q <= '0;
    if (wipe_i) {b_q, c_q, d_q, at_q, atm_q} <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (turn) value_q <= {value_q[2:0], value_ready_o ? value_i : value_next};
    if (rst_i || wipe_i || start_i) value_q <= {Initial[0], Initial[3:1]};
  end

endmodule
