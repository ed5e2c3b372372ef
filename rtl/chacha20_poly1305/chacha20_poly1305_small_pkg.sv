// SPDX-License-Identifier: Apache-2.0
// Steps of a message in chacha20_poly1305_small, mostly in this order. Bits 3 and 2 say who
// addresses its RAM, so that this is known early in the cycle: the part, the count, the cipher or
// Poly1305.

package chacha20_poly1305_small_pkg;

  typedef enum logic [3:0] {
    StIdle    = 4'b0000,  // waits for the first word of a param
    StFetch   = 4'b0001,  // its words: all but the expected tag, or this, or the nonce of a subkey
    StLoad    = 4'b1000,  // gives the cipher its param
    StKey     = 4'b0101,  // takes block 0 of the keystream: subkey or one-time key
    StMacKey  = 4'b1100,  // gives Poly1305 its key
    StStart   = 4'b0010,  // takes the length of a part
    StPart    = 4'b0011,  // additional data, data
    StLengths = 4'b0100,  // gives Poly1305 the lengths
    StCompare = 4'b0110,  // compares the tag with the expected one, word by word
    StTag     = 4'b0111   // offers it
  } step_e;

endpackage
