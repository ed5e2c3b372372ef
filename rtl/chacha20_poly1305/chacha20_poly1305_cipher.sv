// SPDX-License-Identifier: Apache-2.0
// ChaCha20, and beside its data each beat's route to the back and the bytes that went in. Ready
// does not pass through it in one cycle. Full: a beat in each cycle, with two entries before it and
// at its output; otherwise one in two cycles, as Poly1305 takes them. Latency of the data: that of
// chacha20 and 1 cycle.

module chacha20_poly1305_cipher
  import chacha20_poly1305_pkg::*;
#(
    parameter chacha20_pkg::structure_e Structure,
    parameter int unsigned Unroll,
    parameter int unsigned Stages,
    parameter int unsigned DataBytes,
    parameter bit Full
) (
    input  logic                                   clk_i,
    input  logic                                   rst_i,
    input  logic                                   wipe_i,
    // A param for each packet
    input  logic                                   param_valid_i,
    output logic                                   param_ready_o,
    input  chacha20_pkg::param_t                   param_i,
    // From the front
    input  logic                                   valid_i,
    output logic                                   ready_o,
    input  logic                 [8*DataBytes-1:0] data_i,
    input  logic                 [  DataBytes-1:0] keep_i,
    input  logic                                   last_i,
    input  logic                 [  DataBytes-1:0] mac_keep_i,
    input  route_t                                 route_i,
    // To the back
    output logic                                   valid_o,
    input  logic                                   ready_i,
    output logic                 [8*DataBytes-1:0] data_o,
    output logic                 [8*DataBytes-1:0] plain_o,         // what went in
    output logic                 [  DataBytes-1:0] keep_o,
    output logic                 [  DataBytes-1:0] mac_keep_o,
    output route_t                                 route_o,
    output logic                                   no_keystream_o,  // there was no keystream
    output logic                                   busy_o
);

  localparam int unsigned Sent = Full ? 2 : 1;

  typedef struct packed {
    logic [DataBytes-1:0]   mac_keep;
    route_t                 route;
    logic [8*DataBytes-1:0] plain;
  } user_t;
  typedef struct packed {
    logic [DataBytes-1:0]   mac_keep;
    route_t                 route;
    logic                   last;
    logic [DataBytes-1:0]   keep;
    logic [8*DataBytes-1:0] data;
  } sent_t;
  typedef struct packed {
    logic                   no_keystream;
    user_t                  user;
    logic [DataBytes-1:0]   keep;
    logic [8*DataBytes-1:0] data;
  } result_t;

  sent_t   sent;
  result_t result;
  logic sent_valid, sent_ready;
  logic unused_last, unused_stalled_input, unused_stalled_output, unused_block;
  logic [$clog2(Sent + 1)-1:0] unused_level;

  stream_fifo #(
      .Width($bits(sent_t)),
      .Depth(Sent),
      .HalfRate(!Full)
  ) u_sent (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i,
      .ready_o,
      .data_i ({mac_keep_i, route_i, last_i, keep_i, data_i}),
      .valid_o(sent_valid),
      .ready_i(sent_ready),
      .data_o (sent),
      .level_o(unused_level)
  );

  chacha20 #(
      .Structure(Structure),
      .Unroll   (Unroll),
      .Stages   (Stages),
      .DataBytes(DataBytes),
      .UserBits ($bits(user_t)),
      .Handshake(Full ? chacha20_pkg::Decoupled : chacha20_pkg::HalfRate)
  ) u_cipher (
      .aclk            (clk_i),
      .aresetn         (!rst_i),
      .wipe_i,
      .param_valid_i,
      .param_ready_o,
      .param_i,
      .s_axis_tvalid   (sent_valid),
      .s_axis_tready   (sent_ready),
      .s_axis_tdata    (sent.data),
      .s_axis_tkeep    (sent.keep),
      .s_axis_tlast    (sent.last),
      .s_axis_tuser    ({sent.mac_keep, sent.route, sent.data}),
      .m_axis_tvalid   (valid_o),
      .m_axis_tready   (ready_i),
      .m_axis_tdata    (result.data),
      .m_axis_tkeep    (result.keep),
      .m_axis_tlast    (unused_last),
      .m_axis_tuser    ({result.no_keystream, result.user}),
      .busy_o,
      .stalled_input_o (unused_stalled_input),
      .stalled_output_o(unused_stalled_output),
      .block_o         (unused_block)
  );

  assign data_o = result.data;
  assign plain_o = result.user.plain;
  assign keep_o = result.keep;
  assign mac_keep_o = result.user.mac_keep;
  assign route_o = result.user.route;
  assign no_keystream_o = result.no_keystream;

endmodule
