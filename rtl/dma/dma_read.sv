// SPDX-License-Identifier: Apache-2.0
// Read DMA: reads the ranges of the jobs in order and gives each as one packet. One beat per cycle;
// a burst takes at least 5 cycles. A burst is requested only when the read buffer has room for it,
// so the read channel is never held back. The next jobs are read while the consumer works.
// After an error, the rest of its job is marked, and the jobs that continue its message.
module dma_read
  import dma_pkg::*;
#(
    int unsigned DataBytes   = 16,        // 8, 16, 32 or 64
    int unsigned AddressBits = 32,        // 32 to 64
    alignment_e  Alignment   = AnyByte,
    int unsigned BurstBytes  = 1024,      // see dma_bursts
    int unsigned BufferBytes = 4096,      // at least two bursts
    int unsigned JobDepth    = 64,        // jobs that wait, a power of two; in block RAM
    job_room_e   JobRoom     = JobsWait,  // JobsFit: job_ready_o is 1
    bit          LateData    = 1'b0       // 64 bytes: data_o and keep_o a cycle later
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   wipe_i,             // held for BufferBytes / DataBytes + 32
    // Jobs: the range does not pass the end of the address space
    input  logic                   job_valid_i,
    output logic                   job_ready_o,
    input  logic [AddressBits-1:0] job_address_i,
    input  logic [           31:0] job_length_m1_i,    // bytes - 1
    input  logic                   job_zeros_i,        // reads nothing and gives zeros
    input  logic                   job_continues_i,    // the next job is of the same message
    // Burst requests
    output logic                   request_valid_o,
    input  logic                   request_ready_i,
    output logic [AddressBits-1:0] request_address_o,  // multiple of DataBytes
    output logic [            7:0] request_len_o,      // beats - 1
    // Beats, in order
    output logic                   beat_open_o,        // one may come in the next cycle; rarely low
    input  logic                   beat_valid_i,
    input  logic [8*DataBytes-1:0] beat_data_i,
    input  logic                   beat_error_i,
    // Packets
    output logic                   valid_o,
    input  logic                   ready_i,
    output logic [8*DataBytes-1:0] data_o,
    output logic [  DataBytes-1:0] keep_o,
    output logic                   last_o,
    output logic                   error_o
);

  if (DataBytes != 8 && DataBytes != 16 && DataBytes != 32 && DataBytes != 64) begin : gen_bad_bytes
    $fatal(1, "dma_read: DataBytes must be 8, 16, 32 or 64");
  end
  if (AddressBits < 32 || AddressBits > 64) begin : gen_bad_address
    $fatal(1, "dma_read: AddressBits must be 32 to 64");
  end
  if (BufferBytes < 2 * BurstBytes || (BufferBytes & (BufferBytes - 1)) != 0) begin : gen_bad_buffer
    $fatal(1, "dma_read: BufferBytes must be a power of two and at least two bursts");
  end

  localparam int unsigned ByteBits = $clog2(DataBytes);
  localparam int unsigned BurstBeats = BurstBytes / DataBytes;
  localparam int unsigned Depth = BufferBytes / DataBytes;
  localparam bit Wide = wide_beat(9 * DataBytes + 1);
  typedef logic [ByteBits-1:0] lane_t;

  logic rst, align_rst, align_wipe;
  // verilog_format: off
  dma_reset #(.Wide(Wide)) u_reset (
      .clk_i, .rst_i, .wipe_i, .rst_o (rst), .align_rst_o (align_rst), .align_wipe_o (align_wipe)
  );
  // verilog_format: on

  // ---- jobs, read twice: the bursts are ahead of the alignment ----------------------------------
  typedef struct packed {
    logic zeros;
    logic [AddressBits-1:0] address;
    logic [31:0] length_m1;
  } burst_job_t;
  typedef struct packed {
    logic        zeros;
    logic        continues;
    lane_t       offset;
    logic [31:0] length_m1;
  } align_job_t;

  // Twice as many entries as waiting jobs, for the alignment, which is later than the bursts
  localparam int unsigned PointerBits = $clog2(JobDepth) + 1;
  logic [PointerBits-1:0] write_pointer;
  logic [$clog2(JobDepth):0] waiting_q;
  logic write, align_take, align_taken_q;
  burst_job_t burst_in, burst_job;
  align_job_t align_in, align_job;
  logic burst_job_valid, burst_job_ready, align_job_valid, align_job_ready;

  assign job_ready_o = JobRoom == JobsFit || !waiting_q[$clog2(JobDepth)];
  assign write = job_valid_i && job_ready_o;
  assign align_take = align_job_valid && align_job_ready;
  always_ff @(posedge clk_i) begin
    align_taken_q <= align_take;
    if (write != align_taken_q) waiting_q <= waiting_q + {{$clog2(JobDepth) {align_taken_q}}, 1'b1};
    if (rst) begin
      align_taken_q <= 1'b0;
      waiting_q <= '0;
    end
  end

  dma_pointer #(
      .Bits(PointerBits)
  ) u_write_pointer (
      // verilog_format: off
      .clk_i, .rst_i (rst), .step_i (write), .pointer_o (write_pointer)
      // verilog_format: on
  );

  // Zeros are cut into bursts like a range at address 0.
  assign burst_in = '{job_zeros_i, job_zeros_i ? '0 : job_address_i, job_length_m1_i};
  assign align_in = '{
          job_zeros_i,
          job_continues_i,
          job_zeros_i || Alignment == AlignedOnly ? '0 : lane_t'(job_address_i),
          job_length_m1_i
      };
  dma_job_reader #(
      .Width   ($bits(burst_job_t)),
      .Entries (2 ** PointerBits),
      .Counters(1'b0)
  ) u_burst_jobs (
      .clk_i,
      .rst_i          (rst),
      .write_i        (write),
      .write_pointer_i(write_pointer),
      .data_i         (burst_in),
      .valid_o        (burst_job_valid),
      .ready_i        (burst_job_ready),
      .data_o         (burst_job),
      .read_pointer_o ()
  );
  dma_job_reader #(
      .Width   ($bits(align_job_t)),
      .Entries (2 ** PointerBits),
      .Counters(1'b0)
  ) u_align_jobs (
      .clk_i,
      .rst_i          (rst),
      .write_i        (write),
      .write_pointer_i(write_pointer),
      .data_i         (align_in),
      .valid_o        (align_job_valid),
      .ready_i        (align_job_ready),
      .data_o         (align_job),
      .read_pointer_o ()
  );

  // ---- bursts, and the credit for their beats ---------------------------------------------------
  logic burst_valid, burst_ready, enough, zeros, buffer_pop, absorbed;
  logic [1:0] given_q;
  dma_bursts #(
      .DataBytes  (DataBytes),
      .AddressBits(AddressBits),
      .BurstBytes (BurstBytes)
  ) u_bursts (
      .clk_i,
      .rst_i          (rst),
      .job_valid_i    (burst_job_valid),
      .job_ready_o    (burst_job_ready),
      .job_address_i  (burst_job.address),
      .job_length_m1_i(burst_job.length_m1),
      .job_mark_i     (burst_job.zeros),
      .valid_o        (burst_valid),
      .ready_i        (burst_ready),
      .address_o      (request_address_o),
      .len_o          (request_len_o),
      .last_o         (),
      .mark_o         (zeros)
  );

  always_ff @(posedge clk_i) begin
    given_q <= 2'(buffer_pop) + 2'(absorbed);
    if (rst) given_q <= '0;
  end

  stream_credit #(
      .Max    (Depth - 1),
      .Start  (Depth - 1),
      .GiveMax(2),
      .WantMax(BurstBeats)
  ) u_credit (
      .clk_i,
      .rst_i   (rst),
      .give_i  (given_q),
      .want_m1_i(request_len_o[$clog2(BurstBeats)-1:0]),
      .take_i  (burst_valid && burst_ready),
      .enough_o(enough)
  );

  // ---- zeros: made when the alignment has reached their job -------------------------------------
  // Beats from the bus can't wait: none are requested before the last zero is made.
  localparam int unsigned ZeroBits = $clog2(BurstBeats) + 2;
  logic [ZeroBits-1:0] zeros_left_q;
  logic zeros_here, zero, zeros_some_q, zeros_idle_q, zeros_few_q, zeros_granted, granted_q;
  // One adder: beats of the burst, or -1, and the carry is 1 unless a beat is made.
  logic [ZeroBits:0] zeros_sum;
  assign zeros_sum = {zeros_left_q, 1'b1}
      + {granted_q ? ZeroBits'(request_len_o) : {ZeroBits{1'b1}}, !zero};
  assign zeros_granted = burst_valid && enough && zeros && zeros_few_q;
  assign zero = zeros_some_q && zeros_here;
  assign request_valid_o = burst_valid && enough && !zeros && zeros_idle_q;
  assign burst_ready = enough && (zeros ? zeros_few_q : request_ready_i && zeros_idle_q);
  always_ff @(posedge clk_i) begin
    // Added a cycle later, when the burst's outputs are still there.
    granted_q <= zeros_granted;
    zeros_left_q <= zeros_sum[ZeroBits:1];
    zeros_some_q <= granted_q || (zero ? zeros_left_q > 1 : zeros_left_q != '0);
    zeros_idle_q <= zeros_left_q == '0 && !granted_q && !zeros_granted;
    zeros_few_q <= zeros_left_q < ZeroBits'(BurstBeats) && !granted_q && !zeros_granted
        && zeros_here;
    if (rst) begin
      {granted_q, zeros_left_q, zeros_some_q, zeros_few_q} <= '0;
      zeros_idle_q <= 1'b1;
    end
  end

  // ---- alignment: its counts are computed a cycle before ----------------------------------------
  logic prepared_q, prepared_ready, prepared_zeros_q, prepared_continues_q;
  logic prepared_moved_q, prepared_odd_q, prepared_more;
  lane_t prepared_offset_q;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [32:0] reach;  // of the last byte, from the start of its bus word
  /* verilator lint_on UNUSEDSIGNAL */
  logic [32-ByteBits:0] beats_m1_q;
  lane_t tail_q;
  assign reach = {1'b0, align_job.length_m1} + 33'(align_job.offset);
  assign align_job_ready = !prepared_q;
  // Without a carry out of the lanes, a packet has as many beats as its range has bus words.
  assign prepared_more = prepared_moved_q && beats_m1_q[0] == prepared_odd_q;
  always_ff @(posedge clk_i) begin
    if (prepared_ready) prepared_q <= 1'b0;
    if (align_job_ready) begin
      prepared_q <= align_job_valid;
      prepared_zeros_q <= align_job.zeros;
      prepared_continues_q <= align_job.continues;
      prepared_offset_q <= align_job.offset;
      prepared_moved_q <= align_job.offset != '0;
      prepared_odd_q <= align_job.length_m1[ByteBits];
      beats_m1_q <= reach[32:ByteBits];
      tail_q <= lane_t'(align_job.length_m1);
    end
    if (rst) prepared_q <= 1'b0;
  end

  logic packet_valid, packet_last, packet_error;
  logic [8*DataBytes-1:0] packet_data;
  logic [  DataBytes-1:0] packet_keep;
  dma_align_in #(
      .DataBytes(DataBytes),
      .Alignment(Alignment)
  ) u_align (
      .clk_i,
      .rst_i          (align_rst),
      .wipe_i         (align_wipe),
      .job_valid_i    (prepared_q),
      .job_ready_o    (prepared_ready),
      .job_zeros_i    (prepared_zeros_q),
      .job_continues_i(prepared_continues_q),
      .job_offset_i   (prepared_offset_q),
      .job_tail_i     (tail_q),
      .job_beats_m1_i (beats_m1_q),
      .job_more_i     (prepared_more),
      .zeros_o        (zeros_here),
      .zero_i         (zero),
      .open_o         (beat_open_o),
      .valid_i        (beat_valid_i),
      .data_i         (beat_data_i),
      .error_i        (beat_error_i),
      .valid_o        (packet_valid),
      .data_o         (packet_data),
      .keep_o         (packet_keep),
      .last_o         (packet_last),
      .error_o        (packet_error),
      .absorbed_o     (absorbed)
  );

  // ---- read buffer ------------------------------------------------------------------------------
  // No packet is empty: byte 0 is always kept, and logic that uses it needs no table for it.
  logic unused;
  assign unused = packet_keep[0] ^ zeros_sum[0];
  assign keep_o[0] = 1'b1;
  dma_buffer #(
      .Width(9 * DataBytes + 1),
      .Depth(Depth),
      .Decoupled(1'b1),
      .Early(LateData ? 2 : 0)
  ) u_buffer (
      .room_o  (),
      .popped_o(buffer_pop),
      .push_i  (packet_valid),
      .data_i  ({packet_error, packet_last, packet_keep[DataBytes-1:1], packet_data}),
      .offer_i ('0),
      .data_o  ({error_o, last_o, keep_o[DataBytes-1:1], data_o}),
      .*
  );

endmodule
