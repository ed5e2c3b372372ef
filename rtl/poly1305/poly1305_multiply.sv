// SPDX-License-Identifier: Apache-2.0
// A * B + C modulo 2^130 - 5 in numbers of poly1305_pkg: Interval cycles for one, 64 / Interval
// multipliers. Two columns make a segment; B turns so that its limbs stand beside those of A that
// they belong to. Nothing is ever stopped; steps tell what a cycle belongs to.
//
// C of a step is taken 4 cycles after step_i, the result is there 6 cycles after the last; 1 more each if
// there is something to turn.

module poly1305_multiply
  import poly1305_pkg::*;
#(
    int unsigned Interval,
    localparam int unsigned Width = Segments / Interval,  // segments in a cycle
    localparam int unsigned Turned = turned_registers(Interval)
) (
    input  logic                              clk_i,
    input  logic                              wipe_i,
    input  limbs_t                            a_i,       // for all steps
    input  limbs_t                            b_i,       // step 0: as it is; turned by 2 * Width limbs
    input  logic    [1:0]                     step_i,    // of a cycle after them if they are not turned
    input  logic    [Width-1:0][SegmentBits-1:0] c_i,
    output number_t                           result_o
);

  localparam int unsigned Columns = 2 * Width;
  localparam logic [1:0] LastStep = 2'(Interval - 1);

  logic [Turned+5:1][1:0] step_q;
  always_ff @(posedge clk_i) step_q <= {step_q[Turned+4:1], step_i};

  // Columns are wiped one after the other: with one signal for all, tools would see that their copies
  // of A and B are equal and make them one.
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
        .step_i(step_q[Turned+1]),
        .sum_o (column[c])
    );
  end

  // A segment with what is left for the next
  logic [Width-1:0][46:0] lower;
  logic [Width-1:0][63:0] wide_q;
  always_comb begin
    for (int unsigned s = 0; s < Width; s++) lower[s] = column[2*s] + {13'd0, c_i[s]};
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned s = 0; s < Width; s++) begin
      wide_q[s] <= {17'd0, lower[s]} + {column[2*s+1], 17'd0};
    end
  end

  // What the segment below leaves: of this cycle or of the cycle before
  logic [29:0] left_q;
  logic [Width-1:0][SegmentBits:0] segment_q;
  logic [28:0] folded_q;  // what is above 2^130, times 5

  always_ff @(posedge clk_i) begin
    left_q <= step_q[Turned+4] == '0 ? '0 : wide_q[Width-1][63:34];
    for (int unsigned s = 0; s < Width; s++) begin
      segment_q[s] <= {1'b0, wide_q[s][33:0]} + {5'd0, s == 0 ? left_q : wide_q[s-1][63:34]};
      if (s == Width - 1 && step_q[Turned+5] == LastStep) begin
        segment_q[s] <= {7'd0, wide_q[s][27:0]} + {5'd0, s == 0 ? left_q : wide_q[s-1][63:34]};
      end
    end
    folded_q <= {2'd0, wide_q[Width-1][54:28]} + {wide_q[Width-1][54:28], 2'd0};
  end

  // All segments of a result
  number_t whole;
  if (Width == Segments) begin : gen_at_once
    assign whole = segment_q;
  end else begin : gen_collected
    logic [Segments-Width-1:0][SegmentBits:0] collected_q;
    assign whole = {segment_q, collected_q};
    always_ff @(posedge clk_i) collected_q <= whole[Segments-1:Width];
  end

  always_comb begin
    result_o = whole;
    result_o[0] = {1'b0, whole[0][SegmentBits-1:0]} + {6'd0, folded_q};
  end

endmodule
