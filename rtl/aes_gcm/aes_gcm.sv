// SPDX-License-Identifier: Apache-2.0
// AES-GCM and GMAC (SP 800-38D), and AES in ECB, CBC or CTR (SP 800-38A): a message's IV,
// additional data and data in; data and tag out. The next message's key is expanded during this
// one.
//
// Opened data comes out before its tag is compared: the owner keeps it until the tag has matched.

module aes_gcm
  import aes_pkg::*;
  import gcm_pkg::*;
#(
    parameter structure_e Structure = Ring,  // or Pipeline
    parameter sbox_e SBox = SBoxTower,
    parameter int unsigned RoundStages = SBox == SBoxTable ? 2 : 4,
    parameter key_sizes_e KeySizes = Only128,
    parameter directions_e Directions = EncryptOnly,
    parameter modes_e Modes = CounterOnly,  // besides GCM
    parameter int unsigned DigitBits = 16,  // of GHASH per cycle: 1 to 128, a power of 2
    parameter int unsigned PieceBits = 16,  // DigitBits 128: where Karatsuba's multiplication ends
    localparam int unsigned DataBytes = BlockBytes
) (
    input logic aclk,
    input logic aresetn,  // synchronous: control only
    input logic wipe_i,  // held for WipeCycles: clears everything
    // One param per message; may run ahead of the data
    input logic param_valid_i,  // stays until it is ready
    output logic param_ready_o,
    input gcm_pkg::param_t param_i,
    // The IV unless it has 12 bytes, additional data, data: each starts with a new beat and has as
    // many beats as the param says
    input logic s_axis_tvalid,
    output logic s_axis_tready,
    input logic [8*DataBytes-1:0] s_axis_tdata,
    input logic s_axis_tuser,  // marks a beat: passed on with data, and with the tag
    // Data out, beat for beat; none for no data
    output logic m_axis_tvalid,
    input logic m_axis_tready,
    output logic [8*DataBytes-1:0] m_axis_tdata,
    output logic [DataBytes-1:0] m_axis_tkeep,
    output logic m_axis_tlast,
    output logic [1:0] m_axis_tuser,  // {Ecb, Cbc: not whole, data is 0; s_axis_tuser}
    // One for each message of Seal and Open, in their order
    output logic tag_valid_o,
    input logic tag_ready_i,
    output logic [127:0] tag_o,
    output logic tag_match_o,  // its first tag_bytes match; 1 if no tag is expected
    output logic tag_user_o,  // s_axis_tuser of any beat
    output logic busy_o
);

  if (!(Structure inside {Ring, Pipeline})) begin : gen_bad_structure
    $fatal(1, "aes_gcm: Structure must be Ring or Pipeline");
  end
  if (SBox > TBoxRam || KeySizes > AnySize) begin : gen_bad_choice
    $fatal(1, "aes_gcm: SBox and KeySizes must be 0 to 3");
  end
  if (SBox == SBoxTable && Structure != Pipeline) begin : gen_bad_table
    $fatal(1, "aes_gcm: SBoxTable is for a Pipeline");
  end
  if (Directions > BothDirections || Modes > AllModes) begin : gen_bad_flag
    $fatal(1, "aes_gcm: Directions and Modes must be 0 or 1");
  end

  // For the benches and the lab
  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned CyclesPerBlock = gcm_pkg::cycles_per_block(
      aes_pkg::cycles_per_block(Structure, KeySizes), DigitBits
  );
  localparam int unsigned Latency = gcm_pkg::latency(Structure, KeySizes, RoundStages, Directions);
  // With five stages the next key arrives later (aes_pipeline_core), by as many cycles.
  localparam int unsigned KeyStages = RoundStages > 4 ? RoundStages + rounds(
      chosen(KeySizes, Key128)
  ) - 8 : RoundStages;
  localparam int unsigned Cycles64 = message_cycles(Structure, KeySizes, KeyStages, DigitBits, 64);
  localparam int unsigned Cycles1500 = message_cycles(
      Structure, KeySizes, KeyStages, DigitBits, 1500
  );
  localparam int unsigned Cycles65536 = message_cycles(
      Structure, KeySizes, KeyStages, DigitBits, 65536
  );
  localparam int unsigned WipeCycles = wipe_cycles(Structure, RoundStages);
  /* verilator lint_on UNUSEDPARAM */

  logic rst;
  assign rst = !aresetn;

  // A wipe begins a cycle later, from a register for each part: one does not reach all in a cycle.
  logic front_wipe, engine_wipe, back_wipe;
  flag_copies #(
      .Copies(3)
  ) u_wipe (
      .clk_i   (aclk),
      .flag_i  (wipe_i),
      .copies_o({front_wipe, engine_wipe, back_wipe})
  );

  // ---- messages: what front and tag need of the next waits here, key and IV in the engine -------
  logic next, opens, expected_ready, aead, taken_q, engine_ready;
  operation_e next_operation_q;
  logic [31:0] next_iv_bytes_q, next_aad_bytes_q, next_data_bytes_q;
  logic [4:0] next_tag_bytes_q;
  logic [127:0] next_tag_q;
  aes_pkg::param_t engine_param;

  assign aead = param_i.operation inside {Seal, Open};
  assign param_ready_o = engine_ready;
  assign engine_param = '{
          mode: aead ? Ctr32 : param_i.mode,
          decrypt: param_i.operation == Decrypt,
          size: param_i.size,
          iv: aead ? {8'd1, 24'b0, param_i.iv[95:0]} : param_i.iv,
          key: param_i.key
      };

  always_ff @(posedge aclk) begin
    if (!next) begin
      next_operation_q <= param_i.operation;
      next_iv_bytes_q <= param_i.iv_bytes;
      next_aad_bytes_q <= param_i.aad_bytes;
      next_data_bytes_q <= param_i.data_bytes;
      next_tag_bytes_q <= param_i.tag_bytes;
      next_tag_q <= param_i.tag;
    end
    taken_q <= engine_ready && aead && !rst && !front_wipe;
  end

  // ---- blocks of a message, in the order in which the engine takes them -------------------------
  logic front_valid, front_ready, front_last, front_busy, zero, counts;
  logic counter_valid, counter_valid_q, out_valid, out_ready, engine_busy, unused_block;
  logic [127:0] counter;
  block_t front_data;
  route_t front_route;
  logic [15:0] front_keep;

  gcm_front u_front (
      .clk_i          (aclk),
      .rst_i          (rst),
      .wipe_i         (front_wipe),
      .start_i        (opens),
      .operation_i    (next_operation_q),
      .iv_bytes_i     (next_iv_bytes_q),
      .aad_bytes_i    (next_aad_bytes_q),
      .data_bytes_i   (next_data_bytes_q),
      .counter_valid_i(counter_valid_q),
      .valid_i        (s_axis_tvalid),
      .ready_o        (s_axis_tready),
      .data_i         (s_axis_tdata),
      .user_i         (s_axis_tuser),
      .valid_o        (front_valid),
      .ready_i        (front_ready),
      .zero_o         (zero),
      .counts_o       (counts),
      .data_o         (front_data),
      .keep_o         (front_keep),
      .last_o         (front_last),
      .route_o        (front_route),
      .busy_o         (front_busy)
  );

  // The hash of an IV is there until its counter block is taken.
  always_ff @(posedge aclk) begin
    if (front_valid && front_ready && front_route.counter) counter_valid_q <= 1'b0;
    if (counter_valid) counter_valid_q <= 1'b1;
    if (rst || front_wipe) counter_valid_q <= 1'b0;
  end

  // ---- the engine, with each block's route and the block as it went in beside it ----------------
  typedef struct packed {
    logic [15:0] keep;
    logic        partial;
    route_t      route;
    block_t      data;     // as it went in
    block_t      result;
  } result_t;
  result_t out;

  aes_engine #(
      .Structure  (Structure),
      .SBox       (SBox),
      .RoundStages(RoundStages),
      .KeySizes   (KeySizes),
      .Directions (Directions),
      .Modes      (Modes),
      .Near       (1'b1),
      .Extra      ($bits(route_t) + 128)
  ) u_engine (
      .clk_i          (aclk),
      .rst_i          (rst),
      .wipe_i         (engine_wipe),
      .param_valid_i  (param_valid_i && expected_ready),
      .param_ready_o  (engine_ready),
      .param_i        (engine_param),
      .next_o         (next),
      .opens_o        (opens),
      .counter_valid_i(counter_valid),
      .counter_i      (counter),
      .valid_i        (front_valid),
      .ready_o        (front_ready),
      .data_i         (front_data),
      .keep_i         (front_keep),
      .last_i         (front_last),
      .zero_i         (zero),
      .counts_i       (counts),
      .extra_i        ({front_route, front_data}),
      .valid_o        (out_valid),
      .ready_i        (out_ready),
      .data_o         (out.result),
      .keep_o         (out.keep),
      .partial_o      (out.partial),
      .extra_o        ({out.route, out.data}),
      .busy_o         (engine_busy),
      .block_o        (unused_block)
  );

  logic back_busy;
  gcm_back #(
      .DigitBits(DigitBits),
      .PieceBits(PieceBits)
  ) u_back (
      .clk_i           (aclk),
      .rst_i           (rst),
      .wipe_i          (back_wipe),
      .valid_i         (out_valid),
      .ready_o         (out_ready),
      .result_i        (out.result),
      .data_i          (out.data),
      .keep_i          (out.keep),
      .partial_i       (out.partial),
      .route_i         (out.route),
      .valid_o         (m_axis_tvalid),
      .ready_i         (m_axis_tready),
      .data_o          (m_axis_tdata),
      .keep_o          (m_axis_tkeep),
      .last_o          (m_axis_tlast),
      .user_o          (m_axis_tuser),
      .counter_valid_o (counter_valid),
      .counter_o       (counter),
      .expected_valid_i(taken_q),
      .expected_ready_o(expected_ready),
      .expected_i      (next_operation_q == Open),
      .expected_bytes_i(next_tag_bytes_q),
      .expected_tag_i  (next_tag_q),
      .tag_valid_o,
      .tag_ready_i,
      .tag_o,
      .tag_match_o,
      .tag_user_o,
      .busy_o          (back_busy)
  );

  assign busy_o = front_busy || engine_busy || out_valid || back_busy;

endmodule
