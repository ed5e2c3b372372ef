// SPDX-License-Identifier: Apache-2.0
// AES (FIPS 197) in ECB, CBC or CTR (SP 800-38A) over an AXI4-Stream packet, with the key, the mode
// and the initialisation vector of its param. Structure, SBox and RoundStages choose the size and
// the speed; cycles per block: aes_pkg.

module aes
  import aes_pkg::*;
#(
    parameter structure_e Structure = Ring,
    parameter sbox_e SBox = SBoxTower,
    // Ring, Pipeline: registers in a round
    parameter int unsigned RoundStages = SBox == SBoxTable ? 2 : 4,
    parameter key_sizes_e KeySizes = Only128,
    parameter directions_e Directions = EncryptOnly,
    parameter modes_e Modes = Structure == Serial ? CounterOnly : AllModes,
    parameter round_keys_e RoundKeys = StoredKeys,
    parameter int unsigned DataBytes = 16,  // 4, 8, 16, 32 or 64
    parameter param_port_e ParamPort = WholeParam,
    parameter int unsigned UserBits = 1,  // at least 1
    localparam int unsigned ParamBits = ParamPort == ParamWords ? 32 : $bits(param_t)
) (
    input logic aclk,
    input logic aresetn,  // synchronous: control only
    input logic wipe_i,  // held for wipe_cycles(): clears everything
    // One param per packet; may run ahead of the data
    input logic param_valid_i,  // stays until it is ready
    output logic param_ready_o,
    input logic [ParamBits-1:0] param_i,  // param_t, or its words
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
    output logic [UserBits:0] m_axis_tuser,  // {Ecb, Cbc: not whole, data is 0; s_axis_tuser}
    // State
    output logic busy_o,  // from a param to the last beat of its packet
    output logic stalled_input_o,  // a packet waits for data
    output logic stalled_output_o,  // output waits to be taken
    output logic block_o  // a block is done
);

  if (!(DataBytes inside {4, 8, 16, 32, 64})) begin : gen_bad_data_bytes
    $fatal(1, "aes: DataBytes must be 4, 8, 16, 32 or 64");
  end

  if (Structure > Pipeline || SBox > TBoxRam || KeySizes > AnySize) begin : gen_bad_choice
    $fatal(1, "aes: Structure must be 0 to 2, SBox and KeySizes 0 to 3");
  end
  if (Directions > BothDirections || Modes > AllModes || RoundKeys > KeysOnTheFly ||
      ParamPort > ParamWords) begin : gen_bad_flag
    $fatal(1, "aes: Directions, Modes, RoundKeys and ParamPort must be 0 or 1");
  end
  if (UserBits == 0) begin : gen_bad_user_bits
    $fatal(1, "aes: UserBits must be at least 1");
  end
  if (SBox == SBoxTable && Structure != Pipeline) begin : gen_bad_table
    $fatal(1, "aes: SBoxTable is for a Pipeline");
  end
  if (RoundKeys == KeysOnTheFly && Structure != Pipeline) begin : gen_bad_round_keys
    $fatal(1, "aes: KeysOnTheFly is for a Pipeline");
  end
  if (ParamPort == ParamWords && Structure != Serial) begin : gen_bad_param_port
    $fatal(1, "aes: ParamPort must be WholeParam unless Structure is Serial");
  end
  if (Structure == Serial && (Directions != EncryptOnly || Modes != CounterOnly))
  begin : gen_bad_serial
    $fatal(1, "aes: Serial is for EncryptOnly and CounterOnly");
  end

  // For the benches and the lab
  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned CyclesPerBlock = cycles_per_block(Structure, KeySizes);
  // With KeysOnTheFly there is no expansion to wait for.
  localparam int unsigned Collected = DataBytes > BlockBytes ? DataBytes / BlockBytes : 0;
  localparam int unsigned Latency = RoundKeys == KeysOnTheFly ? RoundStages * rounds(
      chosen(KeySizes, Key128)
  ) + 15 + Collected + 32'(DataBytes < BlockBytes) : latency(
      Structure, KeySizes, RoundStages, Directions, DataBytes
  );
  localparam int unsigned WipeCycles = wipe_cycles(Structure, RoundStages);
  /* verilator lint_on UNUSEDPARAM */

  logic rst;
  assign rst = !aresetn;

  // ---- beats of a block each, or of a word ------------------------------------------------------
  localparam int unsigned UnitBytes = Structure == Serial ? 4 : BlockBytes;
  logic in_valid, in_ready, in_last;
  logic [8*UnitBytes-1:0] in_data;
  logic [UnitBytes-1:0] in_keep;
  logic [UserBits-1:0] in_user;

  stream_width #(
      .InBytes  (DataBytes),
      .OutBytes (UnitBytes),
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

  logic out_valid, out_ready, out_last, busy;
  logic [8*UnitBytes-1:0] out_data;
  logic [UnitBytes-1:0] out_keep;
  logic [UserBits:0] out_user;

  if (Structure == Serial) begin : gen_serial
    logic [3:0] param_word;
    logic param_ready, param_last;
    word_t param_data;

    if (ParamPort == ParamWords) begin : gen_words
      logic unused;
      assign unused = ^{param_word, param_last};
      assign param_data = param_i;
      assign param_ready_o = param_ready;
    end else begin : gen_whole
      aes_param_words u_words (
          .param_i(param_t'(param_i)),
          .word_i (param_word),
          .data_o (param_data)
      );
      assign param_ready_o = param_ready && param_last;
    end

    aes_words #(
        .SBox    (SBox),
        .KeySizes(KeySizes),
        .UserBits(UserBits)
    ) u_stream (
        .clk_i        (aclk),
        .rst_i        (rst),
        .wipe_i,
        .param_valid_i,
        .param_ready_o(param_ready),
        .param_word_o (param_word),
        .param_i      (param_data),
        .param_last_o (param_last),
        .valid_i      (in_valid),
        .ready_o      (in_ready),
        .data_i       (in_data),
        .keep_i       (in_keep),
        .last_i       (in_last),
        .user_i       (in_user),
        .valid_o      (out_valid),
        .ready_i      (out_ready),
        .data_o       (out_data),
        .keep_o       (out_keep),
        .last_o       (out_last),
        .user_o       (out_user[UserBits-1:0]),
        .busy_o       (busy),
        .starved_o    (stalled_input_o),
        .block_o
    );
    assign out_user[UserBits] = 1'b0;
  end else begin : gen_blocks
    logic unused_next, unused_opens;
    assign stalled_input_o = in_ready && !in_valid;

    aes_engine #(
        .Structure  (Structure),
        .SBox       (SBox),
        .RoundStages(RoundStages),
        .KeySizes   (KeySizes),
        .Directions (Directions),
        .Modes      (Modes),
        .RoundKeys  (RoundKeys),
        .Near       (Structure == Pipeline),
        .Extra      (1 + UserBits)
    ) u_engine (
        .clk_i          (aclk),
        .rst_i          (rst),
        .wipe_i,
        .param_valid_i,
        .param_ready_o,
        .param_i        (param_t'(param_i)),
        .next_o         (unused_next),
        .opens_o        (unused_opens),
        .counter_valid_i(1'b0),
        .counter_i      ('0),
        .valid_i        (in_valid),
        .ready_o        (in_ready),
        .data_i         (in_data),
        .keep_i         (in_keep),
        .last_i         (in_last),
        .zero_i         (1'b0),
        .counts_i       (1'b1),
        .extra_i        ({in_last, in_user}),
        .valid_o        (out_valid),
        .ready_i        (out_ready),
        .data_o         (out_data),
        .keep_o         (out_keep),
        .partial_o      (out_user[UserBits]),
        .extra_o        ({out_last, out_user[UserBits-1:0]}),
        .busy_o         (busy),
        .block_o
    );
  end

  stream_width #(
      .InBytes  (UnitBytes),
      .OutBytes (DataBytes),
      .UserWidth(UserBits + 1)
  ) u_out (
      .clk_i  (aclk),
      .rst_i  (rst),
      .wipe_i,
      .valid_i(out_valid),
      .ready_o(out_ready),
      .data_i (out_data),
      .keep_i (out_keep),
      .last_i (out_last),
      .user_i (out_user),
      .valid_o(m_axis_tvalid),
      .ready_i(m_axis_tready),
      .data_o (m_axis_tdata),
      .keep_o (m_axis_tkeep),
      .last_o (m_axis_tlast),
      .user_o (m_axis_tuser)
  );

  // ---- state ------------------------------------------------------------------------------------
  logic offered_q;
  always_ff @(posedge aclk) begin
    if (param_valid_i) offered_q <= 1'b1;
    if (param_ready_o) offered_q <= 1'b0;
    if (rst || wipe_i) offered_q <= 1'b0;
  end
  assign busy_o = offered_q || busy || m_axis_tvalid;
  assign stalled_output_o = m_axis_tvalid && !m_axis_tready;

endmodule
