// SPDX-License-Identifier: Apache-2.0
// Proof that Poly1305 gives as many tags as it has taken last blocks, and none before: no tag of a
// message that is not all in, and tags in the order of the messages. Control only; no arithmetic.

module chacha20_poly1305_tags_formal
  import poly1305_pkg::*;
#(
    int unsigned Interval = 2  // of Lanes, or SerialInterval
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
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || rst_i);

  // A block that is not taken stays.
  logic waits_q, last_q;
  always_ff @(posedge clk_i) begin
    waits_q <= valid_i && !ready_o && !rst_i && !wipe_i;
    last_q  <= last_i;
  end
  always_comb assume (!waits_q || (valid_i && last_i == last_q));

  // Messages that are all in and whose tag is not out
  int unsigned whole_q, under_way;
  always_ff @(posedge clk_i) begin
    whole_q <= whole_q + 32'(valid_i && ready_o && last_i) - 32'(tag_valid_o && tag_ready_i);
    if (rst_i || wipe_i) whole_q <= 0;
  end

  always_ff @(posedge clk_i) begin
    if (started_q) begin
      all_there : assert (whole_q == under_way);
      if (!rst_i && tag_valid_o) not_too_early : assert (whole_q > 0);
      two : cover (whole_q > 1 && tag_valid_o && !rst_i);
    end
  end

  if (Interval == SerialInterval) begin : gen_serial
    poly1305_serial u_serial (.*);

    localparam logic [2:0] StMultiply = 3'd3, StDrain = 3'd4, StCompare = 3'd5, StAdd = 3'd6;
    logic making;  // a tag is made
    assign making = (u_serial.state_q == StDrain && u_serial.last_q) ||
        u_serial.state_q inside {StCompare, StAdd};
    assign under_way = 32'(making) + 32'(u_serial.tag_valid_q);

    always_ff @(posedge clk_i) begin
      if (started_q) begin
        place_is_free :
        assert (!(u_serial.state_q inside {StCompare, StAdd}) || !u_serial.tag_valid_q);
        known : assert (u_serial.state_q <= StAdd);
        offered : assert (u_serial.state_q != StMultiply || rst_i || wipe_i || valid_i);
        if (u_serial.state_q == StMultiply && (u_serial.column_q != '0 || u_serial.word_q != 3'd3))
          seen : assert (waits_q && u_serial.last_q == last_q);
      end
    end
  end else begin : gen_lanes
    poly1305_lanes #(.Interval(Interval)) u_lanes (.*);

    localparam int unsigned Ahead = lanes(Interval);
    localparam logic [1:0] LastStep = 2'(Interval - 1);
    localparam logic [2:0] StIdle = 3'd0, StCarry = 3'd1, StCompare = 3'd4, StAdd = 3'd6;

    // In poly1305_blocks: blocks that wait, and the ends among them
    logic [4:0] read, held, end_0;
    logic [3:0] ends, end_read;
    logic ended, valid, first_known, first_close, first_single;
    assign read = u_lanes.u_blocks.read_q;
    assign held = u_lanes.u_blocks.held;
    assign end_read = u_lanes.u_blocks.end_read_q;
    assign ends = u_lanes.u_blocks.end_write_q - end_read;
    assign ended = ends != '0;
    assign end_0 = u_lanes.u_blocks.ends[end_read] - read;  // blocks to the first end
    assign valid = u_lanes.u_blocks.valid_q;
    assign first_known = u_lanes.u_blocks.first_q.known;
    assign first_close = u_lanes.u_blocks.first_q.close;
    assign first_single = u_lanes.u_blocks.first_q.single;

    // The next message is seen 2 cycles after an end. After a wipe, for as long, what is said of the first
    // message means nothing: no key is set up then.
    logic [2:1] end_was_q, clear_was_q;
    always_ff @(posedge clk_i) begin
      end_was_q   <= {end_was_q[1], u_lanes.take_last};
      clear_was_q <= {clear_was_q[1], rst_i || wipe_i};
      if (rst_i || wipe_i) end_was_q <= '0;
    end

    logic [4:0] left;
    assign left = u_lanes.u_blocks.left;

    always_ff @(posedge clk_i) begin
      if (started_q) begin
        room : assert (32'(held) + 32'(valid) <= (u_lanes.u_blocks.ready_q ? 14 : 15));
        for (int unsigned i = 0; i < 15; i++) begin
          if (i < 32'(ends)) begin
            automatic logic [4:0] at = u_lanes.u_blocks.ends[end_read+4'(i)] - read;
            automatic logic [4:0] next = u_lanes.u_blocks.ends[end_read+4'(i)+4'd1] - read;
            assert (32'(at) > i && at <= held);
            if (i + 1 < 32'(ends)) assert (at < next);
          end
        end
        if (end_was_q != '0) begin
          not_known : assert (!first_known);
        end else if (!clear_was_q[2]) begin
          if (first_single)
            single_end : assert (ended && end_0 == 5'd1 && u_lanes.u_blocks.ended_q);
          if (first_known) begin
            has_block : assert (held != '0);
            if (!first_single) not_the_end : assert (!ended || end_0 > 5'd1);
          end
        end
        if (clear_was_q != '0)
          no_key : assert (u_lanes.u_schedule.ready_q == '0 && u_lanes.u_schedule.made_q < 4'd2);
        if (clear_was_q[1])
          nothing_known : assert (u_lanes.u_schedule.made_q == '0 && !first_known);
        if (first_single) close_then : assert (first_close && first_known);
        if (end_was_q[1]) begin
          last_was : assert (u_lanes.u_blocks.ended_q && left == '0);
        end else if (u_lanes.u_blocks.ended_q) begin
          end_known : assert (ended && left == end_0);
        end else if (!clear_was_q[1]) begin
          blocks_known : assert (left <= held && (!ended || left < end_0));
        end
      end
    end

    // In the schedule and the array: at most one last block, none while the sum is another's
    int unsigned last_turns;
    always_comb begin
      last_turns = 32'(u_lanes.turn_valid && u_lanes.turn.last);
      if (u_lanes.way_q[0].step != LastStep)
        last_turns += 32'(u_lanes.way_q[0].valid && u_lanes.way_q[0].last);
      for (int unsigned i = 0; i <= 7 + carry_registers(Interval); i++) begin
        if (u_lanes.way_q[i].step == LastStep)
          last_turns += 32'(u_lanes.way_q[i].valid && u_lanes.way_q[i].last);
      end
    end

    always_ff @(posedge clk_i) begin
      if (started_q) begin
        one_sum :
        assert (last_turns + 32'(u_lanes.sum_valid_q) <= 32'(u_lanes.u_schedule.sum_busy_q));
        if (u_lanes.u_schedule.ending_q)
          own_sum :
          assert (u_lanes.u_schedule.sum_busy_q && last_turns == 0 && !u_lanes.sum_valid_q);
        if (u_lanes.turn_valid) begin
          turn_waits : assert (u_lanes.u_schedule.wait_q == LastStep);
          if (u_lanes.turn.last) last_turn : assert (u_lanes.turn.ends);
        end
        if (u_lanes.way_q[0].valid && u_lanes.way_q[0].step != LastStep)
          step_waits :
          assert (!u_lanes.turn_valid && u_lanes.way_q[0].step < LastStep &&
              u_lanes.u_schedule.wait_q == LastStep - 2'd1 - u_lanes.way_q[0].step);
        for (int unsigned i = 0; i <= 7 + carry_registers(Interval); i++) begin
          if (u_lanes.way_q[i].valid && u_lanes.way_q[i].last) assert (u_lanes.way_q[i].ends);
        end
      end
    end

    // In poly1305_finish
    logic [2:0] state;
    logic [1:0] step, take;
    assign state = u_lanes.u_finish.state_q;
    assign step  = u_lanes.u_finish.step_q;
    assign take  = u_lanes.u_finish.take_q;

    always_ff @(posedge clk_i) begin
      if (started_q) begin
        known : assert (state <= StAdd);
        steps : assert (step == '0 || state inside {StCarry, StCompare, StAdd});
        taking : assert (take == (state == StCarry ? step + 2'd1 : 2'd0));
        taken : assert (take == '0 || u_lanes.sum_valid_q);
        place_is_free : assert (state != StAdd || !u_lanes.u_finish.tag_valid_q);
      end
    end

    assign under_way = 32'(valid && u_lanes.u_blocks.last_q) + 32'(ends) + last_turns +
        32'(u_lanes.sum_valid_q && take == '0) + 32'(state != StIdle) +
        32'(u_lanes.u_finish.tag_valid_q);
  end

endmodule
