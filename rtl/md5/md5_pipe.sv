// SPDX-License-Identifier: Apache-2.0
// MD5 (RFC 1321) of 131 messages of any length at once, a block per cycle: all 64 steps are a
// pipeline. How messages come is told in sha256_pipe, whose ports these are; a digest is 16 bytes.

module md5_pipe
  import hash_pkg::*;
  import hash_pipe_pkg::*;
  import md5_pkg::*;
#(
    parameter int unsigned Depth = 4  // blocks that wait in each slot, 2 to 16, a power of two
) (
    input  logic          aclk,
    input  logic          aresetn,
    input  logic          wipe_i,
    input  logic          s_axis_tvalid,
    output logic          s_axis_tready,
    input  logic  [511:0] s_axis_tdata,
    input  logic  [ 63:0] s_axis_tkeep,
    input  logic          s_axis_tlast,
    input  slot_t         s_axis_tid,
    input  logic          s_axis_tuser,
    output logic          m_axis_tvalid,
    input  logic          m_axis_tready,
    output logic  [127:0] m_axis_tdata,
    output slot_t         m_axis_tid,
    output logic          m_axis_tuser,
    output logic          busy_o
);

  if (!(Depth inside {2, 4, 8, 16})) begin : gen_bad_depth
    $fatal(1, "md5_pipe: Depth must be 2, 4, 8 or 16");
  end

  // For the benches and the lab
  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned DataBytes = BlockBytes;
  localparam int unsigned CyclesPerBlock = 1;
  localparam int unsigned Slots = PipePlaces;
  localparam int unsigned Latency = PipeLatency;
  localparam int unsigned WipeCycles = pipe_wipe_cycles(Depth);
  /* verilator lint_on UNUSEDPARAM */

  logic clk_i, rst_i;
  assign clk_i = aclk;
  assign rst_i = !aresetn;

  logic clear;
  word_t [15:0] message;
  word_t [3:0] start, value, sum;
  hash_pipe #(
      .BigEndian(1'b0),
      .Depth    (Depth),
      .Words    (4),
      .Initial  (Initial)
  ) u_pipe (
      .word_o (message),
      .start_o(start),
      .clear_o(clear),
      .value_o(value),
      .sum_i  (sum),
      .*
  );

  // Of one of the 64 steps
  function automatic logic [3:0] step_word(int unsigned step);
    return first_word(2'(step / 16)) + word_step(2'(step / 16)) * 4'(step);
  endfunction
  // The step that has the same word before it, in the round before
  function automatic int unsigned step_before(int unsigned step);
    for (int unsigned i = 0; i < 16; i++) begin
      if (step_word(step / 16 * 16 - 16 + i) == step_word(step)) return step / 16 * 16 - 16 + i;
    end
    return step;  // never
  endfunction

  // The word of each step, 2 cycles after that of the step before: a round has those of the round
  // before again.
  word_t [63:0] word;
  assign word[15:0] = message;
  for (genvar i = 16; i < 64; i++) begin : gen_word
    hash_delay #(
        .Width (32),
        .Cycles(2 * (i - step_before(i)))
    ) u_again (
        .clk_i,
        .rst_i,
        .data_i(word[step_before(i)]),
        .data_o(word[i])
    );
  end

  // T + word; nothing is added to A after the last step
  word_t [63:0] tm_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 64; i++) tm_q[i] <= wipe_i ? '0 : word[i] + T[63-i];
  end

  state_t [64:0] state;
  state_t state_q;
  assign state[0] = state_q;
  always_ff @(posedge clk_i) begin
    state_q <= '{atm: start[0] + tm_q[0], b: start[1], c: start[2], d: start[3]};
    if (wipe_i) state_q <= '0;
  end

  for (genvar i = 0; i < 64; i++) begin : gen_step
    md5_pipe_step #(
        .Round(2'(i / 16)),
        .Place(2'(i % 4))
    ) u_step (
        .clk_i,
        .wipe_i,
        .state_i(state[i]),
        .word_i (i == 63 ? '0 : tm_q[(i+1)%64]),
        .clear_i(i == 63 && clear),
        .state_o(state[i+1])
    );
  end

  word_t [3:0] last;
  assign last = {state[64].d, state[64].c, state[64].b, state[64].atm};
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 4; i++) sum[i] <= wipe_i ? '0 : last[i] + value[i];
  end

endmodule
