// SPDX-License-Identifier: Apache-2.0
// Write DMA: writes one packet per job to the job's address. One beat per cycle; a burst takes at
// least 3 cycles. A burst is requested when all of its beats are in the write buffer, or are
// certain to arrive there in time, so a waiting burst never holds the write channel.

module dma_write
  import dma_pkg::*;
#(
    int unsigned DataBytes = 16,  // 8, 16, 32 or 64
    int unsigned AddressBits = 32,  // 32 to 64
    alignment_e Alignment = AnyByte,
    int unsigned BurstBytes = 1024,  // see dma_bursts
    int unsigned JobDepth = 64,  // jobs that wait, a power of two
    job_room_e JobRoom = JobsWait,  // JobsFit: job_ready_o is 1
    localparam int unsigned Parts = beat_parts(9 * DataBytes)
) (
    input logic clk_i,
    input logic rst_i,
    input logic wipe_i,  // held for Depth (below) + 32 cycles
    // Jobs: the range does not pass the end of the address space
    input logic job_valid_i,
    output logic job_ready_o,
    input logic [AddressBits-1:0] job_address_i,
    input logic [31:0] job_length_m1_i,  // bytes - 1
    // Packets, one per job, of the job's length
    input logic valid_i,
    output logic ready_o,
    input logic [8*DataBytes-1:0] data_i,
    input logic [DataBytes-1:0] keep_i,
    input logic last_i,
    input logic error_i,  // nothing of the job is written from here on
    // Burst requests
    output logic request_valid_o,
    input logic request_ready_i,
    output logic [AddressBits-1:0] request_address_o,  // multiple of DataBytes
    output logic [7:0] request_len_o,  // beats - 1
    output logic request_last_o,  // last burst of the job
    output logic request_error_o,  // with it: the packet had an error
    // Beats of the bursts asked for. Wide: for the bus, zeros while none is offered
    input logic [Parts-1:0][1:0] beat_offer_i,  // wide: see stream_offer
    output logic beat_valid_o,
    input logic beat_ready_i,
    output logic [8*DataBytes-1:0] beat_data_o,
    output logic [DataBytes-1:0] beat_strobe_o
);

  if (DataBytes != 8 && DataBytes != 16 && DataBytes != 32 && DataBytes != 64) begin : gen_bad_bytes
    $fatal(1, "dma_write: DataBytes must be 8, 16, 32 or 64");
  end

  if (AddressBits < 32 || AddressBits > 64) begin : gen_bad_address
    $fatal(1, "dma_write: AddressBits must be 32 to 64");
  end

  localparam int unsigned ByteBits = $clog2(DataBytes);
  localparam int unsigned BurstBeats = BurstBytes / DataBytes;
  localparam int unsigned Depth = write_buffer_beats(BurstBeats);
  localparam bit Wide = wide_beat(9 * DataBytes);

  logic rst, align_rst, align_wipe;
  dma_reset #(
      .Wide(Wide)
  ) u_reset (
      .clk_i,
      .rst_i,
      .wipe_i,
      .rst_o       (rst),
      .align_rst_o (align_rst),
      .align_wipe_o(align_wipe)
  );

  // ---- jobs, read twice: the alignment is ahead of the bursts -----------------------------------
  logic align_job_valid, align_job_ready, burst_job_valid, burst_job_ready;
  logic [ByteBits-1:0] align_offset;
  logic [ByteBits:0] align_last_lane;
  logic [AddressBits-1:0] burst_job_address;
  logic [31:0] burst_job_length_m1;

  dma_write_jobs #(
      .DataBytes  (DataBytes),
      .AddressBits(AddressBits),
      .JobDepth   (JobDepth),
      .JobsFit    (JobRoom == JobsFit)
  ) u_jobs (
      .clk_i,
      .rst_i            (rst),
      .valid_i          (job_valid_i),
      .ready_o          (job_ready_o),
      .address_i        (job_address_i),
      .length_m1_i      (job_length_m1_i),
      .align_valid_o    (align_job_valid),
      .align_ready_i    (align_job_ready),
      .align_offset_o   (align_offset),
      .align_last_lane_o(align_last_lane),
      .burst_valid_o    (burst_job_valid),
      .burst_ready_i    (burst_job_ready),
      .burst_address_o  (burst_job_address),
      .burst_length_m1_o(burst_job_length_m1)
  );

  // ---- alignment --------------------------------------------------------------------------------
  logic room, soon, bus_valid, end_of_job, failed;
  logic [8*DataBytes-1:0] bus_data;
  logic [  DataBytes-1:0] bus_strobe;

  dma_align_out #(
      .DataBytes(DataBytes),
      .Alignment(Alignment)
  ) u_align (
      .clk_i,
      .rst_i          (align_rst),
      .wipe_i         (align_wipe),
      .job_valid_i    (align_job_valid),
      .job_ready_o    (align_job_ready),
      .job_offset_i   (align_offset),
      .job_last_lane_i(align_last_lane),
      .valid_i,
      .ready_o,
      .data_i,
      .keep_i,
      .last_i,
      .error_i,
      .room_i         (room),
      .soon_o         (soon),
      .valid_o        (bus_valid),
      .data_o         (bus_data),
      .strobe_o       (bus_strobe),
      .end_o          (end_of_job),
      .error_o        (failed)
  );

  // ---- write buffer -----------------------------------------------------------------------------
  // Behind the flag there is room for the beats in the alignment, and for those that come before it
  // sees the flag.
  localparam int unsigned UnderWay = ByteBits + 5;
  localparam int unsigned Reserve = UnderWay <= Depth / 8 ? Depth / 8 : Depth / 4;

  dma_buffer #(
      .Width  (9 * DataBytes),
      .Depth  (Depth),
      .Reserve(Reserve),
      .Offered(Wide)
  ) u_buffer (
      .clk_i,
      .rst_i,
      .wipe_i,
      .room_o  (room),
      .popped_o(),
      .push_i  (bus_valid),
      .data_i  ({bus_strobe, bus_data}),
      .offer_i (beat_offer_i),
      .valid_o (beat_valid_o),
      .ready_i (beat_ready_i),
      .data_o  ({beat_strobe_o, beat_data_o})
  );

  // ---- bursts -----------------------------------------------------------------------------------
  logic burst_valid, burst_ready, complete, request_taken;

  dma_bursts #(
      .DataBytes  (DataBytes),
      .AddressBits(AddressBits),
      .BurstBytes (BurstBytes)
  ) u_bursts (
      .clk_i,
      .rst_i          (rst),
      .job_valid_i    (burst_job_valid),
      .job_ready_o    (burst_job_ready),
      .job_address_i  (burst_job_address),
      .job_length_m1_i(burst_job_length_m1),
      .job_mark_i     (1'b0),
      .valid_o        (burst_valid),
      .ready_i        (burst_ready),
      .address_o      (request_address_o),
      .len_o          (request_len_o),
      .last_o         (request_last_o),
      .mark_o         ()
  );

  assign request_valid_o = burst_valid && complete;
  assign burst_ready = request_ready_i && complete;
  assign request_taken = request_valid_o && request_ready_i;

  // Beats in the buffer that belong to no burst yet. They are counted 3 cycles before they arrive,
  // wide ones a cycle after: a burst is requested 3 cycles later at the earliest, and its first
  // beat is read 3 cycles after that. By then the error flag of their job is known.
  logic bus_valid_q;
  always_ff @(posedge clk_i) bus_valid_q <= bus_valid && !rst;
  stream_credit #(
      .Max    (Depth),
      .Start  (0),
      .WantMax(BurstBeats)
  ) u_unclaimed (
      .clk_i,
      .rst_i   (rst),
      .give_i  (Wide ? bus_valid_q : soon),
      .want_m1_i(request_len_o[$clog2(BurstBeats)-1:0]),
      .take_i  (request_taken),
      .enough_o(complete)
  );

  // A bit per job that has beats in the buffer.
  dma_marks #(
      .Width(1),
      .Depth(Depth)
  ) u_errors (
      .clk_i,
      .rst_i (rst),
      .push_i(end_of_job),
      .data_i(failed),
      .pop_i (request_taken && request_last_o),
      .data_o(request_error_o)
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst && request_valid_o) a_burst_fits : assert (32'(request_len_o) < BurstBeats);
  end
`endif

endmodule
