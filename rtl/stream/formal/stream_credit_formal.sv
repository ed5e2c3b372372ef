// SPDX-License-Identifier: Apache-2.0
// Proof, by induction: enough_o is high only when enough units are there, and at the latest 3
// cycles after that, whatever is given and taken.

module stream_credit_formal #(
    int unsigned Max = 9,
    int unsigned Start = 9,
    int unsigned GiveMax = 2,
    int unsigned WantMax = 4
) (
    input logic                                    clk_i,
    input logic                                    rst_i,
    input logic [           $clog2(GiveMax+1)-1:0] give_i,
    input logic [$clog2(WantMax+(WantMax==1))-1:0] want_m1_i,
    input logic                                    take_i
);

  logic known_q = 1'b0;  // there was a reset
  logic rst, enough;
  assign rst = rst_i || !known_q;

  stream_credit #(
      .Max    (Max),
      .Start  (Start),
      .GiveMax(GiveMax),
      .WantMax(WantMax)
  ) u_dut (
      .clk_i,
      .rst_i   (rst),
      .give_i,
      .want_m1_i,
      .take_i,
      .enough_o(enough)
  );

  int unsigned there_q, want;
  logic [$bits(want_m1_i)-1:0] want_m1_q;
  logic take;
  logic [2:0] quiet_q;  // for so long: enough there, the same wanted, nothing taken
  assign want = WantMax == 1 ? 1 : 32'(want_m1_i) + 1;
  assign take = take_i && !rst;

  always_comb begin
    assume (32'(give_i) <= GiveMax && want <= WantMax);
    assume (there_q + 32'(give_i) <= Max);
    if (take_i) assume (enough);
    if (enough) assume (want_m1_i == want_m1_q);
  end

  always_ff @(posedge clk_i) begin
    known_q <= 1'b1;
    want_m1_q <= want_m1_i;
    there_q <= there_q + 32'(give_i) - (take ? want : 0);
    quiet_q <= {quiet_q[1:0], there_q >= want && !take && (want_m1_i == want_m1_q || !quiet_q[0])};
    if (rst) begin
      there_q <= Start;
      quiet_q <= '0;
    end
  end

  // What is counted, with what is on its way
  int unsigned counted;
  if (WantMax == 1) begin : gen_single
    assign counted = 32'(u_dut.level_q) - 32'(u_dut.taken_q);
  end else begin : gen_many
    assign counted = 32'(u_dut.level_q) + 32'(u_dut.gen_many.given_q)
        - (u_dut.taken_q ? 32'(u_dut.gen_many.want_m1_q) + 1 : 0);
  end

  always_comb begin
    if (known_q) begin
      a_counted : assert (counted == there_q);
      a_most : assert (there_q <= Max);
      if (enough) a_safe : assert (there_q >= want);
      if (&quiet_q && want_m1_i == want_m1_q && !rst_i) a_soon : assert (enough);
    end
  end

  always_ff @(posedge clk_i) begin
    c_empty : cover (known_q && there_q == 0 && !rst);
    c_full : cover (known_q && there_q == Max && quiet_q[2]);
    c_take : cover (known_q && take && want == WantMax);
  end

endmodule
