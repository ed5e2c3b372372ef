// SPDX-License-Identifier: Apache-2.0
// Proof of poly1305_finish: the tag is the sum modulo p = 2^130 - 5, plus s modulo 2^128. The
// remainder is defined by two properties: it is below p, and the sum minus it is a multiple of p.

module poly1305_finish_formal
  import poly1305_pkg::*;
(
    input logic clk_i,
    input logic [Segments-1:0][37:0] sum_i,
    input logic [127:0] s_i,
    input logic [129:0] remainder_i,
    input logic [6:0] quotient_i
);

  // Inputs of the first cycle, kept
  logic first_q = 1'b1;
  logic [Segments-1:0][37:0] sum_q;
  logic [127:0] s_q;
  logic [129:0] remainder_q;
  logic [6:0] quotient_q;

  always_ff @(posedge clk_i) begin
    first_q <= 1'b0;
    if (first_q) begin
      sum_q <= sum_i;
      s_q <= s_i;
      remainder_q <= remainder_i;
      quotient_q <= quotient_i;
    end
  end

  logic [  1:0] s_step;
  logic [127:0] tag;
  logic valid, taken, s_end;
  logic taken_q = 1'b0;
  segments_t s;
  assign s = segments_t'(s_q);

  logic unused_turn;

  poly1305_finish #(
      .SumBits(38)
  ) u_finish (
      .clk_i,
      .rst_i   (first_q),
      .wipe_i  (1'b0),
      .valid_i (!first_q && !taken_q),
      .sum_i   (sum_q),
      .turn_o  (unused_turn),
      .taken_o (taken),
      .s_end_o (s_end),
      .s_step_o(s_step),
      .s_i     (s[s_step]),
      .valid_o (valid),
      .ready_i (1'b0),
      .tag_o   (tag)
  );

  always_ff @(posedge clk_i) if (taken) taken_q <= 1'b1;

  // 8 results: segments of up to 8 * (2^34 + 2^30), the top one below 2^33
  typedef logic [159:0] wide_t;
  wide_t value;
  always_comb begin
    value = '0;
    for (int unsigned i = 0; i < Segments; i++) value += wide_t'(sum_q[i]) << (SegmentBits * i);
  end

  always_comb begin
    if (!first_q) begin
      assume (sum_q[Segments-1] < 38'h2_0000_0000);
      assume (remainder_q < {130{1'b1}} - 130'd4);
      assume (value + wide_t'(quotient_q) + (wide_t'(quotient_q) << 2) ==
          wide_t'(remainder_q) + (wide_t'(quotient_q) << 130));
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid && !first_q) begin
      tag_is_right : assert (tag == remainder_q[127:0] + s_q);
      folded_often : cover (quotient_q > 7'd15);
      above_p : cover (remainder_q < 130'd5 && quotient_q == 7'd1);
    end
  end

endmodule
