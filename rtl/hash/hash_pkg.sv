// SPDX-License-Identifier: Apache-2.0
// What the cores of hashes share: words, params, constants' tables.
package hash_pkg;

  typedef logic [31:0] word_t;
  typedef logic [63:0][31:0] constants_t;  // that of the first step is in the highest word

  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned BlockBytes = 64;
  /* verilator lint_on UNUSEDPARAM */

  // One message, or one part of a message
  typedef struct packed {
    logic        restored;  // its first packet is a chaining value, in the bytes of a digest
    logic        part;      // more follows: no padding, and the result is the chaining value
    logic [54:0] blocks;    // of the message, in the parts before
  } param_t;

  // A little-endian word from a big-endian one, and back
  function automatic word_t swapped(word_t word);
    return {word[7:0], word[15:8], word[23:16], word[31:24]};
  endfunction

endpackage
