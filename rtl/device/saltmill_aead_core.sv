// SPDX-License-Identifier: Apache-2.0
// The data path's core, ChaCha20-Poly1305: takes additional data and data as packets of their own,
// and keeps the tags until the completion has use for them.
module saltmill_aead_core
  import saltmill_device_pkg::*;
#(
    parameter chacha20_pkg::structure_e Structure    = chacha20_pkg::Ring,
    parameter int unsigned              Unroll       = 2,
    parameter int unsigned              Stages       = 8,
    parameter poly1305_pkg::structure_e MacStructure = poly1305_pkg::Lanes,
    parameter int unsigned              MacInterval  = 2,
    parameter int unsigned              DataBytes    = 16,
    parameter int unsigned              JobDepth     = 16
) (
    input  logic                        clk_i,
    input  logic                        rst_i,
    input  logic                        wipe_i,
    // Jobs
    input  logic                        job_valid_i,
    output logic                        job_ready_o,
    input  core_job_t                   job_i,
    // Packets from the read DMA
    input  logic                        source_valid_i,
    output logic                        source_ready_o,
    input  logic      [8*DataBytes-1:0] source_data_i,
    input  logic      [  DataBytes-1:0] source_keep_i,
    input  logic                        source_last_i,
    input  logic                        source_error_i,
    // Packets for the write DMA
    output logic                        result_valid_o,
    input  logic                        result_ready_i,
    output logic      [8*DataBytes-1:0] result_data_o,
    output logic      [  DataBytes-1:0] result_keep_o,
    output logic                        result_last_o,
    output logic                        result_error_o,
    // Tags
    output logic                        tag_valid_o,
    input  logic                        tag_ready_i,
    output tag_t                        tag_o,
    // Events
    output logic                        busy_o,
    output logic                        stalled_input_o,
    output logic                        stalled_output_o,
    output logic                        block_o
);

  chacha20_poly1305_pkg::param_t offered, param;
  always_comb begin
    unique case (job_i.operation)
      OperationMac:  offered.operation = chacha20_poly1305_pkg::Mac;
      OperationSeal: offered.operation = chacha20_poly1305_pkg::Seal;
      OperationOpen: offered.operation = chacha20_poly1305_pkg::Open;
      default:       offered.operation = chacha20_poly1305_pkg::Cipher;
    endcase
    offered.extended   = job_i.extended_nonce;
    offered.tag        = job_i.tag;
    offered.aad_bytes  = job_i.aad_bytes;
    offered.data_bytes = job_i.data_bytes;
    offered.counter    = job_i.counter;
    offered.nonce      = job_i.nonce;
    offered.key        = job_i.key;
  end

  // As in saltmill_cipher_core: the parameters of the jobs in flight.
  logic param_valid, param_ready;
  stream_fifo #(
      .Width($bits(param)),
      .Depth(JobDepth)
  ) u_params (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(job_valid_i),
      .ready_o(job_ready_o),
      .data_i (offered),
      .valid_o(param_valid),
      .ready_i(param_ready),
      .data_o (param),
      .level_o()
  );

  tag_t made;
  logic made_valid, made_ready;
  logic [1:0] user;
  assign result_error_o = |user;
  chacha20_poly1305 #(
      .Structure   (Structure),
      .Unroll      (Unroll),
      .Stages      (Stages),
      .MacStructure(MacStructure),
      .MacInterval (MacInterval),
      .DataBytes   (DataBytes)
  ) u_core (
      .aclk         (clk_i),
      .aresetn      (!rst_i),
      .wipe_i,
      .param_valid_i(param_valid),
      .param_ready_o(param_ready),
      .param_i      (param),
      .s_axis_tvalid(source_valid_i),
      .s_axis_tready(source_ready_o),
      .s_axis_tdata (source_data_i),
      .s_axis_tuser (source_error_i),
      .m_axis_tvalid(result_valid_o),
      .m_axis_tready(result_ready_i),
      .m_axis_tdata (result_data_o),
      .m_axis_tkeep (result_keep_o),
      .m_axis_tlast (result_last_o),
      .m_axis_tuser (user),
      .tag_valid_o  (made_valid),
      .tag_ready_i  (made_ready),
      .tag_o        (made.tag),
      .tag_match_o  (made.match),
      .tag_user_o   (made.read_failed),
      .busy_o
  );

  // A tag waits for the answer to its job's last write: the next messages' must not wait for that.
  stream_fifo #(
      .Width($bits(tag_t)),
      .Depth(JobDepth)
  ) u_tags (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(made_valid),
      .ready_o(made_ready),
      .data_i (made),
      .valid_o(tag_valid_o),
      .ready_i(tag_ready_i),
      .data_o (tag_o),
      .level_o()
  );

  // ---- events ------------------------------------------------------------------------------------
  localparam int unsigned BlockBeats = 64 / DataBytes;
  logic [$clog2(BlockBeats)-1:0] beat_q;
  logic moved, block_ends;
  assign moved = result_valid_o && result_ready_i;
  assign block_ends = result_last_o || 32'(beat_q) == BlockBeats - 1;
  assign block_o = moved && block_ends;
  assign stalled_input_o = source_ready_o && !source_valid_i;
  assign stalled_output_o = result_valid_o && !result_ready_i;
  always_ff @(posedge clk_i) begin
    if (moved) beat_q <= block_ends ? '0 : beat_q + 1'b1;
    if (rst_i || wipe_i) beat_q <= '0;
  end

  logic unused;  // the core knows the lengths, and counts its blocks itself
  assign unused = ^{source_keep_i, source_last_i, job_i};

endmodule
