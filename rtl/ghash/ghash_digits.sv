// SPDX-License-Identifier: Apache-2.0
// One digit of the sum per cycle, the highest first (Horner's rule): the result so far moves up by
// a digit, and the digit's product with the key is added.

module ghash_digits
  import ghash_pkg::*;
#(
    parameter int unsigned DigitBits
) (
    input  logic       clk_i,
    input  logic       rst_i,
    input  logic       wipe_i,
    input  logic       valid_i,
    output logic       ready_o,
    input  element_t   block_i,       // or key
    input  remaining_t remaining_i,
    output logic       hash_valid_o,
    input  logic       hash_ready_i,
    output element_t   hash_o,
    output logic       busy_o
);

  localparam int unsigned Digits = 128 / DigitBits;
  typedef logic [127+DigitBits-1:0] long_t;
  typedef logic [$clog2(Digits+2)-1:0] count_t;

  function automatic long_t multiplied(element_t x, logic [DigitBits-1:0] digit);
    long_t result = '0;
    for (int unsigned i = 0; i < DigitBits; i++) if (digit[i]) result ^= long_t'(x) << i;
    return result;
  endfunction

  // In step 1 to Digits a digit is multiplied, in the step after it is added; 0 waits for a block.
  count_t step_q;
  logic open_q, last_q, full_q, key, move;
  element_t key_q, rest_q, hash_q, next;
  long_t product_q;

  assign key = remaining_i == '0;
  assign ready_o = step_q == '0 && !full_q && !wipe_i;
  assign move = valid_i && ready_o;
  assign next = reduced(255'(hash_q) << DigitBits ^ 255'(product_q));

  always_ff @(posedge clk_i) begin
    product_q <= multiplied(key_q, rest_q[127-:DigitBits]);
    rest_q <= rest_q << DigitBits;
    if (step_q != '0) begin
      step_q <= step_q == count_t'(Digits + 1) ? '0 : step_q + 1'b1;
      hash_q <= step_q == count_t'(1) ? '0 : next;
    end
    if (hash_ready_i) full_q <= 1'b0;
    if (step_q == count_t'(Digits + 1)) full_q <= last_q;
    if (move && key) key_q <= block_i;
    if (move && !key) begin
      step_q <= count_t'(1);
      rest_q <= block_i ^ (open_q ? hash_q : '0);
      open_q <= remaining_i != 1;
      last_q <= remaining_i == 1;
    end
    if (wipe_i) {key_q, rest_q, hash_q, product_q} <= '0;
    if (rst_i || wipe_i) begin
      step_q <= '0;
      {open_q, full_q} <= '0;
    end
  end

  assign hash_valid_o = full_q && !wipe_i;
  assign hash_o = hash_q;
  assign busy_o = open_q || step_q != '0 || full_q;

endmodule
