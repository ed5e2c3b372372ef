// SPDX-License-Identifier: Apache-2.0
// What chacha20_poly1305_small does with a message, mostly in this order.

package chacha20_poly1305_small_pkg;

  typedef enum logic [3:0] {
    StIdle,     // waits for the first word of a param
    StFetch,    // takes its words: all but the expected tag, or this, or the nonce of a subkey
    StLoad,     // gives the cipher its param
    StKey,      // takes block 0 of the keystream: subkey or one-time key
    StMacKey,   // gives Poly1305 its key
    StStart,    // takes the length of a part
    StPart,     // additional data, data
    StLengths,  // gives Poly1305 the lengths
    StCompare,  // compares the tag with the expected one, word by word
    StTag       // offers it
  } step_e;

endpackage
