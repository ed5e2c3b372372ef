// SPDX-License-Identifier: Apache-2.0
// Which slots of a ring hold a block, and in which pass: decides when the next block enters.
// Blocks enter at least Spacing cycles apart and leave in the same order, Stages * Passes cycles later.

module chacha20_slots #(
    parameter int unsigned Stages,
    parameter int unsigned Passes,
    parameter int unsigned Spacing  // not more than Stages
) (
    input  logic clk_i,
    input  logic rst_i,
    input  logic want_i,   // a block could enter
    output logic enter_o,  // and does, in this cycle
    output logic leave_o   // a block leaves, in this cycle
);

  // valid_q[i], final_pass[i]: the slot that is i + 1 cycles from the entry holds a block; in its last pass
  logic [Stages-1:0] valid_q, final_pass;
  logic stays;

  assign leave_o = valid_q[Stages-1] && final_pass[Stages-1];
  assign stays   = valid_q[Stages-1] && !final_pass[Stages-1];

  always_ff @(posedge clk_i) begin
    valid_q[0] <= enter_o || stays;
    for (int unsigned i = 1; i < Stages; i++) valid_q[i] <= valid_q[i-1];
    if (rst_i) valid_q <= '0;
  end

  if (Passes == 1) begin : gen_one_pass
    assign final_pass = '1;
  end else begin : gen_passes
    typedef logic [$clog2(Passes)-1:0] pass_t;
    pass_t pass_q[Stages];
    pass_t pass_d;
    logic [Stages-1:0] final_q;

    assign final_pass = final_q;
    assign pass_d = enter_o ? '0 : pass_q[Stages-1] + 1'b1;

    always_ff @(posedge clk_i) begin
      pass_q[0]  <= pass_d;
      final_q[0] <= pass_d == pass_t'(Passes - 1);
      for (int unsigned i = 1; i < Stages; i++) begin
        pass_q[i]  <= pass_q[i-1];
        final_q[i] <= final_q[i-1];
      end
    end
  end

  // A block also keeps its distance from the next one to leave, whose slot is then free at once.
  logic near;
  if (Spacing == 1) begin : gen_any_distance
    assign near = 1'b0;
  end else begin : gen_distance
    logic [Spacing-2:0] entered_q;
    always_ff @(posedge clk_i) begin
      entered_q <= (Spacing - 1)'({entered_q, enter_o});
      if (rst_i) entered_q <= '0;
    end
    assign near = |entered_q || |(valid_q[Stages-2-:Spacing-1] & final_pass[Stages-2-:Spacing-1]);
  end

  assign enter_o = want_i && !stays && !near;

endmodule
