// SPDX-License-Identifier: Apache-2.0
// Coalesces finished jobs into interrupts: after count jobs, or timeout cycles after the oldest
// unreported job, or at once for a job that asks for it. The pulse comes 3 cycles after its cause.
module saltmill_interrupt (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        finished_i,  // a job is finished
    input  logic        at_once_i,   // and asks for an interrupt of its own
    input  logic [ 7:0] count_i,     // 0 and 1: each job
    input  logic [23:0] timeout_i,   // cycles; 0: no timeout
    output logic        raise_o      // pulse
);

  // Of the jobs not yet reported: their number, which passes count_i by no more than finish until
  // the pulse, whether there are some, whether one can't wait, and the age of the oldest.
  logic [ 7:0] unreported_q;
  logic [23:0] age_q;
  logic some_q, at_once_q, timed_q, enough_q, expired_q, raised_q;

  always_ff @(posedge clk_i) begin
    timed_q <= timeout_i != '0;  // of the timeout that expired_q is of
    enough_q <= some_q && unreported_q >= count_i;
    expired_q <= some_q && age_q >= timeout_i;
    raised_q <= raise_o;
    // In two cycles the flags are still of what was reported.
    raise_o   <= !raise_o && !raised_q
        && (enough_q || (expired_q && timed_q) || (at_once_q && some_q));
    if (finished_i) begin
      unreported_q <= unreported_q + 1'b1;
      some_q <= 1'b1;
    end
    if (finished_i && at_once_i) at_once_q <= 1'b1;
    age_q <= age_q + 1'b1;
    if (raise_o) begin
      unreported_q <= 8'(finished_i);
      some_q <= finished_i;
      at_once_q <= finished_i && at_once_i;
    end
    if (!some_q || !timed_q || raise_o) age_q <= 24'd3;  // cycles from a job's end to the pulse
    if (rst_i) begin
      unreported_q <= '0;
      {some_q, at_once_q, enough_q, expired_q, raised_q, raise_o} <= '0;
    end
  end

endmodule
