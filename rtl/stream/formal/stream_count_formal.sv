// SPDX-License-Identifier: Apache-2.0
// Proof, by induction: the flags are right in every cycle, and what the next one is said to be,
// whatever is given and taken.

module stream_count_formal #(
    int unsigned Max   = 5,
    int unsigned Start = 0
) (
    input logic clk_i,
    input logic rst_i,
    input logic give_i,
    input logic take_i
);

  logic known_q = 1'b0;  // there was a reset
  logic rst, some, some_next, full;
  assign rst = rst_i || !known_q;

  stream_count #(
      .Max  (Max),
      .Start(Start)
  ) u_dut (
      .clk_i,
      .rst_i(rst),
      .give_i,
      .take_i,
      .some_o(some),
      .some_next_o(some_next),
      .full_o(full)
  );

  int unsigned there_q;
  always_comb begin
    if (take_i) assume (some);
    if (give_i && !take_i) assume (there_q < Max);
  end

  always_ff @(posedge clk_i) begin
    known_q <= 1'b1;
    there_q <= there_q + 32'(give_i) - 32'(take_i);
    if (rst) there_q <= Start;
  end

  always_comb begin
    if (known_q) begin
      a_counted : assert (32'(u_dut.level_q) == there_q);
      a_most : assert (there_q <= Max);
      a_some : assert (some == (there_q != 0));
      a_next : assert (some_next == (there_q + 32'(give_i) - 32'(take_i) != 0));
      a_full : assert (full == (there_q == Max));
    end
  end

  always_ff @(posedge clk_i) begin
    c_empty : cover (known_q && there_q == 0 && !rst);
    c_full : cover (known_q && full && !rst);
    c_both : cover (known_q && there_q == 1 && give_i && take_i && !rst);
  end

endmodule
