// SPDX-License-Identifier: Apache-2.0
// AES (FIPS 197) in ECB, CBC or CTR (SP 800-38A) over an AXI4-Stream packet, with the key, the mode and the
// initialisation vector of its param. Structure, SBox and Stages choose the size and the speed; cycles per
// block: aes_pkg.

module aes
  import aes_pkg::*;
#(
    parameter structure_e Structure = Ring,
    parameter sbox_e SBox = SBoxTower,
    parameter int unsigned Stages = 4,  // registers in a round
    parameter key_sizes_e KeySizes = Only128,
    parameter directions_e Directions = EncryptOnly,
    parameter modes_e Modes = AllModes,
    parameter int unsigned DataBytes = 16,  // 4, 8, 16, 32 or 64
    parameter int unsigned UserBits = 1
) (
    input logic aclk,
    input logic aresetn,  // synchronous: control only
    input logic wipe_i,  // held for wipe_cycles(): clears everything
    // One param per packet; may run ahead of the data
    input logic param_valid_i,  // stays until it is ready
    output logic param_ready_o,
    input logic [$bits(param_t)-1:0] param_i,
    // Data in: byte 0 is [7:0]
    input logic s_axis_tvalid,
    output logic s_axis_tready,
    input logic [8*DataBytes-1:0] s_axis_tdata,
    input logic [DataBytes-1:0] s_axis_tkeep,
    input logic s_axis_tlast,
    input logic [UserBits-1:0] s_axis_tuser,  // passed on
    // Data out
    output logic m_axis_tvalid,
    input logic m_axis_tready,
    output logic [8*DataBytes-1:0] m_axis_tdata,
    output logic [DataBytes-1:0] m_axis_tkeep,
    output logic m_axis_tlast,
    output logic [UserBits:0] m_axis_tuser,  // {no whole block in Ecb, Cbc: 0, s_axis_tuser}
    // State
    output logic busy_o,  // from a param to the last beat of its packet
    output logic stalled_input_o,  // a packet could go on, no data
    output logic stalled_output_o,  // output is there, not taken
    output logic block_o  // a block is done
);

  if (!(DataBytes inside {4, 8, 16, 32, 64})) begin : gen_bad_data_bytes
    $fatal(1, "aes: DataBytes must be 4, 8, 16, 32 or 64");
  end

  // For the benches and the lab
  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned CyclesPerBlock = cycles_per_block(Structure, KeySizes);
  localparam int unsigned WipeCycles = wipe_cycles(Structure, Stages);
  /* verilator lint_on UNUSEDPARAM */

  logic rst;
  assign rst = !aresetn;

  // ---- beats of a block each -----------------------------------------------------------------------------
  logic in_valid, in_ready, in_last;
  block_t in_data;
  logic [15:0] in_keep;
  logic [UserBits-1:0] in_user;

  stream_width #(
      .InBytes  (DataBytes),
      .OutBytes (16),
      .UserWidth(UserBits)
  ) u_in (
      .clk_i  (aclk),
      .rst_i  (rst),
      .wipe_i,
      .valid_i(s_axis_tvalid),
      .ready_o(s_axis_tready),
      .data_i (s_axis_tdata),
      .keep_i (s_axis_tkeep),
      .last_i (s_axis_tlast),
      .user_i (s_axis_tuser),
      .valid_o(in_valid),
      .ready_i(in_ready),
      .data_o (in_data),
      .keep_o (in_keep),
      .last_o (in_last),
      .user_o (in_user)
  );

  // ---- packets: one is open, the param of another waits while its key is expanded -------------------------
  param_t param;
  logic key_valid, key_ready, opens, next_q, next_decrypt_q;
  mode_e next_mode_q;
  logic [127:0] next_iv_q;
  logic opened, cipher_ready, move, made, room, idle, chained, whole;
  block_t block, mask, last_key, made_block;

  assign param = param_i;
  assign key_valid = param_valid_i && !next_q;
  assign param_ready_o = key_ready;
  assign in_ready = cipher_ready && room && (!chained || idle) && !wipe_i;
  assign move = in_valid && in_ready;

  always_ff @(posedge aclk) begin
    if (key_ready) begin
      next_q <= 1'b1;
      next_mode_q <= param.mode;
      next_decrypt_q <= param.decrypt;
      next_iv_q <= param.iv;
    end
    if (opens) next_q <= 1'b0;
    if (wipe_i) next_iv_q <= '0;
    if (rst || wipe_i) next_q <= 1'b0;
  end

  aes_modes #(
      .Modes(Modes)
  ) u_modes (
      .clk_i       (aclk),
      .wipe_i,
      .open_i      (opens),
      .mode_i      (next_mode_q),
      .decrypt_i   (next_decrypt_q),
      .iv_i        (next_iv_q),
      .move_i      (move),
      .data_i      (in_data),
      .last_key_i  (last_key),
      .block_o     (block),
      .mask_o      (mask),
      .made_i      (made),
      .made_block_i(made_block),
      .chained_o   (chained),
      .whole_o     (whole)
  );

  // ---- the cipher -------------------------------------------------------------------------------------------
  logic inverse;
  assign inverse = param.decrypt && (param.mode == Ecb || param.mode == Cbc);

  if (Structure == Pipeline) begin : gen_pipeline
    aes_pipeline_core #(
        .SBox      (SBox),
        .Stages    (Stages),
        .KeySizes  (KeySizes),
        .Directions(Directions)
    ) u_cipher (
        .clk_i      (aclk),
        .rst_i      (rst),
        .wipe_i,
        .key_valid_i(key_valid),
        .key_ready_o(key_ready),
        .key_i      (param.key),
        .size_i     (param.size),
        .decrypt_i  (inverse),
        .opens_o    (opens),
        .open_o     (opened),
        .last_key_o (last_key),
        .valid_i    (move),
        .ready_o    (cipher_ready),
        .block_i    (block),
        .last_i     (in_last),
        .valid_o    (made),
        .block_o    (made_block)
    );
  end else begin : gen_ring
    aes_ring_core #(
        .SBox      (SBox),
        .Stages    (Stages),
        .KeySizes  (KeySizes),
        .Directions(Directions)
    ) u_cipher (
        .clk_i      (aclk),
        .rst_i      (rst),
        .wipe_i,
        .key_valid_i(key_valid),
        .key_ready_o(key_ready),
        .key_i      (param.key),
        .size_i     (param.size),
        .decrypt_i  (inverse),
        .opens_o    (opens),
        .open_o     (opened),
        .last_key_o (last_key),
        .valid_i    (move),
        .ready_o    (cipher_ready),
        .block_i    (block),
        .last_i     (in_last),
        .valid_o    (made),
        .block_o    (made_block)
    );
  end

  // ---- behind it --------------------------------------------------------------------------------------------
  typedef struct packed {
    logic broken;  // part of a block
    logic last;
    logic [UserBits-1:0] user;
    logic [15:0] keep;
  } extra_t;
  extra_t in_extra, out_extra;
  block_t out_block, out_mask, out_data;
  logic out_valid, out_ready;

  assign in_extra = '{
          broken: whole && in_keep != '1 && in_keep[0],
          last: in_last,
          user: in_user,
          keep: in_keep
      };

  aes_blocks #(
      .Depth(output_depth(Structure, Stages)),
      .Extra($bits(extra_t))
  ) u_blocks (
      .clk_i       (aclk),
      .rst_i       (rst),
      .wipe_i,
      .room_o      (room),
      .move_i      (move),
      .mask_i      (mask),
      .extra_i     (in_extra),
      .idle_o      (idle),
      .made_i      (made),
      .made_block_i(made_block),
      .valid_o     (out_valid),
      .ready_i     (out_ready),
      .block_o     (out_block),
      .mask_o      (out_mask),
      .extra_o     (out_extra)
  );

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      out_data[i] = (out_block[i] ^ out_mask[i]) & {8{out_extra.keep[i] && !out_extra.broken}};
    end
  end

  stream_width #(
      .InBytes  (16),
      .OutBytes (DataBytes),
      .UserWidth(UserBits + 1)
  ) u_out (
      .clk_i  (aclk),
      .rst_i  (rst),
      .wipe_i,
      .valid_i(out_valid),
      .ready_o(out_ready),
      .data_i (out_data),
      .keep_i (out_extra.keep),
      .last_i (out_extra.last),
      .user_i ({out_extra.broken, out_extra.user}),
      .valid_o(m_axis_tvalid),
      .ready_i(m_axis_tready),
      .data_o (m_axis_tdata),
      .keep_o (m_axis_tkeep),
      .last_o (m_axis_tlast),
      .user_o (m_axis_tuser)
  );

  // ---- state ------------------------------------------------------------------------------------------------
  logic accepted_q;
  always_ff @(posedge aclk) begin
    if (param_valid_i) accepted_q <= 1'b1;
    if (param_ready_o) accepted_q <= 1'b0;
    if (rst || wipe_i) accepted_q <= 1'b0;
  end
  assign busy_o = accepted_q || next_q || opened || !idle || out_valid || m_axis_tvalid;
  assign stalled_input_o = cipher_ready && room && !in_valid;
  assign stalled_output_o = m_axis_tvalid && !m_axis_tready;
  assign block_o = made;

endmodule
