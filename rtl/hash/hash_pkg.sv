// SPDX-License-Identifier: Apache-2.0
// What the cores of hashes share: words, params, constants' tables.
package hash_pkg;

  typedef logic [31:0] word_t;
  typedef logic [63:0][31:0] constants_t;  // that of the first step is in the highest word

  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned BlockBytes = 64;
  /* verilator lint_on UNUSEDPARAM */

  typedef enum int unsigned {
    Serial,  // one step per cycle, one message
    Ring  // Unroll steps of three cycles, as many messages in turn as it has places (hash_ring)
  } structure_e;

  // One message, or one part of a message
  typedef struct packed {
    logic        restored;  // its first packet is a chaining value, in the bytes of a digest
    logic        part;      // more follows: no padding, and the result is the chaining value
    logic [54:0] blocks;    // of the message, in the parts before
  } param_t;

  // ---- rings ------------------------------------------------------------------------------------
  // A step takes three cycles, and the sum with the chaining value one.
  function automatic int unsigned ring_places(int unsigned unroll);
    return 3 * unroll + 1;
  endfunction

  // Where in its pass, in cycles (hash_turns), a place has to have the word for unit j
  function automatic int unsigned ring_word_age(int unsigned j);
    return j == 0 ? 3 : 4 + 3 * j;
  endfunction

  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned RingBuffers = 16;
  localparam int unsigned RingJobs = 64;
  // Cycles between the params of two messages: for each block, and more; for a restored value
  localparam int unsigned RingMessageCycles = 16;
  localparam int unsigned RingMessageOverhead = 1;
  /* verilator lint_on UNUSEDPARAM */

  // Of a message alone
  function automatic int unsigned ring_block_latency(int unsigned unroll);
    return 64 / unroll * ring_places(unroll);
  endfunction

  // From the param of a message of one block to its digest's first beat; up to ring_places more,
  // until a place comes by
  function automatic int unsigned ring_latency(int unsigned unroll);
    return ring_block_latency(unroll) + 30;
  endfunction

  function automatic int unsigned ring_wipe_cycles(int unsigned depth, int unsigned banks);
    return RingBuffers * depth * 16 / banks + 8;
  endfunction

  // A little-endian word from a big-endian one, and back
  function automatic word_t swapped(word_t word);
    return {word[7:0], word[15:8], word[23:16], word[31:24]};
  endfunction

endpackage
