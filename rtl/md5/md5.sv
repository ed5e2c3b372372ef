// SPDX-License-Identifier: Apache-2.0
// MD5 (RFC 1321): the digest of an AXI4-Stream packet of any length, up to 2^61 - 1 bytes. Padding
// is done here. A message may come in parts: a part ends with the chaining value, which comes back
// in front of the next part. Set-up and cycles per block: md5_pkg. MD5 does not resist collisions
// (RFC 6151): it is for what needs none.

module md5
  import hash_pkg::*;
  import md5_pkg::*;
#(
    parameter structure_e  Structure = Serial,
    parameter int unsigned Depth     = 32,      // of a ring: blocks of each message that wait in it
    parameter int unsigned DataBytes = 16       // 4, 8, 16, 32 or 64
) (
    input logic aclk,
    input logic aresetn,  // synchronous: control only
    input logic wipe_i,  // held for wipe_cycles(): clears everything
    // One per message or part; may run ahead of the data
    input logic param_valid_i,
    output logic param_ready_o,
    input param_t param_i,
    // With param_i.restored, a packet of 16 bytes: the chaining value. Then the message: byte 0 is
    // [7:0]; an empty one is a beat with tkeep = 0. A part is whole blocks, at least one
    input logic s_axis_tvalid,
    output logic s_axis_tready,
    input logic [8*DataBytes-1:0] s_axis_tdata,
    input logic [DataBytes-1:0] s_axis_tkeep,  // contiguous from byte 0, full except with tlast
    input logic s_axis_tlast,
    input logic s_axis_tuser,  // error
    // A packet of 16 bytes: the digest, or the chaining value after a part
    output logic m_axis_tvalid,
    input logic m_axis_tready,
    output logic [8*DataBytes-1:0] m_axis_tdata,
    output logic [DataBytes-1:0] m_axis_tkeep,
    output logic m_axis_tlast,
    output logic m_axis_tuser,  // a beat of the message was marked
    output logic busy_o  // from a param to its digest
);

  if (!(Structure inside {Serial, Ring})) begin : gen_bad_structure
    $fatal(1, "md5: Structure must be Serial or Ring");
  end
  if (Depth < 2 || 2 ** $clog2(Depth) != Depth) begin : gen_bad_depth
    $fatal(1, "md5: Depth must be a power of two, at least 2");
  end
  if (!(DataBytes inside {4, 8, 16, 32, 64})) begin : gen_bad_data_bytes
    $fatal(1, "md5: DataBytes must be 4, 8, 16, 32 or 64");
  end

  // For the benches and the lab
  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned CyclesPerBlock = cycles_per_block(Structure);
  localparam int unsigned MessageCycles = message_cycles(Structure);
  localparam int unsigned MessageOverhead = message_overhead(Structure);
  localparam int unsigned RestoreCycles = restore_cycles(Structure);
  localparam int unsigned Latency = latency(Structure, DataBytes);
  localparam int unsigned LatencyRange = Structure == Ring ? ring_places(RingUnroll) : 0;
  localparam int unsigned BlockLatency = Structure == Ring ? ring_block_latency(
      RingUnroll
  ) : CyclesPerBlock;
  localparam int unsigned WipeCycles = wipe_cycles(Structure, Depth);
  /* verilator lint_on UNUSEDPARAM */

  if (Structure == Ring) begin : gen_ring
    md5_ring #(
        .Depth(Depth),
        .DataBytes(DataBytes)
    ) u_ring (
        .*
    );
  end else begin : gen_serial
    logic start, restored, busy, value_valid, value_ready, word_valid, word_ready, word_final;
    logic digest_valid, digest_ready, digest_last;
    word_t value, word;
    logic [127:0] digest;
    hash_shell #(
        .BigEndian(1'b0),
        .DataBytes(DataBytes)
    ) u_shell (
        .start_o       (start),
        .restored_o    (restored),
        .core_busy_i   (busy),
        .value_valid_o (value_valid),
        .value_ready_i (value_ready),
        .value_o       (value),
        .word_valid_o  (word_valid),
        .word_ready_i  (word_ready),
        .word_o        (word),
        .word_final_o  (word_final),
        .digest_valid_i(digest_valid),
        .digest_ready_o(digest_ready),
        .digest_i      (digest),
        .digest_last_i (digest_last),
        .*
    );

    md5_serial u_serial (
        .clk_i         (aclk),
        .rst_i         (!aresetn),
        .wipe_i,
        .start_i       (start),
        .restored_i    (restored),
        .busy_o        (busy),
        .value_valid_i (value_valid),
        .value_ready_o (value_ready),
        .value_i       (value),
        .word_valid_i  (word_valid),
        .word_ready_o  (word_ready),
        .word_i        (word),
        .word_final_i  (word_final),
        .digest_valid_o(digest_valid),
        .digest_ready_i(digest_ready),
        .digest_o      (digest),
        .digest_last_o (digest_last)
    );
  end

endmodule
