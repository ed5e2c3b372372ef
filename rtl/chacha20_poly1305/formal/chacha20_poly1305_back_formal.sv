// SPDX-License-Identifier: Apache-2.0
// Proof of chacha20_poly1305_back: a tag comes only when it has been computed, together with the
// result of a comparison of all its bits with the expected tag of its message; what is offered is
// held; each beat goes once to the output and once to Poly1305, if its route says so.

module chacha20_poly1305_back_formal
  import chacha20_poly1305_pkg::*;
#(
    int unsigned DataBytes = 4,
    int unsigned Tags = 1
) (
    input logic                     clk_i,
    input logic                     rst_i,
    input logic                     wipe_i,
    input logic                     valid_i,
    input logic   [8*DataBytes-1:0] data_i,
    input logic   [8*DataBytes-1:0] plain_i,
    input logic   [  DataBytes-1:0] keep_i,
    input logic   [  DataBytes-1:0] mac_keep_i,
    input route_t                   route_i,
    input logic                     no_keystream_i,
    input logic                     ready_i,
    input logic                     subkey_ready_i,
    input logic                     key_ready_i,
    input logic                     mac_ready_i,
    input logic                     made_valid_i,
    input logic   [          127:0] made_i,
    input logic                     want_i,          // the owner starts a message
    input logic                     expected_i,
    input logic   [          127:0] expected_tag_i,
    input logic                     tag_ready_i
);

  logic ready_o, valid_o, last_o, subkey_valid_o, key_valid_o, mac_valid_o, mac_last_o;
  logic made_ready_o, expected_ready_o, tag_valid_o, tag_match_o, tag_user_o, busy_o;
  logic [8*DataBytes-1:0] data_o, mac_data_o;
  logic [DataBytes-1:0] keep_o, mac_keep_o;
  logic [  1:0] user_o;
  logic [255:0] key_o;
  logic [127:0] tag_o;

  chacha20_poly1305_back #(
      .DataBytes(DataBytes),
      .Tags     (Tags)
  ) u_back (
      .expected_valid_i(want_i && expected_ready_o),
      .*
  );

  // The first cycle is a reset; inputs are held until they are taken.
  logic started_q = 1'b0, clear, waits_q, made_waits_q;
  assign clear = rst_i || wipe_i;
  typedef struct packed {
    logic [8*DataBytes-1:0] data, plain;
    logic [DataBytes-1:0] keep, mac_keep;
    route_t route;
    logic no_keystream;
  } beat_t;
  beat_t beat, beat_q;
  logic [127:0] made_q;
  assign beat = {data_i, plain_i, keep_i, mac_keep_i, route_i, no_keystream_i};

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    waits_q <= valid_i && !ready_o && !clear;
    made_waits_q <= made_valid_i && !made_ready_o && !clear;
    beat_q <= beat;
    made_q <= made_i;
  end
  always_comb begin
    assume (started_q || rst_i);
    assume (!waits_q || (valid_i && beat == beat_q));
    assume (!made_waits_q || (made_valid_i && made_i == made_q));
  end

  // The expected tags of the messages, oldest first; a tag is computed long after its message
  // started.
  typedef struct packed {
    logic expected;
    logic [127:0] tag;
  } wait_t;
  wait_t queue_q[Tags];
  int unsigned count_q;
  logic push, pop;
  logic [1:0] popped_q;  // a cycle ago, when it is still in the FIFO, and two
  assign push = want_i && expected_ready_o && !clear;
  assign pop  = tag_valid_o && tag_ready_i;
  always_ff @(posedge clk_i) begin
    if (pop) for (int unsigned i = 1; i < Tags; i++) queue_q[i-1] <= queue_q[i];
    for (int unsigned i = 0; i < Tags; i++) begin
      if (push && i == count_q - 32'(pop)) queue_q[i] <= {expected_i, expected_tag_i};
    end
    popped_q <= clear ? '0 : {popped_q[0], pop};
    count_q  <= count_q + 32'(push) - 32'(pop);
    if (clear) count_q <= 0;
  end
  always_comb assume (!made_valid_i || count_q > 0);

  // Which of the two consumers has taken the offered beat
  logic out_q, mac_q;
  always_ff @(posedge clk_i) begin
    out_q <= (out_q || (valid_o && ready_i)) && !(valid_i && ready_o) && !clear;
    mac_q <= (mac_q || (mac_valid_o && mac_ready_i)) && !(valid_i && ready_o) && !clear;
  end

  logic offered_q, mac_offered_q, tag_offered_q, match_q;
  always_ff @(posedge clk_i) begin
    offered_q <= valid_o && !ready_i && !clear;
    mac_offered_q <= mac_valid_o && !mac_ready_i && !clear;
    tag_offered_q <= tag_valid_o && !tag_ready_i && !clear;
    match_q <= tag_match_o;
  end

  always_ff @(posedge clk_i) begin
    if (started_q && !rst_i) begin
      if (tag_valid_o) begin
        made : assert (made_valid_i && tag_o == made_i);
        right : assert (tag_match_o == (!queue_q[0].expected || made_i == queue_q[0].tag));
        refused : cover (!tag_match_o);
        accepted : cover (tag_match_o && queue_q[0].expected);
      end
      if (wipe_i) silent : assert (!tag_valid_o && !valid_o && !mac_valid_o && !ready_o);
      if (!wipe_i) begin
        held : assert (!offered_q || valid_o);
        mac_held : assert (!mac_offered_q || mac_valid_o);
        tag_held : assert (!tag_offered_q || (tag_valid_o && tag_match_o == match_q));
      end
      if (valid_o) begin
        out_once : assert (valid_i && route_i.out && !out_q);
        out_same :
        assert (data_o == data_i && keep_o == keep_i && last_o == route_i.out_last &&
                user_o == {no_keystream_i, route_i.user});
      end
      if (mac_valid_o) begin
        mac_once : assert (valid_i && route_i.mac && !mac_q);
        mac_same :
        assert (mac_data_o == (route_i.plain ? plain_i : data_i) && mac_keep_o == mac_keep_i &&
                mac_last_o == route_i.mac_last);
      end
      if (valid_i && ready_o) begin
        goes_out : assert (!route_i.out || out_q || (valid_o && ready_i));
        goes_to_mac : assert (!route_i.mac || mac_q || (mac_valid_o && mac_ready_i));
        key_is_free : assert (!route_i.key || (!key_valid_o && !subkey_valid_o));
      end
      in_parts : cover (valid_i && ready_o && route_i.out && route_i.mac && out_q);
    end
  end

  // For the induction
  always_ff @(posedge clk_i) begin
    if (started_q) begin
      not_more : assert (count_q <= Tags);
      same_out : assert (u_back.out_done_q == out_q && u_back.mac_done_q == mac_q);
      out_waits : assert (!out_q || (waits_q && beat_q.route.out));
      mac_waits : assert (!mac_q || (waits_q && beat_q.route.mac));
      counted : assert (wipe_i || 32'(u_back.u_tags.level) == count_q + 32'(popped_q[0]));
      taken : assert (u_back.u_tags.taken_q == popped_q[0]);
      nothing_compared : assert (!u_back.u_tags.compared_q || popped_q == '0);
      if (u_back.u_tags.compared_q) begin
        compared : assert (made_waits_q);
        answer :
        assert (u_back.u_tags.match_o == (!queue_q[0].expected || made_q == queue_q[0].tag));
      end
    end
  end

  if (Tags == 1) begin : gen_register
    logic  valid;
    wait_t data;
    assign valid = u_back.u_tags.gen_whole.u_expected.gen_register.u_register.valid_q;
    assign data  = u_back.u_tags.gen_whole.u_expected.gen_register.u_register.data_q;
    always_ff @(posedge clk_i) begin
      if (started_q) begin
        there : assert (valid == (count_q > 0 || popped_q[0]));
        if (count_q > 0) oldest : assert (data == queue_q[0]);
      end
    end
  end else begin : gen_spill
    logic [1:0] held;
    logic read, write, next;
    wait_t [1:0] data;
    assign held  = u_back.u_tags.gen_whole.u_expected.gen_counted.gen_spill.u_spill.held_q[0];
    assign read  = u_back.u_tags.gen_whole.u_expected.gen_counted.gen_spill.u_spill.read_q[0];
    assign write = u_back.u_tags.gen_whole.u_expected.gen_counted.gen_spill.u_spill.write_q[0];
    assign data  = u_back.u_tags.gen_whole.u_expected.gen_counted.gen_spill.u_spill.data_q;
    assign next  = read ^ popped_q[0];
    always_ff @(posedge clk_i) begin
      if (started_q) begin
        there : assert (count_q + 32'(popped_q[0]) == 32'(held[0]) + 32'(held[1]));
        turns : assert ((write == read) == (held[0] == held[1]));
        if (popped_q[0]) still_held : assert (held[read]);
        if (count_q > 0) oldest : assert (held[next] && data[next] == queue_q[0]);
        if (count_q > 1) second : assert (data[!next] == queue_q[1]);
      end
    end
  end

endmodule
