// SPDX-License-Identifier: Apache-2.0
// Proof of tag_compare: an answer belongs to the computed tag that is offered and to the expected
// tag of its own message, and is yes only if all bytes that count are equal. By induction with a
// register for the expected tag, bounded with a RAM.

module tag_compare_formal #(
    bit          Truncated = 1'b0,
    int unsigned Depth     = 1
) (
    input logic         clk_i,
    input logic         rst_i,
    input logic         wipe_i,
    input logic         want_i,            // the owner starts a message
    input logic         expected_i,
    input logic [  4:0] expected_bytes_i,
    input logic [127:0] tag_i,             // that is expected
    input logic         computed_valid_i,
    input logic [127:0] hash_i,            // computed
    input logic         ready_i
);

  localparam int unsigned Latency = Depth > 16 ? 3 : Depth > 2 ? 2 : 1;  // of stream_fifo
  logic expected_ready_o, computed_ready_o, valid_o, match_o, busy_o;
  logic [127:0] tag_o;
  // With a RAM, one byte and two bits more: each bit of a tag has the same way.
  localparam logic [127:0] Bits = Depth == 1 ? '1 : {2'b11, 118'd0, 8'hFF};
  logic [127:0] expected_tag_i, computed_i;
  assign expected_tag_i = tag_i & Bits;
  assign computed_i = hash_i & Bits;

  tag_compare #(
      .Depth    (Depth),
      .Truncated(Truncated)
  ) u_compare (
      .expected_valid_i(want_i && expected_ready_o),
      .*
  );

  // The first cycle is a reset; a computed tag is held until it is taken.
  logic started_q = 1'b0, clear, waits_q;
  logic [127:0] computed_q;
  assign clear = rst_i || wipe_i;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    waits_q <= computed_valid_i && !computed_ready_o && !clear;
    computed_q <= computed_i;
  end
  always_comb begin
    assume (started_q || rst_i);
    assume (!waits_q || (computed_valid_i && computed_i == computed_q));
  end

  // The expected tags of the messages, oldest first; a tag is computed after its message started.
  typedef struct packed {
    logic         expected;
    logic [4:0]   bytes;
    logic [127:0] tag;
  } wait_t;
  wait_t queue_q[Depth];
  int unsigned count_q, ready_q;  // that wait, and those of them whose tag may be computed
  logic [Latency:0] pushed;
  logic [1:0] popped_q;  // a cycle ago, when it is still in the FIFO, and two
  logic push, pop;
  logic all;  // bytes count
  assign all  = !Truncated || expected_bytes_i == '0 || expected_bytes_i > 5'd16;
  assign push = want_i && expected_ready_o && !clear;
  assign pop  = valid_o && ready_i;
  always_ff @(posedge clk_i) begin
    if (pop) for (int unsigned i = 1; i < Depth; i++) queue_q[i-1] <= queue_q[i];
    for (int unsigned i = 0; i < Depth; i++) begin
      if (push && i == count_q - 32'(pop)) begin
        queue_q[i] <= {expected_i, all ? 5'd16 : expected_bytes_i, expected_tag_i};
      end
    end
    popped_q <= clear ? '0 : {popped_q[0], pop};
    count_q  <= count_q + 32'(push) - 32'(pop);
    ready_q  <= ready_q + 32'(pushed[Latency-1]) - 32'(pop);
    if (clear) {count_q, ready_q} <= '0;
  end
  assign pushed[0] = push;
  for (genvar i = 0; i < Latency; i++) begin : gen_pushed
    always_ff @(posedge clk_i) pushed[i+1] <= pushed[i] && !clear;
  end
  always_comb assume (!computed_valid_i || ready_q > 0);

  function automatic logic answer_of(logic [127:0] computed, wait_t expects);
    for (int unsigned i = 0; i < 16; i++) begin
      if (i < 32'(expects.bytes) && computed[8*i+:8] != expects.tag[8*i+:8]) begin
        return !expects.expected;
      end
    end
    return 1'b1;
  endfunction

  logic offered_q, match_q;
  always_ff @(posedge clk_i) begin
    offered_q <= valid_o && !ready_i && !clear;
    match_q   <= match_o;
  end

  always_ff @(posedge clk_i) begin
    if (started_q && !rst_i) begin
      if (valid_o) begin
        same_tag : assert (computed_valid_i && tag_o == computed_i);
        right : assert (match_o == answer_of(computed_i, queue_q[0]));
        refused : cover (!match_o);
        accepted : cover (match_o && queue_q[0].expected);
      end
      if (wipe_i) silent : assert (!valid_o);
      if (!wipe_i) held : assert (!offered_q || (valid_o && match_o == match_q));
      if (!wipe_i && waits_q) soon : assert (valid_o || popped_q[1]);
      if (!wipe_i && computed_valid_i) expected_there : assert (u_compare.waits);
    end
  end

  // For the induction
  always_ff @(posedge clk_i) begin
    if (started_q) begin
      not_more : assert (count_q <= Depth);
      if (Depth == 1) none_on_its_way : assert (ready_q == count_q);
      counted : assert (wipe_i || 32'(u_compare.level) == count_q + 32'(popped_q[0]));
      taken : assert (u_compare.taken_q == popped_q[0]);
      nothing_compared : assert (!u_compare.compared_q || popped_q == '0);
      compared : assert (!u_compare.compared_q || waits_q);
      follows : assert (!waits_q || u_compare.compared_q || popped_q[1]);
      if (u_compare.compared_q)
        answer : assert (u_compare.match_o == answer_of(computed_q, queue_q[0]));
    end
  end

  if (Depth == 1) begin : gen_register
    // The register of the FIFO, which has the message that is compared
    logic  there;
    wait_t oldest;
    if (Truncated) begin : gen_truncated
      logic [132:0] data;
      assign there  = u_compare.gen_truncated.u_expected.gen_register.u_register.valid_q;
      assign data   = u_compare.gen_truncated.u_expected.gen_register.u_register.data_q;
      assign oldest = {data[132], 5'(data[131:128]) + 5'd1, data[127:0]};
    end else begin : gen_whole
      logic [128:0] data;
      assign there  = u_compare.gen_whole.u_expected.gen_register.u_register.valid_q;
      assign data   = u_compare.gen_whole.u_expected.gen_register.u_register.data_q;
      assign oldest = {data[128], 5'd16, data[127:0]};
    end
    always_ff @(posedge clk_i) begin
      if (started_q) begin
        in_register : assert (there == (count_q > 0 || popped_q[0]));
        if (count_q > 0) same_register : assert (oldest == queue_q[0]);
      end
    end
  end

endmodule
