// SPDX-License-Identifier: Apache-2.0
// One word of a param, as aes_serial_core wants them: mode and size, then the IV's words, the
// last first, then the key's. Combinational.

module aes_param_words
  import aes_pkg::*;
(
    input  param_t       param_i,
    input  logic   [3:0] word_i,
    output word_t        data_o
);

  logic [15:0][31:0] words;
  logic unused;

  always_comb begin
    words = '0;
    words[0] = 32'({param_i.mode, param_i.size});
    for (int unsigned i = 0; i < 4; i++) words[1+i] = param_i.iv[32*(3-i)+:32];
    for (int unsigned i = 0; i < 8; i++) words[5+i] = param_i.key[32*i+:32];
    data_o = words[word_i];
  end
  assign unused = param_i.decrypt;

endmodule
