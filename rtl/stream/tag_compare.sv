// SPDX-License-Identifier: Apache-2.0
// Compares the computed tag of a message with the expected one, all bits at once. Expected tags
// wait in a FIFO, in the order of the messages. The answer comes one cycle after the computed tag,
// or two right behind another tag: a register for each part of the tag, so that no path is long.

module tag_compare #(
    int unsigned Depth,            // expected tags that can wait: not from 3 to 15
    bit          Truncated = 1'b0  // an expected tag has expected_bytes_i bytes; otherwise 16
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         wipe_i,
    // One for each message: before its computed tag by the latency of stream_fifo
    input  logic         expected_valid_i,
    output logic         expected_ready_o,  // stays, whatever is taken meanwhile
    input  logic         expected_i,        // there is one; otherwise every tag matches
    input  logic [  4:0] expected_bytes_i,  // the first ones, 1 to 15; otherwise all 16
    input  logic [127:0] expected_tag_i,
    // The computed tag; stays until it is taken
    input  logic         computed_valid_i,
    output logic         computed_ready_o,
    input  logic [127:0] computed_i,
    // The computed tag with the answer
    output logic         valid_o,
    input  logic         ready_i,
    output logic [127:0] tag_o,
    output logic         match_o,
    output logic         busy_o             // an expected tag waits
);

  // An expected tag leaves its FIFO a cycle after it was used, and the next is compared then:
  // ready_i does not reach the FIFO at once.
  logic expected, taken, taken_q, unused_ready, waits;
  logic [127:0] expected_tag, used, differs;
  logic [$clog2(Depth + 1)-1:0] level;
  assign expected_ready_o = 32'(level) < Depth && !wipe_i;
  assign busy_o = level != '0;

  if (Truncated) begin : gen_truncated
    // The last byte that counts. No length means no bytes at all: then every tag would match.
    logic [3:0] last, expected_last;
    assign expected_last =
        expected_bytes_i[4] || expected_bytes_i == '0 ? 4'd15 : 4'(expected_bytes_i - 1'b1);

    stream_fifo #(
        .Width(1 + 4 + 128),
        .Depth(Depth),
        .CleanInput(1'b1)  // an expected tag is no secret
    ) u_expected (
        .clk_i,
        .rst_i,
        .wipe_i,
        .valid_i(expected_valid_i),
        .ready_o(unused_ready),
        .data_i ({expected_i, expected_last, expected_tag_i}),
        .valid_o(waits),
        .ready_i(taken_q),
        .data_o ({expected, last, expected_tag}),
        .level_o(level)
    );

    always_comb begin
      for (int unsigned i = 0; i < 16; i++) used[8*i+:8] = {8{4'(i) <= last}};
    end
  end else begin : gen_whole
    logic unused_bytes;
    assign unused_bytes = ^expected_bytes_i;
    assign used = '1;

    stream_fifo #(
        .Width(1 + 128),
        .Depth(Depth),
        .CleanInput(1'b1)
    ) u_expected (
        .clk_i,
        .rst_i,
        .wipe_i,
        .valid_i(expected_valid_i),
        .ready_o(unused_ready),
        .data_i ({expected_i, expected_tag_i}),
        .valid_o(waits),
        .ready_i(taken_q),
        .data_o ({expected, expected_tag}),
        .level_o(level)
    );
  end

  localparam int unsigned Parts = 8;
  logic compared_q, expected_q;
  logic [Parts-1:0] same_q;
  assign differs = (computed_i ^ expected_tag) & used;
  assign valid_o = computed_valid_i && compared_q && !wipe_i;
  assign tag_o = computed_i;
  assign match_o = same_q == '1 || !expected_q;
  assign computed_ready_o = ready_i && compared_q;
  assign taken = computed_valid_i && computed_ready_o;

  always_ff @(posedge clk_i) begin
    taken_q <= taken;
    compared_q <= computed_valid_i && !taken && !taken_q;
    expected_q <= expected;
    for (int unsigned i = 0; i < Parts; i++) same_q[i] <= differs[128/Parts*i+:128/Parts] == '0;
    if (rst_i || wipe_i) {taken_q, compared_q} <= '0;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && !wipe_i && computed_valid_i) a_expected : assert (waits);
  end
`endif

endmodule
