// SPDX-License-Identifier: Apache-2.0
// One word of a param, as chacha20_serial_core wants them: word 2 is {hchacha, 4'b0, blocks}, words
// 4 to 15 are those of the first initial state. Combinational.

module chacha20_param_words
  import chacha20_pkg::*;
(
    input  param_t       param_i,
    input  logic   [3:0] word_i,
    output word_t        data_o
);

  state_t words;

  always_comb begin
    words = initial_state(param_i.key, param_i.counter, param_i.nonce);
    words[3:0] = {4{param_i.hchacha, 4'b0, param_i.blocks}};
    data_o = words[word_i];
  end

endmodule
