// SPDX-License-Identifier: Apache-2.0
// Makes packets from the beats that bus reads return: byte 0 of the source moves to lane 0. One
// beat per cycle; one more cycle for a packet whose last bytes are in the beat before. Latency: 1
// cycle per bit of a lane number (AnyByte; 64 bytes: per two bits), or 1 (AlignedOnly).
//
// Nothing here stalls: whoever asks for beats has room for the packets, and a beat comes only in a
// cycle behind one with open_o. That is low only before the additional cycle, and after the end of
// a job until the next job is there.

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
    // offset > 0 and offset + tail < DataBytes: as many packet beats as bus beats
    input logic job_more_i,
    output logic zeros_o,  // this job is one of zeros, which may be made
    input logic zero_i,  // make a beat of them; only with zeros_o
    // Bus beats
    output logic open_o,  // one may come in the next cycle
    input logic valid_i,
    input logic [8*DataBytes-1:0] data_i,  // 0 in a wipe
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
  logic zeros_open_q;  // not the first cycle of a job of zeros
  logic [32-Levels:0] left_q;
  lane_t shift_q, tail_q;
  logic slot, ends, load, steps, renews;

  assign slot = valid_i || flush_q || zero_i;
  assign ends = flush_q || (slot && last_q && !more_q);
  assign job_ready_o = !active_q || ends;
  assign load = job_valid_i && job_ready_o;
  // The counter changes with a slot and for a first job. It takes the next job's value wherever
  // this job may end; without a next job, nothing uses it. So no slot chooses what it takes.
  assign steps = slot || (job_valid_i && !active_q);
  assign renews = !active_q || flush_q || (last_q && !more_q);
  assign zeros_o = zeros_open_q;

  lane_t shift;
  assign shift = Alignment == AnyByte ? -job_offset_i : '0;

  always_ff @(posedge clk_i) begin
    flush_q <= slot && last_q && more_q && !flush_q;
    if (steps) begin
      first_q <= renews;
      left_q  <= renews ? job_beats_m1_i : left_q - 1'b1;
      last_q  <= renews ? job_beats_m1_i == '0 : left_q == 1;
    end
    if (ends) {active_q, zeros_q} <= '0;
    zeros_open_q <= zeros_q && !ends;
    if (load) begin
      active_q    <= 1'b1;
      zeros_q     <= job_zeros_i;
      continues_q <= job_continues_i;
      shift_q     <= shift;
      carried_q   <= shift != '0;
      tail_q      <= job_tail_i;
      // The last packet beat comes from the carry alone.
      more_q      <= Alignment == AnyByte && job_more_i;
    end
    if (rst_i || wipe_i) {active_q, zeros_q, zeros_open_q, flush_q} <= '0;
  end

  // After the end of a job, its successor may take a few cycles to arrive, and its beats must wait.
  // If none has arrived by then, its beats have not been asked for yet.
  logic open_behind, open_else;  // behind the job's last beat, and without one
  logic [2:0] active_before_q;
  logic idle_q;  // no job in the last 4 cycles
  assign open_behind = job_valid_i && !more_q;
  assign open_else = flush_q ? job_valid_i : active_q || job_valid_i || idle_q;
  assign open_o = valid_i && last_q ? open_behind : open_else;
  always_ff @(posedge clk_i) begin
    active_before_q <= {active_before_q[1:0], active_q};
    idle_q <= {active_before_q, active_q} == '0;
    if (rst_i || wipe_i) begin
      active_before_q <= '0;
      idle_q <= 1'b1;
    end
  end

  // ---- properties of a slot, which move with its data -------------------------------------------
  typedef struct packed {
    logic  last;
    logic  error;
    lane_t count;  // bytes - 1
  } known_t;

  logic failed_q, within_q, failed;

  // within_q: this job continues the message of the job before
  assign failed = (valid_i && error_i) || (failed_q && (!first_q || within_q));
  always_ff @(posedge clk_i) begin
    absorbed_o <= valid_i && first_q && carried_q && !more_q;
    if (slot) failed_q <= failed;
    if (ends) within_q <= continues_q;
    if (rst_i || wipe_i) {absorbed_o, failed_q, within_q} <= '0;
  end

  // zeros_q for each 128 bits, a cycle later: no zero is made in a job's first cycle, and no beat
  // comes right behind a zero.
  localparam int unsigned Slices = (DataBytes + 15) / 16;
  logic [Slices-1:0] clear;
  flag_copies #(
      .Copies(Slices)
  ) u_clear (
      .clk_i,
      .flag_i  (zeros_q || wipe_i),
      .copies_o(clear)
  );

  // ---- the funnel -------------------------------------------------------------------------------
  // A beat moves the bytes that the next one needs, other slots need not: zeros carry nothing.
  localparam int unsigned Depth = Alignment == AnyByte ? funnel_depth(DataBytes) : 1;
  logic [Depth:0] valid, made;
  known_t known[Depth+1];
  lane_t shift_of[Depth+1];

  assign valid[0] = valid_i || wipe_i;
  assign made[0] = slot && (!first_q || !carried_q);
  assign known[0] = '{last: ends, error: failed, count: ends ? tail_q : '1};
  assign shift_of[0] = shift_q;
  for (genvar i = 0; i < Depth; i++) begin : gen_stage
    always_ff @(posedge clk_i) begin
      valid[i+1]    <= valid[i] || wipe_i;
      made[i+1]     <= made[i] && !rst_i && !wipe_i;
      known[i+1]    <= known[i];
      shift_of[i+1] <= shift_of[i];
    end
  end

  dma_funnel #(
      .DataBytes(DataBytes),
      .Levels   (Alignment == AnyByte ? Levels : 1),
      .Depth    (Depth)
  ) u_funnel (
      .clk_i,
      .clear_i(clear),
      .valid_i(valid[Depth-1:0]),
      .shift_i(shift_of[0:Depth-1]),
      .data_i,
      .data_o
  );

  assign valid_o = made[Depth];
  assign last_o  = known[Depth].last;
  assign error_o = known[Depth].error;
  always_comb begin
    for (int unsigned i = 0; i < DataBytes; i++) keep_o[i] = lane_t'(i) <= known[Depth].count;
  end

  logic unused;
  assign unused = ^{valid[Depth], shift_of[Depth], job_more_i};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && !wipe_i) begin
      if (valid_i) a_has_a_job : assert (active_q && !zeros_q && !flush_q && clear == '0);
      if (zero_i) a_of_zeros : assert (zeros_o && &clear);
    end
  end
`endif

endmodule
