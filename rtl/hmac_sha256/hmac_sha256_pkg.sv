// SPDX-License-Identifier: Apache-2.0
// HMAC-SHA-256: params, and the figures that differ from those of sha256.
package hmac_sha256_pkg;
  import hash_pkg::*;

  // One message, or one part of a message
  typedef struct packed {
    logic         keyed;    // HMAC; otherwise a digest, as sha256
    logic [255:0] key;      // byte 0 in [7:0]; of a shorter key the rest is zeros
    param_t       message;  // blocks: with that of the key, which is the first
  } keyed_param_t;

  // RFC 2104, 2
  localparam logic [7:0] InnerPad = 8'h36;
  localparam logic [7:0] OuterPad = 8'h5c;

  // Messages between their inner and their outer hash
  function automatic int unsigned pending(structure_e structure);
    return structure == Ring ? 32 : 1;  // from 17 on the keys are in block RAM
  endfunction

  function automatic int unsigned wipe_cycles(structure_e structure, int unsigned unroll,
                                              int unsigned depth);
    int unsigned queue = 8 * pending(structure);  // of digests, in words
    int unsigned core = sha256_pkg::wipe_cycles(structure, unroll, depth);
    return core > queue ? core : queue;
  endfunction

endpackage
