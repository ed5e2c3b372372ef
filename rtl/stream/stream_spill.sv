// SPDX-License-Identifier: Apache-2.0
// Spill register: cuts valid, ready and data of a stream with two registers.
// Latency 1 cycle, one transfer per cycle, holds 2 entries. A wipe takes 1 cycle.

module stream_spill #(
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
    $fatal(1, "stream_spill: Width must be at least 1");
  end

  // The front register drives the output; the spare one takes the beat that arrives in the cycle
  // in which the output is refused, because ready_o could not know of it.
  logic front_valid_q, spare_valid_q;
  logic [Width-1:0] front_q, spare_q;
  logic front_free;

  assign front_free = ready_i || !front_valid_q;
  assign ready_o = !spare_valid_q && !wipe_i;
  assign valid_o = front_valid_q && !wipe_i;
  assign data_o = front_q;

  always_ff @(posedge clk_i) begin
    if (front_free) begin
      front_valid_q <= spare_valid_q || valid_i;
      spare_valid_q <= 1'b0;
    end else if (!spare_valid_q) begin
      spare_valid_q <= valid_i;
    end
    if (rst_i || wipe_i) begin
      front_valid_q <= 1'b0;
      spare_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (front_free) front_q <= spare_valid_q ? spare_q : data_i;
    if (!spare_valid_q) spare_q <= data_i;
    if (wipe_i) begin
      front_q <= '0;
      spare_q <= '0;
    end
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
