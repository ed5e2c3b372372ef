// SPDX-License-Identifier: Apache-2.0
// Spill register: cuts valid, ready and data of a stream with two registers. Data comes out of a
// multiplexer of the two.
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

  // The two take turns. One that is free takes whatever is offered, over and over: no bit of data
  // has an enable that depends on the handshakes of this cycle.
  logic [1:0] held_q;
  logic [1:0][Width-1:0] data_q;
  logic write_q, read_q;  // whose turn it is

  assign ready_o = !held_q[write_q] && !wipe_i;
  assign valid_o = held_q[read_q] && !wipe_i;
  assign data_o  = data_q[read_q];

  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) begin
      held_q[write_q] <= 1'b1;
      write_q <= !write_q;
    end
    if (valid_o && ready_i) begin
      held_q[read_q] <= 1'b0;
      read_q <= !read_q;
    end
    if (rst_i || wipe_i) begin
      held_q  <= '0;
      write_q <= 1'b0;
      read_q  <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 2; i++) if (!held_q[i]) data_q[i] <= data_i;
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
