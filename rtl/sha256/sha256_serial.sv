// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4, 6.2.2), one round per cycle: a block takes 64 rounds and a step that loads
// the working variables.
//
// The working variables a to d and e to h are shift registers of which a round makes the first
// words, and so are the two halves of the chaining value. In the last steps of a block a and e hold
// the final values of d and h, then of c and g, and so on: the chaining value turns once while they
// are added to it. A message begins with these steps and a = e = 0, which adds nothing.

module sha256_serial
  import hash_pad_pkg::*;
  import sha256_pkg::*;
(
    input  logic          clk_i,
    input  logic          rst_i,
    input  logic          wipe_i,
    // Opens a message or part
    input  logic          start_i,         // not while busy_o
    input  logic          restored_i,      // a chaining value comes first
    output logic          busy_o,          // until the digest is taken
    // Words of a chaining value, if restored_i
    output logic          restoring_o,
    input  logic          value_valid_i,
    output logic          value_ready_o,
    input  word_t         value_i,
    // Words of padded blocks
    input  logic          word_valid_i,
    output logic          word_ready_o,
    input  word_t         word_i,
    input  logic          word_final_i,    // the message's last
    // Digest or chaining value: two halves, the first byte in [7:0]
    output logic          digest_valid_o,
    input  logic          digest_ready_i,
    output logic  [127:0] digest_o,
    output logic          digest_last_o
);

  typedef enum logic [2:0] {
    Idle,
    Restore,
    Rounds,
    Finish,   // the last addition
    Give
  } state_e;
  state_e state_q;

  // Step u of a block loads the working variables in u = 1, where word 0 is used; a round is in
  // each of u = 2 to 64 and, the last, in u = 0.
  localparam logic [6:0] Load = 7'd1, Turn = 7'd63, Last = 7'd64;
  logic [6:0] u_q;
  logic opening_q;  // the message's first steps, without rounds
  logic final_q;  // its last word was taken
  logic words, step, turn, load;
  assign words = u_q inside {[7'd1 : 7'd16]};
  assign step = state_q == Rounds && (!words || word_valid_i);
  assign word_ready_o = state_q == Rounds && words;
  assign load = u_q == Load;
  assign busy_o = state_q != Idle || digest_valid_o;

  // ---- constants: two steps ahead, since block RAM is slow --------------------------------------
  (* rom_style = "block", ramstyle = "M10K" *)
  word_t constants[64];
  initial for (int unsigned i = 0; i < 64; i++) constants[i] = K[i];
  logic [6:0] ahead_q;  // u + 2
  word_t read_q, k_q;
  always_ff @(posedge clk_i) begin
    if (step) begin
      read_q  <= constants[ahead_q[5:0]];
      k_q     <= read_q;
      ahead_q <= ahead_q == Last ? '0 : ahead_q + 1'b1;
    end
    if (state_q == Idle) ahead_q <= '0;
  end

  // ---- rounds -----------------------------------------------------------------------------------
  word_t word;
  sha256_schedule u_schedule (
      .clk_i,
      .wipe_i,
      .step_i   (step),
      .message_i(words),
      .word_i,
      .word_o   (word)
  );

  word_t a_q, b_q, c_q, d_q, e_q, f_q, g_q;
  word_t hk_q, hkw_q;  // of h of the round after the next: h + K; of the next: h + K + W
  logic [3:0][31:0] low_q, high_q;  // the chaining value, a to d and e to h
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
      hk_q <= k_q + (u_q inside {7'd0, 7'd1} ? high_q[1] : f_q);
      hkw_q <= hk_q + word;
    end
    if (state_q != Rounds || (opening_q && !load)) {a_q, e_q} <= '0;
    if (wipe_i) {a_q, b_q, c_q, d_q, e_q, f_q, g_q, hk_q, hkw_q} <= '0;
  end

  // ---- chaining value ---------------------------------------------------------------------------
  // A chaining value that is restored comes in its order while each half turns four times: word n
  // has its place in the third cycle after that of word n - 1.
  logic [4:0] restored_q;
  logic take_value, restore, give;
  assign take_value = restored_q[3:0] inside {4'd3, 4'd6, 4'd9, 4'd12};
  assign restoring_o = state_q == Restore;
  assign value_ready_o = state_q == Restore && take_value;
  assign restore = state_q == Restore && (!take_value || value_valid_i);
  assign turn =
      (step && u_q inside {Turn, Last, 7'd0, Load}) || restore || give || state_q == Finish;
  always_ff @(posedge clk_i) begin
    if (turn) begin
      low_q  <= {low_q[2:0], value_ready_o && !restored_q[4] ? value_i : low_next};
      high_q <= {high_q[2:0], value_ready_o && restored_q[4] ? value_i : high_next};
    end
    if (rst_i || wipe_i || start_i) {high_q, low_q} <= Initial;
  end

  // ---- control ----------------------------------------------------------------------------------
  logic [2:0] given_q;  // words of the digest that are in its register
  logic half_q;  // the second half
  assign give = state_q == Give && !digest_valid_o;
  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Idle: begin
        u_q <= Turn;
        opening_q <= 1'b1;
        if (start_i) state_q <= restored_i ? Restore : Rounds;
      end
      Restore: begin
        if (restore) restored_q <= restored_q + 1'b1;
        if (restore && restored_q == '1) state_q <= Rounds;
      end
      Rounds: begin
        if (step) begin
          u_q <= u_q == Last ? '0 : u_q + 1'b1;
          if (load) opening_q <= 1'b0;
          if (word_ready_o && word_final_i) final_q <= 1'b1;
          if (u_q == '0 && final_q) state_q <= Finish;
        end
      end
      Finish: begin
        final_q <= 1'b0;
        state_q <= Give;
      end
      default: begin
        if (give) begin
          given_q <= given_q + 1'b1;
          if (given_q == '1) state_q <= Idle;
        end
      end
    endcase
    if (rst_i || wipe_i) begin
      state_q <= Idle;
      {restored_q, final_q, given_q} <= '0;
    end
  end

  // ---- digest: words leave the halves last first ------------------------------------------------
  logic [127:0] digest_q;
  logic valid_q;
  word_t leaving;
  assign leaving = half_q ? high_q[3] : low_q[3];
  assign half_q = given_q[2];
  assign digest_valid_o = valid_q && !wipe_i;
  assign digest_o = digest_q;
  always_ff @(posedge clk_i) begin
    if (give) begin
      digest_q <= {digest_q[95:0], swapped(leaving)};
      if (given_q[1:0] == '1) begin
        valid_q <= 1'b1;
        digest_last_o <= half_q;
      end
    end
    if (digest_valid_o && digest_ready_i) valid_q <= 1'b0;
    if (rst_i || wipe_i) valid_q <= 1'b0;
    if (wipe_i) digest_q <= '0;
  end

endmodule
