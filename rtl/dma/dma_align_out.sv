// SPDX-License-Identifier: Apache-2.0
// Makes bus beats with strobes from a job's packet: byte 0 of the packet moves to the lane of its
// destination. One beat per cycle; one more cycle per packet, and one more if the packet reaches
// into an additional bus word. Latency: 1 cycle per bit of a lane number (64 bytes: per two bits),
// and 1 more (AnyByte), or 1 (AlignedOnly).
//
// Nothing behind the input stalls: ready_o is a flag that there is room for everything in flight.
// After a beat with an error, no more bytes of its job are strobed, but all beats come.

module dma_align_out
  import dma_pkg::*;
#(
    int unsigned DataBytes,
    alignment_e  Alignment
) (
    input logic clk_i,
    input logic rst_i,
    input logic wipe_i,  // held for 16 cycles: data cleared
    // Jobs, one per packet, in order; AlignedOnly does not look at them
    input logic job_valid_i,
    output logic job_ready_o,
    input logic [$clog2(DataBytes)-1:0] job_offset_i,  // lane of the first byte
    // Lane of the first byte + (length - 1) modulo DataBytes: of the last byte; the top bit: the
    // packet reaches into an additional bus word
    input logic [$clog2(DataBytes):0] job_last_lane_i,
    // Packets
    input logic valid_i,
    output logic ready_o,
    input logic [8*DataBytes-1:0] data_i,
    input logic [DataBytes-1:0] keep_i,  // AnyByte: what the job says
    input logic last_i,
    input logic error_i,
    // Bus beats, never refused
    input logic room_i,  // 4 cycles old; also for beats in flight
    output logic soon_o,  // a beat comes 3 cycles later (AlignedOnly: now)
    output logic valid_o,
    output logic [8*DataBytes-1:0] data_o,
    output logic [DataBytes-1:0] strobe_o,
    // The job's last beat is on its way: comes before the beat, or with it
    output logic end_o,
    output logic error_o
);

  if (DataBytes < 8 || 2 ** $clog2(DataBytes) != DataBytes) begin : gen_bad_bytes
    $fatal(1, "dma_align_out: DataBytes must be a power of two, at least 8");
  end

  localparam int unsigned Levels = $clog2(DataBytes);
  typedef logic [Levels-1:0] lane_t;

  // ---- input register ---------------------------------------------------------------------------
  // A slot is a cycle that starts a bus beat: with a packet beat, or to flush the remaining bytes.
  logic ready_q, begin_q, failed_q, slot_q, end_q;
  logic accept, slot, done, failed;
  logic [8*DataBytes-1:0] data_q;

  assign ready_o = ready_q;
  assign accept  = valid_i && ready_q;
  assign failed  = (failed_q && !begin_q) || (accept && error_i);

  always_ff @(posedge clk_i) begin
    slot_q <= slot;
    end_q  <= done;
    if (slot) begin_q <= done;
    if (slot) failed_q <= failed;
    if (rst_i || wipe_i) begin
      slot_q  <= 1'b0;
      end_q   <= 1'b0;
      begin_q <= 1'b1;
    end
  end

  logic clear;  // from a register of its own: it has to reach all bits in a cycle
  flag_copies #(
      .Copies(1)
  ) u_clear (
      .clk_i,
      .flag_i  (wipe_i),
      .copies_o(clear)
  );
  always_ff @(posedge clk_i) begin
    data_q <= data_i;
    if (clear) data_q <= '0;
  end

  assign end_o   = end_q;
  assign error_o = failed_q;

  if (Alignment == AlignedOnly) begin : gen_straight
    logic [DataBytes-1:0] strobe_q;

    assign slot = accept;
    assign done = accept && last_i;

    always_ff @(posedge clk_i) begin
      ready_q  <= room_i;
      strobe_q <= keep_i;
      if (failed) strobe_q <= '0;
      if (rst_i || wipe_i) ready_q <= 1'b0;
    end

    assign job_ready_o = 1'b1;
    assign soon_o      = slot_q;
    assign valid_o     = slot_q;
    assign data_o      = data_q;
    assign strobe_o    = strobe_q;

    logic unused;
    assign unused = ^{job_valid_i, job_offset_i, job_last_lane_i};
  end else begin : gen_funnel
    // ---- the job of the packet, kept until its last slot ----------------------------------------
    logic job_q, spills_q, flush_q;
    lane_t offset_q, last_lane_q;

    assign slot = accept || flush_q;
    assign done = flush_q || (accept && last_i && !spills_q);
    // The next job is taken a cycle after the last slot: no handshake reaches the queue of jobs at
    // once.
    assign job_ready_o = end_q || !job_q;

    always_ff @(posedge clk_i) begin
      flush_q <= accept && last_i && spills_q;
      // Low behind each packet, until the next job is there.
      ready_q <= room_i && (end_q ? job_valid_i : job_q) && !flush_q && !(accept && last_i);
      if (job_ready_o) begin
        job_q <= job_valid_i;
        offset_q <= job_offset_i;
        {spills_q, last_lane_q} <= job_last_lane_i;
      end
      if (rst_i || wipe_i) {job_q, flush_q, ready_q} <= '0;
    end

    // ---- properties of a slot, which move with its data -----------------------------------------
    localparam int unsigned Depth = funnel_depth(DataBytes);
    logic [Depth:0] valid;
    logic begins_q;  // the job's first slot
    lane_t last_lane_0_q;  // end_q: of the job that ends
    lane_t offset[Depth];
    lane_t lowest[1:Depth-2];
    lane_t highest[1:Depth-2];

    assign valid[0] = slot_q;

    always_ff @(posedge clk_i) begin
      begins_q      <= begin_q;
      offset[0]     <= offset_q;
      last_lane_0_q <= last_lane_q;
      lowest[1]     <= failed_q ? '1 : begins_q ? offset[0] : '0;
      highest[1]    <= failed_q ? '0 : end_q ? last_lane_0_q : '1;
      for (int unsigned i = 1; i < Depth; i++) offset[i] <= offset[i-1];
      for (int unsigned i = 2; i < Depth - 1; i++) begin
        lowest[i]  <= lowest[i-1];
        highest[i] <= highest[i-1];
      end
      valid[Depth:1] <= valid[Depth-1:0];
      if (rst_i || wipe_i) valid[Depth:1] <= '0;
    end

    // ---- the funnel -----------------------------------------------------------------------------
    dma_funnel #(
        .DataBytes(DataBytes),
        .Levels   (Levels),
        .Depth    (Depth)
    ) u_funnel (
        .clk_i,
        .clear_i('0),
        .valid_i(valid[Depth-1:0] | {Depth{wipe_i}}),
        .shift_i(offset),
        .data_i (data_q),
        .data_o
    );

    dma_lane_mask #(
        .DataBytes(DataBytes)
    ) u_mask (
        .clk_i,
        .lowest_i (lowest[Depth-2]),
        .highest_i(highest[Depth-2]),
        .strobe_o
    );

    assign soon_o  = valid[Depth-3];
    assign valid_o = valid[Depth];

    logic unused;
    assign unused = ^keep_i;

`ifndef SYNTHESIS
    // Packets are as long as their jobs: full beats, then a last beat with the rest.
    always_ff @(posedge clk_i) begin
      if (!rst_i && !wipe_i && accept) begin
        a_has_a_job : assert (job_q);
        if (last_i)
          a_tail :
          assert (keep_i == {DataBytes{1'b1}} >> ~(last_lane_q - offset_q));
          else a_full : assert (&keep_i);
      end
    end
`endif
  end

endmodule
