// SPDX-License-Identifier: Apache-2.0
// Assertion of the hold rule: a beat that was offered and not taken is offered again, unchanged. No
// hardware: for simulation and proofs. An immediate assertion, because not every tool here reads
// concurrent ones.

module stream_hold #(
    int unsigned Width  // bits of everything that belongs to a beat
) (
    input logic             clk_i,
    input logic             idle_i,   // reset or wipe: the rule is off
    input logic             valid_i,
    input logic             ready_i,
    input logic [Width-1:0] data_i
);

  logic refused_q;
  logic [Width-1:0] data_q;

  always_ff @(posedge clk_i) begin
    refused_q <= valid_i && !ready_i && !idle_i;
    data_q <= data_i;
  end

  always_ff @(posedge clk_i) begin
    if (refused_q && !idle_i) begin
      stay_valid : assert (valid_i);
      stay_same : assert (data_i == data_q);
    end
  end

endmodule
