// SPDX-License-Identifier: Apache-2.0
// Poly1305 with a queue in front of it: authenticated bytes wait there while the powers of their
// key are made, so that the cipher can continue.

module chacha20_poly1305_mac
  import chacha20_poly1305_pkg::*;
#(
    parameter poly1305_pkg::structure_e Structure,
    parameter int unsigned Interval,
    parameter int unsigned DataBytes,
    parameter bit Full  // two entries in front of the queue, whose RAM can be far from the cipher
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   wipe_i,
    // One-time key, one per message
    input  logic                   key_valid_i,
    output logic                   key_ready_o,
    input  logic [          255:0] key_i,
    // What is authenticated
    input  logic                   valid_i,
    output logic                   ready_o,
    input  logic [8*DataBytes-1:0] data_i,
    input  logic [  DataBytes-1:0] keep_i,
    input  logic                   last_i,
    // Tags, in the order of the messages
    output logic                   tag_valid_o,
    input  logic                   tag_ready_i,
    output logic [          127:0] tag_o,
    output logic                   busy_o
);

  localparam int unsigned Depth = queue_depth(Structure);

  typedef struct packed {
    logic                   last;
    logic [DataBytes-1:0]   keep;
    logic [8*DataBytes-1:0] data;
  } beat_t;
  beat_t entry, queued;
  logic entry_valid, entry_ready, queued_valid, queued_ready;
  logic [1:0] unused_entries;
  logic [(Depth == 0 ? 1 : $clog2(Depth+1))-1:0] unused_level;

  stream_fifo #(
      .Width($bits(beat_t)),
      .Depth(Full ? 2 : 0)
  ) u_entry (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i,
      .ready_o,
      .data_i ({last_i, keep_i, data_i}),
      .valid_o(entry_valid),
      .ready_i(entry_ready),
      .data_o (entry),
      .level_o(unused_entries[Full:0])
  );

  stream_fifo #(
      .Width($bits(beat_t)),
      .Depth(Depth),
      .CleanInput(1'b1)  // what comes out of the cipher is, from the third cycle of a wipe on
  ) u_queue (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(entry_valid),
      .ready_o(entry_ready),
      .data_i (entry),
      .valid_o(queued_valid),
      .ready_i(queued_ready),
      .data_o (queued),
      .level_o(unused_level)
  );

  poly1305 #(
      .Structure(Structure),
      .Interval (Interval),
      .DataBytes(DataBytes)
  ) u_poly1305 (
      .aclk         (clk_i),
      .aresetn      (!rst_i),
      .wipe_i,
      .key_valid_i,
      .key_ready_o,
      .key_i,
      .s_axis_tvalid(queued_valid),
      .s_axis_tready(queued_ready),
      .s_axis_tdata (queued.data),
      .s_axis_tkeep (queued.keep),
      .s_axis_tlast (queued.last),
      .tag_valid_o,
      .tag_ready_i,
      .tag_o,
      .busy_o
  );

endmodule
