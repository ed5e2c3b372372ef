// SPDX-License-Identifier: Apache-2.0
// Read DMA: reads the sources of the jobs in order and gives each as one packet, additional data as
// one before it. After an error, all that follows of its job is marked. Bursts are asked
// for only when the read buffer has room for all of them (credits), so that the read channel is
// never held back; reads of the next jobs are under way while the core works on this one.
module saltmill_read_dma
  import saltmill_device_pkg::*;
#(
    parameter int unsigned DataBytes       = 16,
    parameter alignment_e  Alignment       = AnyByte,
    parameter int unsigned BurstBytes      = 1024,
    parameter int unsigned ReadBufferBytes = 4096,     // at least one burst
    parameter int unsigned JobDepth        = 16
) (
    input  logic                        clk_i,
    input  logic                        rst_i,
    input  logic                        wipe_i,
    // Jobs, length > 0
    input  logic                        job_valid_i,
    output logic                        job_ready_o,
    input  read_job_t                   job_i,
    // Burst requests
    output logic                        request_valid_o,
    input  logic                        request_ready_i,
    output logic      [           63:0] request_address_o,
    output logic      [            8:0] request_beats_o,
    // Beats read, in order; always taken
    input  logic                        beat_valid_i,
    input  logic      [8*DataBytes-1:0] beat_data_i,
    input  logic                        beat_error_i,
    // Packets
    output logic                        valid_o,
    input  logic                        ready_i,
    output logic      [8*DataBytes-1:0] data_o,
    output logic      [  DataBytes-1:0] keep_o,
    output logic                        last_o,
    output logic                        error_o
);

  localparam int unsigned ByteBits = $clog2(DataBytes);
  localparam int unsigned Depth = ReadBufferBytes / DataBytes;
  localparam int unsigned CreditWidth = $clog2(Depth + 1);

  if (ReadBufferBytes < BurstBytes) begin : gen_bad_buffer
    $fatal(1, "ReadBufferBytes must be at least BurstBytes.");
  end

  logic rst;
  assign rst = rst_i || wipe_i;

  // ---- the job goes to the burst generator and, by a queue, to the alignment -------------------
  logic fork_valid, fork_ready;
  read_job_t fork_job;
  stream_fifo #(
      .Width($bits(read_job_t)),
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

  logic bursts_ready, align_queue_ready;
  assign fork_ready = align_queue_ready && (fork_job.zeros || bursts_ready);

  logic burst_valid, burst_ready;
  logic [8:0] burst_beats;
  saltmill_bursts #(
      .DataBytes (DataBytes),
      .BurstBytes(BurstBytes)
  ) u_bursts (
      .clk_i,
      .rst_i        (rst),
      .job_valid_i  (fork_valid && align_queue_ready && !fork_job.zeros),
      .job_ready_o  (bursts_ready),
      .job_address_i(fork_job.address),
      .job_length_i (fork_job.length),
      .valid_o      (burst_valid),
      .ready_i      (burst_ready),
      .address_o    (request_address_o),
      .beats_o      (burst_beats),
      .last_o       ()
  );

  // ---- credits: free places of the read buffer that no burst has yet been promised --------------
  logic [CreditWidth-1:0] credit_q;
  logic                   enough;
  logic                   buffer_pop;
  assign enough = 32'(credit_q) >= 32'(burst_beats);
  assign request_valid_o = burst_valid && enough;
  assign burst_ready = request_ready_i && enough;
  assign request_beats_o = burst_beats;

  always_ff @(posedge clk_i) begin
    credit_q <= credit_q + CreditWidth'(buffer_pop)
        - (request_valid_o && request_ready_i ? CreditWidth'(burst_beats) : '0);
    if (rst) credit_q <= CreditWidth'(Depth);
  end

  // ---- read buffer -------------------------------------------------------------------------------
  logic buffer_valid, buffer_ready;
  logic [8*DataBytes-1:0] buffer_data;
  logic                   buffer_error;
  logic                   buffer_space;
  assign buffer_pop = buffer_valid && buffer_ready;
  stream_fifo #(
      .Width(8 * DataBytes + 1),
      .Depth(Depth)
  ) u_buffer (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(beat_valid_i),
      .ready_o(buffer_space),
      .data_i ({beat_error_i, beat_data_i}),
      .valid_o(buffer_valid),
      .ready_i(buffer_ready),
      .data_o ({buffer_error, buffer_data}),
      .level_o()
  );

  // ---- alignment ---------------------------------------------------------------------------------
  typedef struct packed {
    logic                zeros;
    logic                continues;
    logic [ByteBits-1:0] offset;
    logic [31:0]         length;
  } align_job_t;

  logic align_valid, align_ready;
  align_job_t align_job;
  stream_fifo #(
      .Width($bits(align_job_t)),
      .Depth(JobDepth)
  ) u_align_jobs (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(fork_valid && fork_ready),
      .ready_o(align_queue_ready),
      .data_i({
        fork_job.zeros, fork_job.continues, fork_job.address[ByteBits-1:0], fork_job.length
      }),
      .valid_o(align_valid),
      .ready_i(align_ready),
      .data_o(align_job),
      .level_o()
  );

  logic packet_valid, packet_ready;
  logic [8*DataBytes-1:0] packet_data;
  logic [  DataBytes-1:0] packet_keep;
  logic packet_last, packet_error;
  saltmill_align_in #(
      .DataBytes(DataBytes),
      .Alignment(Alignment)
  ) u_align (
      .clk_i,
      .rst_i       (rst),
      .job_valid_i (align_valid),
      .job_ready_o (align_ready),
      .job_zeros_i (align_job.zeros),
      .job_offset_i(align_job.offset),
      .job_length_i(align_job.length),
      .beat_valid_i(buffer_valid),
      .beat_ready_o(buffer_ready),
      .beat_data_i (buffer_data),
      .beat_error_i(buffer_error),
      .valid_o     (packet_valid),
      .ready_i     (packet_ready),
      .data_o      (packet_data),
      .keep_o      (packet_keep),
      .last_o      (packet_last),
      .error_o     (packet_error)
  );

  // An error in the additional data is one of the data that follows.
  logic continues_q, failed_q;
  always_ff @(posedge clk_i) begin
    if (align_valid && align_ready) continues_q <= align_job.continues;
    if (packet_valid && packet_ready) begin
      failed_q <= (packet_error || failed_q) && !(packet_last && !continues_q);
    end
    if (rst) failed_q <= 1'b0;
  end

  stream_spill #(
      .Width(9 * DataBytes + 2)
  ) u_spill (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(packet_valid),
      .ready_o(packet_ready),
      .data_i ({packet_error || failed_q, packet_last, packet_keep, packet_data}),
      .valid_o,
      .ready_i,
      .data_o ({error_o, last_o, keep_o, data_o})
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst && beat_valid_i) begin
      a_credit : assert (buffer_space);
    end
  end
`endif

endmodule
