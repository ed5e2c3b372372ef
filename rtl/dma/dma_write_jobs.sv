// SPDX-License-Identifier: Apache-2.0
// The jobs that wait in dma_write. The alignment reads them before their packets come, the bursts
// when the beats are in the write buffer: each reader has its own pointer and RAM. Jobs hold no
// secrets.

module dma_write_jobs #(
    int unsigned DataBytes,
    int unsigned AddressBits,
    int unsigned JobDepth,     // jobs that no burst was made of yet
    bit          JobsFit       // the user never sends more: ready_o is 1
) (
    input  logic                         clk_i,
    input  logic                         rst_i,              // also for a wipe
    input  logic                         valid_i,
    output logic                         ready_o,
    input  logic [      AddressBits-1:0] address_i,
    input  logic [                 31:0] length_m1_i,        // bytes - 1
    // To the alignment
    output logic                         align_valid_o,
    input  logic                         align_ready_i,
    output logic [$clog2(DataBytes)-1:0] align_offset_o,
    output logic [  $clog2(DataBytes):0] align_last_lane_o,  // as dma_align_out has it
    // To the bursts
    output logic                         burst_valid_o,
    input  logic                         burst_ready_i,
    output logic [      AddressBits-1:0] burst_address_o,
    output logic [                 31:0] burst_length_m1_o
);

  if (JobDepth < 8 || JobDepth > 512 || 2 ** $clog2(JobDepth) != JobDepth) begin : gen_bad_depth
    $fatal(1, "dma_write_jobs: JobDepth must be a power of two, 8 to 512");
  end

  // Twice as many entries as jobs that wait for the bursts: a job that the bursts have taken stays
  // for the alignment, which is at most a few jobs behind.
  localparam int unsigned PointerBits = $clog2(JobDepth) + 1;
  localparam int unsigned ByteBits = $clog2(DataBytes);

  logic [PointerBits-1:0] write_pointer;
  logic [$clog2(JobDepth):0] waiting_q;  // for the bursts
  logic write, taken_q;

  assign ready_o = JobsFit || !waiting_q[$clog2(JobDepth)];
  assign write   = valid_i && ready_o;

  // One adder for both directions; it learns of a take a cycle later.
  always_ff @(posedge clk_i) begin
    taken_q <= burst_valid_o && burst_ready_i && !rst_i;
    if (write != taken_q) waiting_q <= waiting_q + {{$clog2(JobDepth) {taken_q}}, 1'b1};
    if (rst_i) waiting_q <= '0;
  end

  dma_pointer #(
      .Bits(PointerBits)
  ) u_write_pointer (
      .clk_i,
      .rst_i,
      .step_i   (write),
      .pointer_o(write_pointer)
  );

  // Behind the RAM there is no time for a sum, nor in front of it: the job is there a cycle later.
  logic align_write_q;
  logic [PointerBits-1:0] align_pointer_q;
  logic [ByteBits-1:0] offset_q;
  logic [ByteBits:0] last_lane_q;
  always_ff @(posedge clk_i) begin
    align_write_q <= write && !rst_i;
    align_pointer_q <= write_pointer;
    offset_q <= address_i[ByteBits-1:0];
    last_lane_q <= {1'b0, address_i[ByteBits-1:0]} + {1'b0, length_m1_i[ByteBits-1:0]};
    if (rst_i) align_pointer_q <= '0;
  end
  dma_job_reader #(
      .Width   (2 * ByteBits + 1),
      .Entries (2 ** PointerBits),
      .Counters(1'b0)
  ) u_align (
      .clk_i,
      .rst_i,
      .write_i        (align_write_q),
      .write_pointer_i(align_pointer_q),
      .data_i         ({offset_q, last_lane_q}),
      .valid_o        (align_valid_o),
      .ready_i        (align_ready_i),
      .data_o         ({align_offset_o, align_last_lane_o}),
      .read_pointer_o ()
  );

  dma_job_reader #(
      .Width   (AddressBits + 32),
      .Entries (2 ** PointerBits),
      .Counters(1'b0)
  ) u_burst (
      .clk_i,
      .rst_i,
      .write_i        (write),
      .write_pointer_i(write_pointer),
      .data_i         ({address_i, length_m1_i}),
      .valid_o        (burst_valid_o),
      .ready_i        (burst_ready_i),
      .data_o         ({burst_address_o, burst_length_m1_o}),
      .read_pointer_o ()
  );

endmodule
