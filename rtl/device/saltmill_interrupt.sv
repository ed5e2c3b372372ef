// SPDX-License-Identifier: Apache-2.0
// Coalesces finished jobs into interrupts: after count jobs, or timeout cycles after the oldest job
// not yet reported, or at once for a job that asks for it.
module saltmill_interrupt (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        finished_i,  // a job is finished
    input  logic        at_once_i,   // and asks for an interrupt of its own
    input  logic [ 7:0] count_i,     // 0 and 1: each job
    input  logic [23:0] timeout_i,   // cycles; 0: no timeout
    output logic        raise_o      // pulse
);

  logic [ 7:0] unreported_q;  // saturates
  logic [23:0] age_q;  // of the oldest of them
  logic counted, expired;

  assign counted = finished_i && (at_once_i || 9'(unreported_q) + 9'd1 >= 9'(count_i));
  assign expired = unreported_q != 0 && timeout_i != 0 && age_q >= timeout_i;
  assign raise_o = counted || expired;

  always_ff @(posedge clk_i) begin
    age_q <= unreported_q == 0 ? 24'd1 : age_q + 24'(age_q != '1);
    if (counted) unreported_q <= '0;
    else if (expired) unreported_q <= 8'(finished_i);
    else if (finished_i && unreported_q != '1) unreported_q <= unreported_q + 1'b1;
    if (counted || expired) age_q <= 24'd1;
    if (rst_i) unreported_q <= '0;
  end

endmodule
