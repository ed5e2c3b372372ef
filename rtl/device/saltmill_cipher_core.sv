// SPDX-License-Identifier: Apache-2.0
// The data path's core, ChaCha20 alone: has the ports of saltmill_aead_core, and never a tag.
module saltmill_cipher_core
  import saltmill_device_pkg::*;
  import chacha20_pkg::*;
#(
    parameter structure_e  Structure = Ring,
    parameter int unsigned Unroll    = 2,
    parameter int unsigned Stages    = 8,
    parameter final_add_e  FinalAdd  = HardwareAdd,
    parameter int unsigned DataBytes = 16,
    parameter int unsigned JobDepth  = 16
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

  param_t offered, param;
  assign offered = '{
          raw: 1'b0,
          blocks: job_i.blocks,
          counter: job_i.counter,
          nonce: job_i.nonce[191:96],
          key: job_i.key
      };

  // Short jobs: the parameters of as many as are in flight wait here, so that the reads of the later
  // ones can be under way.
  logic param_valid, param_ready;
  stream_fifo #(
      .Width($bits(param_t)),
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

  logic [1:0] user;
  assign result_error_o = |user;
  chacha20 #(
      .Structure(Structure),
      .Unroll   (Unroll),
      .Stages   (Stages),
      .DataBytes(DataBytes),
      .FinalAdd (FinalAdd)
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
      .s_axis_tkeep (source_keep_i),
      .s_axis_tlast (source_last_i),
      .s_axis_tuser (source_error_i),
      .m_axis_tvalid(result_valid_o),
      .m_axis_tready(result_ready_i),
      .m_axis_tdata (result_data_o),
      .m_axis_tkeep (result_keep_o),
      .m_axis_tlast (result_last_o),
      .m_axis_tuser (user),
      .busy_o,
      .stalled_input_o,
      .stalled_output_o,
      .block_o
  );

  assign tag_valid_o = 1'b0;
  assign tag_o = '0;

  logic unused;  // what only the AEAD core needs
  assign unused = ^{job_i, tag_ready_i};

endmodule
