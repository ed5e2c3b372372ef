// SPDX-License-Identifier: Apache-2.0
// Proof of chacha20_poly1305_small: a tag comes with the result of a comparison of all its bits
// with the expected tag of its message, and stays until it is taken; no tag comes in a wipe.

module chacha20_poly1305_small_formal
  import chacha20_poly1305_pkg::*;
  import chacha20_poly1305_small_pkg::*;
(
    input logic        aclk,
    input logic        aresetn,
    input logic        wipe_i,
    input logic        param_valid_i,
    input logic [31:0] param_i,
    input logic        s_axis_tvalid,
    input logic [31:0] s_axis_tdata,
    input logic        s_axis_tuser,
    input logic        m_axis_tready,
    input logic        tag_ready_i
);

  logic param_ready_o, s_axis_tready, m_axis_tvalid, m_axis_tlast;
  logic tag_valid_o, tag_match_o, tag_user_o, busy_o;
  logic [ 31:0] m_axis_tdata;
  logic [  3:0] m_axis_tkeep;
  logic [  1:0] m_axis_tuser;
  logic [127:0] tag_o;
  chacha20_poly1305_small u_small (.*);

  logic started_q = 1'b0;
  always_ff @(posedge aclk) started_q <= 1'b1;
  always_comb assume (started_q || !aresetn);

  logic [3:0][31:0] expected, tag;
  assign expected = {u_small.memory[3], u_small.memory[2], u_small.memory[1], u_small.memory[0]};

  logic held_q, match_q;
  logic [127:0] tag_q;
  always_ff @(posedge aclk) begin
    held_q  <= tag_valid_o && !tag_ready_i && aresetn && !wipe_i;
    match_q <= tag_match_o;
    tag_q   <= tag_o;
  end

  always_ff @(posedge aclk) begin
    if (started_q && aresetn) begin
      if (tag_valid_o) begin
        right : assert (tag_match_o == (u_small.operation != Open || tag_o == expected));
        made : assert (u_small.u_mac.tag_valid_o);
        refused : cover (!tag_match_o);
        accepted : cover (tag_match_o && u_small.operation == Open);
      end
      if (wipe_i) silent : assert (!tag_valid_o && !m_axis_tvalid && !s_axis_tready);
      if (held_q && !wipe_i) begin
        held : assert (tag_valid_o && tag_match_o == match_q && tag_o == tag_q);
      end
    end
  end

  // For the induction. States of Poly1305
  localparam logic [2:0] MacIdle = 3'd0, MacKey = 3'd1, MacBlock = 3'd2, MacMultiply = 3'd3,
      MacDrain = 3'd4, MacCompare = 3'd5, MacAdd = 3'd6;
  step_e step;
  logic [2:0] mac;
  logic [3:0] count, add;
  logic cipher, aead;
  assign step   = u_small.step;
  assign count  = u_small.count;
  assign mac    = u_small.u_mac.state_q;
  assign add    = u_small.u_mac.count_q;
  assign cipher = u_small.operation == Cipher;
  assign aead   = u_small.operation inside {Seal, Open};

  // Blocks that are collected; the last one of the message, if it is among them, is the newest.
  logic [2:0] level, newest;
  logic [3:0] collected, last;
  logic pending;  // the last block is not taken
  always_comb begin
    level   = u_small.u_collect.write_q - u_small.u_collect.read_q;
    newest  = u_small.u_collect.write_q - 3'd1;
    pending = u_small.u_collect.filling_q;
    for (int unsigned i = 0; i < 4; i++) begin
      collected[i] = {1'b0, 2'(i) - u_small.u_collect.read_q[1:0]} < level;
      last[i] = collected[i] && u_small.u_collect.flags[i][1];
      if (last[i]) pending = 1'b1;
    end
  end

  // Poly1305 is done with the last block.
  logic ends;
  assign ends = mac inside {MacCompare, MacAdd} || (mac == MacDrain && u_small.u_mac.last_q);

  always_ff @(posedge aclk) begin
    if (started_q) begin
      known :
      assert (step inside {StIdle, StFetch, StLoad, StKey, StMacKey, StStart, StPart, StLengths,
                           StCompare, StTag} && mac <= MacAdd);
      first_hchacha : assert (step == StIdle || !u_small.hchacha || !u_small.u_steps.tag_q);
      fetches_tag : assert (step != StFetch || !u_small.u_steps.tag_q || u_small.operation == Open);
      first_key : assert (step != StKey || !cipher || u_small.hchacha);
      has_key : assert (!(step inside {StMacKey, StCompare, StTag}) || !cipher);
      has_lengths : assert (step != StLengths || aead);

      // One message at a time, and its last block after all others
      if (u_small.u_collect.wiping_q) begin
        idle : assert (step == StIdle && mac == MacIdle);
        clear : assert (!u_small.u_collect.filling_q && u_small.u_collect.read_q == '0);
      end
      if (!u_small.u_collect.wiping_q) begin
        full : assert (level <= 3'd4);
        one_last :
        assert (!(u_small.u_collect.filling_q && last != '0) &&
                (last == '0 || last == 4'b0001 << newest[1:0]));
        not_yet : assert (step == StCompare || (!pending && !ends));
        if (step inside {StIdle, StFetch, StLoad, StKey, StMacKey, StTag} || cipher) begin
          empty : assert (level == '0 && (mac == MacIdle || (step == StMacKey && mac == MacKey)));
        end else if (step != StCompare) begin
          under_way : assert (mac inside {MacBlock, MacMultiply, MacDrain});
        end else begin
          one_of : assert (32'(pending) + 32'(ends) + 32'(mac == MacIdle) == 1);
          nothing_behind : assert (pending || level == '0);
          no_key : assert (mac != MacKey);
        end
        multiplies : assert (mac != MacMultiply || level != '0);
      end
    end
  end

  // Words of the tag: counted when they are made, compared in the next cycle
  logic read, made_word, word_is_new;
  logic [3:0] same;
  logic all_same;
  assign read = u_small.u_mac.u_data.read_q[0].add;
  assign made_word = u_small.u_mac.u_data.read_q[1].add;
  assign word_is_new = u_small.tag_word_q;
  always_comb begin
    tag = tag_o >> 32 * (4 - 32'(count[2:0]));
    all_same = 1'b1;
    for (int unsigned i = 0; i < 4; i++) begin
      same[i] = tag[i] == expected[i];
      if (i + 1 < 32'(count) && !same[i]) all_same = 1'b0;
    end
  end

  always_ff @(posedge aclk) begin
    if (started_q) begin
      if (mac == MacAdd) begin
        reads : assert (add <= 4'd5 && read == (add inside {[4'd1 : 4'd4]}));
        makes : assert (made_word == (add inside {[4'd2 : 4'd5]}));
      end else begin  // what a reset leaves
        no_read : assert (!read || step == StIdle);
        no_word : assert (!made_word || step == StIdle || (step == StFetch && count == 4'd4));
      end
      if (step == StCompare) begin
        counted :
        assert (count == (mac == MacAdd ? (add < 4'd2 ? '0 : add - 4'd2) :
                          mac == MacIdle ? 4'd4 : '0));
        compares : assert (word_is_new == (count != '0));
        against : assert (count == '0 || u_small.word_q == expected[2'(count-4'd1)]);
        so_far : assert (u_small.match_q == all_same);
      end else begin
        no_new :
        assert (!word_is_new || step == StIdle || (step == StFetch && count inside {4'd4, 4'd5}));
      end
      if (step == StTag)
        all_of_it :
        assert (u_small.match_q == (tag_o == expected));
        else if (!(step inside {StIdle, StCompare})) so_far_none : assert (u_small.match_q);
      offered :
      assert (u_small.u_mac.tag_valid_q == (step == StTag || (step == StCompare && count == 4'd4)));
    end
  end

endmodule
