// SPDX-License-Identifier: Apache-2.0
// Proof of chacha20_slots against the history of its entries: a block enters whenever it may, never
// a slot that is occupied, and it leaves exactly Stages * Passes cycles later.

module chacha20_slots_formal
  import chacha20_pkg::*;
#(
    int unsigned Unroll = 2,
    int unsigned Stages = 8,
    int unsigned DataBytes = 64
) (
    input logic clk_i,
    input logic rst_i,
    input logic want_i
);

  localparam int unsigned Passes = Rounds / Unroll;
  localparam int unsigned Spacing = BlockBytes / keystream_bytes(Ring, Unroll, Stages, DataBytes);
  localparam int unsigned Ahead = 3;
  localparam int unsigned Stay = Stages * Passes;

  logic enter_o, leave_o;

  chacha20_slots #(
      .Stages (Stages),
      .Passes (Passes),
      .Spacing(Spacing),
      .Ahead  (Ahead)
  ) u_slots (
      .*
  );

  // The first cycle is a reset. been[n]: a block entered n cycles ago.
  logic started_q = 1'b0;
  logic [Stay:1] been;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    been <= {been[Stay-1:1], enter_o};
    if (rst_i) been <= '0;
  end
  always_comb assume (started_q || rst_i);

  // A block may not enter if another block stays at the entry, entered less than Spacing cycles
  // ago, or leaves in less than Spacing cycles.
  logic occupied, near;
  always_comb begin
    occupied = 1'b0;
    near = 1'b0;
    for (int unsigned n = Stages; n < Stay; n += Stages) occupied |= been[n];
    for (int unsigned n = 1; n < Spacing; n++) near |= been[n] || been[Stay-n];
  end

  always_ff @(posedge clk_i) begin
    if (started_q && !rst_i) begin
      enters_if_it_may : assert (enter_o == (want_i && !occupied && !near));
      leaves_in_time : assert (leave_o == been[Stay-Ahead]);
      all_slots : cover (&u_slots.valid_q || (Spacing > 1 && been[Stay]));
    end
  end

  // For the induction: the slots in terms of the history
  always_ff @(posedge clk_i) begin
    if (started_q) begin
      stays : assert (u_slots.stays_q == occupied);
      known : assert ((u_slots.blocked_q || u_slots.entered) == (occupied || near));
      for (int unsigned i = 0; i < Stages; i++) begin
        automatic int unsigned held = 0;
        for (int unsigned pass = 0; pass < Passes; pass++) held += 32'(been[pass*Stages+i+1]);
        assert (held <= 1);
        assert (u_slots.valid_q[i] == (held == 1));
        if (held == 1) assert (u_slots.final_q[i] == been[Stay-Stages+i+1]);
      end
    end
  end

  if (Passes > 1) begin : gen_pass
    always_ff @(posedge clk_i) begin
      if (started_q) begin
        for (int unsigned n = 1; n <= Stay; n++) begin
          if (been[n]) assert (32'(u_slots.gen_passes.pass_q[(n-1)%Stages]) == (n - 1) / Stages);
        end
      end
    end
  end

  if (Spacing > 1) begin : gen_near
    always_ff @(posedge clk_i) begin
      if (started_q) begin
        recent : assert (u_slots.gen_distance.entered_q == been[Spacing-1:1]);
      end
    end
  end

endmodule
