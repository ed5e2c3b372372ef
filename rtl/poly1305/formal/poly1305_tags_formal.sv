// SPDX-License-Identifier: Apache-2.0
// Proof that poly1305_lanes gives as many tags as it has taken last blocks, and none earlier: so no
// tag of an incomplete message, and tags in the order of the messages. Control only: data and keys
// are arbitrary, without arithmetic. For the serial structure: chacha20_poly1305_tags_formal.

module poly1305_tags_formal
  import poly1305_pkg::*;
#(
    int unsigned Interval = 4
) (
    input logic         clk_i,
    input logic         rst_i,
    input logic         wipe_i,
    input logic         key_valid_i,
    input logic [255:0] key_i,
    input logic         valid_i,
    input logic [127:0] data_i,
    input logic [ 15:0] keep_i,
    input logic         last_i,
    input logic         tag_ready_i
);

  logic key_ready_o, ready_o, tag_valid_o, empty_o;
  logic [127:0] tag_o;

  poly1305_lanes #(.Interval(Interval)) u_lanes (.*);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || rst_i);

  // Complete messages whose tag is not out; where they are in the core
  int unsigned whole_q, under_way;
  logic more_q;  // a tag has been taken while another message was all in
  always_ff @(posedge clk_i) begin
    whole_q <= whole_q + 32'(valid_i && ready_o && last_i) - 32'(tag_valid_o && tag_ready_i);
    more_q  <= tag_valid_o && tag_ready_i && whole_q > 1;
    if (rst_i || wipe_i) {whole_q, more_q} <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (started_q) begin
      all_there : assert (whole_q == under_way);
      if (!rst_i && tag_valid_o) not_too_early : assert (whole_q > 0);
      one : cover (tag_valid_o && !rst_i);
      another : cover (more_q && !rst_i);
    end
  end

  // For the induction. In the schedule and beside the array: at most one last turn, and none while
  // the sum belongs to another message. A turn is counted at its last step, or at its first
  // register.
  localparam logic [1:0] LastStep = 2'(Interval - 1);
  localparam int unsigned Sums = 6 + carry_registers(Interval) + Interval;
  logic [1:0] wait_q, step_q;
  logic closing, turn, turn_last, first, sum;
  int unsigned last_turns;
  assign wait_q    = u_lanes.u_schedule.wait_q;
  assign closing   = u_lanes.u_schedule.closing_q;
  assign turn      = u_lanes.turn_valid;
  assign turn_last = turn && u_lanes.turn.last;
  assign step_q    = u_lanes.use_q[0].step;
  assign first     = u_lanes.use_q[0].valid && step_q != LastStep;
  assign sum       = u_lanes.sum_valid_q;

  always_comb begin
    last_turns = 32'(turn_last) + 32'(first && u_lanes.use_q[0].last);
    for (int unsigned i = 0; i <= Sums; i++) begin
      if (u_lanes.use_q[i].step == LastStep)
        last_turns += 32'(u_lanes.use_q[i].valid && u_lanes.use_q[i].last);
    end
  end

  always_ff @(posedge clk_i) begin
    if (started_q) begin
      none_open : assert (!closing || !u_lanes.u_schedule.open_q);
      one_sum : assert (last_turns + 32'(sum) <= 32'(u_lanes.u_schedule.sum_busy_q));
      if (u_lanes.u_schedule.begun_q)
        own_sum : assert (closing && u_lanes.u_schedule.sum_busy_q && last_turns == 0 && !sum);
      if (turn) turn_waits : assert (wait_q == LastStep);
      if (turn_last) last_turn : assert (u_lanes.turn.ends);
      if (first)
        step_waits : assert (!turn && step_q < LastStep && wait_q == LastStep - 2'd1 - step_q);
      for (int unsigned i = 0; i <= Sums; i++) begin
        if (u_lanes.use_q[i].valid && u_lanes.use_q[i].last) assert (u_lanes.use_q[i].ends);
      end
    end
  end

  // In poly1305_finish
  localparam logic [2:0] StIdle = 3'd0, StCarry = 3'd1, StCompare = 3'd4, StAdd = 3'd6;
  logic [2:0] state;
  logic [1:0] step, taking;
  assign state  = u_lanes.u_finish.state_q;
  assign step   = u_lanes.u_finish.step_q;
  assign taking = u_lanes.u_finish.take_q;

  always_ff @(posedge clk_i) begin
    if (started_q) begin
      known : assert (state <= StAdd);
      steps : assert (step == '0 || state inside {StCarry, StCompare, StAdd});
      takes : assert (taking == (state == StCarry ? step + 2'd1 : 2'd0));
      taken : assert (taking == '0 || sum);
      place_is_free : assert (state != StAdd || !u_lanes.u_finish.tag_valid_q);
    end
  end

  assign under_way = 32'(closing) + last_turns + 32'(sum && taking == '0) +
      32'(state != StIdle) + 32'(u_lanes.u_finish.tag_valid_q);

endmodule
