// SPDX-License-Identifier: Apache-2.0
// Whose beats go to the bus: the bursts that were taken, one after the other, and how far the
// current one is.
//
// Far: for a part of beats that are far apart. Each part has one of these beside it, and all do the
// same. The part is told from registers whose turn is next, for either value of free_i, which it
// sees itself. For that, the two next bursts are in registers: 2 cycles later than without.

module dma_write_turns #(
    int unsigned LengthBits,
    bit Far
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  valid_i,       // the next burst
    output logic                  ready_o,
    input  logic                  post_i,        // client 1's, else client 0's
    input  logic [LengthBits-1:0] length_i,      // beats - 1
    input  logic                  free_i,        // a beat may go
    output logic                  some_o,        // a burst is in here
    output logic                  next_o,        // a turn begins after this cycle:
    output logic                  next_data_o,   // client 0's
    output logic                  next_post_o,   // or client 1's
    output logic                  data_turn_o,   // whose it is now
    output logic                  post_turn_o,
    output logic                  last_o,        // its last beat
    // Far: whose it is in the next cycle, if free_i is 0 and if it is 1
    output logic [           1:0] data_offer_o,
    output logic [           1:0] post_offer_o
);

  typedef struct packed {
    logic valid, post;
    logic [LengthBits-1:0] length;
  } burst_t;
  typedef struct packed {
    logic data, post;
    logic last;  // the next beat is the last
    logic [LengthBits-1:0] left;  // beats after the next
  } turn_t;
  burst_t come, burst;
  turn_t turn, turn_q;

  function automatic logic ends(logic data, logic post, logic last, logic free);
    return !(data || post) || (free && last);
  endfunction

  assign come = '{valid_i, post_i, length_i};
  assign {data_turn_o, post_turn_o, last_o} = {turn_q.data, turn_q.post, turn_q.last};
  assign next_o = ends(turn_q.data, turn_q.post, turn_q.last, free_i);
  assign next_data_o = burst.valid && !burst.post;
  assign next_post_o = burst.valid && burst.post;

  always_comb begin
    turn = turn_q;
    if (free_i) begin
      turn.left = LengthBits'(dma_pkg::minus_one(9'(turn_q.left)));
      turn.last = turn_q.left == 1;
    end
    if (next_o) turn = '{next_data_o, next_post_o, burst.length == 0, burst.length};
  end

  if (Far) begin : gen_far
    // Tools must not merge what the parts have (keep; on the process for Yosys, as in flag_copies).
    (* keep *) burst_t come_q, burst_q;
    (* keep *) turn_t far_turn_q;
    (* keep *) logic [1:0] data_offer_q, post_offer_q;
    logic   take;  // of what has come
    burst_t burst_d;
    assign turn_q  = far_turn_q;
    assign burst   = burst_q;
    assign take    = !burst_q.valid || next_o;
    assign burst_d = take ? come_q : burst_q;
    assign ready_o = !come_q.valid || take;
    assign some_o  = come_q.valid || burst_q.valid || data_turn_o || post_turn_o;
    (* keep *) always_ff @(posedge clk_i) begin
      if (ready_o) come_q <= come;
      burst_q <= burst_d;
      far_turn_q <= turn;
      for (int unsigned i = 0; i < 2; i++) begin
        data_offer_q[i] <= ends(
            turn.data, turn.post, turn.last, i[0]
        ) ? burst_d.valid && !burst_d.post : turn.data;
        post_offer_q[i] <= ends(
            turn.data, turn.post, turn.last, i[0]
        ) ? burst_d.valid && burst_d.post : turn.post;
      end
      if (rst_i) begin
        {come_q.valid, burst_q.valid, far_turn_q.data, far_turn_q.post} <= '0;
        {data_offer_q, post_offer_q} <= '0;
      end
    end
    assign {data_offer_o, post_offer_o} = {data_offer_q, post_offer_q};
  end else begin : gen_near
    turn_t near_turn_q;
    assign turn_q = near_turn_q;
    assign burst = come;
    assign ready_o = next_o;
    assign some_o = data_turn_o || post_turn_o;
    assign {data_offer_o, post_offer_o} = '0;
    always_ff @(posedge clk_i) begin
      near_turn_q <= turn;
      if (rst_i) {near_turn_q.data, near_turn_q.post} <= '0;
    end
  end

endmodule
