// SPDX-License-Identifier: Apache-2.0
// Which slots of a ring hold a block, and in which pass: decides when the next block enters.
// Blocks enter at least Spacing cycles apart and leave in the same order, Stages * Passes cycles
// later.

module chacha20_slots #(
    parameter int unsigned Stages,
    parameter int unsigned Passes,
    parameter int unsigned Spacing,  // not more than Stages
    parameter int unsigned Ahead     // less than Stages
) (
    input  logic clk_i,
    input  logic rst_i,
    input  logic want_i,   // a block could enter
    output logic enter_o,  // and does, in this cycle
    output logic leave_o   // a block leaves Ahead cycles later
);

  // valid_q[i]: the slot that is i + 1 cycles from the entry holds a block; final_q[i]: in its last
  // pass. A block may not enter if the entry slot stays occupied, or if another block is closer
  // than Spacing. One flag, computed a cycle early, says so (blocked_q); entered adds the block
  // that entered in the last cycle. So enter_o is a table of four inputs, if want_i has two.
  logic [Stages-1:0] valid_d, valid_q, final_d, final_q;
  logic stays_d, stays_q, near_d, blocked_q, entered;

  assign enter_o = want_i && !blocked_q && !entered;
  assign stays_d = valid_d[Stages-1] && !final_d[Stages-1];
  assign leave_o = valid_q[Stages-1-Ahead] && final_q[Stages-1-Ahead];
  assign valid_d = {valid_q[Stages-2:0], enter_o || stays_q};

  always_ff @(posedge clk_i) begin
    valid_q   <= valid_d;
    stays_q   <= stays_d;
    blocked_q <= stays_d || near_d;
    if (rst_i) begin
      valid_q <= '0;
      {stays_q, blocked_q} <= '0;
    end
  end

  if (Passes == 1) begin : gen_one_pass
    assign final_d = '1;
    assign final_q = '1;
  end else begin : gen_passes
    typedef logic [$clog2(Passes)-1:0] pass_t;
    pass_t pass_q [Stages];
    pass_t pass_d;

    assign pass_d  = enter_o ? '0 : pass_q[Stages-1] + 1'b1;
    assign final_d = {final_q[Stages-2:0], pass_d == pass_t'(Passes - 1)};

    always_ff @(posedge clk_i) begin
      final_q   <= final_d;
      pass_q[0] <= pass_d;
      for (int unsigned i = 1; i < Stages; i++) pass_q[i] <= pass_q[i-1];
    end
  end

  // A block also keeps its distance from the next block to leave: that one's slot is free at once.
  if (Spacing == 1) begin : gen_any_distance
    assign {near_d, entered} = '0;
  end else begin : gen_distance
    logic [Spacing-2:0] entered_q;
    always_ff @(posedge clk_i) begin
      entered_q <= (Spacing - 1)'({entered_q, enter_o});
      if (rst_i) entered_q <= '0;
    end
    assign near_d = |(entered_q << 1)
        || |(valid_d[Stages-2-:Spacing-1] & final_d[Stages-2-:Spacing-1]);
    assign entered = entered_q[0];
  end

endmodule
