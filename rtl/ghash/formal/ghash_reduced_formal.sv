// SPDX-License-Identifier: Apache-2.0
// Proof of ghash_pkg: reducing a product of 255 bits gives the same as reducing one power after the
// other (SP 800-38D, 6.3).

module ghash_reduced_formal
  import ghash_pkg::*;
(
    input logic         clk_i,
    input logic [254:0] product_i
);

  function automatic element_t step_by_step(logic [254:0] product);
    for (int unsigned i = 254; i >= 128; i--) begin  // x^i = x^(i-128) (x^7 + x^2 + x + 1)
      if (product[i]) product ^= 255'h87 << (i - 128);
    end
    return product[127:0];
  endfunction

  always_ff @(posedge clk_i) begin
    is_the_remainder : assert (reduced(product_i) == step_by_step(product_i));
    reached : cover (product_i[254] && reduced(product_i) == '0);
  end

endmodule
