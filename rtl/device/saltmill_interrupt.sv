// SPDX-License-Identifier: Apache-2.0
// Coalesces finished jobs into interrupts: after count jobs, or timeout cycles after the oldest job
// not yet reported, or at once for a job that asks for it. The pulse comes 3 cycles after its cause.
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
  logic [23:0] age_q;  // of the oldest of them, less what the flags take
  logic some_q, enough_q, expired_q, at_once_q, oldest_q;
  logic [1:0] settle_q;  // the flags are still of what was reported

  always_ff @(posedge clk_i) begin
    some_q    <= unreported_q != '0;
    enough_q  <= unreported_q != '0 && unreported_q >= count_i;
    oldest_q  <= age_q == '1;
    expired_q <= some_q && timeout_i != '0 && age_q >= timeout_i;
    settle_q  <= {settle_q[0], raise_o};
    raise_o   <= (enough_q || expired_q || at_once_q) && !raise_o && settle_q == '0;
    if (finished_i && unreported_q != '1) unreported_q <= unreported_q + 1'b1;
    if (finished_i && at_once_i) at_once_q <= 1'b1;
    age_q <= unreported_q == '0 ? 24'd3 : age_q + 24'(!oldest_q);
    if (raise_o) begin
      unreported_q <= 8'(finished_i);
      at_once_q    <= finished_i && at_once_i;
      age_q        <= 24'd3;
    end
    if (rst_i) begin
      unreported_q <= '0;
      {some_q, enough_q, expired_q, at_once_q, settle_q, raise_o} <= '0;
    end
  end

endmodule
