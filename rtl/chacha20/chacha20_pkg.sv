// SPDX-License-Identifier: Apache-2.0
// ChaCha20 (RFC 8439): types, the structures to choose from, one step of the rounds, and what each
// structure costs in cycles.
//
// Bytes to bits: a word of the standard is 4 bytes, the first of them lowest; word 0 of the state
// is in bits [31:0] and the first byte of the keystream in bits [7:0], so nothing is ever swapped.

package chacha20_pkg;

  // These are int so that a number that is none of them can be refused.
  typedef enum int unsigned {
    Serial = 0,  // one quarter round, reused
    Ring   = 1   // Unroll rounds in a ring of Stages registers
  } structure_e;

  typedef enum int unsigned {
    HostAdd     = 0,  // the output is the state after 20 rounds: the host adds the initial one
    HardwareAdd = 1   // the output is the keystream of the standard
  } final_add_e;

  typedef enum int unsigned {
    WholeParam = 0,  // param_t at once
    ParamWords = 1   // Serial only: {hchacha, 4'b0, blocks}, key, counter, nonce
  } param_port_e;

  typedef enum int unsigned {
    Direct    = 0,
    Decoupled = 1,  // no handshake goes through the XOR in a cycle: latency + 2
    HalfRate  = 2   // no ready goes through the output: a beat in two cycles
  } handshake_e;

  typedef logic [31:0] word_t;
  typedef logic [15:0][31:0] state_t;

  typedef struct packed {
    logic hchacha;  // HChaCha20: no final addition
    logic [26:0] blocks;  // keystream blocks of the packet; 0 for an empty packet
    logic [31:0] counter;  // of the first block
    logic [95:0] nonce;  // byte 0 in [7:0]
    logic [255:0] key;  // byte 0 in [7:0]
  } param_t;

  // A place in the rows of the serial structure: of the initial state or the one in progress, which
  // of two blocks, which column of row a
  typedef struct packed {
    logic       initial_i;
    logic       block;
    logic       diagonal;
    logic [1:0] column;
  } serial_place_t;

  localparam int unsigned BlockBytes = 64;
  localparam int unsigned Rounds = 20;

  // "expand 32-byte k"
  localparam logic [127:0] Constants = 128'h6b206574_79622d32_3320646e_61707865;

  function automatic state_t initial_state(logic [255:0] key, word_t counter, logic [95:0] nonce);
    return {nonce, counter, key, Constants};
  endfunction

  // Rotation of each step of a quarter round (RFC 8439, 2.1)
  localparam int unsigned RotateLeft[4] = '{16, 12, 8, 7};

  // Word of row 0 (a) to 3 (d) in a column of step 0 to 79: odd rounds work on diagonals (2.3).
  function automatic int unsigned word_at(int unsigned row, int unsigned column, int unsigned step);
    return 4 * row + (column + row * (step / 4 % 2)) % 4;
  endfunction

  // The XOR of a step, and its rotation, on a state after the step's addition. A ring may leave
  // them to the step that comes next, or to the logic behind it.
  function automatic state_t step_xor(state_t state, int unsigned step);
    state_t result = state;
    for (int unsigned column = 0; column < 4; column++) begin
      int unsigned sum = word_at(step % 2 == 0 ? 0 : 2, column, step);
      int unsigned other = word_at(step % 2 == 0 ? 3 : 1, column, step);
      word_t x = state[other] ^ state[sum];
      result[other] = x << RotateLeft[step%4] | x >> (32 - RotateLeft[step%4]);
    end
    return result;
  endfunction

  // Parameters by default: with a register per step of the rounds, a ring is fastest.
  function automatic int unsigned default_unroll(structure_e structure);
    return structure == Serial ? 1 : 2;
  endfunction

  function automatic int unsigned default_stages(structure_e structure, int unsigned unroll);
    return structure == Serial ? 1 : 4 * unroll;
  endfunction

  // Bytes of a keystream beat: the narrowest that keeps pace with the ring, or with the data. With
  // beats of 16 or 32 bytes, blocks enter at least Spacing = 64 / beat cycles apart. A free slot
  // passes the entry once per pass, and each block in the 2 * (Spacing - 1) slots around it can
  // block one of these passes. With more passes than such blocks, every slot is filled. Otherwise
  // at least `passes` of passes + 2 * (Spacing - 1) slots are in use, so a block is made in at most
  // that many cycles.
  function automatic int unsigned keystream_bytes(structure_e structure, int unsigned unroll,
                                                  int unsigned stages, int unsigned data_bytes);
    int unsigned passes, spacing, nearest;
    if (structure == Serial) return 4;
    passes = Rounds / unroll;
    for (int unsigned bytes = 16; bytes < BlockBytes; bytes *= 2) begin
      spacing = BlockBytes / bytes;
      nearest = 2 * (spacing - 1);
      if (stages <= nearest) continue;
      if (nearest < passes || passes + nearest <= BlockBytes / data_bytes) return bytes;
    end
    return BlockBytes;
  endfunction

  // Packets that a ring has room for: those with a block in it, those on the way to it, and those
  // that have left but are not yet counted as gone.
  function automatic int unsigned ring_packets(int unsigned stages);
    return 2 ** $clog2(stages + 8);
  endfunction

  // Blocks that the output FIFO of a ring has room for: as many as can be made from the issue of a
  // block until its credit is back, 19 cycles longer than the rounds.
  function automatic int unsigned ring_credits(int unsigned unroll, int unsigned stages);
    int unsigned passes = Rounds / unroll;
    return 2 ** $clog2(stages + (19 + passes - 1) / passes);
  endfunction

  // Depth of the FIFO behind that one: 2 (a register and a spare one) where the ring is so large
  // that its output is far from its consumer; otherwise none. Whole blocks are wide data, whose
  // small RAMs can be near the consumer.
  function automatic int unsigned output_depth(int unsigned keystream, int unsigned passes);
    return keystream < BlockBytes && passes <= 4 ? 2 : 0;
  endfunction

  // Wide streams at full rate: data follows its handshake by a cycle, inside.
  function automatic bit is_late(int unsigned data_bytes, handshake_e handshake);
    return data_bytes > 16 && handshake != HalfRate;
  endfunction

  // The costs. All functions take the parameters of chacha20, also those that do not matter.
  /* verilator lint_off UNUSEDSIGNAL */

  // Cycles from one block to the next while nothing else limits.
  function automatic int unsigned cycles_per_block(
      structure_e structure, int unsigned unroll, int unsigned stages,
      int unsigned data_bytes = BlockBytes, final_add_e final_add = HardwareAdd);
    int unsigned beats = BlockBytes / data_bytes;
    // Two blocks in turn: 4 counts, 160 columns, two times 16 words, read twice for an addition
    if (structure == Serial) return (4 + 8 * Rounds + (final_add == HostAdd ? 32 : 64)) / 2;
    return Rounds / unroll > beats ? Rounds / unroll : beats;
  endfunction

  // Cycles from the param's handshake to the first beat of the output, when the data is there.
  function automatic int unsigned latency(structure_e structure, int unsigned unroll,
                                          int unsigned stages, int unsigned data_bytes = 16,
                                          final_add_e final_add = HardwareAdd);
    int unsigned passes = Rounds / unroll;
    int unsigned keystream = keystream_bytes(structure, unroll, stages, data_bytes);
    // Words that the first beat is assembled from
    int unsigned words = data_bytes / keystream;
    int unsigned late = data_bytes > 16 ? 1 : 0;
    if (structure == Serial) begin
      return late + 7 + 8 * Rounds + (final_add == HostAdd ? 1 : 2) * words + (words > 1 ? 4 : 3);
    end
    return late + stages * passes + 12 + (final_add == HostAdd ? 0 : 2) + output_depth(
        keystream, passes
    ) / 2 + (words > 1 ? words : words == 1 ? 0 : 1);
  endfunction

  // Cycles that wipe_i must be held for: the register in front of each part, the deepest memory,
  // then the registers behind it.
  function automatic int unsigned wipe_cycles(structure_e structure, int unsigned unroll,
                                              int unsigned stages, int unsigned data_bytes);
    int unsigned beats = BlockBytes / keystream_bytes(structure, unroll, stages, data_bytes);
    int unsigned packets = ring_packets(stages), credits = ring_credits(unroll, stages);
    if (structure == Serial) return 1 + 16 + 8;
    return 1 + (credits > packets ? credits : packets) * beats + 24;
  endfunction

  /* verilator lint_on UNUSEDSIGNAL */

  // The words in another order: diagonals become columns, and columns become diagonals. Applied
  // twice, it gives the same state. So a diagonal round (RFC 8439, 2.3) between two of these is a
  // column round, and a column round a diagonal one.
  function automatic state_t swap_diagonals(state_t state);
    state_t result;
    for (int unsigned row = 0; row < 4; row++) begin
      for (int unsigned column = 0; column < 4; column++) begin
        result[4*row+column] = state[4*row+(4+row-column)%4];
      end
    end
    return result;
  endfunction

endpackage
