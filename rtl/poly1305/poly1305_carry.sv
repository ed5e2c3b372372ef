// SPDX-License-Identifier: Apache-2.0
// The carries of a product: columns, two per segment, and C become a number as in poly1305_pkg,
// equal modulo 2^130 - 5. Each segment keeps its own carry, so none travels further than to the
// next segment. The result is ready 2 cycles after the last step (1 with all segments at once); the
// segments of later steps are the lowest ones after that, step by step.

module poly1305_carry
  import poly1305_pkg::*;
#(
    int unsigned Interval,
    localparam int unsigned Width = Segments / Interval  // segments in a cycle
) (
    input  logic                                   clk_i,
    input  logic    [2*Width-1:0][           46:0] column_i,
    input  logic    [  Width-1:0][SegmentBits-1:0] c_i,
    input  logic    [        1:0]                  step_i,
    output number_t                                result_o
);

  localparam logic [1:0] LastStep = 2'(Interval - 1);

  logic [1:0] step_q;
  always_ff @(posedge clk_i) step_q <= step_i;

  // A segment, with its carry into the next
  logic [Width-1:0][46:0] lower;
  logic [Width-1:0][63:0] wide_q;
  always_comb begin
    for (int unsigned s = 0; s < Width; s++) lower[s] = column_i[2*s] + {13'd0, c_i[s]};
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned s = 0; s < Width; s++) begin
      wide_q[s] <= {17'd0, lower[s]} + {column_i[2*s+1], 17'd0};
    end
  end

  // The carry from the segment below: of this cycle or of the cycle before
  logic [29:0] left_q;
  logic [Width-1:0][SegmentBits:0] segment;
  logic [28:0] folded;  // what is above 2^130, times 5

  always_ff @(posedge clk_i) left_q <= step_i == '0 ? '0 : wide_q[Width-1][63:34];

  always_comb begin
    for (int unsigned s = 0; s < Width; s++) begin
      segment[s] = {1'b0, wide_q[s][33:0]};
      if (s == Width - 1 && step_q == LastStep) segment[s][33:TopBits] = '0;
      segment[s] += {5'd0, s > 0 ? wide_q[s-1][63:34] : Interval == 1 ? 30'd0 : left_q};
    end
    folded = {2'd0, wide_q[Width-1][54:28]} + {wide_q[Width-1][54:28], 2'd0};
  end

  // All segments of a result
  number_t whole;
  logic [28:0] folded_late;
  if (carry_registers(Interval) == 0) begin : gen_at_once
    assign whole = segment;
    assign folded_late = folded;
  end else begin : gen_collected
    logic [Segments-1:0][SegmentBits:0] segment_q;
    logic [28:0] folded_q;
    assign whole = segment_q;
    assign folded_late = folded_q;
    always_ff @(posedge clk_i) begin
      segment_q <= number_t'({segment, segment_q} >> (Width * (SegmentBits + 1)));
      folded_q  <= step_q == LastStep ? folded : '0;
    end
  end

  always_comb begin
    result_o = whole;
    result_o[0] = whole[0] + {6'd0, folded_late};
  end

endmodule
