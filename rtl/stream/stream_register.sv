// SPDX-License-Identifier: Apache-2.0
// One register for a stream: cuts valid and data, not ready. Latency 1 cycle, one transfer per
// cycle, holds 1 entry. A wipe takes 1 cycle.

module stream_register #(
    int unsigned Width  // bits of data
) (
    input  logic             clk_i,
    input  logic             rst_i,    // synchronous, active high
    input  logic             wipe_i,   // held: nothing in, nothing out, data cleared
    input  logic             valid_i,
    output logic             ready_o,  // depends on ready_i
    input  logic [Width-1:0] data_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [Width-1:0] data_o
);

  logic valid_q;
  logic [Width-1:0] data_q;
  logic free;

  assign free = ready_i || !valid_q;
  assign ready_o = free && !wipe_i;
  assign valid_o = valid_q && !wipe_i;
  assign data_o = data_q;

  always_ff @(posedge clk_i) begin
    if (free) valid_q <= valid_i;
    if (rst_i || wipe_i) valid_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (free) data_q <= data_i;
    if (wipe_i) data_q <= '0;
  end

  stream_hold #(
      .Width(Width)
  ) u_hold (
      .clk_i,
      .idle_i (rst_i || wipe_i),
      .valid_i(valid_o),
      .ready_i(ready_i),
      .data_i (data_o)
  );

endmodule
