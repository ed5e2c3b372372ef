// SPDX-License-Identifier: Apache-2.0
// stream_width for wider output: collects input beats until the output beat is full or the packet
// ends. Latency 1 cycle from the last of them, one input beat per cycle.

module stream_width_up #(
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

  localparam int unsigned Parts = OutBytes / InBytes;

  // next_q is the part that the next input beat fills; full_q: the output beat is complete.
  logic full_q;
  logic [$clog2(Parts)-1:0] next_q;
  logic take, complete;

  assign ready_o = (ready_i || !full_q) && !wipe_i;
  assign valid_o = full_q && !wipe_i;
  assign take = valid_i && ready_o;
  assign complete = last_i || 32'(next_q) == Parts - 1;

  always_ff @(posedge clk_i) begin
    if (ready_i) full_q <= 1'b0;
    if (take) begin
      full_q <= complete;
      next_q <= complete ? '0 : next_q + 1'b1;
    end
    if (rst_i || wipe_i) begin
      full_q <= 1'b0;
      next_q <= '0;
    end
  end

  // The first part of a beat clears the others.
  logic [Parts-1:0][8*InBytes-1:0] data_q;
  logic [Parts-1:0][InBytes-1:0] keep_q;
  logic last_q;
  logic [UserWidth-1:0] user_q;

  assign data_o = data_q;
  assign keep_o = keep_q;
  assign last_o = last_q;
  assign user_o = user_q;

  always_ff @(posedge clk_i) begin
    if (take) begin
      for (int unsigned part = 0; part < Parts; part++) begin
        if (32'(next_q) == part) begin
          data_q[part] <= data_i;
          keep_q[part] <= keep_i;
        end else if (next_q == '0) begin
          data_q[part] <= '0;
          keep_q[part] <= '0;
        end
      end
      last_q <= last_i;
      user_q <= next_q == '0 ? user_i : user_q | user_i;
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
