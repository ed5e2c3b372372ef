// SPDX-License-Identifier: Apache-2.0
// Whose beats go to the bus: the bursts that were taken, one after the other, and how far the
// current one is.
//
// Far: the registers of the beats are far away. What they are told comes straight from registers,
// one for each part and for either value of free_i, which they see themselves. For that, the next
// burst is a register too.

module dma_write_turns
  import dma_pkg::*;
#(
    int unsigned LengthBits,
    bit Far,
    int unsigned Parts
) (
    input  logic                       clk_i,
    input  logic                       rst_i,
    input  logic                       valid_i,       // the next burst
    output logic                       ready_o,
    input  logic                       post_i,        // client 1's, else client 0's
    input  logic [LengthBits-1:0]      length_i,      // beats - 1
    input  logic                       free_i,        // a beat may go
    output logic                       some_o,        // a burst is in here
    output logic                       next_o,        // a turn begins after this cycle:
    output logic                       next_data_o,   // client 0's
    output logic                       next_post_o,   // or client 1's
    output logic                       data_turn_o,   // whose it is now
    output logic                       post_turn_o,
    output logic                       last_o,        // its last beat
    // Far: whose it is in the next cycle, if free_i is 0 and if it is 1
    output logic [     Parts-1:0][1:0] data_offer_o,
    output logic [     Parts-1:0][1:0] post_offer_o
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
  burst_t burst;
  turn_t turn, turn_q;

  function automatic logic ends(logic data, logic post, logic last, logic free);
    return !(data || post) || (free && last);
  endfunction

  assign {data_turn_o, post_turn_o, last_o} = {turn_q.data, turn_q.post, turn_q.last};
  assign some_o = (burst.valid && Far) || data_turn_o || post_turn_o;
  assign next_o = ends(turn_q.data, turn_q.post, turn_q.last, free_i);
  assign next_data_o = burst.valid && !burst.post;
  assign next_post_o = burst.valid && burst.post;

  always_comb begin
    turn = turn_q;
    if (free_i) begin
      turn.left = LengthBits'(minus_one(9'(turn_q.left)));
      turn.last = turn_q.left == 1;
    end
    if (next_o) turn = '{next_data_o, next_post_o, burst.length == 0, burst.length};
  end
  always_ff @(posedge clk_i) begin
    turn_q <= turn;
    if (rst_i) {turn_q.data, turn_q.post} <= '0;
  end

  if (Far) begin : gen_far
    burst_t burst_d, burst_q;
    logic [1:0] data_offer, post_offer;
    assign ready_o = !burst_q.valid || next_o;
    assign burst_d = ready_o ? '{valid_i, post_i, length_i} : burst_q;
    assign burst   = burst_q;
    always_comb begin
      for (int unsigned i = 0; i < 2; i++) begin
        data_offer[i] = ends(turn.data, turn.post, turn.last, i[0]) ?
            burst_d.valid && !burst_d.post : turn.data;
        post_offer[i] = ends(turn.data, turn.post, turn.last, i[0]) ?
            burst_d.valid && burst_d.post : turn.post;
      end
    end
    always_ff @(posedge clk_i) begin
      burst_q <= burst_d;
      if (rst_i) burst_q.valid <= 1'b0;
    end
    // Tools must not merge these (keep; on the process for Yosys, as in flag_copies).
    for (genvar i = 0; i < Parts; i++) begin : gen_part
      (* keep *) logic [1:0] data_q, post_q;
      (* keep *) always_ff @(posedge clk_i) begin
        {data_q, post_q} <= {data_offer, post_offer};
        if (rst_i) {data_q, post_q} <= '0;
      end
      assign data_offer_o[i] = data_q;
      assign post_offer_o[i] = post_q;
    end
  end else begin : gen_near
    assign burst = '{valid_i, post_i, length_i};
    assign ready_o = next_o;
    assign {data_offer_o, post_offer_o} = '0;
  end

endmodule
