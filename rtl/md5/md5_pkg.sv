// SPDX-License-Identifier: Apache-2.0
// MD5 (RFC 1321): constants, functions of a step, and the figures of the structures.
package md5_pkg;
  import hash_pkg::*;

  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned DigestBytes = 16;
  /* verilator lint_on UNUSEDPARAM */

  // A to D of 3.4; in a ring A + T + word is in place of A
  typedef struct packed {word_t atm, b, c, d;} state_t;

  // With four units in a ring each has a place in four, and four rotations.
  localparam int unsigned RingUnroll = 4;

  // The first values of A to D (3.3): A in [0]
  localparam logic [3:0][31:0] Initial = {32'h10325476, 32'h98badcfe, 32'hefcdab89, 32'h67452301};

  // 3.4: the integer part of 2^32 * |sin(i + 1)|
  localparam constants_t T = {
    32'hd76aa478,
    32'he8c7b756,
    32'h242070db,
    32'hc1bdceee,
    32'hf57c0faf,
    32'h4787c62a,
    32'ha8304613,
    32'hfd469501,
    32'h698098d8,
    32'h8b44f7af,
    32'hffff5bb1,
    32'h895cd7be,
    32'h6b901122,
    32'hfd987193,
    32'ha679438e,
    32'h49b40821,
    32'hf61e2562,
    32'hc040b340,
    32'h265e5a51,
    32'he9b6c7aa,
    32'hd62f105d,
    32'h02441453,
    32'hd8a1e681,
    32'he7d3fbc8,
    32'h21e1cde6,
    32'hc33707d6,
    32'hf4d50d87,
    32'h455a14ed,
    32'ha9e3e905,
    32'hfcefa3f8,
    32'h676f02d9,
    32'h8d2a4c8a,
    32'hfffa3942,
    32'h8771f681,
    32'h6d9d6122,
    32'hfde5380c,
    32'ha4beea44,
    32'h4bdecfa9,
    32'hf6bb4b60,
    32'hbebfbc70,
    32'h289b7ec6,
    32'heaa127fa,
    32'hd4ef3085,
    32'h04881d05,
    32'hd9d4d039,
    32'he6db99e5,
    32'h1fa27cf8,
    32'hc4ac5665,
    32'hf4292244,
    32'h432aff97,
    32'hab9423a7,
    32'hfc93a039,
    32'h655b59c3,
    32'h8f0ccc92,
    32'hffeff47d,
    32'h85845dd1,
    32'h6fa87e4f,
    32'hfe2ce6e0,
    32'ha3014314,
    32'h4e0811a1,
    32'hf7537e82,
    32'hbd3af235,
    32'h2ad7d2bb,
    32'heb86d391
  };

  // Words of the block (3.4): a round takes them from the first one on, with a step between them.
  function automatic logic [3:0] first_word(logic [1:0] round);
    unique case (round)
      2'd0: return 4'd0;
      2'd1: return 4'd1;
      2'd2: return 4'd5;
      2'd3: return 4'd0;
    endcase
  endfunction
  function automatic logic [3:0] word_step(logic [1:0] round);
    unique case (round)
      2'd0: return 4'd1;
      2'd1: return 4'd5;
      2'd2: return 4'd3;
      2'd3: return 4'd7;
    endcase
  endfunction

  // Of each pass, for a unit of a ring: its step's place in four
  function automatic logic [15:0][3:0] unit_words(logic [1:0] place);
    for (int unsigned pass = 0; pass < 16; pass++) begin
      logic [1:0] round = 2'(pass / 4);
      unit_words[pass] = first_word(round) + word_step(round) * {2'(pass), place};
    end
  endfunction

  // F, G, H, I
  function automatic word_t mix(logic [1:0] round, word_t x, word_t y, word_t z);
    unique case (round)
      2'd0: return (x & y) | (~x & z);
      2'd1: return (x & z) | (y & ~z);
      2'd2: return x ^ y ^ z;
      2'd3: return y ^ (x | ~z);
    endcase
  endfunction

  function automatic word_t rotl(word_t x, int unsigned n);
    return x << n | x >> (32 - n);
  endfunction

  // 3.4: by the step's place in four
  function automatic int unsigned rotation(logic [1:0] round, logic [1:0] place);
    unique case ({
      round, place
    })
      4'h0: return 7;
      4'h1: return 12;
      4'h2: return 17;
      4'h3: return 22;
      4'h4: return 5;
      4'h5: return 9;
      4'h6: return 14;
      4'h7: return 20;
      4'h8: return 4;
      4'h9: return 11;
      4'ha: return 16;
      4'hb: return 23;
      4'hc: return 6;
      4'hd: return 10;
      4'he: return 15;
      4'hf: return 21;
    endcase
  endfunction

  // The same in two, the larger depends on the step's
  // place in four, and what is left is 0 to 3.
  function automatic word_t rotated_most(word_t x, logic [1:0] place);
    unique case (place)
      2'd0: return rotl(x, 4);
      2'd1: return rotl(x, 9);
      2'd2: return rotl(x, 14);
      2'd3: return rotl(x, 20);
    endcase
  endfunction
  function automatic logic [1:0] rotation_left(logic [1:0] round, logic [1:0] place);
    unique case (round)
      2'd0: return place == 2'd3 ? 2'd2 : 2'd3;
      2'd1: return place == 2'd0 ? 2'd1 : 2'd0;
      2'd2: return place == 2'd0 ? 2'd0 : place == 2'd3 ? 2'd3 : 2'd2;
      2'd3: return place == 2'd0 ? 2'd2 : 2'd1;
    endcase
  endfunction

  /* verilator lint_off UNUSEDSIGNAL */
  // A ring: with a message in every place
  function automatic int unsigned cycles_per_block(structure_e structure);
    return structure == Serial ? 65 : 64 / RingUnroll;
  endfunction

  // From the param of a message of n blocks, padding included, to that of the next one, if data
  // wait and digests are taken at once: n * message_cycles and message_overhead, and restore_cycles
  // if it begins with a chaining value. Serial is done with it then; a ring has its words.
  function automatic int unsigned message_cycles(structure_e structure);
    return structure == Serial ? 65 : RingMessageCycles;
  endfunction
  function automatic int unsigned message_overhead(structure_e structure);
    return structure == Serial ? 11 : RingMessageOverhead;
  endfunction
  function automatic int unsigned restore_cycles(structure_e structure);
    return structure == Serial ? 16 : 4;
  endfunction

  // From the param of a message of one block to its digest's first beat, at least (hash_pkg)
  function automatic int unsigned latency(structure_e structure, int unsigned data_bytes);
    if (structure == Ring) return ring_latency(RingUnroll);
    return data_bytes == 16 ? 75 : 76;
  endfunction

  function automatic int unsigned wipe_cycles(structure_e structure, int unsigned depth);
    return structure == Serial ? 16 : ring_wipe_cycles(depth, 1);
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
