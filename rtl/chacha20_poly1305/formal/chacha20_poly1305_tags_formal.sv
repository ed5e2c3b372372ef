// SPDX-License-Identifier: Apache-2.0
// Proof that Poly1305 in its serial structure gives as many tags as it has taken last blocks, and
// none earlier: so no tag of an incomplete message, and tags in the order of the messages. Control
// only; no arithmetic.

module chacha20_poly1305_tags_formal (
    input logic        clk_i,
    input logic        rst_i,
    input logic        wipe_i,
    input logic        key_valid_i,
    input logic [31:0] key_i,
    input logic        valid_i,
    input logic [31:0] word_i,
    input logic [ 4:0] kept_i,
    input logic        whole_i,
    input logic        last_i,
    input logic        tag_ready_i
);

  logic key_ready_o, ready_o, tag_valid_o, tag_word_o, empty_o;
  logic [2:0] key_word_o;
  logic [1:0] at_o;
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

  // Complete messages whose tag is not out
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

endmodule
