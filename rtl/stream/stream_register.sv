// SPDX-License-Identifier: Apache-2.0
// One register for a stream. Latency 1 cycle, holds 1 entry. A wipe takes 1 cycle.
// Full rate: cuts valid and data, not ready; one transfer per cycle.
// Half rate: cuts ready too, without a multiplexer; one transfer in two cycles.

module stream_register #(
    int unsigned Width,  // bits of data
    bit HalfRate = 1'b0
) (
    input  logic             clk_i,
    input  logic             rst_i,    // synchronous, active high
    input  logic             wipe_i,   // held: nothing in, nothing out, data cleared
    input  logic             valid_i,
    output logic             ready_o,  // depends on ready_i, but not at half rate
    input  logic [Width-1:0] data_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [Width-1:0] data_o
);

  logic valid_q;
  logic [Width-1:0] data_q;
  logic free;

  // At half rate, an empty register loads data_i in every cycle: no bit of data has an enable that
  // depends on this cycle's handshakes.
  assign free = !valid_q || (ready_i && !HalfRate);
  assign ready_o = free && !wipe_i;
  assign valid_o = valid_q && !wipe_i;
  assign data_o = data_q;

  always_ff @(posedge clk_i) begin
    if (free) valid_q <= valid_i;
    else if (HalfRate && ready_i) valid_q <= 1'b0;
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
