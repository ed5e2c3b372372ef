// SPDX-License-Identifier: Apache-2.0
// A param word by word, as chacha20_serial_core wants it: {hchacha, 4'b0, blocks}, then words 4 to
// 15 of the first initial state. Latency 1 cycle, one word per cycle. ParamWords: it comes in so.

module chacha20_param_words
  import chacha20_pkg::*;
#(
    parameter  param_port_e ParamPort,
    localparam int unsigned ParamBits = ParamPort == ParamWords ? 32 : $bits(param_t)
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  wipe_i,
    input  logic                  param_valid_i,  // stays until it is ready
    output logic                  param_ready_o,
    output logic                  param_last_o,   // with it: the last word
    input  logic  [ParamBits-1:0] param_i,
    output logic                  valid_o,
    input  logic                  ready_i,
    output word_t                 word_o
);

  logic [3:0] index_q;  // of the next word; 3 is the first
  logic ready;
  word_t word;
  assign param_last_o  = index_q == '1;
  assign param_ready_o = ready && (param_last_o || ParamPort == ParamWords);

  always_ff @(posedge clk_i) begin
    if (param_valid_i && ready) index_q <= param_last_o ? 4'd3 : index_q + 1'b1;
    if (rst_i || wipe_i) index_q <= 4'd3;
  end

  if (ParamPort == ParamWords) begin : gen_word
    assign word = param_i;
  end else begin : gen_whole
    param_t param;
    state_t words;
    assign param = param_i;
    always_comb begin
      words = initial_state(param.key, param.counter, param.nonce);
      words[3:0] = {4{param.hchacha, 4'b0, param.blocks}};
    end
    assign word = words[index_q];
  end

  stream_register #(
      .Width(32)
  ) u_word (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(param_valid_i),
      .ready_o(ready),
      .data_i (word),
      .valid_o,
      .ready_i,
      .data_o (word_o)
  );

endmodule
