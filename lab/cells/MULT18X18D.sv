// SPDX-License-Identifier: Apache-2.0
// The ECP5's multiplier as Yosys uses it, unsigned, with the registers that lab/mult_registers.py gives
// it: of both inputs or none, and of the product. Yosys has no simulation model of it. Parameters of
// any other use stop the simulation; of signed or shifted operands the product comes out inverted.

module MULT18X18D #(
    parameter REG_INPUTA_CLK = "NONE",
    parameter REG_INPUTA_CE = "CE0",
    parameter REG_INPUTA_RST = "RST0",
    parameter REG_INPUTB_CLK = "NONE",
    parameter REG_INPUTB_CE = "CE0",
    parameter REG_INPUTB_RST = "RST0",
    parameter REG_OUTPUT_CLK = "NONE",
    parameter REG_OUTPUT_CE = "CE0",
    parameter REG_OUTPUT_RST = "RST1",
    parameter RESETMODE = "SYNC"
) (
    input logic A0, A1, A2, A3, A4, A5, A6, A7, A8,
    input logic A9, A10, A11, A12, A13, A14, A15, A16, A17,
    input logic B0, B1, B2, B3, B4, B5, B6, B7, B8,
    input logic B9, B10, B11, B12, B13, B14, B15, B16, B17,
    input logic C0, C1, C2, C3, C4, C5, C6, C7, C8,
    input logic C9, C10, C11, C12, C13, C14, C15, C16, C17,
    input logic SIGNEDA, SIGNEDB, SOURCEA, SOURCEB, CLK0, CE0, RST0, RST1,
    output logic P0, P1, P2, P3, P4, P5, P6, P7, P8,
    output logic P9, P10, P11, P12, P13, P14, P15, P16, P17,
    output logic P18, P19, P20, P21, P22, P23, P24, P25, P26,
    output logic P27, P28, P29, P30, P31, P32, P33, P34, P35
);

  localparam bit In = REG_INPUTA_CLK == "CLK0";
  localparam bit Out = REG_OUTPUT_CLK == "CLK0";

  if (!(REG_INPUTA_CLK == "NONE" || In) || REG_INPUTB_CLK != REG_INPUTA_CLK) begin : gen_bad_input
    $fatal(1, "MULT18X18D: only both inputs or none with a register of CLK0 are modelled");
  end
  if (!(REG_OUTPUT_CLK == "NONE" || Out)) begin : gen_bad_output
    $fatal(1, "MULT18X18D: only a register of CLK0 behind the product is modelled");
  end
  if ((In && (REG_INPUTA_RST != "RST0" || REG_INPUTB_RST != "RST0")) ||
      (Out && REG_OUTPUT_RST != "RST1") || RESETMODE != "SYNC") begin : gen_bad_reset
    $fatal(1, "MULT18X18D: only synchronous resets RST0 of inputs, RST1 of outputs are modelled");
  end
  if (REG_INPUTA_CE != "CE0" || REG_INPUTB_CE != "CE0" || REG_OUTPUT_CE != "CE0")
  begin : gen_bad_enable
    $fatal(1, "MULT18X18D: only the enable CE0 is modelled");
  end

  logic [17:0] a, b, a_q, b_q;
  logic [35:0] product, product_q;
  logic other;

  assign a = {
    A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0
  };
  assign b = {
    B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0
  };
  assign other = SIGNEDA || SIGNEDB || SOURCEA || SOURCEB;
  assign product = (In ? a_q * b_q : a * b) ^ {36{other}};
  assign {
    P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18,
    P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
  } = Out ? product_q : product;

  always_ff @(posedge CLK0) begin
    if (CE0) begin
      a_q <= a;
      b_q <= b;
      product_q <= product;
      if (RST0) {a_q, b_q} <= '0;
      if (RST1) product_q <= '0;
    end else if ((In && RST0) || (Out && RST1)) begin
      $fatal(1, "MULT18X18D: a reset without the enable is not modelled");
    end
  end

endmodule
