// SPDX-License-Identifier: Apache-2.0
// Byte order of the hashes' words.
package hash_pad_pkg;

  // A little-endian word from a big-endian one, and back
  function automatic logic [31:0] swapped(logic [31:0] word);
    return {word[7:0], word[15:8], word[23:16], word[31:24]};
  endfunction

endpackage
