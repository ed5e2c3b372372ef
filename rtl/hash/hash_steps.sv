// SPDX-License-Identifier: Apache-2.0
// The steps of a serial hash core: 65 cycles per block. The registers of the steps are loaded in
// the first, which uses word 0 of the block; one of the 64 steps is done in each of the others.
//
// The chaining value is one or two shift registers of four words. It turns once in the last cycles
// of a block, while the final values of the registers, which are shift registers too, are added to
// it. A message begins with these cycles and zeros in the registers, which add nothing.

module hash_steps
  import hash_pkg::*;
#(
    int unsigned Halves,     // 1 or 2: shift registers of the chaining value
    int unsigned First,      // turn of a restored value that takes its first word, 0 or 3
    bit          ExtraTurn,  // before the digest leaves, last word first
    constants_t  Constants
) (
    input  logic          clk_i,
    input  logic          rst_i,
    input  logic          wipe_i,
    // Opens a message or part
    input  logic          start_i,         // not while busy_o
    input  logic          restored_i,      // a chaining value comes first
    output logic          busy_o,          // until the digest is taken
    // Words of a chaining value, if restored_i
    input  logic          value_valid_i,
    output logic          value_ready_o,   // the word goes into the half that turns in
    // Words of padded blocks
    input  logic          word_valid_i,
    output logic          word_ready_o,    // words 0 to 15; the others come from these
    input  logic          word_final_i,    // the message's last
    // What the core does
    output logic          step_o,          // its registers move
    output logic          load_o,          // with step_o: they are loaded with the chaining value
    output logic          early_o,         // with step_o: so is what is added two steps ahead
    output logic          zero_o,          // they become zero
    output logic          turn_o,          // the chaining value turns
    output logic          half_o,          // the half whose words come in or leave
    output logic  [  5:0] index_o,         // of the word that is used; one less is that of the step
    output word_t         constant_o,      // of the step after the next
    // Digest or chaining value, four words at a time: the first byte in [7:0]
    input  word_t         leaving_i,       // the last word of half_o, in the order of its bytes
    output logic          digest_valid_o,
    input  logic          digest_ready_i,
    output logic  [127:0] digest_o,
    output logic          digest_last_o
);

  typedef enum logic [2:0] {
    Idle,
    Restore,
    Steps,
    Finish,   // the last addition
    Give
  } state_e;
  state_e state_q;

  // u counts the cycles of a block: it is 1 where the registers are loaded, and 0 in the last.
  localparam logic [6:0] Load = 7'd1, Turn = 7'd63, Last = 7'd64;
  logic [6:0] u_q;
  logic opening_q;  // the message's first cycles, without steps
  logic final_q;  // its last word was taken
  logic words, restore, give, extra_q;
  assign words = u_q inside {[7'd1 : 7'd16]};
  assign step_o = state_q == Steps && (!words || word_valid_i);
  assign load_o = u_q == Load;
  assign early_o = u_q inside {7'd0, Load};
  assign zero_o = state_q != Steps || (opening_q && !load_o);
  assign turn_o =
      (step_o && u_q inside {Turn, Last, 7'd0, Load}) || restore || give || state_q == Finish;
  assign index_o = u_q[5:0] - 1'b1;
  assign word_ready_o = state_q == Steps && words;
  assign busy_o = state_q != Idle || digest_valid_o;

  // ---- constants: two cycles ahead, since block RAM is slow -------------------------------------
  (* rom_style = "block", ramstyle = "M10K" *)
  word_t constants[64];
  initial for (int unsigned i = 0; i < 64; i++) constants[i] = Constants[63-i];
  logic [6:0] ahead_q;  // u + 2
  word_t read_q;
  always_ff @(posedge clk_i) begin
    if (step_o) begin
      read_q <= constants[ahead_q[5:0]];
      constant_o <= read_q;
      ahead_q <= ahead_q == Last ? '0 : ahead_q + 1'b1;
    end
    if (state_q == Idle) ahead_q <= '0;
  end

  // ---- states -----------------------------------------------------------------------------------
  // A restored value comes in its order while a half turns 16 times: each word has its place in the
  // third cycle after that of the word before.
  logic [4:0] restored_q;
  logic [2:0] given_q;  // words of the digest that have left
  localparam logic [4:0] LastRestored = 5'(16 * Halves - 1);
  localparam logic [2:0] LastGiven = 3'(4 * Halves - 1);
  logic restoring;
  assign restoring = state_q == Restore;
  assign value_ready_o = restoring &&
      restored_q[3:0] inside {4'(First), 4'(First + 3), 4'(First + 6), 4'(First + 9)};
  assign restore = restoring && (!value_ready_o || value_valid_i);
  assign give = state_q == Give && !digest_valid_o;
  assign half_o = restoring ? restored_q[4] : given_q[2];

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Idle: begin
        u_q <= Turn;
        opening_q <= 1'b1;
        if (start_i) state_q <= restored_i ? Restore : Steps;
      end
      Restore: begin
        if (restore) restored_q <= restored_q == LastRestored ? '0 : restored_q + 1'b1;
        if (restore && restored_q == LastRestored) state_q <= Steps;
      end
      Steps: begin
        if (step_o) begin
          u_q <= u_q == Last ? '0 : u_q + 1'b1;
          if (load_o) opening_q <= 1'b0;
          if (word_ready_o && word_final_i) final_q <= 1'b1;
          if (u_q == '0 && final_q) state_q <= Finish;
        end
      end
      Finish: begin
        final_q <= 1'b0;
        extra_q <= ExtraTurn && !extra_q;
        if (!ExtraTurn || extra_q) state_q <= Give;
      end
      default: begin
        if (give) begin
          given_q <= given_q == LastGiven ? '0 : given_q + 1'b1;
          if (given_q == LastGiven) state_q <= Idle;
        end
      end
    endcase
    if (rst_i || wipe_i) begin
      state_q <= Idle;
      {restored_q, final_q, given_q, extra_q} <= '0;
    end
  end

  // ---- digest -----------------------------------------------------------------------------------
  logic valid_q;
  assign digest_valid_o = valid_q && !wipe_i;
  always_ff @(posedge clk_i) begin
    if (give) begin
      digest_o <= {digest_o[95:0], leaving_i};
      if (given_q[1:0] == '1) begin
        valid_q <= 1'b1;
        digest_last_o <= given_q == LastGiven;
      end
    end
    if (digest_valid_o && digest_ready_i) valid_q <= 1'b0;
    if (rst_i || wipe_i) valid_q <= 1'b0;
    if (wipe_i) digest_o <= '0;
  end

endmodule
