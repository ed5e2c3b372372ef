// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) of 131 messages of any length at once, a block per cycle: all 64 rounds
// are a pipeline, and each place in it has its own message. Beats of different messages may
// come in any order: the number of a beat's slot says which it belongs to. A slot's messages
// come one after the other, and so do their digests. Padding is done here.
//
// A slot hashes one block in 131 cycles. For full speed a source gives the slots a block each
// in turn, and sends a new message to the slot that it is the turn of. A beat whose slot is
// full holds up those behind it.

module sha256_pipe
  import hash_pkg::*;
  import hash_pipe_pkg::*;
  import sha256_pkg::*;
#(
    parameter int unsigned Depth = 4  // blocks that wait in each slot, 2 to 16, a power of two
) (
    input  logic          aclk,
    input  logic          aresetn,        // synchronous: control only
    input  logic          wipe_i,         // held for WipeCycles: clears everything
    // A block per beat: byte 0 is [7:0]; an empty message is a beat with tkeep = 0
    input  logic          s_axis_tvalid,
    output logic          s_axis_tready,
    input  logic  [511:0] s_axis_tdata,
    input  logic  [ 63:0] s_axis_tkeep,   // contiguous from byte 0, full except with tlast
    input  logic          s_axis_tlast,   // of its message
    input  slot_t         s_axis_tid,     // the slot, 0 to 130
    input  logic          s_axis_tuser,   // error
    // A digest per beat
    output logic          m_axis_tvalid,
    input  logic          m_axis_tready,
    output logic  [255:0] m_axis_tdata,
    output slot_t         m_axis_tid,
    output logic          m_axis_tuser,   // a beat of the message was marked
    output logic          busy_o          // from a message's first beat to its digest
);

  if (!(Depth inside {2, 4, 8, 16})) begin : gen_bad_depth
    $fatal(1, "sha256_pipe: Depth must be 2, 4, 8 or 16");
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
  word_t [7:0] start, value, sum;
  hash_pipe #(
      .BigEndian(1'b1),
      .Depth    (Depth),
      .Words    (8),
      .Initial  (Initial)
  ) u_pipe (
      .word_o (message),
      .start_o(start),
      .clear_o(clear),
      .value_o(value),
      .sum_i  (sum),
      .*
  );

  word_t [63:0] word;
  sha256_pipe_schedule u_schedule (
      .message_i(message),
      .word_o   (word),
      .*
  );

  // K + W; nothing is added to h after the last round
  word_t [63:0] kw_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned t = 0; t < 64; t++) kw_q[t] <= wipe_i ? '0 : word[t] + K[63-t];
  end

  state_t [64:0] state;
  state_t state_q;
  assign state[0] = state_q;
  always_ff @(posedge clk_i) begin
    state_q <= '{
        a: start[0],
        b: start[1],
        c: start[2],
        d: start[3],
        e: start[4],
        f: start[5],
        g: start[6],
        hkw: start[7] + kw_q[0]
    };
    if (wipe_i) state_q <= '0;
  end

  for (genvar t = 0; t < 64; t++) begin : gen_round
    sha256_pipe_round u_round (
        .clk_i,
        .wipe_i,
        .state_i(state[t]),
        .word_i (t == 63 ? '0 : kw_q[(t+1)%64]),
        .clear_i(t == 63 && clear),
        .state_o(state[t+1])
    );
  end

  word_t [7:0] last;
  assign last = {
    state[64].hkw,
    state[64].g,
    state[64].f,
    state[64].e,
    state[64].d,
    state[64].c,
    state[64].b,
    state[64].a
  };
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 8; i++) sum[i] <= wipe_i ? '0 : last[i] + value[i];
  end

endmodule
