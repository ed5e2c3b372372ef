// SPDX-License-Identifier: Apache-2.0
// Proof of stream_aside, by induction: an entry that is popped comes out 2 cycles later, in order,
// whatever else happens; and after a wipe it starts empty.

module stream_aside_formal #(
    int unsigned Width = 1,
    int unsigned Depth = 4
) (
    input logic             clk_i,
    input logic             rst_i,
    input logic             wipe_i,
    input logic             push_i,
    input logic [Width-1:0] data_i,
    input logic             pop_i
);

  localparam int unsigned Bits = $clog2(Depth) + 1;
  logic known_q = 1'b0;  // there was a reset
  logic rst, push, pop, on;
  logic [Width-1:0] data_o;
  assign rst = rst_i || !known_q;

  stream_aside #(
      .Width(Width),
      .Depth(Depth)
  ) u_dut (
      .clk_i,
      .rst_i (rst),
      .wipe_i,
      .push_i(push),
      .data_i(wipe_i ? '0 : data_i),
      .pop_i (pop),
      .data_o
  );

  // What is in there, the oldest first; how much of it was pushed a cycle ago
  logic [Width-1:0] queue_q[Depth];
  int unsigned count_q;
  logic late_q, settled;
  assign settled = !u_dut.wiping_q && !u_dut.catching_q;
  assign on = !rst && !wipe_i && settled;
  assign push = push_i && on && count_q < Depth;
  assign pop = pop_i && on && count_q > 32'(late_q);

  logic [1:0] popped_q;
  logic [1:0][Width-1:0] oldest_q;
  always_ff @(posedge clk_i) begin
    known_q  <= 1'b1;
    popped_q <= {popped_q[0], pop};
    oldest_q <= {oldest_q[0], queue_q[0]};
    late_q   <= push;
    count_q  <= count_q + 32'(push) - 32'(pop);
    if (pop) for (int unsigned i = 1; i < Depth; i++) queue_q[i-1] <= queue_q[i];
    for (int unsigned i = 0; i < Depth; i++)
    if (push && i == count_q - 32'(pop)) queue_q[i] <= data_i;
    if (rst || wipe_i || !settled) begin
      count_q <= 0;
      {late_q, popped_q} <= '0;
    end
  end

  always_comb begin
    if (known_q) begin
      a_most : assert (count_q <= Depth);
      if (popped_q[0]) a_read : assert (u_dut.read_data_q == oldest_q[0]);
      if (popped_q[1]) a_there : assert (data_o == oldest_q[1]);
      if (settled && !wipe_i) begin
        a_late : assert (u_dut.push_q == late_q);
        if (late_q) a_pushed : assert (count_q > 0 && u_dut.pushed_q == queue_q[count_q-1]);
        a_counted : assert (Bits'(u_dut.write_q - u_dut.read_q) == Bits'(count_q - 32'(late_q)));
        for (int unsigned i = 0; i < Depth; i++)
        if (i < count_q - 32'(late_q))
          assert (u_dut.memory[(Bits-1)'(u_dut.read_q+i)] == queue_q[i]);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    c_full : cover (known_q && count_q == Depth && pop);
    c_after : cover (known_q && popped_q[1] && oldest_q[1] == '1);
  end

endmodule
