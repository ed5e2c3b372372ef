// SPDX-License-Identifier: Apache-2.0
// Accumulators and powers in two small RAMs, and A and B of a turn from them: valid 1 cycle after
// valid_i, for Interval cycles. What is written can be read in the next cycle.

module poly1305_operands
  import poly1305_pkg::*;
#(
    int unsigned Interval
) (
    input  logic          clk_i,
    input  logic          wipe_i,
    input  logic          valid_i,
    input  logic          zero_i,   // A is 0
    input  logic          first_i,  // A is the block
    input  block_t        block_i,
    input  logic    [3:0] a_i,      // where A is otherwise
    input  logic    [3:0] b_i,      // where B is
    output limbs_t        a_o,
    output limbs_t        b_o,      // turned, step by step: see poly1305_multiply
    // A result: to a lane, or to both RAMs if it is a power
    input  logic          write_i,
    input  logic          power_i,
    input  logic    [3:0] to_i,
    input  number_t       number_i
);

  localparam int unsigned Turned = 2 * Segments / Interval;

  logic [NumberBits-1:0] a_memory[16], b_memory[16];

  always_ff @(posedge clk_i) begin
    if (write_i || wipe_i) a_memory[{wipe_i?to_i[3] : power_i, to_i[2:0]}] <= NumberBits'(number_i);
  end
  always_ff @(posedge clk_i) begin
    if ((write_i && power_i) || wipe_i) b_memory[to_i] <= NumberBits'(number_i);
  end

  logic unused;
  assign unused = ^number_i[Segments-1][SegmentBits:29];

  limbs_t a_q, b_q;
  assign a_o = a_q;
  assign b_o = b_q;

  always_ff @(posedge clk_i) begin
    b_q <= limbs_t'({b_q, b_q} >> (Turned * (LimbBits + 1)));
    if (valid_i) begin
      a_q <= limbs_of(first_i ? number_of(block_i) : number_t'(a_memory[a_i]));
      b_q <= limbs_of(number_t'(b_memory[b_i]));
      if (zero_i) a_q <= '0;
    end
    if (wipe_i) {a_q, b_q} <= '0;
  end

endmodule
