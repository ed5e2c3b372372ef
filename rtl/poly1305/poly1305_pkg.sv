// SPDX-License-Identifier: Apache-2.0
// Poly1305 (RFC 8439, 2.5): the structures to choose from, the numbers that they work with, and
// what they cost in cycles.
//
// Bytes to bits: byte 0 of the key, of a block and of the tag is bits [7:0], so nothing is swapped.
//
// A number modulo p = 2^130 - 5 is kept in 4 segments of 34 bits, each with one bit more for a
// carry that is not passed on; the top one has 29 bits, so a number is below 2^131. Half a segment
// is a limb for a multiplier: 17 bits, with the carry 18.

package poly1305_pkg;

  typedef enum int unsigned {
    Serial = 0,  // one block in progress, a few multipliers
    Lanes  = 1   // several accumulators in turn, powers of r
  } structure_e;

  // Not all are used by both structures.
  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned BlockBytes = 16;
  localparam int unsigned Segments = 4;
  localparam int unsigned SegmentBits = 34;
  localparam int unsigned Limbs = 8;
  localparam int unsigned LimbBits = 17;
  localparam int unsigned TopBits = 28;  // of the number below 2^130 in the top segment
  localparam int unsigned NumberBits = 134;
  localparam int unsigned Keys = 2;  // that powers are kept of
  /* verilator lint_on UNUSEDPARAM */

  typedef logic [Segments-1:0][SegmentBits:0] number_t;
  typedef logic [Segments-1:0][SegmentBits-1:0] segments_t;
  typedef logic [Limbs-1:0][LimbBits:0] limbs_t;
  typedef logic [128:0] block_t;  // 16 bytes of a message with the bit behind the last one

  // Lanes: what the multiplier array does in one turn: A * B, perhaps plus a block
  typedef struct packed {
    logic       load;   // r of a new key is added, as its first power
    logic       zero;   // A is 0
    logic       power;  // the result is a power
    logic       ends;   // the result is one of those whose sum is the hash
    logic       last;   // the last of them
    logic [3:0] a;      // which lane; 12 and more: which power, 1 to 4
    logic [4:0] b;      // {key, power - 1}
    logic [4:0] to;     // the same, or the lane
  } turn_t;

  // Serial: what is read in a cycle, and what for
  typedef struct packed {
    logic       multiply;  // h + block, and a product of it
    logic       compare;   // h, for the carries of h + 5
    logic       add;       // h + s
    logic [2:0] word;      // of h; 4 is the one above
    logic [3:0] r;         // r_0 to r_3, s_0 to s_3, words of s
    logic       last;      // of its column
    logic [2:0] column;    // 4 is the word above
    logic       five;      // the next carry is 5
    logic       decide;    // it is 5 if h + 5 reached 2^130
  } serial_read_t;

  // The bytes of a message below `keep`, and a one behind them. Without bytes (the empty message):
  // no block.
  function automatic block_t padded(logic [127:0] data, logic [15:0] keep);
    block_t block = '0;
    for (int unsigned i = 0; i < 16; i++) begin
      if (keep[i]) block[8*i+:8] = data[8*i+:8];
      else if (i > 0) block[8*i] = keep[i-1];
    end
    block[128] = keep[15];
    return block;
  endfunction

  function automatic logic [127:0] clamped(logic [127:0] r);
    return r & 128'h0ffffffc_0ffffffc_0ffffffc_0fffffff;
  endfunction

  // Word n of {s, r}, of which r is clamped
  function automatic logic [31:0] clamped_word(logic [31:0] word, logic [2:0] n);
    logic [31:0] kept = word;
    if (!n[2]) kept[31:28] = '0;
    if (!n[2] && n[1:0] != '0) kept[1:0] = '0;
    return kept;
  endfunction

  function automatic limbs_t limbs_of(number_t number);
    limbs_t limbs;
    for (int unsigned i = 0; i < Segments; i++) begin
      limbs[2*i]   = {1'b0, number[i][LimbBits-1:0]};
      limbs[2*i+1] = number[i][SegmentBits:LimbBits];
    end
    return limbs;
  endfunction

  // Registers behind the addition of segments and carries. With all segments at once the result
  // goes straight to memory, so that 8 lanes are enough.
  function automatic int unsigned carry_registers(int unsigned interval);
    return interval == 1 ? 0 : 1;
  endfunction

  // Cycles from a turn until a turn can use its result.
  function automatic int unsigned turnaround(int unsigned interval);
    return interval + 7 + carry_registers(interval);
  endfunction

  // Accumulators that keep the array busy: a result is back after this many turns.
  function automatic int unsigned lanes(int unsigned interval);
    return (turnaround(interval) + interval - 1) / interval;
  endfunction

  // The costs. The interval is that of lanes: it does not matter to Serial.
  /* verilator lint_off UNUSEDSIGNAL */

  // Serial: what its 21 reads of a block and the wait for their end take
  localparam int unsigned SerialCyclesPerBlock = 23;

  // kept_i for words of poly1305_collect, which are already padded
  localparam logic [4:0] CollectedKept = 5'b11110;

  function automatic int unsigned cycles_per_block(structure_e structure, int unsigned interval);
    return structure == Serial ? SerialCyclesPerBlock : interval;
  endfunction

  // Messages with other keys, one after the other, take the larger of these two each:
  // cycles from a key to the first block's turn, when nothing else is in progress,
  function automatic int unsigned set_up_cycles(structure_e structure, int unsigned interval);
    int unsigned cycles = 0, back = turnaround(interval);
    if (structure == Serial) return 15;
    for (int unsigned made = 1; made < lanes(interval); made++) begin
      cycles += 2 ** $clog2(made) == made ? back : interval;
    end
    return cycles + back + interval;
  endfunction

  // or cycles_per_block() for each block and these: a turn for each power and each lane; in Serial
  // r and s.
  function automatic int unsigned message_overhead(structure_e structure, int unsigned interval);
    if (structure == Serial) return 27;
    return 2 * interval * lanes(interval);
  endfunction

  function automatic int unsigned message_cycles(structure_e structure, int unsigned interval,
                                                 int unsigned length);
    int unsigned blocks = (length + BlockBytes - 1) / BlockBytes;
    int unsigned cycles = blocks * cycles_per_block(structure, interval);
    int unsigned set_up = set_up_cycles(structure, interval);
    cycles += message_overhead(structure, interval);
    return cycles > set_up ? cycles : set_up;
  endfunction

  // Cycles from the first beat to the tag of a message of one block, when the key is set up. For
  // each further block interval more, when data is always there.
  function automatic int unsigned latency(structure_e structure, int unsigned interval,
                                          int unsigned data_bytes);
    if (structure == Serial) return data_bytes == 4 ? 40 : 16;
    return interval * (lanes(interval) + 2) + 24 + carry_registers(interval);
  endfunction

  // Cycles that wipe_i must be held for: zeros go through the array, then to every place in memory.
  function automatic int unsigned wipe_cycles(structure_e structure);
    return structure == Serial ? 32 : 56;
  endfunction

  /* verilator lint_on UNUSEDSIGNAL */

endpackage
