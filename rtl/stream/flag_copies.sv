// SPDX-License-Identifier: Apache-2.0
// A flag, a cycle later, in Copies registers that are the same in each cycle and that tools do not
// merge: each for a part of what one register would not reach in a cycle.
//
// Vivado and Quartus go by the attribute of the variable. Yosys goes by that of the cell, which
// comes from the process: on the variable alone it keeps a name, and makes one register of all.

module flag_copies #(
    int unsigned Copies
) (
    input  logic              clk_i,
    input  logic              flag_i,
    output logic [Copies-1:0] copies_o
);

  for (genvar i = 0; i < Copies; i++) begin : gen_copy
    (* keep *) logic copy_q;
    (* keep *) always_ff @(posedge clk_i) copy_q <= flag_i;
    assign copies_o[i] = copy_q;
  end

endmodule
