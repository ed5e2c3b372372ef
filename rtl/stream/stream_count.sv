// SPDX-License-Identifier: Apache-2.0
// Counts units that are given and taken one by one, both in each cycle if need be: free places
// (Start = Max) or entries that are there (Start = 0). some_o is a register and always right, so a
// unit can be taken in every cycle; stream_credit is for more than one at once.

module stream_count #(
    int unsigned Max,   // units there ever are, given and not taken
    int unsigned Start  // after a reset: 0 or Max
) (
    input logic clk_i,
    input logic rst_i,  // also for a wipe
    input logic give_i,  // one more
    input logic take_i,  // one less; only with some_o
    output logic some_o,  // at least one is there
    output logic some_next_o,  // some_o in the next cycle; not after rst_i
    output logic full_o  // Max are
);

  if (Max < 2 || !(Start inside {0, Max})) begin : gen_bad_size
    $fatal(1, "stream_count: Max must be at least 2, and Start 0 or Max");
  end

  // One adder for both directions. Counters that do the same, each near what it is for, stay apart
  // (keep).
  localparam int unsigned Bits = $clog2(Max + 1);
  typedef logic [Bits-1:0] level_t;
  (* keep *)level_t level_q;
  (* keep *)logic   some_q;

  assign some_o = some_q;
  assign some_next_o = give_i || (some_q && !(take_i && level_q == level_t'(1)));
  assign full_o = 2 ** (Bits - 1) == Max ? level_q[Bits-1] : level_q == level_t'(Max);

  always_ff @(posedge clk_i) begin
    if (give_i != take_i) level_q <= level_q + {{Bits - 1{take_i}}, 1'b1};
    some_q <= some_next_o;
    if (rst_i) begin
      level_q <= level_t'(Start);
      some_q  <= Start != 0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      a_right : assert (some_q == (level_q != '0));
      a_there : assert (some_q || !take_i);
      a_room : assert (take_i || !give_i || level_q != level_t'(Max));
    end
  end
`endif

endmodule
