// SPDX-License-Identifier: Apache-2.0
// Makes packets from the beats that bus reads return: byte 0 of the source moves to lane 0. One
// beat per cycle; one more cycle for a packet whose last bytes are in the beat before. Latency: 1
// cycle per bit of a lane number, and 1 more (AnyByte), or 1 (AlignedOnly).
//
// Nothing behind the input stalls: whoever asks for beats has room for the packets. ready_o is a
// register. It is low only in the additional cycle, and after the end of a job until the next job
// is there.

module dma_align_in
  import dma_pkg::*;
#(
    int unsigned DataBytes,
    alignment_e  Alignment
) (
    input logic clk_i,
    input logic rst_i,
    input logic wipe_i,  // held for 16 cycles: data cleared
    // Jobs, in order
    input logic job_valid_i,
    output logic job_ready_o,
    input logic job_zeros_i,  // nothing is read: zeros
    input logic job_continues_i,  // so does its message
    input logic [$clog2(DataBytes)-1:0] job_offset_i,  // lane of the first byte; 0 with zeros
    input logic [$clog2(DataBytes)-1:0] job_tail_i,  // (length - 1) modulo DataBytes
    input logic [32-$clog2(DataBytes):0] job_beats_m1_i,
    output logic zeros_o,  // this job is one of zeros
    input logic zero_i,  // make a beat of them
    // Bus beats
    input logic valid_i,
    output logic ready_o,
    input logic [8*DataBytes-1:0] data_i,
    input logic error_i,
    // Packets, never refused
    output logic valid_o,
    output logic [8*DataBytes-1:0] data_o,
    output logic [DataBytes-1:0] keep_o,
    output logic last_o,
    output logic error_o,  // of this or an earlier beat of the message
    output logic absorbed_o  // a bus beat that no packet beat comes of
);

  localparam int unsigned Levels = $clog2(DataBytes);
  typedef logic [Levels-1:0] lane_t;

  // ---- the active job ---------------------------------------------------------------------------
  // A slot is a cycle in which the funnel moves: with a bus beat, with zeros, or to flush the rest
  // of the last bus beat.
  logic active_q, zeros_q, continues_q, first_q, last_q, more_q, flush_q;
  logic carried_q;  // bytes come from the beat before
  logic [32-Levels:0] left_q;
  lane_t shift_q, tail_q;
  logic take, slot, ends, load;
  logic [3:0] pause_q;  // since a job ended

  assign take = valid_i && ready_o;
  assign slot = take || flush_q || (zero_i && zeros_q && active_q);
  assign ends = flush_q || (slot && last_q && !more_q);
  assign job_ready_o = !active_q || ends;
  assign load = job_valid_i && job_ready_o;
  assign zeros_o = active_q && zeros_q;

  lane_t shift;
  logic [Levels:0] spread;  // lanes of the packet's last beat behind the shift
  assign shift  = Alignment == AnyByte ? -job_offset_i : '0;
  assign spread = {1'b0, job_offset_i} + {1'b0, job_tail_i};

  always_ff @(posedge clk_i) begin
    flush_q <= slot && last_q && more_q && !flush_q;
    if (slot) begin
      first_q <= 1'b0;
      left_q  <= left_q - 1'b1;
      last_q  <= left_q == 1;
    end
    if (ends) active_q <= 1'b0;
    if (load) begin
      active_q    <= 1'b1;
      zeros_q     <= job_zeros_i;
      continues_q <= job_continues_i;
      first_q     <= 1'b1;
      left_q      <= job_beats_m1_i;
      last_q      <= job_beats_m1_i == '0;
      shift_q     <= shift;
      carried_q   <= shift != '0;
      tail_q      <= job_tail_i;
      // As many packet beats as bus beats: the last packet beat comes from the carry alone.
      more_q      <= Alignment == AnyByte && shift != '0 && !spread[Levels];
    end
    if (rst_i || wipe_i) {active_q, flush_q} <= '0;
  end

  // After the end of a job, its successor may take a few cycles to arrive, and its beats must wait.
  // If none has arrived by then, its beats have not been asked for yet.
  logic ready_behind, ready_else;  // behind the job's last beat, and without one
  assign ready_behind = job_valid_i && !more_q;
  assign ready_else   = flush_q ? job_valid_i : active_q || job_valid_i || pause_q == '0;
  always_ff @(posedge clk_i) begin
    pause_q <= {pause_q[2:0], ends && !load};
    ready_o <= slot && last_q ? ready_behind : ready_else;
    if (rst_i || wipe_i) begin
      pause_q <= '0;
      ready_o <= 1'b1;
    end
  end

  // ---- properties of a slot, which move with its data -------------------------------------------
  typedef struct packed {
    logic  last;
    logic  error;
    lane_t count;  // bytes - 1
  } known_t;

  logic [8*DataBytes-1:0] data_q;
  logic slot_q, made_q, failed_q, within_q;
  known_t known_q;
  lane_t  shift_of_q;
  logic   failed;

  // A separate flag that drives the data directly: one more table would be too slow for all bits.
  (* keep *)logic   clear_q;
  always_ff @(posedge clk_i) clear_q <= wipe_i || (load ? job_zeros_i : zeros_q);

  // within_q: this job continues the message of the job before
  assign failed = (take && error_i) || (failed_q && (!first_q || within_q));
  always_ff @(posedge clk_i) begin
    data_q        <= data_i;
    slot_q        <= slot;
    made_q        <= slot && (!first_q || !carried_q);
    absorbed_o    <= take && first_q && carried_q && !more_q;
    known_q.last  <= ends;
    known_q.error <= failed;
    known_q.count <= ends ? tail_q : '1;
    shift_of_q    <= shift_q;
    if (slot) failed_q <= failed;
    if (ends) within_q <= continues_q;
    if (clear_q) data_q <= '0;
    if (rst_i || wipe_i) begin
      {slot_q, made_q, absorbed_o, failed_q, within_q} <= '0;
    end
  end

  // ---- the funnel -------------------------------------------------------------------------------
  localparam int unsigned Depth = Alignment == AnyByte ? Levels : 0;
  logic [8*DataBytes-1:0] stage[Depth+1];
  logic [Depth:0] valid, made;
  known_t known[Depth+1];
  lane_t shift_of[Depth+1];

  assign stage[0] = data_q;
  assign valid[0] = slot_q;
  assign made[0] = made_q;
  assign known[0] = known_q;
  assign shift_of[0] = shift_of_q;
  for (genvar i = 0; i < Depth; i++) begin : gen_level
    dma_shift_up #(
        .DataBytes(DataBytes),
        .Step     (DataBytes >> (i + 1))
    ) u_shift (
        .clk_i,
        .wipe_i,
        .valid_i(valid[i]),
        .shift_i(shift_of[i][Levels-1-i]),
        .data_i (stage[i]),
        .data_o (stage[i+1])
    );
    always_ff @(posedge clk_i) begin
      valid[i+1]    <= valid[i] && !rst_i && !wipe_i;
      made[i+1]     <= made[i] && !rst_i && !wipe_i;
      known[i+1]    <= known[i];
      shift_of[i+1] <= shift_of[i];
    end
  end

  assign valid_o = made[Depth];
  assign data_o  = stage[Depth];
  assign last_o  = known[Depth].last;
  assign error_o = known[Depth].error;
  always_comb begin
    for (int unsigned i = 0; i < DataBytes; i++) keep_o[i] = lane_t'(i) <= known[Depth].count;
  end

  logic unused;
  assign unused = ^{valid[Depth], shift_of[Depth], spread};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && !wipe_i && take) a_has_a_job : assert (active_q && !zeros_q && !flush_q);
  end
`endif

endmodule
