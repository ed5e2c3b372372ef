// SPDX-License-Identifier: Apache-2.0
// Messages of aes_cbc, one per lane. Two beats of each lane wait here; lanes whose chaining value
// is ready take turns. A block enters the cipher three cycles after the block before it left. IVs
// and partial beats bypass the cipher.

module aes_cbc_lanes
  import aes_pkg::*;
#(
    parameter int unsigned Lanes,  // a power of two
    localparam int unsigned LaneBits = $clog2(Lanes)
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  wipe_i,         // takes 2 * Lanes + 1 cycles
    // Beats: first the IV
    input  logic                  open_i,         // they may be taken
    input  logic                  valid_i,
    output logic                  ready_o,        // depends on lane_i
    input  logic   [LaneBits-1:0] lane_i,
    input  block_t                data_i,
    input  logic   [        15:0] keep_i,
    input  logic                  last_i,
    output logic   [   Lanes-1:0] room_o,         // lanes that take a beat now
    output logic                  begun_o,        // the last beat of some message is still to come
    output logic                  busy_o,         // a beat waits, or a block is in the cipher
    // To the cipher
    input  logic                  credit_i,       // there is room for one more result
    output logic                  spend_o,        // it is for the beat that is picked now
    output logic                  valid_o,
    input  logic                  ready_i,
    output block_t                block_o,
    output logic   [LaneBits-1:0] lane_o,
    output logic                  last_o,
    // From the cipher, with the last round key
    input  logic                  made_i,
    input  block_t                made_block_i,
    input  logic   [LaneBits-1:0] made_lane_i,
    input  logic                  made_last_i,
    // Results: each has its room
    output logic                  result_o,
    output block_t                result_data_o,
    output logic   [LaneBits-1:0] result_lane_o,
    output logic                  result_last_o,
    output logic                  partial_o       // not a whole block, or behind such a block: 0
);

  typedef logic [LaneBits-1:0] lane_t;
  typedef logic [Lanes-1:0] lanes_t;

  // ---- beats that wait --------------------------------------------------------------------------
  // The two entries of a lane alternate, as in stream_spill, but all lanes share one memory.
  typedef struct packed {
    logic   around;   // the cipher: an IV, or partial
    logic   partial;
    logic   last;
    block_t data;
  } beat_t;
  typedef logic [LaneBits:0] entry_t;  // {lane, which of its two}

  logic [Lanes-1:0][1:0] held_q;
  lanes_t write_q, read_q, begun_q, partial_q, busy_q, room, waiting;
  logic take, partial, leaves, picked_q;
  entry_t entry_q;
  lane_t  lane;

  always_comb begin
    for (int unsigned i = 0; i < Lanes; i++) begin
      room[i] = !held_q[i][write_q[i]];
      waiting[i] = held_q[i][read_q[i]];
    end
  end

  assign room_o = open_i && !wipe_i ? room : '0;
  assign ready_o = room_o[lane_i];
  assign take = valid_i && ready_o;
  assign partial = partial_q[lane_i] || keep_i != '1;
  assign begun_o = begun_q != '0;
  assign busy_o = held_q != '0 || busy_q != '0;
  assign lane = entry_q[LaneBits:1];

  always_ff @(posedge clk_i) begin
    if (take) begin
      held_q[lane_i][write_q[lane_i]] <= 1'b1;
      write_q[lane_i] <= !write_q[lane_i];
      begun_q[lane_i] <= !last_i;
      partial_q[lane_i] <= partial && !last_i;
    end
    if (leaves) begin
      held_q[lane][entry_q[0]] <= 1'b0;
      read_q[lane] <= !read_q[lane];
    end
    if (rst_i || wipe_i) begin
      held_q <= '0;
      {write_q, read_q, begun_q, partial_q} <= '0;
    end
  end

  // Here and for the chaining values: a word is never read in the cycle that writes it.
  (* no_rw_check, ramstyle = "no_rw_check" *)
  logic [$bits(beat_t)-1:0] memory[2*Lanes];
  entry_t wipe_q;
  beat_t beat;

  always_ff @(posedge clk_i) begin
    wipe_q <= wipe_i ? wipe_q + 1'b1 : '0;
    if (take || wipe_i) begin
      memory[wipe_i ? wipe_q : {lane_i, write_q[lane_i]}] <= wipe_i ? '0 :
          {partial || !begun_q[lane_i], partial, last_i, data_i};
    end
  end
  assign beat = memory[entry_q];

  // ---- arbitration ------------------------------------------------------------------------------
  // A lane is busy from the pick of its beat until its chaining value is known. The lanes above the
  // last picked one have priority. Which lanes may be picked is known one cycle late, except for
  // the lane just picked; so two picks are never in consecutive cycles. The cipher needs more time
  // per block anyway.
  lanes_t above_q, candidates_q, later, turn, above;
  logic pick, goes_around;

  function automatic lanes_t above_lowest(lanes_t x);
    lanes_t result = '0;
    for (int unsigned i = 1; i < Lanes; i++) result[i] = result[i-1] || x[i-1];
    return result;
  endfunction

  assign later = candidates_q & above_q;
  assign above = later != '0 ? above_lowest(later) : above_lowest(candidates_q);
  assign turn = (later != '0 ? later : candidates_q) & ~above;
  assign pick = candidates_q != '0 && credit_i && !picked_q;
  assign spend_o = pick;

  assign goes_around = picked_q && beat.around && !made_i;
  assign leaves = goes_around || (valid_o && ready_i);

  always_ff @(posedge clk_i) begin
    candidates_q <= waiting & ~busy_q;
    if (leaves) picked_q <= 1'b0;
    if (goes_around) busy_q[lane] <= 1'b0;
    if (made_i) busy_q[made_lane_i] <= 1'b0;
    if (!picked_q) begin
      entry_q <= '0;
      for (int unsigned i = 0; i < Lanes; i++) if (turn[i]) entry_q <= {lane_t'(i), read_q[i]};
    end
    if (pick) begin
      picked_q <= 1'b1;
      for (int unsigned i = 0; i < Lanes; i++) if (turn[i]) busy_q[i] <= 1'b1;
      above_q <= above;
    end
    if (rst_i || wipe_i) begin
      picked_q <= 1'b0;
      {busy_q, above_q, candidates_q} <= '0;
    end
  end

  // ---- results, which are chaining values as well -----------------------------------------------
  typedef struct packed {
    logic   partial;
    logic   last;
    lane_t  lane;
    block_t data;
  } result_t;
  result_t result_q;
  logic result_valid_q;

  always_ff @(posedge clk_i) begin
    result_valid_q <= (made_i || goes_around) && !rst_i && !wipe_i;
    result_q <= '{partial: beat.partial, last: beat.last, lane: lane, data: beat.data};
    if (beat.partial) result_q.data <= '0;
    if (made_i) begin
      result_q <= '{partial: 1'b0, last: made_last_i, lane: made_lane_i, data: made_block_i};
    end
    if (wipe_i) result_q <= '0;
  end

  assign result_o = result_valid_q;
  assign {partial_o, result_last_o, result_lane_o, result_data_o} = result_q;

  (* no_rw_check, ramstyle = "no_rw_check" *)
  block_t chain_memory[Lanes];
  always_ff @(posedge clk_i) begin
    if (result_valid_q || wipe_i) begin
      chain_memory[wipe_i?lane_t'(wipe_q) : result_q.lane] <= wipe_i ? '0 : result_q.data;
    end
  end

  assign valid_o = picked_q && !beat.around && !wipe_i;
  assign block_o = beat.data ^ chain_memory[lane];
  assign lane_o  = lane;
  assign last_o  = beat.last;

  always_ff @(posedge clk_i) begin
    if (!rst_i && !wipe_i) begin
      picked_is_held : assert (!picked_q || held_q[lane][entry_q[0]]);
      picked_is_busy : assert (!picked_q || busy_q[lane]);
      made_is_busy : assert (!made_i || busy_q[made_lane_i]);
      chain_is_written : assert (!picked_q || !result_valid_q || result_q.lane != lane);
    end
  end

endmodule
