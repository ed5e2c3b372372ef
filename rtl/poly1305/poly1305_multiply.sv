// SPDX-License-Identifier: Apache-2.0
// A * B + C modulo 2^130 - 5 in numbers of poly1305_pkg: Interval cycles each, 64 / Interval
// multipliers. Two columns make a segment; B rotates so that its limbs meet the right limbs of A.
// Nothing ever stalls; step_i says which step a cycle belongs to.
//
// C of a step is taken 5 cycles after it, the result is there 7 cycles after the last; with all
// segments in one step 6.

module poly1305_multiply
  import poly1305_pkg::*;
#(
    int unsigned Interval,
    localparam int unsigned Width = Segments / Interval  // segments in a cycle
) (
    input logic clk_i,
    input logic wipe_i,
    input limbs_t a_i,  // for all steps
    input limbs_t b_i,  // step 0: as it is; rotated by 2 * Width limbs
    input logic [1:0] step_i,
    input logic [Width-1:0][SegmentBits-1:0] c_i,
    output number_t result_o
);

  localparam int unsigned Columns = 2 * Width;
  logic [5:1][1:0] step_q;
  always_ff @(posedge clk_i) step_q <= {step_q[4:1], step_i};

  // Columns are wiped one after the other: with one signal for all, tools would find their copies
  // of A and B equal and merge them.
  logic [Columns-1:0] wipe_q;
  always_ff @(posedge clk_i) wipe_q <= {wipe_q[Columns-2:0], wipe_i};

  logic [Columns-1:0][46:0] column;
  for (genvar c = 0; c < Columns; c++) begin : gen_column
    limbs_t beside;
    always_comb begin
      for (int unsigned i = 0; i < Limbs; i++) beside[i] = b_i[(c+Limbs-i)%Limbs];
    end
    poly1305_column #(
        .First  (c),
        .Columns(Columns)
    ) u_column (
        .clk_i,
        .wipe_i(wipe_q[c]),
        .a_i,
        .b_i   (beside),
        .step_i(step_q[2]),
        .sum_o (column[c])
    );
  end

  poly1305_carry #(
      .Interval(Interval)
  ) u_carry (
      .clk_i,
      .column_i(column),
      .c_i,
      .step_i  (step_q[5]),
      .result_o
  );

endmodule
