// SPDX-License-Identifier: Apache-2.0
// The data path's core, AES and GCM: has the ports of saltmill_aead_core. A vector that the nonce does not
// hold comes as a packet of its own, before the additional data.
module saltmill_aes_core
  import saltmill_device_pkg::*;
#(
    parameter aes_pkg::structure_e  Structure  = aes_pkg::Ring,
    parameter aes_pkg::sbox_e       SBox       = aes_pkg::SBoxTower,
    parameter int unsigned          Stages     = 4,
    parameter aes_pkg::key_sizes_e  KeySizes   = aes_pkg::AnySize,
    parameter aes_pkg::directions_e Directions = aes_pkg::EncryptOnly,
    parameter aes_pkg::modes_e      Modes      = aes_pkg::CounterOnly,
    parameter int unsigned          DigitBits  = 16,
    parameter int unsigned          PieceBits  = 16,
    parameter int unsigned          DataBytes  = 16,
    parameter int unsigned          JobDepth   = 16
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

  logic aead, decrypts;
  gcm_pkg::param_t offered, param;
  assign aead = job_i.operation inside {OperationSeal, OperationOpen};
  assign decrypts = job_i.operation inside {OperationEcbDecrypt, OperationCbcDecrypt};
  always_comb begin
    offered.operation = decrypts ? gcm_pkg::Decrypt : gcm_pkg::Encrypt;
    if (job_i.operation == OperationSeal) offered.operation = gcm_pkg::Seal;
    if (job_i.operation == OperationOpen) offered.operation = gcm_pkg::Open;
    unique case (job_i.operation)
      OperationEcbEncrypt, OperationEcbDecrypt: offered.mode = aes_pkg::Ecb;
      OperationCbcEncrypt, OperationCbcDecrypt: offered.mode = aes_pkg::Cbc;
      default: offered.mode = job_i.short_counter ? aes_pkg::Ctr32 : aes_pkg::Ctr;
    endcase
    offered.size       = aes_pkg::key_size_e'(job_i.key_size);
    offered.tag_bytes  = job_i.tag_bytes == '0 ? 5'd16 : job_i.tag_bytes;
    offered.tag        = job_i.tag;
    offered.iv_bytes   = job_i.iv_bytes == '0 ? 32'd12 : job_i.iv_bytes;
    offered.aad_bytes  = job_i.aad_bytes;
    offered.data_bytes = job_i.data_bytes;
    offered.iv         = {job_i.nonce[191:96], job_i.counter};
    if (aead) offered.iv = {32'b0, job_i.nonce[191:96]};
    offered.key = job_i.key;
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
  aes_gcm #(
      .Structure (Structure),
      .SBox      (SBox),
      .Stages    (Stages),
      .KeySizes  (KeySizes),
      .Directions(Directions),
      .Modes     (Modes),
      .DigitBits (DigitBits),
      .PieceBits (PieceBits)
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

  // ---- events: a beat of the port is a block -------------------------------------------------------
  assign block_o = result_valid_o && result_ready_i;
  assign stalled_input_o = source_ready_o && !source_valid_i;
  assign stalled_output_o = result_valid_o && !result_ready_i;

  logic unused;  // the core knows the lengths, and counts its blocks itself
  assign unused = ^{source_keep_i, source_last_i, job_i};

endmodule
