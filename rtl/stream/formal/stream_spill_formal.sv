// SPDX-License-Identifier: Apache-2.0
// Proof of stream_spill against the queue model. The invariants say where the queue is.

module stream_spill_formal #(
    int unsigned Width = 3,
    int unsigned SliceBits = 2
) (
    input logic             clk_i,
    input logic             rst_i,
    input logic             wipe_i,
    input logic             valid_i,
    input logic [Width-1:0] data_i,
    input logic             ready_i
);

  localparam int unsigned Slices = (Width + SliceBits - 1) / SliceBits;

  logic ready_o, valid_o, on;
  logic [Width-1:0] data_o, queue[2];
  int unsigned count, wiped;

  stream_spill #(
      .Width(Width),
      .SliceBits(SliceBits)
  ) u_spill (
      .*
  );
  // With several slices, reset and wipe come a cycle later.
  localparam bit Late = Slices > 1;
  logic rst_q = 1'b0, wipe_q;
  always_ff @(posedge clk_i) {rst_q, wipe_q} <= {rst_i, wipe_i};

  stream_queue_model #(
      .Width  (Width),
      .Depth  (2),
      .Latency(1)
  ) u_model (
      .rst_i(rst_i || (Late && rst_q)),
      .wipe_i(Late ? wipe_q : wipe_i),
      .count_o(count),
      .queue_o(queue),
      .wiped_o(wiped),
      .on_o(on),
      .*
  );

  logic [1:0] held;
  logic read;
  assign held = u_spill.held_q[0];
  assign read = u_spill.read_q[0];

  always_ff @(posedge clk_i) begin
    if (on && Late && wipe_q) begin
      nothing : assert (held == '0 && !u_spill.some && u_spill.full);
      cleared : assert (u_spill.data_q == '0);
    end else if (on) begin
      counted : assert (count == 32'(held[0]) + 32'(held[1]));
      turns : assert ((u_spill.write_q[0] == read) == (count != 1));
      for (int unsigned s = 1; s < Slices; s++) begin
        assert (u_spill.held_q[s] == held && u_spill.read_q[s] == read &&
                       u_spill.write_q[s] == u_spill.write_q[0]);
      end
      flags : assert (u_spill.some == (count != 0) && u_spill.full == (count == 2));
      if (count > 0) oldest : assert (held[read] && u_spill.data_q[read] == queue[0]);
      if (count > 1) second : assert (u_spill.data_q[!read] == queue[1]);
      if (!Late && wiped >= 1) wiped_out : assert (u_spill.data_q == '0);
    end
  end

endmodule
