// SPDX-License-Identifier: Apache-2.0
// Write DMA: writes one packet per job to the job's destination. A burst is asked for when all its
// beats are in the write buffer, so that the write channel is never held by a waiting burst.
module saltmill_write_dma
  import saltmill_device_pkg::*;
#(
    parameter int unsigned DataBytes  = 16,
    parameter alignment_e  Alignment  = AnyByte,
    parameter int unsigned BurstBytes = 1024,
    parameter int unsigned JobDepth   = 16
) (
    input  logic                         clk_i,
    input  logic                         rst_i,
    input  logic                         wipe_i,
    // Jobs, length > 0
    input  logic                         job_valid_i,
    output logic                         job_ready_o,
    input  write_job_t                   job_i,
    // Packets
    input  logic                         valid_i,
    output logic                         ready_o,
    input  logic       [8*DataBytes-1:0] data_i,
    input  logic       [  DataBytes-1:0] keep_i,
    input  logic                         last_i,
    input  logic                         error_i,
    // Burst requests
    output logic                         request_valid_o,
    input  logic                         request_ready_i,
    output logic       [           63:0] request_address_o,
    output logic       [            8:0] request_beats_o,
    output logic                         request_last_o,     // last burst of the job
    // Beats of the bursts asked for
    output logic                         beat_valid_o,
    input  logic                         beat_ready_i,
    output logic       [8*DataBytes-1:0] beat_data_o,
    output logic       [  DataBytes-1:0] beat_strobe_o,
    // One pulse per job: its last beat has left the alignment
    output logic                         passed_o,
    output logic                         passed_error_o      // the source had a bus error
);

  localparam int unsigned ByteBits = $clog2(DataBytes);
  localparam int unsigned Depth = 2 * BurstBytes / DataBytes;
  localparam int unsigned LevelWidth = $clog2(Depth + 1);

  logic rst;
  assign rst = rst_i || wipe_i;

  // ---- the job goes to the alignment and, by a queue, to the burst generator ---------------------
  logic fork_valid, fork_ready;
  write_job_t fork_job;
  stream_fifo #(
      .Width($bits(write_job_t)),
      .Depth(JobDepth)
  ) u_jobs (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(job_valid_i),
      .ready_o(job_ready_o),
      .data_i (job_i),
      .valid_o(fork_valid),
      .ready_i(fork_ready),
      .data_o (fork_job),
      .level_o()
  );

  logic align_ready, burst_queue_ready;
  assign fork_ready = align_ready && burst_queue_ready;

  // The alignment holds its job to the last beat; the offset has to stay, so it is kept here.
  logic                active_q;
  logic [ByteBits-1:0] offset_q;
  logic                align_done;
  assign align_ready = !active_q || align_done;
  always_ff @(posedge clk_i) begin
    if (fork_valid && fork_ready) begin
      active_q <= 1'b1;
      offset_q <= fork_job.address[ByteBits-1:0];
    end else if (align_done) begin
      active_q <= 1'b0;
    end
    if (rst) active_q <= 1'b0;
  end

  // ---- alignment and write buffer ----------------------------------------------------------------
  logic bus_valid, bus_ready, bus_last, bus_error;
  logic [8*DataBytes-1:0] bus_data;
  logic [  DataBytes-1:0] bus_strobe;
  saltmill_align_out #(
      .DataBytes(DataBytes),
      .Alignment(Alignment)
  ) u_align (
      .clk_i,
      .rst_i       (rst),
      .job_valid_i (active_q),
      .job_ready_o (align_done),
      .job_offset_i(offset_q),
      .valid_i,
      .ready_o,
      .data_i,
      .keep_i,
      .last_i,
      .error_i,
      .valid_o     (bus_valid),
      .ready_i     (bus_ready),
      .data_o      (bus_data),
      .strobe_o    (bus_strobe),
      .last_o      (bus_last),
      .error_o     (bus_error)
  );
  assign passed_o = bus_valid && bus_ready && bus_last;
  assign passed_error_o = bus_error;

  stream_fifo #(
      .Width(9 * DataBytes),
      .Depth(Depth)
  ) u_buffer (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(bus_valid),
      .ready_o(bus_ready),
      .data_i ({bus_strobe, bus_data}),
      .valid_o(beat_valid_o),
      .ready_i(beat_ready_i),
      .data_o ({beat_strobe_o, beat_data_o}),
      .level_o()
  );

  // ---- bursts: beats in the buffer that belong to no burst yet -----------------------------------
  logic queued_valid, queued_ready;
  write_job_t queued_job;
  stream_fifo #(
      .Width($bits(write_job_t)),
      .Depth(2)
  ) u_burst_jobs (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(fork_valid && fork_ready),
      .ready_o(burst_queue_ready),
      .data_i (fork_job),
      .valid_o(queued_valid),
      .ready_i(queued_ready),
      .data_o (queued_job),
      .level_o()
  );

  logic burst_valid;
  logic complete;
  saltmill_bursts #(
      .DataBytes (DataBytes),
      .BurstBytes(BurstBytes)
  ) u_bursts (
      .clk_i,
      .rst_i        (rst),
      .job_valid_i  (queued_valid),
      .job_ready_o  (queued_ready),
      .job_address_i(queued_job.address),
      .job_length_i (queued_job.length),
      .valid_o      (burst_valid),
      .ready_i      (request_ready_i && complete),
      .address_o    (request_address_o),
      .beats_o      (request_beats_o),
      .last_o       (request_last_o)
  );

  logic [LevelWidth-1:0] unclaimed_q;
  assign complete = 32'(unclaimed_q) >= 32'(request_beats_o);
  assign request_valid_o = burst_valid && complete;
  always_ff @(posedge clk_i) begin
    unclaimed_q <= unclaimed_q + LevelWidth'(bus_valid && bus_ready)
        - (request_valid_o && request_ready_i ? LevelWidth'(request_beats_o) : '0);
    if (rst) unclaimed_q <= '0;
  end

endmodule
