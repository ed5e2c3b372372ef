// SPDX-License-Identifier: Apache-2.0
// Poly1305 (RFC 8439, 2.5): the tag of an AXI4-Stream packet under a one-time key. Structure and
// Interval choose the size and the speed; set-up, latency and cycles per block: poly1305_pkg.

module poly1305
  import poly1305_pkg::*;
#(
    parameter structure_e Structure = Lanes,
    parameter int unsigned Interval = 4,  // Lanes: cycles of a block, 1, 2 or 4
    parameter int unsigned DataBytes = 16  // Serial: also 4
) (
    input logic aclk,
    input logic aresetn,  // synchronous: control only
    input logic wipe_i,  // held for wipe_cycles(): clears everything
    // One-time key, {s, r}: one per message; may run ahead of the data
    input logic key_valid_i,
    output logic key_ready_o,
    input logic [255:0] key_i,
    // Message: byte 0 is [7:0]; an empty one is a beat with tkeep = 0
    input logic s_axis_tvalid,
    output logic s_axis_tready,
    input logic [8*DataBytes-1:0] s_axis_tdata,
    input logic [DataBytes-1:0] s_axis_tkeep,
    input logic s_axis_tlast,
    // Tags, in the order of messages
    output logic tag_valid_o,
    input logic tag_ready_i,
    output logic [127:0] tag_o,
    output logic busy_o  // from a key or data to the tag
);

  if (Structure > Lanes) begin : gen_bad_structure
    $fatal(1, "poly1305: Structure must be Serial or Lanes");
  end
  if (DataBytes != 16 && !(DataBytes == 4 && Structure == Serial)) begin : gen_bad_data_bytes
    $fatal(1, "poly1305: DataBytes must be 16, or 4 with Structure Serial");
  end
  if (Structure == Lanes && !(Interval inside {1, 2, 4})) begin : gen_bad_interval
    $fatal(1, "poly1305: Interval must be 1, 2 or 4 with Structure Lanes");
  end

  // For the benches and the lab
  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned CyclesPerBlock = cycles_per_block(Structure, Interval);
  localparam int unsigned SetUpCycles = set_up_cycles(Structure, Interval);
  localparam int unsigned MessageOverhead = message_overhead(Structure, Interval);
  localparam int unsigned Latency = latency(Structure, Interval, DataBytes);
  localparam int unsigned Cycles64 = message_cycles(Structure, Interval, 64);
  localparam int unsigned Cycles1500 = message_cycles(Structure, Interval, 1500);
  localparam int unsigned Cycles65536 = message_cycles(Structure, Interval, 65536);
  localparam int unsigned WipeCycles = wipe_cycles(Structure);
  /* verilator lint_on UNUSEDPARAM */

  logic rst, empty;
  assign rst = !aresetn;

  if (Structure == Serial) begin : gen_serial
    // The oldest block, word by word
    logic block_valid, block_ready, block_last, block_whole;
    logic [ 1:0] at;
    logic [31:0] word;
    logic [ 4:0] kept;

    if (DataBytes == 4) begin : gen_collect
      poly1305_collect u_collect (
          .clk_i  (aclk),
          .rst_i  (rst),
          .wipe_i,
          .valid_i(s_axis_tvalid),
          .ready_o(s_axis_tready),
          .data_i (s_axis_tdata),
          .keep_i (s_axis_tkeep),
          .last_i (s_axis_tlast),
          .valid_o(block_valid),
          .ready_i(block_ready),
          .at_i   (at),
          .word_o (word),
          .whole_o(block_whole),
          .last_o (block_last)
      );
      assign kept = CollectedKept;
    end else begin : gen_whole
      assign block_valid   = s_axis_tvalid;
      assign s_axis_tready = block_ready;
      assign word          = s_axis_tdata[32*at+:32];
      assign kept          = {s_axis_tkeep[4*at+:4], at != '0 && s_axis_tkeep[4*at-4'd1]};
      assign block_whole   = s_axis_tkeep[15];
      assign block_last    = s_axis_tlast;
    end

    logic [2:0] key_word;
    logic unused;
    poly1305_serial u_serial (
        .clk_i     (aclk),
        .rst_i     (rst),
        .wipe_i,
        .key_valid_i,
        .key_ready_o,
        .key_word_o(key_word),
        .key_i     (key_i[32*key_word+:32]),
        .valid_i   (block_valid),
        .ready_o   (block_ready),
        .at_o      (at),
        .word_i    (word),
        .kept_i    (kept),
        .whole_i   (block_whole),
        .last_i    (block_last),
        .tag_valid_o,
        .tag_ready_i,
        .tag_o,
        .tag_word_o(unused),
        .empty_o   (empty)
    );
  end else begin : gen_lanes
    poly1305_lanes #(
        .Interval(Interval)
    ) u_lanes (
        .clk_i  (aclk),
        .rst_i  (rst),
        .wipe_i,
        .key_valid_i,
        .key_ready_o,
        .key_i,
        .valid_i(s_axis_tvalid),
        .ready_o(s_axis_tready),
        .data_i (s_axis_tdata),
        .keep_i (s_axis_tkeep),
        .last_i (s_axis_tlast),
        .tag_valid_o,
        .tag_ready_i,
        .tag_o,
        .empty_o(empty)
    );
  end

  // Keys taken whose tags are not out yet
  logic [2:0] open_q;
  logic came, went;
  assign came   = key_valid_i && key_ready_o;
  assign went   = tag_valid_o && tag_ready_i;
  assign busy_o = open_q != '0 || !empty;

  always_ff @(posedge aclk) begin
    open_q <= open_q + 3'(came) - 3'(went);
    if (rst || wipe_i) open_q <= '0;
  end

  stream_hold #(
      .Width(128)
  ) u_hold (
      .clk_i  (aclk),
      .idle_i (rst || wipe_i),
      .valid_i(tag_valid_o),
      .ready_i(tag_ready_i),
      .data_i (tag_o)
  );

endmodule
