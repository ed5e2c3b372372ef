// SPDX-License-Identifier: Apache-2.0
// Runs a wipe: after reset and on request, for at least Cycles cycles and until the bus transactions
// under way have ended. Everything secret is cleared in the first Cycles cycles, whatever the bus does.
module saltmill_wipe #(
    parameter int unsigned Cycles = 128  // what the slowest part needs
) (
    input  logic clk_i,
    input  logic rst_i,
    input  logic request_i,   // pulse
    input  logic bus_idle_i,
    output logic wipe_o
);

  localparam int unsigned CountWidth = $clog2(Cycles + 1);

  logic [CountWidth-1:0] left_q;
  always_ff @(posedge clk_i) begin
    if (left_q != 0) left_q <= left_q - 1'b1;
    else if (bus_idle_i) wipe_o <= 1'b0;
    if (rst_i || request_i) begin
      left_q <= CountWidth'(Cycles);
      wipe_o <= 1'b1;
    end
  end

endmodule
