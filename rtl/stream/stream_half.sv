// SPDX-License-Identifier: Apache-2.0
// Half-rate register: cuts valid, ready and data of a stream with one register and no multiplexer.
// Latency 1 cycle, one transfer in two cycles, holds 1 entry. A wipe takes 1 cycle.

module stream_half #(
    int unsigned Width  // bits of data
) (
    input  logic             clk_i,
    input  logic             rst_i,    // synchronous, active high
    input  logic             wipe_i,   // held: nothing in, nothing out, data cleared
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [Width-1:0] data_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [Width-1:0] data_o
);

  if (Width == 0) begin : gen_bad_width
    $fatal(1, "stream_half: Width must be at least 1");
  end

  // While it is empty, the register loads data_i in every cycle: no bit of data has an enable that
  // depends on this cycle's handshakes.
  logic valid_q;
  logic [Width-1:0] data_q;

  assign ready_o = !valid_q && !wipe_i;
  assign valid_o = valid_q && !wipe_i;
  assign data_o  = data_q;

  always_ff @(posedge clk_i) begin
    valid_q <= valid_q ? !ready_i : valid_i;
    if (rst_i || wipe_i) valid_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (!valid_q) data_q <= data_i;
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
