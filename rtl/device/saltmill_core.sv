// SPDX-License-Identifier: Apache-2.0
// The core in its socket: chooses the adapter, keeps the records until the completion wants them,
// and counts what happens. Nothing here depends on the algorithm.
module saltmill_core
  import saltmill_socket_pkg::*;
  import saltmill_device_pkg::*;
#(
    parameter config_t Config,
    localparam int unsigned DataBytes = Config.data_bytes
) (
    input  logic                      clk_i,
    input  logic                      rst_i,
    input  logic                      wipe_i,
    // Jobs
    input  logic                      job_valid_i,
    output logic                      job_ready_o,
    input  job_t                      job_i,
    // Source
    input  logic                      source_valid_i,
    output logic                      source_ready_o,
    input  logic    [8*DataBytes-1:0] source_data_i,
    input  logic    [  DataBytes-1:0] source_keep_i,
    input  logic                      source_last_i,
    input  logic                      source_error_i,
    // Result
    output logic                      result_valid_o,
    input  logic                      result_ready_i,
    output logic    [8*DataBytes-1:0] result_data_o,
    output logic    [  DataBytes-1:0] result_keep_o,
    output logic                      result_last_o,
    output logic                      result_error_o,
    // Records
    output logic                      record_valid_o,
    input  logic                      record_ready_i,
    output record_t                   record_o,
    // Events
    output logic                      busy_o,
    output logic                      stalled_input_o,
    output logic                      stalled_output_o,
    output logic                      block_o            // a block of data has left
);

  localparam facts_t Facts = facts(Config);
  localparam int unsigned BlockBeats = maximum(32'(Facts.block_bytes) / DataBytes, 1);

  logic made_valid, made_ready, busy;
  record_t made;
  if (Config.core == ChaCha20) begin : gen_chacha20
    chacha20_adapter #(
        .Config   (Config.chacha20),
        .DataBytes(DataBytes)
    ) u_adapter (
        .record_valid_o(made_valid),
        .record_ready_i(made_ready),
        .record_o      (made),
        .busy_o        (busy),
        .*
    );
  end else if (Config.core == ChaCha20Poly1305) begin : gen_chacha20_poly1305
    chacha20_poly1305_adapter #(
        .Config   (Config.chacha20_poly1305),
        .DataBytes(DataBytes)
    ) u_adapter (
        .record_valid_o(made_valid),
        .record_ready_i(made_ready),
        .record_o      (made),
        .busy_o        (busy),
        .*
    );
  end else if (Config.core == AesGcm) begin : gen_aes_gcm
    aes_gcm_adapter #(
        .Config   (Config.aes_gcm),
        .DataBytes(DataBytes)
    ) u_adapter (
        .record_valid_o(made_valid),
        .record_ready_i(made_ready),
        .record_o      (made),
        .busy_o        (busy),
        .*
    );
  end else begin : gen_digests
    logic job_valid, job_ready, source_valid, source_ready, source_last, source_error;
    logic [  DataBytes-1:0] source_keep;
    logic [8*DataBytes-1:0] source_data;
    logic beat_valid, beat_ready, beat_last, beat_error;
    logic [DataBytes-1:0] beat_keep;
    saltmill_empty_source #(
        .DataBytes(DataBytes)
    ) u_empty_source (
        .rst_i         (rst_i || wipe_i),
        .empty_i       (job_i.data_bytes == '0),
        // It has Facts.iv_bytes or none.
        .iv_i          (Facts.ivs != '0 && (job_i.iv_bytes[6:0] & Facts.iv_bytes) != '0),
        .job_valid_o   (job_valid),
        .job_ready_i   (job_ready),
        .source_valid_o(beat_valid),
        .source_ready_i(beat_ready),
        .source_keep_o (beat_keep),
        .source_last_o (beat_last),
        .source_error_o(beat_error),
        .*
    );
    // The ready of a core that takes two cycles or more for a beat does not reach the read DMA.
    localparam bit HalfRate = 32'(Facts.cycles_per_block) >= 2 * BlockBeats;
    stream_fifo #(
        .Width   (9 * DataBytes + 2),
        .Depth   (HalfRate ? 1 : 0),
        .HalfRate(HalfRate)
    ) u_source (
        .clk_i,
        .rst_i,
        .wipe_i,
        .valid_i(beat_valid),
        .ready_o(beat_ready),
        .data_i ({beat_last, beat_error, beat_keep, source_data_i}),
        .valid_o(source_valid),
        .ready_i(source_ready),
        .data_o ({source_last, source_error, source_keep, source_data}),
        .level_o()
    );
    if (Config.core == XorConstant) begin : gen_xor_constant
      xor_constant_adapter #(
          .DataBytes(DataBytes)
      ) u_adapter (
          .job_valid_i   (job_valid),
          .job_ready_o   (job_ready),
          .source_valid_i(source_valid),
          .source_data_i (source_data),
          .source_ready_o(source_ready),
          .source_keep_i (source_keep),
          .source_last_i (source_last),
          .source_error_i(source_error),
          .record_valid_o(made_valid),
          .record_ready_i(made_ready),
          .record_o      (made),
          .busy_o        (busy),
          .*
      );
    end else if (Config.core inside {Sha256, Md5}) begin : gen_hash
      hash_adapter #(
          .Config   (Config.hash),
          .IsMd5    (Config.core == Md5),
          .DataBytes(DataBytes)
      ) u_adapter (
          .job_valid_i   (job_valid),
          .job_ready_o   (job_ready),
          .source_valid_i(source_valid),
          .source_data_i (source_data),
          .source_ready_o(source_ready),
          .source_keep_i (source_keep),
          .source_last_i (source_last),
          .source_error_i(source_error),
          .record_valid_o(made_valid),
          .record_ready_i(made_ready),
          .record_o      (made),
          .busy_o        (busy),
          .*
      );
    end else if (Config.core == HmacSha256) begin : gen_hmac_sha256
      hmac_sha256_adapter #(
          .Config   (Config.hash),
          .DataBytes(DataBytes)
      ) u_adapter (
          .job_valid_i   (job_valid),
          .job_ready_o   (job_ready),
          .source_valid_i(source_valid),
          .source_data_i (source_data),
          .source_ready_o(source_ready),
          .source_keep_i (source_keep),
          .source_last_i (source_last),
          .source_error_i(source_error),
          .record_valid_o(made_valid),
          .record_ready_i(made_ready),
          .record_o      (made),
          .busy_o        (busy),
          .*
      );
    end else begin : gen_bad_core
      $fatal(1, "saltmill_device: Core must be one of core_e: 0 to 6");
    end
  end

  // ---- records: one may wait for its job's last write; later jobs must not wait for it ----------
  if (Facts.tags != 0) begin : gen_records
    // A register, so that the FIFO's ready does not reach into the core.
    logic near_valid, near_ready;
    record_t near;
    stream_register #(
        .Width($bits(record_t)),
        .HalfRate(1'b1)
    ) u_near (
        .clk_i,
        .rst_i,
        .wipe_i,
        .valid_i(made_valid),
        .ready_o(made_ready),
        .data_i (made),
        .valid_o(near_valid),
        .ready_i(near_ready),
        .data_o (near)
    );

    stream_fifo #(
        .Width($bits(record_t)),
        .Depth(32)
    ) u_records (
        .clk_i,
        .rst_i,
        .wipe_i,
        .valid_i(near_valid),
        .ready_o(near_ready),
        .data_i (near),
        .valid_o(record_valid_o),
        .ready_i(record_ready_i),
        .data_o (record_o),
        .level_o()
    );
  end else begin : gen_no_records
    logic unused;
    assign unused = ^{made_valid, made, record_ready_i};
    assign made_ready = 1'b0;
    assign {record_valid_o, record_o} = '0;
  end

  // ---- events, a cycle later --------------------------------------------------------------------
  localparam int unsigned BeatBits = maximum($clog2(BlockBeats), 1);
  logic [BeatBits-1:0] beat_q;
  logic moved_q, last_q, block_ends;
  assign block_ends = last_q || 32'(beat_q) == BlockBeats - 1;
  always_ff @(posedge clk_i) begin
    busy_o           <= busy;
    stalled_input_o  <= source_ready_o && !source_valid_i;
    stalled_output_o <= result_valid_o && !result_ready_i;
    moved_q          <= result_valid_o && result_ready_i;
    last_q           <= result_last_o;
    block_o          <= moved_q && block_ends;
    if (moved_q) beat_q <= block_ends ? '0 : beat_q + 1'b1;
    if (rst_i || wipe_i) begin
      {busy_o, stalled_input_o, stalled_output_o, moved_q, block_o} <= '0;
      beat_q <= '0;
    end
  end

endmodule
