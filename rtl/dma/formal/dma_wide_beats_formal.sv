// SPDX-License-Identifier: Apache-2.0
// Proof of dma_wide_beats: beats come out in order and none is lost (with their data as long as
// there is no abort). Soon after an abort, all but what was offered before is zero.

module dma_wide_beats_formal #(
    int unsigned Width = 2,
    int unsigned SliceBits = 1
) (
    input logic             clk_i,
    input logic             rst_i,
    input logic             abort_i,
    input logic             valid_i,
    input logic [Width-1:0] data_i,
    input logic             last_i,
    input logic             ready_i
);

  localparam int unsigned Slices = (Width + SliceBits - 1) / SliceBits;

  logic known_q = 1'b0, on;
  always_ff @(posedge clk_i) known_q <= 1'b1;
  always_comb assume (known_q || rst_i);
  assign on = known_q && !rst_i;

  logic ready_o, valid_o, last_o, push, pop;
  logic [Width-1:0] data_o;
  assign push = valid_i && ready_o;
  assign pop  = valid_o && ready_i;

  dma_wide_beats #(
      .Width(Width),
      .SliceBits(SliceBits)
  ) u_beats (
      .*
  );

  // Cycles of this abort before this one; was there one since reset; the beats, oldest first
  logic [3:1] abort_q;
  logic aborting_q, aborted_q, popped_q, reset_q;
  int unsigned count;
  logic [1:0] last_q;
  logic [1:0][Width-1:0] beat_q;
  always_comb begin
    assume (valid_i || data_i == '0);
    assume (!aborting_q || data_i == '0);
  end
  always_ff @(posedge clk_i) begin
    abort_q <= abort_i ? {abort_q[2:1], 1'b1} : '0;
    {reset_q, aborting_q} <= {rst_i, abort_i};
    aborted_q <= aborted_q || abort_i;
    popped_q <= pop;
    count <= count + 32'(push) - 32'(pop);
    if (pop) {last_q[0], beat_q[0]} <= {last_q[1], beat_q[1]};
    for (int unsigned i = 0; i < 2; i++) begin
      if (push && i == count - 32'(pop)) {last_q[i], beat_q[i]} <= {last_i, data_i};
    end
    if (rst_i) begin
      count <= 0;
      {abort_q, aborted_q, popped_q} <= '0;
    end
  end

  logic [1:0] held;
  logic read;
  assign held = u_beats.gen_slice[Slices].held_q;
  assign read = u_beats.gen_slice[Slices].read_q;
  always_ff @(posedge clk_i) begin
    if (on) begin
      counted : assert (count == 32'(held[0]) + 32'(held[1]));
      turns : assert ((u_beats.gen_slice[Slices].write_q == read) == (count != 1));
      accepts : assert (ready_o == (count < 2));
      offers : assert (valid_o == (count > 0));
      if (count > 0) oldest : assert (held[read]);
      if (count > 0) last : assert (last_o == last_q[0]);
      if (count > 1)
        last_of_second : assert (u_beats.gen_slice[Slices].gen_last.last_q[!read] == last_q[1]);
      full : cover (count == 2 && abort_q[3]);
      empty_again : cover (pop && count == 1 && !push);
    end
  end

  for (genvar s = 0; s < Slices; s++) begin : gen_slice
    localparam int unsigned Low = s * SliceBits;
    always_ff @(posedge clk_i) begin
      if (on) begin
        together :
        assert (u_beats.gen_slice[s].held_q == held && u_beats.gen_slice[s].read_q == read &&
                u_beats.gen_slice[s].write_q == u_beats.gen_slice[Slices].write_q);
        if (!reset_q)
          clears :
          assert (u_beats.gen_slice[s].gen_data.clear_q == (aborting_q ? {!read, read} : 2'b00));
        if (!aborted_q && count > 0)
          data : assert (u_beats.gen_slice[s].gen_data.data_q[read] == beat_q[0][Low+:SliceBits]);
        if (!aborted_q && count > 1)
          data_of_second :
          assert (u_beats.gen_slice[s].gen_data.data_q[!read] == beat_q[1][Low+:SliceBits]);
        if (abort_q[2] && !popped_q)
          behind : assert (u_beats.gen_slice[s].gen_data.data_q[!read] == '0);
        if (abort_q[3] && count == 0 && !popped_q)
          idle : assert (u_beats.gen_slice[s].gen_data.data_q == '0);
      end
    end
  end

endmodule
