// SPDX-License-Identifier: Apache-2.0
// Proof of poly1305_carry: the result equals the columns plus C modulo 2^130 - 5, and is small
// enough: test_poly1305_proofs.py shows that such numbers make columns of at most ColumnBits.

module poly1305_carry_formal
  import poly1305_pkg::*;
#(
    int unsigned Interval = 4,
    localparam int unsigned Width = Segments / Interval
) (
    input logic                                clk_i,
    input logic [2*Width-1:0][           46:0] column_i,
    input logic [  Width-1:0][SegmentBits-1:0] c_i
);

  localparam logic [7:0][5:0] ColumnBits = {6'd37, 6'd38, 6'd39, 6'd43, 6'd44, 6'd45, 6'd45, 6'd45};
  localparam logic [34:0] Largest = 35'h4_4000_0000, LargestTop = 35'h1080_0000;
  localparam logic [1:0] LastStep = 2'(Interval - 1);

  // Steps follow each other without a gap, from some number on.
  logic [1:0] step_q = '0;
  logic [2:0] age_q = '0;
  number_t result;

  poly1305_carry #(
      .Interval(Interval)
  ) u_carry (
      .clk_i,
      .column_i,
      .c_i,
      .step_i  (step_q),
      .result_o(result)
  );

  typedef logic [199:0] wide_t;
  wide_t part, sum_q, whole_q, whole_late_q;

  always_comb begin
    part = '0;
    for (int unsigned s = 0; s < Width; s++) begin
      part += (wide_t'(column_i[2*s]) + (wide_t'(column_i[2*s+1]) << LimbBits) + wide_t'(c_i[s])) <<
          (SegmentBits * (step_q * Width + s));
    end
  end

  always_ff @(posedge clk_i) begin
    step_q <= step_q == LastStep ? '0 : step_q + 1'b1;
    sum_q  <= step_q == '0 ? part : sum_q + part;
    if (age_q != '1) age_q <= age_q + 1'b1;
  end

  // With the last step's result, 2 cycles later, in one step 1, the sum of all its steps
  always_ff @(posedge clk_i) begin
    whole_q <= step_q == '0 ? part : sum_q + part;
    whole_late_q <= Interval == 1 ? (step_q == '0 ? part : sum_q + part) : whole_q;
  end

  logic [1:0] step_late_q, step_result_q;
  always_ff @(posedge clk_i) begin
    step_late_q   <= step_q;
    step_result_q <= Interval == 1 ? step_q : step_late_q;
  end

  wide_t value, folded;
  always_comb begin
    value = '0;
    for (int unsigned s = 0; s < Segments; s++) value += wide_t'(result[s]) << (SegmentBits * s);
  end
  // The folded part: the carry of the top segment, without the carry of the segment below it
  logic [34:0] fold, fold_q;
  assign fold = 35'(u_carry.wide_q[Width-1] >> TopBits);
  always_ff @(posedge clk_i) fold_q <= fold;
  assign folded = wide_t'(Interval == 1 ? fold : fold_q);

  logic bounded;
  always_comb begin
    bounded = step_q != LastStep || c_i[Width-1] >> 27 == '0;  // a block is below 2^129
    for (int unsigned c = 0; c < 2 * Width; c++) begin
      bounded &= column_i[c] >> ColumnBits[step_q*2*Width+c] == '0;
    end
  end
  always_comb assume (bounded);

  always_ff @(posedge clk_i) begin
    if (age_q > 3'(Interval + 1) && step_result_q == LastStep) begin
      equal : assert (value + (folded << 130) == whole_late_q + folded + (folded << 2));
      low_segments : assert (result[0] < Largest && result[1] < Largest && result[2] < Largest);
      top_segment : assert (result[3] < LargestTop);
      reached : cover (folded != '0);
    end
  end

endmodule
