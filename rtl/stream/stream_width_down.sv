// SPDX-License-Identifier: Apache-2.0
// stream_width for a narrower output: holds an input beat and gives out its parts that keep bytes.
// Latency 1 cycle, one output beat per cycle.

module stream_width_down #(
    int unsigned InBytes,
    int unsigned OutBytes,
    int unsigned UserWidth
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  wipe_i,
    input  logic                  valid_i,
    output logic                  ready_o,
    input  logic [ 8*InBytes-1:0] data_i,
    input  logic [   InBytes-1:0] keep_i,
    input  logic                  last_i,
    input  logic [ UserWidth-1:0] user_i,
    output logic                  valid_o,
    input  logic                  ready_i,
    output logic [8*OutBytes-1:0] data_o,
    output logic [  OutBytes-1:0] keep_o,
    output logic                  last_o,
    output logic [ UserWidth-1:0] user_o
);

  // The held beat moves down by one part at a time. If no byte above the lowest part is kept, this
  // is the final part.
  logic valid_q;
  logic [8*InBytes-1:0] data_q;
  logic [InBytes-1:0] keep_q;
  logic last_q;
  logic [UserWidth-1:0] user_q;
  logic moves, loads, final_part;

  // ready_i is in the enable alone: what an enabled register takes is known before.
  assign final_part = !keep_q[OutBytes];
  assign moves = !valid_q || ready_i;
  assign loads = !valid_q || final_part;
  assign ready_o = moves && loads && !wipe_i;
  assign valid_o = valid_q && !wipe_i;
  assign data_o = data_q[8*OutBytes-1:0];
  assign keep_o = keep_q[OutBytes-1:0];
  assign last_o = last_q && final_part;
  assign user_o = user_q;

  always_ff @(posedge clk_i) begin
    if (moves) valid_q <= valid_i || !loads;
    if (rst_i || wipe_i) valid_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (moves) begin
      data_q <= loads ? data_i : data_q >> 8 * OutBytes;
      keep_q <= loads ? keep_i : keep_q >> OutBytes;
      if (loads) {last_q, user_q} <= {last_i, user_i};
    end
    if (wipe_i) begin
      data_q <= '0;
      keep_q <= '0;
      user_q <= '0;
    end
  end

  stream_hold #(
      .Width(9 * OutBytes + 1 + UserWidth)
  ) u_hold (
      .clk_i,
      .idle_i (rst_i || wipe_i),
      .valid_i(valid_o),
      .ready_i(ready_i),
      .data_i ({data_o, keep_o, last_o, user_o})
  );

endmodule
