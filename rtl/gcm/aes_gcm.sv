// SPDX-License-Identifier: Apache-2.0
// AES-GCM and GMAC (SP 800-38D), and AES in ECB, CBC or CTR (SP 800-38A): a message's IV,
// additional data and data in; data and tag out. The key of the next message is expanded beside the
// one under way.
//
// Opened data comes out before its tag is compared: the owner keeps it until the tag has matched.

module aes_gcm
  import aes_pkg::*;
  import gcm_pkg::*;
#(
    parameter structure_e Structure = Ring,  // or Pipeline
    parameter sbox_e SBox = SBoxTower,
    parameter int unsigned RoundStages = 4,
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
    // IV if it has not 12 bytes, additional data, data: each from byte 0 of a beat and as many
    // beats as the param says
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
    output logic [1:0] m_axis_tuser,  // {no whole block in Ecb, Cbc: 0, s_axis_tuser}
    // One for each message of Seal and Open, in their order
    output logic tag_valid_o,
    input logic tag_ready_i,
    output logic [127:0] tag_o,
    output logic tag_match_o,  // its first tag_bytes are the expected ones; 1 if none are
    output logic tag_user_o,  // s_axis_tuser of any beat
    output logic busy_o
);

  if (Structure == Serial) begin : gen_bad_structure
    $fatal(1, "aes_gcm: Structure must be Ring or Pipeline");
  end

  // For the benches and the lab
  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned CyclesPerBlock = gcm_pkg::cycles_per_block(
      aes_pkg::cycles_per_block(Structure, KeySizes), DigitBits
  );
  localparam int unsigned Latency = gcm_pkg::latency(Structure, KeySizes, RoundStages, Directions);
  // With five stages the key after the next waits for a block that is so much further
  // (aes_pipeline_core).
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

  // ---- messages: one is open, the param of another waits while its key is expanded --------------
  logic key_valid, key_ready, opens, opened, next_q, next_decrypt_q, expected_ready, aead;
  mode_e next_mode_q;
  logic [127:0] next_iv_q;
  operation_e next_operation_q;
  logic [31:0] next_iv_bytes_q, next_aad_bytes_q, next_data_bytes_q;
  logic [4:0] next_tag_bytes_q;
  logic [127:0] next_tag_q;
  logic taken_q;

  assign aead = param_i.operation inside {Seal, Open};
  assign key_valid = param_valid_i && !next_q && expected_ready;
  assign param_ready_o = key_ready;

  // A param stays until it is taken: until then it is copied over and over. What belongs to its tag
  // follows.
  always_ff @(posedge aclk) begin
    if (!next_q) begin
      next_operation_q <= param_i.operation;
      next_mode_q <= aead ? Ctr32 : param_i.mode;
      next_decrypt_q <= param_i.operation == Decrypt;
      next_iv_q <= aead ? {8'd1, 24'b0, param_i.iv[95:0]} : param_i.iv;
      next_iv_bytes_q <= param_i.iv_bytes;
      next_aad_bytes_q <= param_i.aad_bytes;
      next_data_bytes_q <= param_i.data_bytes;
      next_tag_bytes_q <= param_i.tag_bytes;
      next_tag_q <= param_i.tag;
    end
    taken_q <= key_ready && aead && !rst && !wipe_i;
    if (key_ready) next_q <= 1'b1;
    if (opens) next_q <= 1'b0;
    if (wipe_i) next_iv_q <= '0;
    if (rst || wipe_i) next_q <= 1'b0;
  end

  // ---- blocks, and what a mode makes of them ----------------------------------------------------
  logic front_valid, front_ready, front_last, front_busy, zero, counts, whole, chained, take, move;
  logic counter_valid, counter_valid_q, idle, room, cipher_ready, made;
  logic [127:0] counter;
  block_t front_data, block, counted, mask, last_key, made_block;
  route_t front_route;
  logic [15:0] front_keep;
  logic front_partial;

  gcm_front u_front (
      .clk_i          (aclk),
      .rst_i          (rst),
      .wipe_i,
      .start_i        (opens),
      .operation_i    (next_operation_q),
      .iv_bytes_i     (next_iv_bytes_q),
      .aad_bytes_i    (next_aad_bytes_q),
      .data_bytes_i   (next_data_bytes_q),
      .whole_i        (whole),
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
      .partial_o      (front_partial),
      .last_o         (front_last),
      .route_o        (front_route),
      .busy_o         (front_busy)
  );

  typedef struct packed {
    logic        zero;
    logic        counts;
    logic        partial;
    logic [15:0] keep;
    route_t      route;
    block_t      data;
  } beat_t;
  beat_t beat;
  logic  last;

  aes_entry #(
      .Registered(Structure == Pipeline),
      .Width     ($bits(beat_t))
  ) u_entry (
      .clk_i         (aclk),
      .rst_i         (rst),
      .wipe_i,
      .opens_i       (opens),
      .cipher_ready_i(cipher_ready),
      .room_i        (room),
      .wait_i        (chained && !idle),
      .valid_i       (front_valid),
      .ready_o       (front_ready),
      .last_i        (front_last),
      .beat_i        ({zero, counts, front_partial, front_keep, front_route, front_data}),
      .take_o        (take),
      .move_o        (move),
      .last_o        (last),
      .beat_o        (beat)
  );

  // The hash of an IV is there until its counter block is taken.
  always_ff @(posedge aclk) begin
    if (take && front_route.counter) counter_valid_q <= 1'b0;
    if (counter_valid) counter_valid_q <= 1'b1;
    if (rst || wipe_i) counter_valid_q <= 1'b0;
  end

  aes_modes #(
      .Modes(Modes)
  ) u_modes (
      .clk_i       (aclk),
      .wipe_i,
      .open_i      (opens || counter_valid),
      .mode_i      (counter_valid ? Ctr32 : next_mode_q),
      .decrypt_i   (next_decrypt_q && !counter_valid),
      .iv_i        (counter_valid ? counter : next_iv_q),
      .move_i      (move && beat.counts),
      .data_i      (beat.data),
      .last_key_i  (last_key),
      .block_o     (counted),
      .mask_o      (mask),
      .made_i      (made),
      .made_block_i(made_block),
      .chained_o   (chained),
      .whole_o     (whole)
  );
  assign block = beat.zero ? '0 : counted;

  // ---- the cipher -------------------------------------------------------------------------------
  aes_cipher #(
      .Structure  (Structure),
      .SBox       (SBox),
      .RoundStages(RoundStages),
      .KeySizes   (KeySizes),
      .Directions (Directions)
  ) u_cipher (
      .clk_i      (aclk),
      .rst_i      (rst),
      .wipe_i,
      .key_valid_i(key_valid),
      .key_ready_o(key_ready),
      .key_i      (param_i.key),
      .size_i     (param_i.size),
      .decrypt_i  (param_i.operation == Decrypt && param_i.mode inside {Ecb, Cbc}),
      .opens_o    (opens),
      .open_o     (opened),
      .last_key_o (last_key),
      .valid_i    (move),
      .ready_o    (cipher_ready),
      .block_i    (block),
      .last_i     (last),
      .valid_o    (made),
      .block_o    (made_block)
  );

  typedef struct packed {
    logic [15:0] keep;
    logic        partial;
    route_t      route;
    block_t      data;     // as it went in
    block_t      result;
  } result_t;
  logic out_valid, out_ready, blocks_busy;
  result_t out;

  aes_blocks #(
      .Depth(output_depth(Structure, RoundStages)),
      .Extra($bits(route_t) + 128),
      .Near (1'b1)
  ) u_blocks (
      // verilog_format: off
      .clk_i(aclk), .rst_i(rst), .wipe_i, .room_o(room), .idle_o(idle), .busy_o(blocks_busy),
      .take_i(take), .move_i(move), .mask_i(mask), .keep_i(beat.keep), .partial_i(beat.partial),
      .extra_i({beat.route, beat.data}), .made_i(made), .made_block_i(made_block),
      .valid_o(out_valid), .ready_i(out_ready), .data_o(out.result), .keep_o(out.keep),
      .partial_o(out.partial), .extra_o({out.route, out.data})
      // verilog_format: on
  );

  logic back_busy;
  gcm_back #(
      .DigitBits(DigitBits),
      .PieceBits(PieceBits)
  ) u_back (
      .clk_i           (aclk),
      .rst_i           (rst),
      .wipe_i,
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

  assign busy_o = next_q || opened || front_busy || blocks_busy || out_valid || back_busy;

endmodule
