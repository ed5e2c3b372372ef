// SPDX-License-Identifier: Apache-2.0
// GHASH (SP 800-38D, 6.3 and 6.4): the field, and what each size of digit costs in cycles.

package ghash_pkg;

  localparam int unsigned BlockBytes = 16;

  // Of GF(2^128): bit i is the coefficient of x^i
  typedef logic [8*BlockBytes-1:0] element_t;

  // A block has byte 0 in [7:0]; the standard counts the bits of each byte from the left. This
  // function converts, in both directions.
  function automatic element_t reflected(logic [127:0] block);
    element_t result;
    for (int unsigned i = 0; i < 128; i++) result[i] = block[i^7];
    return result;
  endfunction

  // x^128 = x^7 + x^2 + x + 1: the part above is folded down, and what is above again once more.
  function automatic element_t reduced(logic [254:0] product);
    logic [126:0] high = product[254:128];
    logic [  5:0] again = high[126:121] ^ {5'b0, high[126]};
    return product[127:0] ^ {1'b0, high} ^ {high, 1'b0} ^ {high[125:0], 2'b0} ^
        {high[120:0], 7'b0} ^ 128'(again) ^ {121'b0, again, 1'b0} ^ {120'b0, again, 2'b0} ^
        {115'b0, again, 7'b0};
  endfunction

  // A digit of 128 bits is one multiplication per cycle in a multiplier with this many registers:
  // as many sums take turns, each with its power of the key.
  localparam int unsigned Lanes = 4;

  // Blocks that remain of a message, including this one, up to 4; 0 marks a key.
  typedef logic [$clog2(Lanes+1)-1:0] remaining_t;

  function automatic int unsigned cycles_per_block(int unsigned digit_bits);
    return digit_bits == 128 ? 1 : 128 / digit_bits + 2;
  endfunction

  // From the handshake of a key to that of its first block
  function automatic int unsigned set_up_cycles(int unsigned digit_bits);
    return digit_bits == 128 ? 2 * Lanes + 6 : 1;
  endfunction

  // From the handshake of the last block to the hash
  function automatic int unsigned latency(int unsigned digit_bits);
    return digit_bits == 128 ? Lanes + 2 : 128 / digit_bits + 2;
  endfunction

  // Cycles that wipe_i must be held for: until zeros have passed the multiplier
  function automatic int unsigned wipe_cycles(int unsigned digit_bits);
    return digit_bits == 128 ? Lanes + 3 : 2;
  endfunction

endpackage
