// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4): constants, functions of a round, and the figures of the structures.
package sha256_pkg;
  import hash_pkg::*;

  // The working variables of 6.2.2; in a ring h + K + W is in place of h
  typedef struct packed {word_t a, b, c, d, e, f, g, hkw;} state_t;

  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned DigestBytes = 32;
  /* verilator lint_on UNUSEDPARAM */

  // The first chaining value, H0 (5.3.3): a in [0]
  localparam logic [7:0][31:0] Initial = {
    32'h5be0cd19,
    32'h1f83d9ab,
    32'h9b05688c,
    32'h510e527f,
    32'ha54ff53a,
    32'h3c6ef372,
    32'hbb67ae85,
    32'h6a09e667
  };

  // 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes
  localparam constants_t K = {
    32'h428a2f98,
    32'h71374491,
    32'hb5c0fbcf,
    32'he9b5dba5,
    32'h3956c25b,
    32'h59f111f1,
    32'h923f82a4,
    32'hab1c5ed5,
    32'hd807aa98,
    32'h12835b01,
    32'h243185be,
    32'h550c7dc3,
    32'h72be5d74,
    32'h80deb1fe,
    32'h9bdc06a7,
    32'hc19bf174,
    32'he49b69c1,
    32'hefbe4786,
    32'h0fc19dc6,
    32'h240ca1cc,
    32'h2de92c6f,
    32'h4a7484aa,
    32'h5cb0a9dc,
    32'h76f988da,
    32'h983e5152,
    32'ha831c66d,
    32'hb00327c8,
    32'hbf597fc7,
    32'hc6e00bf3,
    32'hd5a79147,
    32'h06ca6351,
    32'h14292967,
    32'h27b70a85,
    32'h2e1b2138,
    32'h4d2c6dfc,
    32'h53380d13,
    32'h650a7354,
    32'h766a0abb,
    32'h81c2c92e,
    32'h92722c85,
    32'ha2bfe8a1,
    32'ha81a664b,
    32'hc24b8b70,
    32'hc76c51a3,
    32'hd192e819,
    32'hd6990624,
    32'hf40e3585,
    32'h106aa070,
    32'h19a4c116,
    32'h1e376c08,
    32'h2748774c,
    32'h34b0bcb5,
    32'h391c0cb3,
    32'h4ed8aa4a,
    32'h5b9cca4f,
    32'h682e6ff3,
    32'h748f82ee,
    32'h78a5636f,
    32'h84c87814,
    32'h8cc70208,
    32'h90befffa,
    32'ha4506ceb,
    32'hbef9a3f7,
    32'hc67178f2
  };

  function automatic word_t rotr(word_t x, int unsigned n);
    return x >> n | x << (32 - n);
  endfunction

  // 4.1.2
  function automatic word_t ch(word_t x, word_t y, word_t z);
    return (x & y) ^ (~x & z);
  endfunction
  function automatic word_t maj(word_t x, word_t y, word_t z);
    return (x & y) ^ (x & z) ^ (y & z);
  endfunction
  function automatic word_t big_sigma0(word_t x);
    return rotr(x, 2) ^ rotr(x, 13) ^ rotr(x, 22);
  endfunction
  function automatic word_t big_sigma1(word_t x);
    return rotr(x, 6) ^ rotr(x, 11) ^ rotr(x, 25);
  endfunction
  function automatic word_t small_sigma0(word_t x);
    return rotr(x, 7) ^ rotr(x, 18) ^ x >> 3;
  endfunction
  function automatic word_t small_sigma1(word_t x);
    return rotr(x, 17) ^ rotr(x, 19) ^ x >> 10;
  endfunction

  /* verilator lint_off UNUSEDSIGNAL */
  // A ring: with a message in every place
  function automatic int unsigned cycles_per_block(structure_e structure, int unsigned unroll);
    return structure == Serial ? 65 : 64 / unroll;
  endfunction

  // From the param of a message of n blocks, padding included, to that of the next one, if data
  // wait and digests are taken at once: n * message_cycles and message_overhead, and restore_cycles
  // if it begins with a chaining value. Serial is done with it then; a ring has its words.
  function automatic int unsigned message_cycles(structure_e structure);
    return structure == Serial ? 65 : RingMessageCycles;
  endfunction
  function automatic int unsigned message_overhead(structure_e structure);
    return structure == Serial ? 15 : RingMessageOverhead;
  endfunction
  function automatic int unsigned restore_cycles(structure_e structure);
    return structure == Serial ? 32 : 8;
  endfunction

  // From the param of a message of one block to its digest's first beat, at least (hash_pkg). In
  // Serial a wide beat waits for both halves.
  function automatic int unsigned latency(structure_e structure, int unsigned unroll,
                                          int unsigned data_bytes);
    if (structure == Ring) return ring_latency(unroll);
    return data_bytes > 16 ? 80 : data_bytes == 16 ? 74 : 75;
  endfunction

  function automatic int unsigned wipe_cycles(structure_e structure, int unsigned unroll,
                                              int unsigned depth);
    return structure == Serial ? 1 : ring_wipe_cycles(depth, unroll);
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
