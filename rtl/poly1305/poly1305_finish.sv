// SPDX-License-Identifier: Apache-2.0
// A sum of numbers, reduced modulo p, plus s modulo 2^128: the tag. Three passes over the segments,
// one in a cycle, after which the sum can be replaced; 16 cycles from start to the tag.
//
// With the sum = h + over * 2^130, h' = h + 5 * over is the same modulo p and below 2 p. It is p or more
// if h' + 5 reaches 2^130; then h' - p is the same as h' + 5 in the 130 bits below. So the tag is
// h + 5 * (over or over + 1) + s, cut to 128 bits.

module poly1305_finish
  import poly1305_pkg::*;
#(
    int unsigned SumBits = 38  // of a segment of the sum
) (
    input  logic                                clk_i,
    input  logic                                rst_i,
    input  logic                                wipe_i,
    input  logic                                valid_i,
    input  logic [Segments-1:0][   SumBits-1:0] sum_i,    // held until taken
    output logic                                taken_o,  // the last cycle that it is read in
    output logic [        1:0]                  s_step_o, // the segment of s that is wanted
    input  logic               [SegmentBits-1:0] s_i,
    output logic                                valid_o,
    input  logic                                ready_i,
    output logic [      127:0]                  tag_o
);

  typedef enum logic [2:0] {
    StCarry,    // idle, or first pass: the sum's carries; makes h
    StFold,     // over is there: 5 * over
    StBegin,    // first carry of the second pass
    StCompare,  // second pass: the last carry of h' + 5
    StDecide,   // first carry of the third pass, when there is room for a tag
    StAdd       // third pass
  } state_e;

  state_e state_q, state_d;
  logic [1:0] step_q;
  logic is_pass, step_end, tag_valid_q, tag_free;

  assign is_pass = (state_q == StCarry && valid_i) || state_q inside {StCompare, StAdd};
  assign step_end = step_q == 2'(Segments - 1);
  assign tag_free = !tag_valid_q || ready_i;
  assign taken_o = state_q == StCarry && step_end;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StCarry: if (step_end) state_d = StFold;
      StFold: state_d = StBegin;
      StBegin: state_d = StCompare;
      StCompare: if (step_end) state_d = StDecide;
      StDecide: if (tag_free) state_d = StAdd;
      default: if (step_end) state_d = StCarry;
    endcase
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    if (is_pass) step_q <= step_q + 1'b1;
    if (ready_i) tag_valid_q <= 1'b0;
    if (state_q == StAdd && step_end) tag_valid_q <= 1'b1;
    if (rst_i || wipe_i) begin
      state_q <= StCarry;
      step_q <= '0;
      tag_valid_q <= 1'b0;
    end
  end

  // h goes round once in each pass.
  logic [Segments-1:0][SegmentBits-1:0] h_q;
  logic [7:0] carry_q, fold_q;
  logic [SumBits-1:0] from;
  logic [SumBits:0] sum;
  logic [SegmentBits+1:0] with_s;
  logic reached_q;

  always_comb begin
    from = state_q == StCarry ? sum_i[step_q] : SumBits'(h_q[0]);
    sum = {1'b0, from} + (SumBits + 1)'(carry_q);
    with_s = (SegmentBits + 2)'(sum) + {2'd0, s_i};
  end
  assign s_step_o = step_q;

  always_ff @(posedge clk_i) begin
    if (is_pass) begin
      h_q <= {state_q == StCarry ? sum[SegmentBits-1:0] : h_q[0], h_q[Segments-1:1]};
      carry_q <= 8'(sum >> SegmentBits);
      if (state_q == StAdd) carry_q <= step_end ? '0 : 8'(with_s[SegmentBits+1:SegmentBits]);
      if (state_q == StCarry && step_end) begin
        h_q[Segments-1][SegmentBits-1:TopBits] <= '0;
        carry_q <= 8'(sum >> TopBits);  // over
      end
      reached_q <= sum[TopBits];
    end
    if (state_q == StFold) fold_q <= carry_q + {carry_q[5:0], 2'd0};
    if (state_q == StBegin) carry_q <= fold_q + 8'd5;
    if (state_q == StDecide) carry_q <= fold_q + (reached_q ? 8'd5 : 8'd0);
    if (state_q == StCarry && !is_pass) carry_q <= '0;
    if (wipe_i) {h_q, carry_q, fold_q, reached_q} <= '0;
  end

  logic [Segments-1:0][SegmentBits-1:0] tag_q;
  assign tag_o = {tag_q[3][25:0], tag_q[2:0]};
  assign valid_o = tag_valid_q && !wipe_i;

  always_ff @(posedge clk_i) begin
    if (state_q == StAdd) tag_q <= {with_s[SegmentBits-1:0], tag_q[Segments-1:1]};
    if (wipe_i) tag_q <= '0;
  end

  logic unused;
  assign unused = ^tag_q[3][SegmentBits-1:26];

endmodule
