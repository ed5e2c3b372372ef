// SPDX-License-Identifier: Apache-2.0
// A block from four beats of 4 bytes, or from fewer at a message's end: then the rest is filled up with
// bytes that are none. Holds one block. A wipe takes 1 cycle.

module poly1305_collect (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         wipe_i,
    input  logic         valid_i,
    output logic         ready_o,
    input  logic [ 31:0] data_i,
    input  logic [  3:0] keep_i,
    input  logic         last_i,
    output logic         valid_o,
    input  logic         ready_i,
    output logic [127:0] data_o,
    output logic [ 15:0] keep_o,
    output logic         last_o
);

  logic full_q, last_q, shift;
  logic [  1:0] count_q;
  logic [127:0] data_q;
  logic [ 15:0] keep_q;
  assign ready_o = !full_q && !last_q && !wipe_i;
  assign valid_o = full_q && !wipe_i;
  assign {data_o, keep_o, last_o} = {data_q, keep_q, last_q};
  assign shift = !full_q && (valid_i || last_q);

  always_ff @(posedge clk_i) begin
    if (shift) begin
      full_q  <= count_q == '1;
      count_q <= count_q + 1'b1;
      data_q  <= {data_i, data_q[127:32]};
      keep_q  <= {last_q ? 4'b0 : keep_i, keep_q[15:4]};
      if (!last_q) last_q <= last_i;
    end
    if (full_q && ready_i) {full_q, last_q} <= '0;
    if (wipe_i) {data_q, keep_q} <= '0;
    if (rst_i || wipe_i) {full_q, last_q, count_q} <= '0;
  end

endmodule
