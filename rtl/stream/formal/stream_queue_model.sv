// SPDX-License-Identifier: Apache-2.0
// A queue: the specification of a FIFO of Depth entries, for the proofs of stream_spill,
// stream_register and stream_fifo. Order, no loss and no duplication: the output is the oldest
// entry, and an entry is offered at most Latency cycles after it went in, or after the previous one
// went out.

module stream_queue_model #(
    int unsigned Width,
    int unsigned Depth,
    int unsigned Latency,
    bit CutsReady = Depth > 1  // ready_o does not depend on ready_i
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic                    wipe_i,
    input  logic                    valid_i,
    input  logic                    ready_o,
    input  logic        [Width-1:0] data_i,
    input  logic                    valid_o,
    input  logic                    ready_i,
    input  logic        [Width-1:0] data_o,
    output int unsigned             count_o,
    output logic        [Width-1:0] queue_o[Depth],
    output int unsigned             wiped_o,         // cycles of wipe_i so far, 0 without
    output logic                    on_o             // out of reset: the rules hold
);

  // The first cycle is a reset.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || rst_i);
  assign on_o = started_q && !rst_i;

  int unsigned count_q, silent_q, wiped_q;
  logic [Width-1:0] queue_q[Depth];
  logic push, pop;
  assign count_o = count_q;
  assign queue_o = queue_q;
  assign wiped_o = wiped_q;
  assign push = valid_i && ready_o;
  assign pop = valid_o && ready_i;

  always_ff @(posedge clk_i) begin
    if (pop) for (int unsigned i = 1; i < Depth; i++) queue_q[i-1] <= queue_q[i];
    for (int unsigned i = 0; i < Depth; i++)
    if (push && i == count_q - 32'(pop)) queue_q[i] <= data_i;
    count_q  <= count_q + 32'(push) - 32'(pop);
    silent_q <= valid_o || count_q == 0 ? 0 : silent_q + 1;
    wiped_q  <= wipe_i ? (wiped_q > Depth ? wiped_q : wiped_q + 1) : 0;
    if (rst_i || wipe_i) begin
      count_q  <= 0;
      silent_q <= 0;
    end
    if (rst_i) wiped_q <= 0;
  end

  always_ff @(posedge clk_i) begin
    if (on_o) begin
      within_depth : assert (count_q <= Depth);
      if (wipe_i) silent_in_wipe : assert (!valid_o && !ready_o);
      if (valid_o) begin
        not_from_nothing : assert (count_q > 0);
        oldest_first : assert (data_o == queue_q[0]);
      end
      offered_in_time : assert (silent_q < Latency);
      if (!wipe_i && CutsReady) accepts_if_room : assert (ready_o == (count_q < Depth));
      if (!wipe_i && !CutsReady)
        accepts_if_room_or_pop : assert (ready_o == (count_q == 0 || ready_i));
      can_fill : cover (count_q == Depth);
      can_empty_again : cover (pop && count_q == 1 && !push);
    end
  end

endmodule
