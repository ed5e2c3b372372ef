// SPDX-License-Identifier: Apache-2.0
// Packets whose param is known, in order, until their data has passed: data moves only with one of
// them. keyed: the packet has keystream; the data side cannot tell this from the streams.

module chacha20_queue #(
    parameter int unsigned Depth  // packets that wait behind the first two; 0, or at least 8
) (
    input logic clk_i,
    input logic rst_i,
    input logic wipe_i,
    // A packet; two more can come after full_o
    input logic push_i,
    input logic keyed_i,  // it has keystream
    output logic full_o,
    // The packet whose data may move, and the one behind it
    output logic open_o,
    output logic keyed_o,
    output logic next_o,
    output logic next_keyed_o,
    input logic pop_i,  // its last beat moves: comes late in the cycle, so it only chooses
    output logic busy_o
);

  // The first packet and the second are registers.
  logic first_q, second_q, first_keyed_q, second_keyed_q;
  logic come, come_keyed, free;
  assign free = pop_i || !first_q;
  assign open_o = first_q;
  assign keyed_o = first_keyed_q;
  assign next_o = second_q;
  assign next_keyed_o = second_keyed_q;

  always_ff @(posedge clk_i) begin
    if (free) begin
      first_q <= second_q;
      first_keyed_q <= second_keyed_q;
    end
    if (free || !second_q) begin
      second_q <= come;
      second_keyed_q <= come_keyed;
    end
    if (rst_i || wipe_i) {first_q, second_q} <= '0;
    if (wipe_i) {first_keyed_q, second_keyed_q} <= '0;
  end

  if (Depth == 0) begin : gen_two
    assign come = push_i;
    assign come_keyed = keyed_i;
    assign full_o = second_q;
    assign busy_o = first_q || second_q;
  end else begin : gen_more
    // A ring can hold many packets, and params can come in far from the data.
    localparam int unsigned LevelBits = $clog2(Depth + 1);
    logic [LevelBits-1:0] level;
    logic full_q, waiting, room;
    assign full_o = full_q;
    assign busy_o = first_q || second_q || level != '0;
    assign come   = waiting && !second_q;

    stream_fifo #(
        .Width(1),
        .Depth(Depth)
    ) u_waiting (
        .clk_i,
        .rst_i,
        .wipe_i,
        .valid_i(push_i),
        .ready_o(room),
        .data_i (keyed_i),
        .valid_o(waiting),
        .ready_i(!second_q),
        .data_o (come_keyed),
        .level_o(level)
    );

    always_ff @(posedge clk_i) begin
      full_q <= level >= LevelBits'(Depth - 3);
      if (rst_i || wipe_i) full_q <= 1'b0;
    end

    always_ff @(posedge clk_i) begin
      if (!rst_i && !wipe_i) has_room : assert (!push_i || room);
    end
  end

endmodule
