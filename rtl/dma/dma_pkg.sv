// SPDX-License-Identifier: Apache-2.0
// The parameters of the DMA.
package dma_pkg;

  typedef enum bit {
    AlignedOnly = 1'b0,  // addresses are multiples of DataBytes
    AnyByte     = 1'b1
  } alignment_e;

  // x - 1. A bit flips unless a lower bit is set: tables of few inputs instead of a carry chain.
  function automatic logic [8:0] minus_one(logic [8:0] x);
    for (int unsigned i = 0; i < 9; i++) minus_one[i] = x[i] == |(x & 9'((1 << i) - 1));
  endfunction

endpackage
