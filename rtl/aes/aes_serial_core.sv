// SPDX-License-Identifier: Apache-2.0
// Keystream of CTR (SP 800-38A, 6.5) in words. Four S-boxes alternate between two blocks: Nr + 1
// passes of 8 cycles for a pair. The key is expanded first, in 4 cycles per word.

module aes_serial_core
  import aes_pkg::*;
#(
    parameter sbox_e      SBox,
    parameter key_sizes_e KeySizes
) (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        wipe_i,
    // Param, word by word: {mode, size}; the IV's, the last first; the key's
    input  logic        param_valid_i,
    output logic        param_ready_o,
    output logic  [3:0] param_word_o,   // 0; 1 to 4; 5 to 12
    input  word_t       param_i,
    output logic        param_last_o,
    output logic        busy_o,         // from the first param word to done_i
    output logic        open_o,         // until done_i
    input  logic        done_i,         // the packet has ended: no more of its keystream
    output logic        valid_o,
    input  logic        ready_i,
    output word_t       word_o
);

  localparam int unsigned Depth = 16;  // words that wait: two pairs of blocks

  typedef enum logic [1:0] {
    StIdle,    // no packet
    StLoad,    // param words
    StExpand,  // key schedule
    StRun      // keystream
  } state_e;
  state_e state_q;

  // ---- state: param word, key word, phase, pass -------------------------------------------------
  key_size_e size_q, size;
  logic wide_q;  // the counter is all of the counter block
  logic [3:0] load_q;  // param word
  logic [5:0] index_q;  // next word of the key schedule
  logic [2:0] group_q;  // its place among Nk, or among 4 of a 256-bit key
  logic [2:0] phase_q;  // of a word of the key; or block and column
  logic [3:0] pass_q;
  logic rotate_q, busy_q, room;
  byte_t constant_q;
  logic loaded, expanded, word_done, group_end;

  assign size = chosen(KeySizes, size_q);
  assign param_ready_o = (state_q == StIdle || state_q == StLoad) && !wipe_i;
  assign param_word_o = load_q;
  assign param_last_o = load_q == 4'(4 + key_words(size));
  assign busy_o = state_q != StIdle;
  assign open_o = state_q == StRun;
  assign loaded = param_valid_i && param_last_o;
  assign word_done = state_q == StExpand && phase_q[1:0] == 2'd3;
  assign expanded = word_done && index_q == 6'(4 * rounds(size) + 3);
  assign group_end = group_q == 3'(size == Key192 ? 5 : 3);

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle, StLoad: begin
        if (param_valid_i) begin
          state_q <= StLoad;
          load_q  <= load_q + 1'b1;
        end
        if (loaded) state_q <= StExpand;
        index_q <= 6'(key_words(size));
        group_q <= '0;
        phase_q <= '0;
        rotate_q <= 1'b1;
        constant_q <= 8'h01;
      end
      StExpand: begin
        phase_q <= {1'b0, phase_q[1:0] + 1'b1};
        if (word_done) begin
          index_q <= index_q + 1'b1;
          group_q <= group_end ? '0 : group_q + 1'b1;
          if (group_q == '0 && rotate_q) constant_q <= doubled(constant_q);
          if (group_q == '0) rotate_q <= size != Key256 || !rotate_q;
        end
        if (expanded) state_q <= StRun;
        pass_q <= '0;
      end
      default: begin
        if (busy_q || room) phase_q <= phase_q + 1'b1;
        if (phase_q == '1) pass_q <= pass_q == 4'(rounds(size)) ? '0 : pass_q + 1'b1;
      end
    endcase
    if (state_q == StIdle && param_valid_i) begin
      size_q <= key_size_e'(param_i[1:0]);
      wide_q <= mode_e'(param_i[3:2]) == Ctr;
    end
    if (rst_i || wipe_i || done_i) begin
      state_q <= StIdle;
      load_q  <= '0;
    end
  end

  // A pair begins when there is room for all of it.
  logic start, running;
  assign start   = state_q == StRun && !busy_q && room;
  assign running = state_q == StRun && (busy_q || room);
  always_ff @(posedge clk_i) begin
    if (start) busy_q <= 1'b1;
    if (running && phase_q == '1 && pass_q == 4'(rounds(size))) busy_q <= 1'b0;
    if (state_q != StRun || rst_i || wipe_i || done_i) busy_q <= 1'b0;
  end

  // ---- operations: with the read, and one, two and three cycles later ---------------------------
  typedef struct packed {
    logic       valid;
    logic       first;    // pass: the counter block
    logic       final_i;  // pass
    logic       block;
    logic [1:0] column;
  } step_t;
  step_t step, step_q[3], done;
  logic [5:0] key_address_q;

  // The counter's lowest word is the last word of its block.
  assign step = '{
          valid: running,
          first: pass_q == '0,
          final_i: pass_q == 4'(rounds(size)),
          block: phase_q[2],
          column: phase_q[1:0] ^ {2{pass_q == '0}}
      };
  assign done = step_q[2];

  always_ff @(posedge clk_i) begin
    step_q[0] <= step;
    for (int unsigned i = 1; i < 3; i++) step_q[i] <= step_q[i-1];
    key_address_q <= state_q == StRun ? {pass_q, step.column} : index_q - 6'(key_words(size));
    if (rst_i || wipe_i || done_i) for (int unsigned i = 0; i < 3; i++) step_q[i].valid <= 1'b0;
  end

  // ---- the last word: of the key schedule or of the param, a cycle later ------------------------
  logic write_key_q, load_counter_q, carry_q, carry, counting;
  logic [5:0] write_address_q, wipe_q;

  assign counting = done.valid && done.first;
  always_ff @(posedge clk_i) begin
    write_key_q <= word_done || (param_valid_i && param_ready_o && load_q >= 4'd5);
    load_counter_q <= param_valid_i && param_ready_o && load_q inside {[4'd1 : 4'd4]};
    write_address_q <= state_q == StExpand ? index_q : 6'(load_q) - 6'd5;
    if (counting) carry_q <= carry && wide_q;
    wipe_q <= wipe_i ? wipe_q + 1'b1 : '0;
    if (rst_i || wipe_i) {write_key_q, load_counter_q} <= '0;
  end

  word_t word;
  aes_serial_data #(
      .SBox(SBox)
  ) u_data (
      .clk_i,
      .wipe_i,
      .wipe_address_i (wipe_q),
      .read_block_i   (phase_q[2]),
      .read_column_i  (phase_q[1:0]),
      .read_last_i    (state_q != StRun || wipe_i),
      .key_address_i  (key_address_q),
      .counter_i      (done.first && state_q == StRun),
      .mix_i          (!done.final_i && state_q == StRun),
      .whole_i        (state_q == StExpand && group_q != '0),
      .rotate_i       (state_q == StExpand && rotate_q && group_q == '0),
      .constant_i     (constant_q),
      .word_o         (word),
      .write_state_i  (done.valid && !done.final_i),
      .write_block_i  (done.block),
      .write_column_i (done.column),
      .write_last_i   (word_done),
      .load_i         (param_valid_i && param_ready_o),
      .param_i,
      .write_key_i    (write_key_q),
      .write_address_i(write_address_q),
      .load_counter_i (load_counter_q),
      .count_i        (counting),
      .carry_i        (done.column == 2'd3 || carry_q),
      .carry_o        (carry)
  );

  // ---- keystream --------------------------------------------------------------------------------
  // Words that there is room for: a pair takes eight when it starts.
  logic [4:0] free_q;
  logic [$clog2(Depth+1)-1:0] unused_level;
  logic unused_ready, pop;
  assign room = free_q >= 5'd8;
  assign pop  = valid_o && ready_i;
  always_ff @(posedge clk_i) begin
    free_q <= free_q + 5'(pop) - (start ? 5'd8 : 5'd0);
    if (rst_i || wipe_i || done_i) free_q <= 5'(Depth);
  end

  stream_fifo #(
      .Width(32),
      .Depth(Depth)
  ) u_words (
      .clk_i,
      .rst_i  (rst_i || done_i),
      .wipe_i,
      .valid_i(done.valid && done.final_i),
      .ready_o(unused_ready),
      .data_i (word),
      .valid_o,
      .ready_i,
      .data_o (word_o),
      .level_o(unused_level)
  );

endmodule
