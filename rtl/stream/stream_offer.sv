// SPDX-License-Identifier: Apache-2.0
// Spill register at a bus: its oldest entry is offered when the owner says so. In a wipe, an entry
// that is offered stays until it is taken; all others are cleared. offer_i says for either value of
// ready_i whether the oldest entry is offered from the next cycle on.
// Latency 1 cycle, one transfer per cycle, holds 2 entries.
//
// As in stream_spill, the two registers alternate, and a free one loads what comes: no enable of
// the data depends on this cycle's handshakes. For slices of wide data there is one each. They do
// the same in each cycle, and tools must not merge their flags (keep; on the process for Yosys, as
// in flag_copies). The data have flags of their own, so that the others can be near each other.

module stream_offer #(
    int unsigned Width  // bits of data
) (
    input  logic             clk_i,
    input  logic             rst_i,    // synchronous, active high: clears the flags only
    input  logic             wipe_i,   // held for 3 cycles, and until nothing is offered
    input  logic             valid_i,  // not in the cycle after a wipe
    output logic             ready_o,
    input  logic [Width-1:0] data_i,
    input  logic [      1:0] offer_i,  // see above: for ready_i 0, and for ready_i 1
    output logic             valid_o,  // one is offered
    input  logic             ready_i,
    output logic [Width-1:0] data_o    // 0 unless valid_o
);

  (* keep *) logic [1:0] held_q;
  (* keep *) logic write_q, read_q;  // whose turn it is
  (* keep *) logic shown_q;
  (* keep *) logic [1:0] data_held_q;  // as those above
  (* keep *) logic data_read_q, data_shown_q;
  (* keep *) logic [1:0] clear_q;
  logic push, pop, read, keep, show;
  logic [1:0] held, kept, hold;

  assign ready_o = !held_q[write_q] && !wipe_i;
  assign valid_o = shown_q;
  assign push = valid_i && ready_o;
  assign pop = shown_q && ready_i;

  // In the next cycle: what is held, and where the oldest entry is. What a wipe keeps.
  always_comb begin
    held = held_q;
    if (push) held[write_q] = 1'b1;
    if (pop) held[read_q] = 1'b0;
    read = read_q ^ pop;
    keep = shown_q && !ready_i;
    kept = {keep && read_q, keep && !read_q};
    hold = wipe_i ? kept : held;
    show = wipe_i ? keep : offer_i[ready_i] && held[read];
  end

  (* keep *) always_ff @(posedge clk_i) begin
    {held_q, data_held_q} <= {2{hold}};
    {read_q, data_read_q} <= {2{read}};
    {shown_q, data_shown_q} <= {2{show}};
    write_q <= wipe_i ? read ^ keep : write_q ^ push;
    clear_q <= {2{wipe_i}} & ~kept;
    if (rst_i) begin
      {held_q, write_q, read_q, shown_q} <= '0;
      {data_held_q, data_read_q, data_shown_q} <= '0;
    end
  end

  logic [1:0][Width-1:0] data_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 2; i++) begin
      if (!data_held_q[i]) data_q[i] <= data_i;
      if (clear_q[i]) data_q[i] <= '0;
    end
  end
  assign data_o = data_q[data_read_q] & {Width{data_shown_q}};

  stream_hold #(
      .Width(Width)
  ) u_hold (
      .clk_i,
      .idle_i (rst_i),
      .valid_i(valid_o),
      .ready_i(ready_i),
      .data_i (data_o)
  );

endmodule
