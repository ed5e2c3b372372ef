// SPDX-License-Identifier: Apache-2.0
// HMAC-SHA-256 (RFC 2104, FIPS 198-1) with keys of up to 32 bytes, and SHA-256 without a key, on
// one core of sha256. An inner digest comes back as the message of an outer hash, which goes before
// the messages that wait: a ring has inner and outer hashes of many messages in turn.
// Results come in the order of their params.

module hmac_sha256
  import hash_pkg::*;
  import hmac_sha256_pkg::*;
#(
    parameter structure_e  Structure = Serial,
    parameter int unsigned Unroll    = 4,       // as sha256
    parameter int unsigned Depth     = 64,      // as sha256
    parameter int unsigned DataBytes = 16       // 4, 8, 16, 32 or 64
) (
    input logic aclk,
    input logic aresetn,  // synchronous: control only
    input logic wipe_i,  // held for wipe_cycles(): clears everything
    // One per message or part; may run ahead of the data
    input logic param_valid_i,
    output logic param_ready_o,
    input keyed_param_t param_i,
    // As sha256; in a keyed message the key's block, which is not here, is the first
    input logic s_axis_tvalid,
    output logic s_axis_tready,
    input logic [8*DataBytes-1:0] s_axis_tdata,
    input logic [DataBytes-1:0] s_axis_tkeep,  // contiguous from byte 0, full except with tlast
    input logic s_axis_tlast,
    input logic s_axis_tuser,  // error
    // A packet of 32 bytes: the tag, the digest, or after a part the chaining value
    output logic m_axis_tvalid,
    input logic m_axis_tready,
    output logic [8*DataBytes-1:0] m_axis_tdata,
    output logic [DataBytes-1:0] m_axis_tkeep,
    output logic m_axis_tlast,
    output logic m_axis_tuser,  // a beat of the message was marked
    output logic busy_o  // from a param to its result
);

  // For the benches and the lab
  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned CyclesPerBlock = sha256_pkg::cycles_per_block(Structure, Unroll);
  localparam int unsigned Latency = sha256_pkg::latency(Structure, Unroll, DataBytes) + 1;
  localparam int unsigned LatencyRange = Structure == Ring ? ring_places(Unroll) : 0;
  localparam int unsigned BlockLatency = Structure == Ring ? ring_block_latency(
      Unroll
  ) : CyclesPerBlock;
  localparam int unsigned WipeCycles = wipe_cycles(Structure, Unroll, Depth);
  /* verilator lint_on UNUSEDPARAM */

  localparam int unsigned Pending = pending(Structure);
  localparam int unsigned DigestBits = DataBytes > 32 ? 256 : 8 * DataBytes;  // in one beat
  localparam int unsigned DigestBeats = 256 / DigestBits;
  localparam int unsigned KeyBeats = BlockBytes / DataBytes;
  localparam int unsigned CountBits = KeyBeats > 1 ? $clog2(KeyBeats) : 1;

  logic rst;
  assign rst = !aresetn;

  // ---- what the core hashes next ----------------------------------------------------------------
  typedef enum logic [2:0] {
    Idle,
    Key,      // the key's block,
    Value,    // or a chaining value
    Message,
    Digest    // an inner one
  } state_e;
  state_e state_q;
  logic outer_q, inner_q;  // the hash that began last is an outer one, an inner one
  logic taken_q;  // it began in the last cycle: the queues are told now, so they are near registers
  logic [CountBits-1:0] beat_q;
  logic [255:0] key_q, outer_key;

  // An outer hash goes first. A message without one waits for those before it.
  logic next_valid, next_ready, next_taken, kinds_ready, keys_ready, keys_valid, inner, allowed;
  logic digest_valid, outer;
  logic [$clog2(Pending+1)-1:0] keys_level;
  param_t next_param, core_param;
  logic core_valid, core_ready;
  assign inner = param_i.keyed && !param_i.message.part;
  assign outer = digest_valid;
  assign allowed = inner ? keys_ready : keys_level == '0;
  assign next_valid = state_q == Idle && kinds_ready && (outer || (param_valid_i && allowed));
  assign next_taken = next_valid && next_ready;
  assign next_param = outer ? '0 : param_i.message;
  assign param_ready_o = state_q == Idle && kinds_ready && !outer && allowed && next_ready;

  // Whether the core is ready is far behind its queue, and keys are far from here.
  stream_register #(
      .Width   ($bits(param_t)),
      .HalfRate(1)
  ) u_next (
      .clk_i  (aclk),
      .rst_i  (rst),
      .wipe_i,
      .valid_i(next_valid),
      .ready_o(next_ready),
      .data_i (next_param),
      .valid_o(core_valid),
      .ready_i(core_ready),
      .data_o (core_param)
  );

  logic beat_valid, beat_ready, beat_taken, beat_last, beat_user;
  logic [8*DataBytes-1:0] beat_data;
  logic [  DataBytes-1:0] beat_keep;
  assign beat_taken = beat_valid && beat_ready;

  always_ff @(posedge aclk) begin
    // Without the handshake, which is far behind other flags
    if (state_q == Idle) begin
      outer_q <= outer;
      inner_q <= !outer && inner;
      key_q   <= outer ? outer_key : param_i.key;
      beat_q  <= '0;
    end
    taken_q <= next_taken;
    if (next_taken) begin
      state_q <= Message;
      if (param_i.message.restored) state_q <= Value;
      if (outer || (param_i.keyed && !param_i.message.restored)) state_q <= Key;
    end
    if (beat_taken) begin
      beat_q <= beat_q + 1'b1;
      if (state_q == Key) begin
        if (beat_q == CountBits'(KeyBeats - 1)) state_q <= outer_q ? Digest : Message;
      end else if (beat_last) begin
        state_q <= state_q == Value ? Message : Idle;
      end
    end
    if (rst || wipe_i) begin
      state_q <= Idle;
      taken_q <= 1'b0;
    end
    if (wipe_i) {key_q, inner_q} <= '0;
  end

  // The key of a message waits for its outer hash.
  stream_fifo #(
      .Width   (256),
      .Depth   (Pending),
      .HalfRate(Pending == 1)
  ) u_keys (
      .clk_i  (aclk),
      .rst_i  (rst),
      .wipe_i,
      .valid_i(taken_q && inner_q),
      .ready_o(keys_ready),
      .data_i (key_q),
      .valid_o(keys_valid),
      .ready_i(taken_q && outer_q),
      .data_o (outer_key),
      .level_o(keys_level)
  );

  // ---- beats to the core ------------------------------------------------------------------------
  logic digest_last, digest_user;
  logic [DigestBits-1:0] digest;
  logic from_source;
  logic [KeyBeats-1:0][8*DataBytes-1:0] key_beats;  // the rest of the block is zeros
  assign key_beats = (8 * BlockBytes)'(key_q);
  assign from_source = state_q inside {Value, Message};
  assign s_axis_tready = from_source && beat_ready;
  always_comb begin
    beat_valid = from_source && s_axis_tvalid;
    beat_data  = s_axis_tdata;
    beat_keep  = s_axis_tkeep;
    beat_last  = s_axis_tlast;
    beat_user  = s_axis_tuser;
    if (state_q == Key) begin
      beat_valid = 1'b1;
      beat_data  = key_beats[beat_q] ^ {DataBytes{outer_q ? OuterPad : InnerPad}};
      beat_keep  = '1;
      beat_last  = 1'b0;
      beat_user  = 1'b0;
    end
    if (state_q == Digest) begin
      beat_valid = digest_valid;
      beat_data  = (8 * DataBytes)'(digest);
      beat_keep  = DataBytes'({DigestBits / 8{1'b1}});
      beat_last  = digest_last;
      beat_user  = digest_user;
    end
  end

  logic out_valid, out_ready, out_last, out_user, busy;
  logic [8*DataBytes-1:0] out_data;
  logic [  DataBytes-1:0] out_keep;
  sha256 #(
      .Structure(Structure),
      .Unroll   (Unroll),
      .Depth    (Depth),
      .DataBytes(DataBytes)
  ) u_sha256 (
      .aclk,
      .aresetn,
      .wipe_i,
      .param_valid_i(core_valid),
      .param_ready_o(core_ready),
      .param_i      (core_param),
      .s_axis_tvalid(beat_valid && !wipe_i),
      .s_axis_tready(beat_ready),
      .s_axis_tdata (beat_data),
      .s_axis_tkeep (beat_keep),
      .s_axis_tlast (beat_last),
      .s_axis_tuser (beat_user),
      .m_axis_tvalid(out_valid),
      .m_axis_tready(out_ready),
      .m_axis_tdata (out_data),
      .m_axis_tkeep (out_keep),
      .m_axis_tlast (out_last),
      .m_axis_tuser (out_user),
      .busy_o       (busy)
  );

  // ---- what comes out: an inner digest, or a result ---------------------------------------------
  logic kind_valid, kind_inner, digest_ready;
  /* verilator lint_off PINCONNECTEMPTY */
  stream_fifo #(
      .Width(1),
      .Depth(Structure == Ring ? RingJobs : 2)
  ) u_kinds (
      .clk_i  (aclk),
      .rst_i  (rst),
      .wipe_i,
      .valid_i(taken_q),
      .ready_o(kinds_ready),
      .data_i (inner_q),
      .valid_o(kind_valid),
      .ready_i(out_valid && out_ready && out_last),
      .data_o (kind_inner),
      .level_o()
  );
  stream_fifo #(
      .Width   (DigestBits + 2),
      .Depth   (Pending * DigestBeats),
      .HalfRate(Pending * DigestBeats == 1)
  ) u_digests (
      .clk_i  (aclk),
      .rst_i  (rst),
      .wipe_i,
      .valid_i(out_valid && kind_valid && kind_inner),
      .ready_o(digest_ready),
      .data_i ({out_last, out_user, out_data[DigestBits-1:0]}),
      .valid_o(digest_valid),
      .ready_i(state_q == Digest && beat_ready),
      .data_o ({digest_last, digest_user, digest}),
      .level_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */
  assign out_ready = kind_valid && (kind_inner ? digest_ready : m_axis_tready);
  assign m_axis_tvalid = out_valid && kind_valid && !kind_inner;
  assign {m_axis_tdata, m_axis_tkeep} = {out_data, out_keep};
  assign {m_axis_tlast, m_axis_tuser} = {out_last, out_user};
  assign busy_o = busy || core_valid || state_q != Idle || keys_level != '0;

`ifndef SYNTHESIS
  always_ff @(posedge aclk) begin
    if (!rst && !wipe_i) begin
      a_key : assert (keys_valid || !(taken_q && outer_q));
      a_room : assert (digest_ready || !(out_valid && kind_valid && kind_inner));
    end
  end
`endif

endmodule
