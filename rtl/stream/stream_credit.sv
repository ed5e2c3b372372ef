// SPDX-License-Identifier: Apache-2.0
// Counts units that are given and taken: free places (Start = Max) or stored entries (Start = 0).
// enough_o is a register: there are at least as many units as wanted. It is low for 2 cycles after
// a take, so that each cycle has only one addition or comparison. It may be low too long, but is
// never high wrongly.

module stream_credit #(
    int unsigned Max,  // units there ever are, given and not taken
    int unsigned Start,  // after a reset
    int unsigned GiveMax = 1,  // units given in a cycle
    int unsigned WantMax = Max  // units taken at once
) (
    input  logic                                    clk_i,
    input  logic                                    rst_i,      // also for a wipe
    input  logic [           $clog2(GiveMax+1)-1:0] give_i,
    // What is wanted, less 1: from the cycle before enough_o until the take
    input  logic [$clog2(WantMax+(WantMax==1))-1:0] want_m1_i,
    input  logic                                    take_i,     // that is taken; only with enough_o
    output logic                                    enough_o
);

  if (Start > Max || WantMax > Max) begin : gen_bad_size
    $fatal(1, "stream_credit: Start and WantMax must be at most Max");
  end

  localparam int unsigned Bits = $clog2(Max + 1);
  typedef logic [Bits-1:0] level_t;
  level_t level_q;
  logic   taken_q;

  if (WantMax == 1) begin : gen_single
    // One adder for both directions; 1 is wanted. A take is counted a cycle later, before enough_o
    // looks at the level again, so that it reaches one register.
    logic unused;
    assign unused = want_m1_i;
    if (GiveMax == 1) begin : gen_up_down
      always_ff @(posedge clk_i) begin
        if (give_i != taken_q) level_q <= level_q + {{Bits - 1{taken_q}}, 1'b1};
        if (rst_i) level_q <= level_t'(Start);
      end
    end else begin : gen_more
      always_ff @(posedge clk_i) begin
        level_q <= level_q + level_t'(give_i) - level_t'(taken_q);
        if (rst_i) level_q <= level_t'(Start);
      end
    end
    always_ff @(posedge clk_i) enough_o <= level_q != 0 && !take_i && !taken_q && !rst_i;
  end else begin : gen_many
    // A take is subtracted a cycle later; gives of that cycle wait for it.
    level_t given_q;
    level_t want_m1_q;
    /* verilator lint_off UNUSEDSIGNAL */
    logic [Bits:0] rest;  // no less than 0: the carry says so
    /* verilator lint_on UNUSEDSIGNAL */
    assign rest = {1'b0, level_q} + {1'b0, ~level_t'(want_m1_i)};
    always_ff @(posedge clk_i) begin
      want_m1_q <= level_t'(want_m1_i);
      given_q   <= level_t'(give_i) + (taken_q ? given_q : '0);
      level_q   <= taken_q ? level_q + ~want_m1_q : level_q + given_q;
      enough_o  <= rest[Bits] && !take_i && !taken_q && !rst_i;
      if (rst_i) begin
        given_q <= '0;
        level_q <= level_t'(Start);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    taken_q <= take_i;
    if (rst_i) taken_q <= 1'b0;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && take_i) a_enough : assert (enough_o);
  end
`endif

endmodule
