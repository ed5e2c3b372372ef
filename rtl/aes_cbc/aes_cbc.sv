// SPDX-License-Identifier: Apache-2.0
// CBC encryption (SP 800-38A, 6.2) of several messages in turn, under one key. A block of a message
// waits for the block before it, but not for other messages: their blocks fill the ring, which
// makes one block per Nr cycles.
//
// The first beat of a message is its initialisation vector (IV), and comes out unchanged. Byte n of
// a block is in bits [8n+7:8n].

module aes_cbc
  import aes_pkg::*;
#(
    parameter sbox_e SBox = SBoxTower,
    parameter int unsigned RoundStages = 4,  // registers in the round: 3 or 4
    parameter key_sizes_e KeySizes = Only128,
    parameter int unsigned Lanes = 8,  // messages at the same time: 2, 4, 8 or 16
    localparam int unsigned LaneBits = $clog2(Lanes)
) (
    input logic aclk,
    input logic aresetn,  // synchronous: control only
    input logic wipe_i,  // held for WipeCycles: clears everything
    // The key for all messages until the next key. A new key is accepted when no message is
    // unfinished; then it goes before the next message.
    input logic key_valid_i,  // stays until it is ready
    output logic key_ready_o,
    input logic [255:0] key_i,  // byte 0 is [7:0]; bytes above the key's size are ignored
    input key_size_e key_size_i,  // matters with AnySize
    // Data in: IV and blocks of each lane's message; beats of the lanes in any order
    input logic s_axis_tvalid,
    output logic s_axis_tready,  // room_o of tid
    input logic [127:0] s_axis_tdata,
    input logic [15:0] s_axis_tkeep,  // not all ones: partial, with the rest of the message
    input logic s_axis_tlast,
    input logic [LaneBits-1:0] s_axis_tid,  // the lane
    output logic [Lanes-1:0] room_o,  // lanes that can take a beat now
    // Data out: IV and ciphertext, in the order of each lane
    output logic m_axis_tvalid,
    input logic m_axis_tready,
    output logic [127:0] m_axis_tdata,
    output logic m_axis_tlast,
    output logic [LaneBits-1:0] m_axis_tid,
    output logic m_axis_tuser,  // partial: data is 0
    // State
    output logic busy_o  // a key is expanded, a message is unfinished, or output waits
);

  if (!(SBox inside {SBoxTower, SBoxRam, TBoxRam})) begin : gen_bad_sbox
    $fatal(1, "aes_cbc: SBox must be SBoxTower, SBoxRam or TBoxRam");
  end
  if (KeySizes > AnySize) begin : gen_bad_key_sizes
    $fatal(1, "aes_cbc: KeySizes must be 0 to 3");
  end
  if (!(Lanes inside {2, 4, 8, 16})) begin : gen_bad_lanes
    $fatal(1, "aes_cbc: Lanes must be 2, 4, 8 or 16");
  end

  // At most RoundStages + 3 results are in flight (one per stage, one before, one behind, and the
  // picked beat); the rest of the FIFO holds waiting results.
  localparam int unsigned Results = 16;
  localparam int unsigned Tags = 8;

  // For the benches and the lab
  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned CyclesPerBlock = cycles_per_block(Ring, KeySizes);
  localparam int unsigned WipeCycles = wipe_cycles(Ring, RoundStages);
  /* verilator lint_on UNUSEDPARAM */

  logic rst;
  assign rst = !aresetn;

  // ---- the key ----------------------------------------------------------------------------------
  typedef enum logic [1:0] {
    StIdle,    // no key, or not yet all of it
    StExpand,  // it is being expanded
    StOpen,    // beats are taken
    StDrain    // the next key waits until the last block has left
  } state_e;
  state_e state_q, state_d;
  logic key_ready, opens, open, begun, lanes_busy, renew;

  assign open = state_q == StOpen && (begun || !key_valid_i);
  assign key_ready_o = key_ready;

  // The cipher's packet is not closed by a last block, because nobody knows which block that is. A
  // new key restarts the cipher instead, when no block is in it.
  assign renew = state_q == StDrain && !lanes_busy;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:   if (key_ready) state_d = StExpand;
      StExpand: if (opens) state_d = StOpen;
      StOpen:   if (key_valid_i && !begun) state_d = StDrain;
      StDrain:  if (!lanes_busy) state_d = StIdle;
    endcase
  end

  always_ff @(posedge aclk) begin
    state_q <= state_d;
    if (rst || wipe_i) state_q <= StIdle;
  end

  // ---- the lanes --------------------------------------------------------------------------------
  logic credit, spend, valid, cipher_ready, last, made, made_last;
  logic [LaneBits-1:0] lane, made_lane;
  block_t block, made_block, last_key;

  typedef struct packed {
    logic                partial;
    logic                last;
    logic [LaneBits-1:0] lane;
    block_t              data;
  } result_t;
  logic result_valid;
  result_t result, out;

  aes_cbc_lanes #(
      .Lanes(Lanes)
  ) u_lanes (
      .clk_i        (aclk),
      .rst_i        (rst),
      .wipe_i,
      .open_i       (open),
      .valid_i      (s_axis_tvalid),
      .ready_o      (s_axis_tready),
      .lane_i       (s_axis_tid),
      .data_i       (s_axis_tdata),
      .keep_i       (s_axis_tkeep),
      .last_i       (s_axis_tlast),
      .room_o,
      .begun_o      (begun),
      .busy_o       (lanes_busy),
      .credit_i     (credit),
      .spend_o      (spend),
      .valid_o      (valid),
      .ready_i      (cipher_ready),
      .block_o      (block),
      .lane_o       (lane),
      .last_o       (last),
      .made_i       (made),
      .made_block_i (made_block ^ last_key),
      .made_lane_i  (made_lane),
      .made_last_i  (made_last),
      .result_o     (result_valid),
      .result_data_o(result.data),
      .result_lane_o(result.lane),
      .result_last_o(result.last),
      .partial_o    (result.partial)
  );

  // ---- the cipher, and the lanes of the blocks in it --------------------------------------------
  logic cipher_open;

  aes_cipher #(
      .Structure  (Ring),
      .SBox       (SBox),
      .RoundStages(RoundStages),
      .KeySizes   (KeySizes),
      .Directions (EncryptOnly)
  ) u_cipher (
      .clk_i      (aclk),
      .rst_i      (rst || renew),
      .wipe_i,
      .key_valid_i(key_valid_i && state_q == StIdle),
      .key_ready_o(key_ready),
      .key_i,
      .size_i     (key_size_i),
      .decrypt_i  (1'b0),
      .opens_o    (opens),
      .open_o     (cipher_open),
      .last_key_o (last_key),
      .valid_i    (valid),
      .ready_o    (cipher_ready),
      .block_i    (block),
      .last_i     (1'b0),
      .valid_o    (made),
      .block_o    (made_block)
  );

  logic tag_ready, tag_valid;
  logic [$clog2(Tags+1)-1:0] unused_tags;

  stream_fifo #(
      .Width(1 + LaneBits),
      .Depth(Tags)
  ) u_tags (
      .clk_i  (aclk),
      .rst_i  (rst),
      .wipe_i,
      .valid_i(valid && cipher_ready),
      .ready_o(tag_ready),
      .data_i ({last, lane}),
      .valid_o(tag_valid),
      .ready_i(made),
      .data_o ({made_last, made_lane}),
      .level_o(unused_tags)
  );

  // ---- results ----------------------------------------------------------------------------------
  // A credit is room for one result for which no beat has been picked yet.
  typedef logic [$clog2(Results):0] count_t;
  count_t credits_q;
  logic result_ready, used;
  logic [$clog2(Results+1)-1:0] unused_results;

  assign used   = m_axis_tvalid && m_axis_tready;
  assign credit = credits_q != '0;
  always_ff @(posedge aclk) begin
    credits_q <= credits_q + count_t'(used) - count_t'(spend);
    if (rst || wipe_i) credits_q <= count_t'(Results);
  end

  stream_fifo #(
      .Width     ($bits(result_t)),
      .Depth     (Results),
      .CleanInput(1'b1)
  ) u_results (
      .clk_i  (aclk),
      .rst_i  (rst),
      .wipe_i,
      .valid_i(result_valid),
      .ready_o(result_ready),
      .data_i (result),
      .valid_o(m_axis_tvalid),
      .ready_i(m_axis_tready),
      .data_o (out),
      .level_o(unused_results)
  );
  assign {m_axis_tuser, m_axis_tlast, m_axis_tid, m_axis_tdata} = out;

  assign busy_o = state_q == StExpand || state_q == StDrain || begun || lanes_busy ||
      credits_q != count_t'(Results);

  always_ff @(posedge aclk) begin
    if (!rst && !wipe_i) begin
      cipher_is_open : assert (state_q != StOpen || cipher_open);
      room_for_tag : assert (!valid || !cipher_ready || tag_ready);
      tag_is_there : assert (!made || tag_valid);
      room_for_result : assert (!result_valid || result_ready);
      none_is_lost : assert (!renew || (!made && !tag_valid && !valid));
    end
  end

endmodule
