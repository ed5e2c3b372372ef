// SPDX-License-Identifier: Apache-2.0
// The sequence of steps in chacha20_poly1305_small, and when a word or a beat moves.

module chacha20_poly1305_steps
  import chacha20_poly1305_pkg::*;
  import chacha20_poly1305_small_pkg::*;
(
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             wipe_i,
    // Param of the message
    input  logic             param_valid_i,
    output logic             param_ready_o,
    input  logic       [2:0] param_i,         // first word: {extended, operation}
    // Param of the cipher
    input  logic             load_ready_i,
    input  logic             load_last_i,
    // Keystream
    input  logic             stream_valid_i,
    output logic             stream_ready_o,
    input  logic             stream_end_i,    // last word of a block
    input  logic             stream_last_i,   // last word of all
    // Poly1305 takes its key
    input  logic             key_ready_i,
    // Additional data, data
    input  logic             valid_i,
    output logic             ready_o,
    input  logic             none_i,          // no bytes are left of the part
    input  logic             last_i,          // this is its last beat
    // Data out
    output logic             out_valid_o,
    input  logic             out_ready_i,
    // To Poly1305
    output logic             mac_valid_o,
    input  logic             mac_ready_i,
    output logic             mac_last_o,
    // Tag
    input  logic             tag_word_i,
    input  logic             tag_ready_i,
    // State
    output step_e            step_o,
    output operation_e       operation_o,
    output logic       [3:0] count_o,         // word or beat of the step
    output logic             part_o,          // 0: additional data; 1: data
    output logic             hchacha_o,       // HChaCha20 is in progress
    output logic             zero_o,          // StFetch: the place gets zero
    output logic             move_o,
    output logic             busy_o
);

  step_e step_q, step_d;
  operation_e operation_q;
  logic [3:0] count_q;
  logic extended_q, hchacha_q, tag_q, part_q, drain_q;
  logic move, step_end, mac, cipher, aead;
  assign {step_o, operation_o, count_o} = {step_q, operation_q, count_q};
  assign {part_o, hchacha_o, move_o} = {part_q, hchacha_q, move};
  assign mac = operation_q == Mac;
  assign cipher = operation_q == Cipher;
  assign aead = operation_q inside {Seal, Open};

  // Words that are not in the param: upper halves of lengths; counter and, with a subkey, nonce
  always_comb begin
    zero_o = 1'b0;
    if (step_q == StFetch && !tag_q) begin
      unique case (count_q)
        4'd5, 4'd7: zero_o = 1'b1;
        4'd0: zero_o = !hchacha_q && !cipher;
        4'd1: zero_o = extended_q && !hchacha_q;
        default: ;
      endcase
    end
  end
  assign param_ready_o = (step_q == StIdle || (step_q == StFetch && !zero_o)) && !wipe_i;

  // Each beat of a part goes with keystream to the output, or to Poly1305, or to both at once.
  // Behind the last one, Poly1305 takes zeros up to a whole block, or the one beat of an empty Mac.
  logic skip, mixes, there, beat;
  assign skip = none_i && !mac && count_q[1:0] == '0;
  assign mixes = part_q && !mac && !none_i;
  assign there = step_q == StPart && !skip && (!mixes || (stream_valid_i && out_ready_i));

  assign beat = there && (none_i || valid_i) && (cipher || mac_ready_i);

  assign ready_o = there && !none_i && (cipher || mac_ready_i) && !wipe_i;
  assign mac_valid_o = (there && !cipher && (none_i || valid_i)) || step_q == StLengths;
  assign mac_last_o = step_q == StLengths ? count_q[1:0] == '1 : mac && (none_i || last_i);
  assign out_valid_o = beat && mixes;
  assign stream_ready_o = step_q == StKey || drain_q || out_valid_o;

  always_comb begin
    step_d = step_q;
    move = 1'b1;
    step_end = 1'b1;
    unique case (step_q)
      StIdle: begin
        move = param_valid_i;
        step_end = move;
        if (step_end) step_d = StFetch;
      end
      StFetch: begin
        move = param_valid_i || zero_o;
        step_end = move && count_q == (mac ? 4'd15 : 4'd3);
        if (step_end) step_d = mac ? StMacKey : tag_q ? StKey : StLoad;
      end
      StLoad: begin
        move = load_ready_i;
        step_end = move && load_last_i;
        if (step_end) step_d = StKey;
        if (step_end && !hchacha_q && cipher) step_d = StStart;
        if (step_end && !hchacha_q && operation_q == Open) step_d = StFetch;
      end
      StKey: begin
        move = stream_valid_i;
        step_end = move && stream_end_i;
        if (step_end) step_d = hchacha_q ? StFetch : StMacKey;
      end
      StMacKey: begin
        move = key_ready_i;
        step_end = move;
        if (step_end) step_d = StStart;
      end
      StStart: begin  // reads, adds
        step_end = count_q[0];
        if (step_end) step_d = StPart;
      end
      StPart: begin
        move = beat;
        step_end = skip || (move && (none_i || last_i) && (!aead || count_q[1:0] == '1));
        if (step_end) begin
          step_d = mac ? StCompare : cipher ? StIdle : part_q ? StLengths : StStart;
        end
      end
      StLengths: begin
        move = mac_ready_i;
        step_end = move && count_q[1:0] == '1;
        if (step_end) step_d = StCompare;
      end
      StCompare: begin
        move = tag_word_i;
        step_end = count_q[2];  // the last word's comparison
        if (step_end) step_d = StTag;
      end
      default: begin
        move = tag_ready_i;
        step_end = move;
        if (step_end) step_d = StIdle;
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    step_q <= step_d;
    if (move) count_q <= count_q + 1'b1;
    if (step_end) count_q <= step_q == StIdle ? 4'd4 : '0;
    if (wipe_i) count_q <= count_q + 1'b1;
    if (rst_i || wipe_i) step_q <= StIdle;
    if (rst_i) count_q <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (step_q == StIdle) begin
      operation_q <= operation_e'(param_i[1:0]);
      extended_q <= param_i[2];
      hchacha_q <= param_i[2];
      tag_q <= 1'b0;
      part_q <= !param_i[1];  // no additional data
    end
    if (step_q == StLoad && !hchacha_q) tag_q <= 1'b1;
    if (step_q == StKey && step_end) hchacha_q <= 1'b0;
    if (step_q == StPart && step_end) part_q <= 1'b1;
  end

  // The rest of the last block's keystream is dropped.
  always_ff @(posedge clk_i) begin
    if (out_valid_o && last_i && !stream_last_i) drain_q <= 1'b1;
    if (drain_q && stream_valid_i && stream_last_i) drain_q <= 1'b0;
    if (rst_i || wipe_i) drain_q <= 1'b0;
  end
  assign busy_o = step_q != StIdle || drain_q;

endmodule
