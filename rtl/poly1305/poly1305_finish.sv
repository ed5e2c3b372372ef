// SPDX-License-Identifier: Apache-2.0
// A sum of numbers, reduced modulo p, plus s modulo 2^128: the tag. Three passes over the segments,
// one in a cycle; the sum is read in the first 4 of 18 cycles.
//
// Let sum = h + top * 2^130. Then h' = h + 5 * top is equal modulo p and below 2 p. h' is at least
// p if h' + 5 reaches 2^130; then h' - p equals h' + 5 in the 130 bits below. So the tag is h + 5 *
// (top or top + 1) + s, cut to 128 bits.

module poly1305_finish
  import poly1305_pkg::*;
#(
    int unsigned SumBits = 38,  // of a segment of the sum
    int unsigned Width   = 4    // segments of it that are there at once
) (
    input  logic                                clk_i,
    input  logic                                rst_i,
    input  logic                                wipe_i,
    input  logic                                valid_i,
    input  logic [      Width-1:0][SumBits-1:0] sum_i,     // held until taken
    output logic                                turn_o,    // its next segments are wanted
    output logic                                taken_o,   // its last segment is read
    output logic                                s_end_o,   // the last segment of s is read
    output logic [            1:0]              s_step_o,  // the segment of s that is wanted
    input  logic [SegmentBits-1:0]              s_i,
    output logic                                valid_o,
    input  logic                                ready_i,
    output logic [          127:0]              tag_o
);

  typedef enum logic [2:0] {
    StIdle,
    StCarry,    // first pass: carries of the sum; makes h
    StFold,     // top is there: 5 * top
    StBegin,    // first carry of the second pass
    StCompare,  // second pass: the last carry of h' + 5; makes h + s, segment by segment
    StDecide,   // first carry of the third pass, when there is room for a tag
    StAdd       // third pass
  } state_e;

  state_e state_q, state_d;
  logic [1:0] step_q, take_q;
  logic step_end, tag_valid_q;

  assign step_end = step_q == 2'(Segments - 1);
  assign s_step_o = step_q;
  assign s_end_o  = state_q == StCompare && step_end;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle: if (valid_i) state_d = StCarry;
      StCarry: if (step_end) state_d = StFold;
      StFold: state_d = StBegin;
      StBegin: state_d = StCompare;
      StCompare: if (step_end) state_d = StDecide;
      StDecide: if (!tag_valid_q || ready_i) state_d = StAdd;
      default: if (step_end) state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    if (state_q inside {StCarry, StCompare, StAdd}) step_q <= step_q + 1'b1;
    if ((state_q == StIdle && valid_i) || take_q != '0) take_q <= take_q + 1'b1;
    if (ready_i) tag_valid_q <= 1'b0;
    if (state_q == StAdd && step_end) tag_valid_q <= 1'b1;
    if (rst_i || wipe_i) begin
      state_q <= StIdle;
      step_q <= '0;
      take_q <= '0;
      tag_valid_q <= 1'b0;
    end
  end

  // The sum, a segment in a cycle
  logic [SumBits-1:0] taken_q;
  assign taken_o = take_q == 2'(Segments - 1);
  assign turn_o  = ((state_q == StIdle && valid_i) || take_q != '0) &&
      32'(take_q) % Width == Width - 1;
  always_ff @(posedge clk_i) taken_q <= sum_i[32'(take_q)%Width];

  // h rotates in the second pass and leaves in the third.
  logic [Segments-1:0][SegmentBits:0] h_q;
  logic [7:0] carry_q, fold_q;
  logic [SumBits:0] sum;
  logic reached_q;

  assign sum = {1'b0, state_q == StCarry ? taken_q : SumBits'(h_q[0])} + (SumBits + 1)'(carry_q);

  always_ff @(posedge clk_i) begin
    if (state_q == StCarry || state_q == StCompare || state_q == StAdd) begin
      h_q[Segments-2:0] <= h_q[Segments-1:1];
      h_q[Segments-1]   <= {1'b0, h_q[0][SegmentBits-1:0]} + {1'b0, s_i};
      if (state_q == StCarry) begin
        h_q[Segments-1] <= {1'b0, sum[SegmentBits-1:0]};
        if (step_end) h_q[Segments-1][SegmentBits:TopBits] <= '0;
      end
    end
    if (wipe_i) h_q <= '0;
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle:   carry_q <= '0;
      StFold:   carry_q <= carry_q;
      StBegin:  carry_q <= fold_q + 8'd5;
      StDecide: carry_q <= fold_q + (reached_q ? 8'd5 : 8'd0);
      default:  carry_q <= 8'(sum >> SegmentBits);
    endcase
    if (state_q == StCarry && step_end) carry_q <= 8'(sum >> TopBits);  // top
    if (state_q == StFold) fold_q <= carry_q + {carry_q[5:0], 2'd0};
    if (state_q == StCompare) reached_q <= sum[TopBits];
    if (wipe_i) {carry_q, fold_q, reached_q} <= '0;
  end

  logic [Segments-1:0][SegmentBits-1:0] tag_q;
  assign tag_o   = {tag_q[3][25:0], tag_q[2:0]};
  assign valid_o = tag_valid_q && !wipe_i;

  always_ff @(posedge clk_i) begin
    if (state_q == StAdd) tag_q <= {sum[SegmentBits-1:0], tag_q[Segments-1:1]};
    if (wipe_i) tag_q <= '0;
  end

  logic unused;
  assign unused = ^tag_q[3][SegmentBits-1:26];

endmodule
