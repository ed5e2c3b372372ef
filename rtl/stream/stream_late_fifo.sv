// SPDX-License-Identifier: Apache-2.0
// FIFO in small RAMs for wide data that comes a cycle after its push, which is never refused:
// room_o says early enough whether there is room. So what decides about an entry has a cycle to
// reach all of its data. First word falls through, one transfer per cycle, latency 2 cycles from
// the push. A wipe takes Depth + 2 cycles; valid falls a cycle after wipe_i.
//
// Each slice of the data has its own pointers; all slices do the same in each cycle, and tools must
// not merge their registers (keep; on the process for Yosys, as in flag_copies).

module stream_late_fifo #(
    int unsigned Width,  // bits of data
    int unsigned Depth = 8,  // a power of two, at least 8; all but one are used
    int unsigned SliceBits = 160
) (
    input  logic             clk_i,
    input  logic             rst_i,    // synchronous, active high
    input  logic             wipe_i,   // held: nothing in from the second cycle on, data cleared
    output logic             room_o,   // after it has fallen, two more entries may come
    input  logic             push_i,
    input  logic [Width-1:0] data_i,   // a cycle later; 0 from the second cycle of a wipe on
    output logic             valid_o,
    input  logic             ready_i,
    output logic [Width-1:0] data_o
);

  if (Depth < 8 || 2 ** $clog2(Depth) != Depth) begin : gen_bad_depth
    $fatal(1, "stream_late_fifo: Depth must be a power of two, at least 8");
  end

  localparam int unsigned Slices = (Width + SliceBits - 1) / SliceBits;
  typedef logic [$clog2(Depth)-1:0] pointer_t;

  // ---- how many there are, with those whose data has not come -----------------------------------
  pointer_t level_q;
  logic pushed_q, pop, unused_next, unused_full;
  assign pop = valid_o && ready_i;
  always_ff @(posedge clk_i) begin
    pushed_q <= push_i;
    if (push_i != pop) level_q <= level_q + {{$bits(pointer_t) - 1{pop}}, 1'b1};
    room_o <= level_q < pointer_t'(Depth - 4);
    if (rst_i || wipe_i) begin
      pushed_q <= 1'b0;
      level_q  <= '0;
      room_o   <= 1'b0;
    end
  end

  stream_count #(
      .Max  (Depth - 1),
      .Start(0)
  ) u_held (
      .clk_i,
      .rst_i(rst_i || wipe_i),
      .give_i(pushed_q),
      .take_i(pop),
      .some_o(valid_o),
      .some_next_o(unused_next),
      .full_o(unused_full)
  );

  // ---- data: in a wipe the write pointer walks, and the read pointer follows --------------------
  for (genvar s = 0; s < Slices; s++) begin : gen_slice
    localparam int unsigned Low = s * SliceBits;
    localparam int unsigned Bits = Width - Low < SliceBits ? Width - Low : SliceBits;
    (* keep *) logic wiping_q, catching_q, push_q;
    (* keep *) pointer_t write_q, read_q;
    (* keep *) always_ff @(posedge clk_i) begin
      wiping_q <= wipe_i && !rst_i;
      catching_q <= wiping_q && !rst_i;
      push_q <= push_i;
      if (push_q || wiping_q) write_q <= write_q + 1'b1;
      if (pop) read_q <= read_q + 1'b1;
      if (wiping_q || catching_q) read_q <= write_q;
      if (rst_i) {push_q, write_q, read_q} <= '0;
    end

    // One more entry is always free and is written in every cycle, so no enable is needed.
    (* ram_style = "distributed", ramstyle = "MLAB, no_rw_check" *)
    logic [Bits-1:0] memory[Depth];
    always_ff @(posedge clk_i) memory[write_q] <= data_i[Low+:Bits];
    assign data_o[Low+:Bits] = memory[read_q];
  end

  stream_hold #(
      .Width(Width)
  ) u_hold (
      .clk_i,
      .idle_i (rst_i || wipe_i),
      .valid_i(valid_o),
      .ready_i(ready_i),
      .data_i (data_o)
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && !wipe_i) a_room : assert (!push_i || level_q != '1 || pop);
  end
`endif

endmodule
