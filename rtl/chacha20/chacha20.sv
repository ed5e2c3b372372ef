// SPDX-License-Identifier: Apache-2.0
// ChaCha20 (RFC 8439, 2.4): XOR of an AXI4-Stream packet with the keystream of its param.
// Structure, Unroll and Stages choose size and speed; latency, cycles per block: chacha20_pkg.
//
// A packet never gets keystream of another one, whatever number of blocks its param says. Bytes
// behind the last block, all of them if it says 0, come out as zeros, marked; blocks behind the
// last byte are dropped.

module chacha20
  import chacha20_pkg::*;
#(
    parameter structure_e Structure = Ring,
    parameter int unsigned Unroll = default_unroll(Structure),  // Ring: rounds in it, divides 20
    // Ring: registers in it, divides 4 * Unroll, at least 4
    parameter int unsigned Stages = default_stages(Structure, Unroll),
    parameter int unsigned DataBytes = 16,  // 8, 16, 32 or 64; Serial also 4
    parameter final_add_e FinalAdd = HardwareAdd,
    parameter param_port_e ParamPort = WholeParam,
    parameter int unsigned UserBits = 1,  // at least 1
    parameter handshake_e Handshake = Direct,
    parameter bit LateData = 1'b0,  // is_late(): tdata, tkeep come a cycle later; tkeep[0] is 1
    localparam int unsigned ParamBits = ParamPort == ParamWords ? 32 : $bits(param_t)
) (
    input logic aclk,
    input logic aresetn,  // synchronous: control only
    input logic wipe_i,  // held for wipe_cycles(): clears everything, from the next cycle on
    // One param per packet; may run ahead of the data
    input logic param_valid_i,  // stays until it is ready
    output logic param_ready_o,
    input logic [ParamBits-1:0] param_i,  // param_t, or its words; blocks: of the packet's data
    // Data in: byte 0 is [7:0]
    input logic s_axis_tvalid,
    output logic s_axis_tready,
    input logic [8*DataBytes-1:0] s_axis_tdata,
    input logic [DataBytes-1:0] s_axis_tkeep,
    input logic s_axis_tlast,
    input logic [UserBits-1:0] s_axis_tuser,  // passed on
    // Data out, beat for beat
    output logic m_axis_tvalid,
    input logic m_axis_tready,
    output logic [8*DataBytes-1:0] m_axis_tdata,
    output logic [DataBytes-1:0] m_axis_tkeep,
    output logic m_axis_tlast,
    output logic [UserBits:0] m_axis_tuser,  // {no keystream: data is 0, s_axis_tuser}
    // State
    output logic busy_o,  // from a param to the last beat of its packet
    output logic stalled_input_o,  // keystream waits for data
    output logic stalled_output_o,  // output waits to be taken
    output logic block_o  // a keystream block is used up
);

  if (Structure > Ring || FinalAdd > HardwareAdd || ParamPort > ParamWords) begin : gen_bad_choice
    $fatal(1, "chacha20: Structure, FinalAdd and ParamPort must be 0 or 1");
  end
  if (Handshake > HalfRate) begin : gen_bad_handshake
    $fatal(1, "chacha20: Handshake must be 0, 1 or 2");
  end
  if (Structure == Ring && (Unroll == 0 || Rounds % Unroll != 0)) begin : gen_bad_unroll
    $fatal(1, "chacha20: Unroll must divide 20");
  end
  if (Structure == Ring && (Stages < 4 || 4 * Unroll % Stages != 0)) begin : gen_bad_stages
    $fatal(1, "chacha20: Stages must divide 4 * Unroll and be at least 4");
  end
  if (Structure == Ring && Unroll == 20 && Stages < 8) begin : gen_too_short
    $fatal(1, "chacha20: with Unroll = 20, Stages must be at least 8");
  end
  if (UserBits == 0) begin : gen_bad_user_bits
    $fatal(1, "chacha20: UserBits must be at least 1");
  end
  if (!(DataBytes inside {8, 16, 32, 64}) && !(DataBytes == 4 && Structure == Serial))
  begin : gen_bad_data_bytes
    $fatal(1, "chacha20: DataBytes must be 8, 16, 32 or 64, or 4 with Structure Serial");
  end
  if (LateData && !is_late(DataBytes, Handshake)) begin : gen_bad_late_data
    $fatal(1, "chacha20: LateData needs a port of 32 or 64 bytes at full rate");
  end
  if (ParamPort == ParamWords && Structure != Serial) begin : gen_bad_param_port
    $fatal(1, "chacha20: ParamPort must be WholeParam unless Structure is Serial");
  end

  /* verilator lint_off UNUSEDPARAM */  // for the benches and the lab
  localparam int unsigned CyclesPerBlock = cycles_per_block(
      Structure, Unroll, Stages, DataBytes, FinalAdd
  );
  localparam int unsigned Latency = latency(Structure, Unroll, Stages, DataBytes, FinalAdd);
  localparam int unsigned WipeCycles = wipe_cycles(Structure, Unroll, Stages, DataBytes);
  /* verilator lint_on UNUSEDPARAM */
  // A wipe begins a cycle later, from a register for each part: one does not reach all in a cycle.
  logic core_wipe, finish_wipe, combine_wipe, rst;
  flag_copies #(
      .Copies(3)
  ) u_wipe (
      .clk_i   (aclk),
      .flag_i  (wipe_i),
      .copies_o({core_wipe, finish_wipe, combine_wipe})
  );
  assign rst = !aresetn;

  // A packet is known when its param is in and its blocks were examined; `pending_q` until then.
  logic core_ready, core_last, accept, known, keyed, pending_q, full, waiting;
  logic open, open_keyed, next, next_keyed, move;
  logic between_q;  // a beat has been taken and is not in the output yet
  assign accept = param_valid_i && param_ready_o && core_last;
  assign move = s_axis_tvalid && s_axis_tready;
  assign busy_o = pending_q || waiting || between_q || m_axis_tvalid;
  assign param_ready_o = core_ready;  // a ring decides it a cycle early, while there is room

  always_ff @(posedge aclk) begin
    pending_q <= accept || (pending_q && !known);
    if (rst || core_wipe) pending_q <= 1'b0;
  end

  // A ring can hold as many packets of one block as it holds blocks.
  chacha20_queue #(
      .Depth(Structure == Serial ? 0 : ring_credits(Unroll, Stages))
  ) u_queue (
      // verilog_format: off
      .clk_i (aclk), .rst_i (rst), .wipe_i (core_wipe), .push_i (known), .keyed_i (keyed),
      .full_o (full), .open_o (open), .keyed_o (open_keyed), .next_o (next),
      .next_keyed_o (next_keyed), .pop_i (move && s_axis_tlast), .busy_o (waiting)
      // verilog_format: on
  );

  // Keystream in the beats of the structure
  localparam int unsigned KeyBytes = keystream_bytes(Structure, Unroll, Stages, DataBytes);
  localparam int unsigned NarrowBytes = DataBytes < KeyBytes ? DataBytes : KeyBytes;

  if (Handshake == Decoupled && DataBytes > KeyBytes) begin : gen_bad_decoupled
    $fatal(1, "chacha20: Decoupled needs a keystream as wide as the data");
  end

  // Whole blocks of keystream come late already.
  localparam bit Late = is_late(DataBytes, Handshake);
  localparam bit LateKey = Late && KeyBytes == BlockBytes && DataBytes == BlockBytes &&
      Handshake == Direct;

  typedef struct packed {logic exhausted, last;} flags_t;
  logic made_valid, made_ready, made_end;
  logic [8*KeyBytes-1:0] made_data;
  flags_t made_flags;
  assign block_o = made_valid && made_ready && made_end;

  if (Structure == Serial) begin : gen_serial
    logic word_valid, word_ready, unused_last;
    logic [3:0] unused_wanted;
    word_t word;

    chacha20_param_words #(
        .ParamPort(ParamPort)
    ) u_words (
        .clk_i        (aclk),
        .rst_i        (rst),
        .wipe_i       (core_wipe),
        .param_valid_i,
        .param_ready_o(core_ready),
        .param_last_o (core_last),
        .param_i,
        .valid_o      (word_valid),
        .ready_i      (word_ready && !full),
        .word_o       (word)
    );

    chacha20_serial_core #(
        .FinalAdd(FinalAdd)
    ) u_core (
        .clk_i        (aclk),
        .rst_i        (rst),
        .wipe_i       (core_wipe),
        .param_valid_i(word_valid && !full),
        .param_ready_o(word_ready),
        .param_word_o (unused_wanted),
        .param_i      (word),
        .param_last_o (unused_last),
        .known_o      (known),
        .keyed_o      (keyed),
        .valid_o      (made_valid),
        .ready_i      (made_ready),
        .data_o       (made_data),
        .end_o        (made_end),
        .last_o       (made_flags.last),
        .exhausted_o  (made_flags.exhausted)
    );
  end else begin : gen_ring
    assign core_last = 1'b1;
    chacha20_ring_core #(
        .Unroll  (Unroll),
        .Stages  (Stages),
        .Bytes   (KeyBytes),
        .FinalAdd(FinalAdd),
        .Late    (LateKey)
    ) u_core (
        .clk_i        (aclk),
        .rst_i        (rst),
        .wipe_i       (core_wipe),
        .finish_wipe_i(finish_wipe),
        .param_valid_i(param_valid_i && !full),
        .param_ready_o(core_ready),
        .param_i      (param_t'(param_i)),
        .known_o      (known),
        .keyed_o      (keyed),
        .valid_o      (made_valid),
        .ready_i      (made_ready),
        .data_o       (made_data),
        .end_o        (made_end),
        .last_o       (made_flags.last),
        .ends_o       (made_flags.exhausted)
    );
  end

  // Keystream in beats of DataBytes: at most one of the two converters is more than wires, which
  // need no wipe.
  logic narrow_valid, narrow_ready, narrow_skip, narrow_end;
  logic [8*NarrowBytes-1:0] narrow_data;
  flags_t narrow_flags;

  chacha20_narrow #(
      .InBytes  (KeyBytes),
      .OutBytes (NarrowBytes),
      .Flags    ($bits(flags_t)),
      .Decoupled(Handshake == Decoupled)
  ) u_narrow (
      // verilog_format: off
      .clk_i (aclk), .rst_i (rst), .wipe_i (finish_wipe), .valid_i (made_valid),
      .ready_o (made_ready), .data_i (made_data), .flags_i (made_flags), .valid_o (narrow_valid),
      .ready_i (narrow_ready), .skip_i (narrow_skip), .data_o (narrow_data),
      .flags_o (narrow_flags), .end_o (narrow_end)
      // verilog_format: on
  );

  logic key_valid, key_ready, key_skip, key_last, key_exhausted;
  logic [8*DataBytes-1:0] key_data;
  logic [  DataBytes-1:0] unused_keep;
  assign narrow_skip = key_skip && NarrowBytes == DataBytes;

  stream_width #(
      .InBytes (NarrowBytes),
      .OutBytes(DataBytes)
  ) u_widen (
      // verilog_format: off
      .clk_i (aclk), .rst_i (rst), .wipe_i (combine_wipe && NarrowBytes != DataBytes),
      .valid_i (narrow_valid), .ready_o (narrow_ready), .data_i (narrow_data), .keep_i ('1),
      .last_i (narrow_flags.last), .user_i (narrow_flags.exhausted), .valid_o (key_valid),
      .ready_i (key_ready), .data_o (key_data), .keep_o (unused_keep), .last_o (key_last),
      .user_o (key_exhausted)
      // verilog_format: on
  );

  // What the XOR gets. Late: a cycle after its handshake.
  logic [8*DataBytes-1:0] xor_key, xor_data, key_q, data_q;
  logic [DataBytes-1:0] xor_keep, keep_q;
  logic some;
  always_ff @(posedge aclk) begin
    {keep_q, data_q, key_q} <= combine_wipe ? '0 : {s_axis_tkeep, s_axis_tdata, key_data};
    between_q <= Late && move && !rst && !combine_wipe;
  end
  assign some = LateData || s_axis_tkeep[0];
  assign xor_key = Late && !LateKey ? key_q : key_data;
  assign {xor_keep, xor_data} = Late && !LateData ? {keep_q, data_q} : {s_axis_tkeep, s_axis_tdata};

  chacha20_combine #(
      .DataBytes(DataBytes),
      .UserBits (UserBits),
      .MarksEnd (Structure == Ring),
      .Decoupled(Handshake == Decoupled),
      .HalfRate (Handshake == HalfRate)
  ) u_combine (
      // verilog_format: off
      .clk_i (aclk), .rst_i (rst), .wipe_i (combine_wipe), .key_valid_i (key_valid),
      .key_ready_o (key_ready), .key_skip_o (key_skip), .key_data_i (xor_key),
      .key_end_i (narrow_end), .key_last_i (key_last), .key_exhausted_i (key_exhausted),
      .open_i (open), .keyed_i (open_keyed), .next_i (next), .next_keyed_i (next_keyed),
      .valid_i (s_axis_tvalid), .ready_o (s_axis_tready), .some_i (some),
      .data_i (xor_data), .keep_i (xor_keep), .last_i (s_axis_tlast), .user_i (s_axis_tuser),
      .valid_o (m_axis_tvalid), .ready_i (m_axis_tready), .data_o (m_axis_tdata),
      .keep_o (m_axis_tkeep), .last_o (m_axis_tlast), .user_o (m_axis_tuser),
      .starved_o (stalled_input_o)
      // verilog_format: on
  );
  assign stalled_output_o = m_axis_tvalid && !m_axis_tready;

  logic was_busy_q;
  always_ff @(posedge aclk) begin
    was_busy_q <= busy_o;
    if (!rst && !combine_wipe) begin
      busy_until_the_end : assert (!m_axis_tvalid || was_busy_q);
      data_has_blocks :
      assert (!(move && some) || open_keyed)
      else $warning("chacha20: data, but its param says 0 blocks: zeros come out, marked");
    end
  end

endmodule
