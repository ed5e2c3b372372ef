// SPDX-License-Identifier: Apache-2.0
// A pointer into a RAM that visits all words but one, always in the same order: a linear feedback
// shift register. It needs one table of four inputs, where a counter has one per bit and a carry
// chain. Taps: Xilinx XAPP 052; with XNOR the register starts at 0 and never becomes all ones.

module dma_pointer #(
    int unsigned Bits  // 3 to 10
) (
    input  logic            clk_i,
    input  logic            rst_i,
    input  logic            step_i,
    output logic [Bits-1:0] pointer_o
);

  if (Bits < 3 || Bits > 10) begin : gen_bad_bits
    $fatal(1, "dma_pointer: Bits must be 3 to 10");
  end

  function automatic logic [9:0] taps();
    case (Bits)
      3: return 10'b00_0000_0110;
      4: return 10'b00_0000_1100;
      5: return 10'b00_0001_0100;
      6: return 10'b00_0011_0000;
      7: return 10'b00_0110_0000;
      8: return 10'b00_1011_1000;
      9: return 10'b01_0001_0000;
      default: return 10'b10_0100_0000;
    endcase
  endfunction

  localparam logic [Bits-1:0] Taps = Bits'(taps());
  logic [Bits-1:0] pointer_q;

  assign pointer_o = pointer_q;

  always_ff @(posedge clk_i) begin
    if (step_i) pointer_q <= {pointer_q[Bits-2:0], ~^(pointer_q & Taps)};
    if (rst_i) pointer_q <= '0;
  end

endmodule
