// SPDX-License-Identifier: Apache-2.0
// What can be chosen of the DMA.
package dma_pkg;

  typedef enum bit {
    AlignedOnly = 1'b0,  // addresses are multiples of DataBytes
    AnyByte     = 1'b1
  } alignment_e;

endpackage
