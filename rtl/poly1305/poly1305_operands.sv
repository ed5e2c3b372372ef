// SPDX-License-Identifier: Apache-2.0
// Accumulators and powers in two small RAMs, and A and B of a turn from them, 1 cycle after valid_i
// and for Interval cycles. What is written can be read in the next cycle.

module poly1305_operands
  import poly1305_pkg::*;
#(
    int unsigned Interval
) (
    input  logic          clk_i,
    input  logic          wipe_i,
    input  logic          valid_i,
    input  logic          zero_i,   // A is 0
    input  logic    [3:0] a_i,      // where A is otherwise
    input  logic    [4:0] b_i,      // where B is
    output limbs_t        a_o,
    output limbs_t        b_o,      // rotated, step by step: see poly1305_multiply
    // A result: to a lane, or to both RAMs if it is a power
    input  logic          write_i,
    input  logic          power_i,
    input  logic    [4:0] to_i,
    input  number_t       number_i
);

  localparam int unsigned StepLimbs = 2 * Segments / Interval;
  localparam int unsigned PowerBits = $clog2(lanes(Interval));

  // Lanes, and behind them the first 4 powers, from which the others are made
  logic [NumberBits-1:0] a_memory[16];
  logic [3:0] a_to;
  assign a_to = power_i && !wipe_i ? {2'b11, to_i[1:0]} : to_i[3:0];
  always_ff @(posedge clk_i) begin
    if ((write_i && !(power_i && to_i[3:2] != '0)) || wipe_i)
      a_memory[a_to] <= NumberBits'(number_i);
  end

  // Powers of the keys
  logic [NumberBits-1:0] b_memory[Keys<<PowerBits];
  logic [PowerBits:0] b_to;
  assign b_to = wipe_i ? to_i[PowerBits:0] : {to_i[4], to_i[PowerBits-1:0]};
  always_ff @(posedge clk_i) begin
    if ((write_i && power_i) || wipe_i) b_memory[b_to] <= NumberBits'(number_i);
  end

  limbs_t a, b;
  assign a = limbs_of(number_t'(a_memory[a_i]));
  assign b = limbs_of(number_t'(b_memory[{b_i[4], b_i[PowerBits-1:0]}]));

  limbs_t a_q, b_q;
  assign a_o = a_q;
  assign b_o = b_q;
  always_ff @(posedge clk_i) begin
    b_q <= valid_i ? b : limbs_t'({b_q, b_q} >> (StepLimbs * (LimbBits + 1)));
    if (valid_i) a_q <= a;
    if ((valid_i && zero_i) || wipe_i) a_q <= '0;
    if (wipe_i) b_q <= '0;
  end

  logic unused;
  assign unused = ^{number_i[Segments-1][SegmentBits:29], b_i};

endmodule
