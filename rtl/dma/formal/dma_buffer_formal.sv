// SPDX-License-Identifier: Apache-2.0
// Proof, bounded, of more cycles than the pointers have values: what comes out is the oldest beat,
// nothing is lost, each is offered in time and stays; room_o tells of the cycle before; a wipe that
// is held long enough leaves nothing.

module dma_buffer_formal #(
    int unsigned Width     = 2,
    int unsigned Depth     = 8,
    int unsigned Reserve   = 3,
    bit          Decoupled = 1'b0
) (
    input logic             clk_i,
    input logic             rst_i,
    input logic             wipe_i,
    input logic             push_i,
    input logic [Width-1:0] data_i,
    input logic             ready_i
);

  localparam int unsigned WipeCycles = Depth + 5;

  logic known_q = 1'b0, on;
  always_ff @(posedge clk_i) known_q <= 1'b1;
  always_comb assume (known_q || rst_i);
  assign on = known_q && !rst_i;

  logic room, valid;
  logic [Width-1:0] data;
  dma_buffer #(
      .Width    (Width),
      .Depth    (Depth),
      .Reserve  (Reserve),
      .Decoupled(Decoupled)
  ) u_dut (
      .clk_i,
      .rst_i,
      .wipe_i,
      .room_o  (room),
      .popped_o(),
      .push_i,
      .data_i,
      .offer_i ('0),
      .valid_o (valid),
      .ready_i,
      .data_o  (data)
  );

  // Who sends beats keeps count. A wipe ends when all is clean, and in it data is zero.
  int unsigned count_q, silent_q, wiped_q;
  logic [Width-1:0] queue_q[Depth];
  logic pop, wipe_q, held_q, fits_q;
  logic [Width-1:0] offered_q;
  assign pop = valid && ready_i;
  always_comb begin
    assume (!push_i || (count_q < Depth - 1 && !wipe_i && !rst_i));
    assume (!wipe_i || data_i == '0);
    assume (known_q || (!wipe_q && wiped_q == 0));
    if (wipe_q) assume (!push_i);  // also in the cycle behind a wipe: room_o is low there
    if (wipe_q && wiped_q < WipeCycles) assume (wipe_i);
  end

  always_ff @(posedge clk_i) begin
    if (pop) for (int unsigned i = 1; i < Depth; i++) queue_q[i-1] <= queue_q[i];
    for (int unsigned i = 0; i < Depth; i++)
    if (push_i && i == count_q - 32'(pop)) queue_q[i] <= data_i;
    count_q   <= count_q + 32'(push_i) - 32'(pop);
    silent_q  <= valid || count_q == 0 ? 0 : silent_q + 1;
    wiped_q   <= !wipe_i ? 0 : wiped_q + 1;
    wipe_q    <= wipe_i;
    held_q    <= valid && !ready_i && !wipe_i;
    offered_q <= data;
    fits_q    <= count_q < Depth - Reserve && !wipe_i;
    if (rst_i || wipe_i) {count_q, silent_q} <= '0;
    if (rst_i) {wiped_q, held_q, fits_q} <= '0;
  end

  always_comb begin
    if (on) begin
      a_count : assert (count_q < Depth && 32'(u_dut.level_q) == count_q);
      a_room : assert (room == fits_q);
      if (!wipe_i) begin
        if (valid) a_oldest : assert (count_q != 0 && data == queue_q[0]);
        a_in_time : assert (silent_q < 3);
        if (held_q) a_held : assert (valid && data == offered_q);
      end
      if (wipe_q && wiped_q >= WipeCycles) begin
        a_clean : assert (!valid && data == '0);
        assert (u_dut.gen_narrow.data_q == '0 && u_dut.gen_narrow.stored_data_q == '0);
        for (int unsigned i = 0; i < Depth - 1; i++) assert (u_dut.gen_narrow.memory[i] == '0);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    c_full : cover (on && count_q == Depth - 1 && valid && data == queue_q[Depth-2] && data != '0);
    c_clean : cover (on && wipe_q && wiped_q == WipeCycles && !wipe_i);
  end

endmodule
