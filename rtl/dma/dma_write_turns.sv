// SPDX-License-Identifier: Apache-2.0
// Whose beats go to the bus: the bursts that were taken, one after the other, and how far the
// current one is.
//
// Far: the beats are far away, so each part of them has one of these beside it, with a register for
// the next burst. All do the same in each cycle, and tools must not merge them (keep; on the
// process for Yosys, as in flag_copies).

module dma_write_turns
  import dma_pkg::*;
#(
    int unsigned LengthBits,
    bit Far
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  valid_i,      // the next burst
    output logic                  ready_o,
    input  logic                  post_i,       // client 1's, else client 0's
    input  logic [LengthBits-1:0] length_i,     // beats - 1
    input  logic                  free_i,       // a beat may go
    output logic                  some_o,       // a burst is in here
    output logic                  next_o,       // a turn begins after this cycle:
    output logic                  next_data_o,  // client 0's
    output logic                  next_post_o,  // or client 1's
    output logic                  data_turn_o,  // whose it is now
    output logic                  post_turn_o,
    output logic                  last_o        // its last beat
);

  logic valid, post;
  logic [LengthBits-1:0] length;
  if (Far) begin : gen_next
    stream_register #(
        .Width(1 + LengthBits)
    ) u_next (
        .clk_i,
        .rst_i,
        .wipe_i (1'b0),
        .valid_i,
        .ready_o,
        .data_i ({post_i, length_i}),
        .valid_o(valid),
        .ready_i(next_o),
        .data_o ({post, length})
    );
  end else begin : gen_wires
    assign {valid, post, length} = {valid_i, post_i, length_i};
    assign ready_o = next_o;
  end

  typedef struct packed {
    logic data_turn, post_turn;
    logic last;  // the next beat is the last
    logic [LengthBits-1:0] left;  // beats after the next
  } turn_t;
  turn_t turn, turn_q;
  assign {data_turn_o, post_turn_o, last_o} = {turn_q.data_turn, turn_q.post_turn, turn_q.last};
  assign some_o = (valid && Far) || data_turn_o || post_turn_o;
  assign next_o = !(data_turn_o || post_turn_o) || (free_i && last_o);
  assign next_data_o = valid && !post;
  assign next_post_o = valid && post;

  always_comb begin
    turn = turn_q;
    if (free_i) begin
      turn.left = LengthBits'(minus_one(9'(turn_q.left)));
      turn.last = turn_q.left == 1;
    end
    if (next_o) turn = '{next_data_o, next_post_o, length == 0, length};
  end
  if (Far) begin : gen_copy
    (* keep *) always_ff @(posedge clk_i) begin
      turn_q <= turn;
      if (rst_i) {turn_q.data_turn, turn_q.post_turn} <= '0;
    end
  end else begin : gen_one
    always_ff @(posedge clk_i) begin
      turn_q <= turn;
      if (rst_i) {turn_q.data_turn, turn_q.post_turn} <= '0;
    end
  end

endmodule
