// SPDX-License-Identifier: Apache-2.0
// Proof of stream_half against the queue model. The invariants say where the queue is.

module stream_half_formal #(
    int unsigned Width = 2
) (
    input logic             clk_i,
    input logic             rst_i,
    input logic             wipe_i,
    input logic             valid_i,
    input logic [Width-1:0] data_i,
    input logic             ready_i
);

  logic ready_o, valid_o, on;
  logic [Width-1:0] data_o, queue[1];
  int unsigned count, wiped;

  stream_half #(.Width(Width)) u_half (.*);
  stream_queue_model #(
      .Width    (Width),
      .Depth    (1),
      .Latency  (1),
      .CutsReady(1'b1)
  ) u_model (
      .count_o(count),
      .queue_o(queue),
      .wiped_o(wiped),
      .on_o(on),
      .*
  );

  always_ff @(posedge clk_i) begin
    if (on) begin
      counted : assert (count == 32'(u_half.valid_q));
      if (count > 0) entry : assert (u_half.data_q == queue[0]);
      if (wiped >= 1) wiped_out : assert (u_half.data_q == '0);
    end
  end

endmodule
