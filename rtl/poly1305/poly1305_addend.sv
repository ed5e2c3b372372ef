// SPDX-License-Identifier: Apache-2.0
// C of a turn, segments by step: a message block, which waits in registers until the product is
// ready, or r of a new key. Unused sources are zero, so an OR selects.

module poly1305_addend
  import poly1305_pkg::*;
#(
    int unsigned Interval,
    int unsigned Delay,  // cycles from take_i to the one before c_o, at least 3
    localparam int unsigned Width = Segments / Interval  // segments in a cycle
) (
    input  logic                              clk_i,
    input  logic                              rst_i,   // nothing is in progress
    input  logic                              wipe_i,
    // A block, which is padded here
    input  logic                              take_i,
    input  logic [    127:0]                  data_i,
    input  logic [     15:0]                  keep_i,
    // r, its segments of this step: 2 cycles before they are at c_o
    input  logic                              load_i,
    input  logic [      1:0]                  step_i,
    input  logic [    127:0]                  r_i,
    output logic [Width-1:0][SegmentBits-1:0] c_o
);

  segments_t block_q[Delay+Interval-1];
  segments_t r_q;

  logic take_q;

  always_ff @(posedge clk_i) begin
    // block_q[0] follows data_i in every cycle; whether the block is taken is known late and
    // applied a cycle later, as it drives all bits.
    take_q <= take_i;
    block_q[0] <= wipe_i ? '0 : segments_t'(padded(data_i, keep_i));
    block_q[1] <= take_q ? block_q[0] : '0;
    for (int unsigned i = 2; i < Delay + Interval - 1; i++) block_q[i] <= block_q[i-1];
    // After a reset, blocks of an earlier message must not be added to a product of the next key.
    if (rst_i) begin
      take_q <= 1'b0;
      for (int unsigned i = 1; i < Delay + Interval - 1; i++) block_q[i] <= '0;
    end
    r_q <= segments_t'(clamped(r_i));
    for (int unsigned s = 0; s < Segments; s++) begin
      if (!load_i || 32'(step_i) != s / Width) r_q[s] <= '0;
    end
  end

  logic [Width-1:0][SegmentBits-1:0] chosen;
  always_comb begin
    chosen = '0;
    for (int unsigned i = 0; i < Interval; i++) begin
      for (int unsigned s = 0; s < Width; s++) begin
        chosen[s] |= block_q[Delay-1+i][i*Width+s] | r_q[i*Width+s];
      end
    end
  end
  always_ff @(posedge clk_i) c_o <= chosen;

endmodule
