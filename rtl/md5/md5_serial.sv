// SPDX-License-Identifier: Apache-2.0
// MD5 (RFC 1321, 3.4), one step per cycle: a block takes 64 steps and a cycle that loads the
// registers.
//
// B, C, D and A are a shift register of which a step makes the first word, and so is the chaining
// value. In the last cycles of a block B holds the final values of A, D, C and B in turn: the
// chaining value turns once while they are added to it. A message begins with these cycles and
// B = 0, which adds nothing.

module md5_serial
  import md5_pkg::*;
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
    // Digest or chaining value: the first byte in [7:0]
    output logic          digest_valid_o,
    input  logic          digest_ready_i,
    output logic  [127:0] digest_o
);

  typedef enum logic [2:0] {
    Idle,
    Restore,
    Steps,
    Finish,   // the last addition
    Give
  } state_e;
  state_e state_q;

  // Cycle u of a block loads the registers in u = 1, where word 0 is used; step i is in u = i + 2,
  // the last in u = 0.
  localparam logic [6:0] Load = 7'd1, Turn = 7'd63, Last = 7'd64;
  logic [6:0] u_q;
  logic opening_q;  // the message's first cycles, without steps
  logic final_q;  // its last word was taken
  logic words, step, turn, load;
  assign words = u_q inside {[7'd1 : 7'd16]};
  assign step = state_q == Steps && (!words || word_valid_i);
  assign word_ready_o = state_q == Steps && words;
  assign load = u_q == Load;
  assign busy_o = state_q != Idle || digest_valid_o;

  // ---- constants: two cycles ahead, since block RAM is slow -------------------------------------
  (* rom_style = "block", ramstyle = "M10K" *)
  word_t constants[64];
  initial for (int unsigned i = 0; i < 64; i++) constants[i] = T[i];
  logic [6:0] ahead_q;  // u + 2
  word_t read_q, t_q;
  always_ff @(posedge clk_i) begin
    if (step) begin
      read_q  <= constants[ahead_q[5:0]];
      t_q     <= read_q;
      ahead_q <= ahead_q == Last ? '0 : ahead_q + 1'b1;
    end
    if (state_q == Idle) ahead_q <= '0;
  end

  // ---- words: in the first round as they come, then from memory in the round's order ------------
  logic [5:0] i;  // of the word that is used
  logic [3:0] place_q, write_place;
  word_t memory[16], word_q, word;
  assign i = u_q[5:0] - 1'b1;
  assign word = words ? word_i : word_q;
  assign write_place = wipe_i ? place_q : i[3:0];
  always_ff @(posedge clk_i) begin
    if (wipe_i || (step && words)) memory[write_place] <= wipe_i ? '0 : word_i;
    if (step) begin
      word_q <= memory[place_q];
      // Of the word after the next
      place_q <= i[3:0] == 4'd14 ? first_word(
          i[5:4] + 1'b1
      ) : place_q + word_step(
          i[3:0] == 4'd15 ? i[5:4] + 1'b1 : i[5:4]
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
  logic [3:0][31:0] value_q;  // the chaining value: B, C, D, A
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
      at_q <= t_q + (u_q inside {7'd0, 7'd1} ? value_q[1] : c_q);
      atm_q <= at_q + word;
    end
    if (state_q != Steps || (opening_q && !load)) b_q <= '0;
    if (wipe_i) {b_q, c_q, d_q, at_q, atm_q} <= '0;
  end

  // ---- chaining value ---------------------------------------------------------------------------
  // One that is restored comes in its order while the value turns: word n has its place in the
  // third cycle after that of word n - 1.
  logic [3:0] restored_q;
  logic take_value, restore, give;
  assign restoring_o = state_q == Restore;
  assign take_value = restored_q inside {4'd0, 4'd3, 4'd6, 4'd9};
  assign value_ready_o = restoring_o && take_value;
  assign restore = restoring_o && (!take_value || value_valid_i);
  assign turn =
      (step && u_q inside {Turn, Last, 7'd0, Load}) || restore || give || state_q == Finish;
  always_ff @(posedge clk_i) begin
    if (turn) value_q <= {value_q[2:0], value_ready_o ? value_i : value_next};
    if (rst_i || wipe_i || start_i) value_q <= {Initial[0], Initial[3:1]};
  end

  // ---- control ----------------------------------------------------------------------------------
  logic [2:0] given_q;  // words of the digest that have left, after one turn
  assign give = state_q == Give && !digest_valid_o;
  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Idle: begin
        u_q <= Turn;
        opening_q <= 1'b1;
        if (start_i) state_q <= restored_i ? Restore : Steps;
      end
      Restore: begin
        if (restore) restored_q <= restored_q == 4'd11 ? '0 : restored_q + 1'b1;
        if (restore && restored_q == 4'd11) state_q <= Steps;
      end
      Steps: begin
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
          given_q <= given_q == 3'd4 ? '0 : given_q + 1'b1;
          if (given_q == 3'd4) state_q <= Idle;
        end
      end
    endcase
    if (rst_i || wipe_i) begin
      state_q <= Idle;
      {restored_q, final_q, given_q} <= '0;
    end
  end

  // ---- digest: its words leave last first -------------------------------------------------------
  logic valid_q;
  assign digest_valid_o = valid_q && !wipe_i;
  always_ff @(posedge clk_i) begin
    if (give) begin
      digest_o <= {digest_o[95:0], value_q[3]};
      if (given_q == 3'd4) valid_q <= 1'b1;
    end
    if (digest_valid_o && digest_ready_i) valid_q <= 1'b0;
    if (rst_i || wipe_i) valid_q <= 1'b0;
    if (wipe_i) digest_o <= '0;
  end

endmodule
