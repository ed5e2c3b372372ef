// SPDX-License-Identifier: Apache-2.0
// AES (FIPS 197): types, the structures to choose from, the arithmetic of its field, and what each
// structure costs in cycles.
//
// Bytes to bits: byte n of a block, of a key or of a counter block is in bits [8n+7:8n]. So column
// c of the state is in [32c+31:32c], its row r in bits [8r+7:8r] of that, and word i of the key
// schedule is a column of its round key.

package aes_pkg;

  typedef enum int unsigned {
    Serial   = 0,  // four S-boxes, a column at a time
    Ring     = 1,  // one round, reused by as many blocks as it has registers
    Pipeline = 2   // all rounds laid out: one block per cycle
  } structure_e;

  typedef enum int unsigned {
    WholeParam = 0,  // param_t at once
    ParamWords = 1   // 32 bits: {mode, size}; IV, the last word first; key (Serial only)
  } param_port_e;

  typedef enum int unsigned {
    SBoxTable = 0,  // 256 entries, left to synthesis
    SBoxTower = 1,  // arithmetic in GF((2^4)^2)
    SBoxRam   = 2,  // block RAM, two S-boxes in each
    TBoxRam   = 3   // block RAM that also holds the doubled S-box, for MixColumns
  } sbox_e;

  // Of a packet, and of a core
  typedef enum logic [1:0] {
    Key128 = 2'd0,
    Key192 = 2'd1,
    Key256 = 2'd2
  } key_size_e;

  typedef enum int unsigned {
    Only128 = 0,
    Only192 = 1,
    Only256 = 2,
    AnySize = 3   // chosen per packet
  } key_sizes_e;

  typedef enum int unsigned {
    EncryptOnly = 0,  // enough for CTR
    BothDirections    = 1
  } directions_e;

  typedef enum int unsigned {
    CounterOnly = 0,
    AllModes    = 1
  } modes_e;

  typedef enum int unsigned {
    StoredKeys   = 0,
    KeysOnTheFly = 1   // made beside the rounds, for each block (Pipeline, EncryptOnly)
  } round_keys_e;

  // Modes of operation (SP 800-38A)
  typedef enum logic [1:0] {
    Ecb   = 2'd0,
    Cbc   = 2'd1,
    Ctr   = 2'd2,  // the counter is all 128 bits of the counter block
    Ctr32 = 2'd3   // the counter is its last 32 bits
  } mode_e;

  typedef logic [7:0] byte_t;
  typedef logic [3:0] nibble_t;
  typedef logic [31:0] word_t;
  typedef logic [15:0][7:0] block_t;

  typedef struct packed {
    logic decrypt;  // Ecb and Cbc; the same as encryption in Ctr and Ctr32
    mode_e mode;
    key_size_e size;  // matters with AnySize
    logic [127:0] iv;  // of Cbc; in Ctr and Ctr32 the first counter block; byte 0 in [7:0]
    logic [255:0] key;  // byte 0 in [7:0]; bytes above the key's size are ignored
  } param_t;

  localparam int unsigned BlockBytes = 16;

  function automatic int unsigned key_words(key_size_e size);  // Nk
    return size == Key128 ? 4 : size == Key192 ? 6 : 8;
  endfunction

  function automatic int unsigned rounds(key_size_e size);  // Nr
    return key_words(size) + 6;
  endfunction

  // The size of a packet's key, in a core for these sizes
  function automatic key_size_e chosen(key_sizes_e sizes, key_size_e size);
    return sizes == AnySize ? size : key_size_e'(2'(sizes));
  endfunction

  // Packets whose round keys a ring holds at the same time
  localparam int unsigned KeyBanks = 4;

  // ---- costs ------------------------------------------------------------------------------------
  // All functions take the parameters of aes, also those that do not matter. AnySize: figures for
  // 128-bit keys.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic int unsigned cycles_per_block(structure_e structure, key_sizes_e sizes);
    int unsigned count = rounds(chosen(sizes, Key128));
    if (structure == Serial) return 4 * (count + 1);
    return structure == Pipeline ? 1 : count;
  endfunction

  // Cycles from the param's handshake to the first output beat, when data is waiting: the rest of
  // the key expansion, the rounds, and the path to the output. For encryption; decryption, and
  // packets that arrive while the core is working, wait longer.
  function automatic int unsigned latency(structure_e structure, key_sizes_e sizes,
                                          int unsigned stages, directions_e directions,
                                          int unsigned data_bytes);
    key_size_e   size = chosen(sizes, Key128);
    int unsigned words = 4 * (rounds(size) + 1) - key_words(size);
    int unsigned unit = structure == Serial ? 4 : BlockBytes;
    // Beats of the port or of the core that the first one is assembled from
    int unsigned collected = data_bytes > unit ? data_bytes / unit : data_bytes < unit ? 1 : 0;
    if (structure == Serial) return 4 * words + 8 * rounds(size) + 7 + collected;
    if (directions == BothDirections) words++;
    return words + stages * (rounds(size) + 1) + (structure == Ring ? 14 : 16) + collected;
  endfunction

  // Blocks from the handshake of the first until its place in the output FIFO is free again
  function automatic int unsigned output_depth(structure_e structure, int unsigned stages);
    return structure == Pipeline ? 2 ** $clog2(14 * stages + 16) : 64;
  endfunction

  // Cycles that wipe_i must be held for: the deepest memory, then the registers behind it.
  function automatic int unsigned wipe_cycles(structure_e structure, int unsigned stages);
    int unsigned depth = output_depth(structure, stages);
    return (depth > 16 * KeyBanks ? depth : 16 * KeyBanks) + 24;
  endfunction

  /* verilator lint_on UNUSEDSIGNAL */

  // ---- GF(2^8), FIPS 197, 4 ---------------------------------------------------------------------

  function automatic byte_t doubled(byte_t x);
    return {x[6:0], 1'b0} ^ (x[7] ? 8'h1b : 8'h00);
  endfunction

  function automatic byte_t product(byte_t x, byte_t y);
    byte_t result = '0, power = x;
    for (int unsigned i = 0; i < 8; i++) begin
      if (y[i]) result ^= power;
      power = doubled(power);
    end
    return result;
  endfunction

  // The affine step of the S-box, 5.1.1, without its constant
  function automatic byte_t affine(byte_t x);
    byte_t result;
    for (int unsigned i = 0; i < 8; i++) begin
      result[i] = x[i] ^ x[(i+4)%8] ^ x[(i+5)%8] ^ x[(i+6)%8] ^ x[(i+7)%8];
    end
    return result;
  endfunction

  localparam byte_t AffineConstant = 8'h63;

  typedef logic [255:0][7:0] table_t;

  // Powers of the generator 3 and of its inverse, side by side, meet every pair of inverses.
  function automatic table_t sub_byte_table();
    table_t result = '0;
    byte_t power = 8'h01, inverse = 8'h01;
    result[0] = AffineConstant;
    for (int unsigned i = 0; i < 255; i++) begin
      result[power] = affine(inverse) ^ AffineConstant;
      power = product(power, 8'h03);
      inverse = product(inverse, 8'hf6);
    end
    return result;
  endfunction

  localparam table_t SubByte = sub_byte_table();

  function automatic table_t inverse_table();
    table_t result;
    for (int unsigned i = 0; i < 256; i++) result[SubByte[i]] = byte_t'(i);
    return result;
  endfunction

  localparam table_t InverseSubByte = inverse_table();

  // ---- GF((2^4)^2): Y^2 + Y + Nu over GF(2^4) with w^4 + w + 1 ----------------------------------

  // Of all Nu and roots, these give the smallest S-box in LUT4 with the fewest levels. Root takes
  // the place of x: it is a root of x^8 + x^4 + x^3 + x + 1.
  localparam nibble_t Nu = 4'ha;
  localparam byte_t Root = 8'h4c;

  function automatic nibble_t product4(nibble_t x, nibble_t y);
    nibble_t result = '0, power = x;
    for (int unsigned i = 0; i < 4; i++) begin
      if (y[i]) result ^= power;
      power = {power[2:0], 1'b0} ^ (power[3] ? 4'h3 : 4'h0);
    end
    return result;
  endfunction

  // x^14, the inverse of all but 0
  function automatic nibble_t inverse4(nibble_t x);
    nibble_t x2 = product4(x, x), x4 = product4(x2, x2), x8 = product4(x4, x4);
    return product4(product4(x2, x4), x8);
  endfunction

  function automatic byte_t tower_product(byte_t x, byte_t y);
    nibble_t high = product4(x[7:4], y[7:4]);
    return {
      high ^ product4(x[7:4], y[3:0]) ^ product4(x[3:0], y[7:4]),
      product4(x[3:0], y[3:0]) ^ product4(high, Nu)
    };
  endfunction

  // A linear map of bytes: what becomes of each bit.
  typedef logic [7:0][7:0] map_t;

  function automatic byte_t mapped(map_t map, byte_t x);
    byte_t result = '0;
    for (int unsigned i = 0; i < 8; i++) if (x[i]) result ^= map[i];
    return result;
  endfunction

  function automatic map_t powers(byte_t x);
    map_t result;
    result[0] = 8'h01;
    for (int unsigned i = 1; i < 8; i++) result[i] = tower_product(result[i-1], x);
    return result;
  endfunction

  function automatic map_t inverted(map_t map);
    map_t result = '0;
    for (int unsigned i = 0; i < 256; i++) begin
      for (int unsigned j = 0; j < 8; j++) begin
        if (mapped(map, byte_t'(i)) == byte_t'(1 << j)) result[j] = byte_t'(i);
      end
    end
    return result;
  endfunction

  // First one map, then the other
  function automatic map_t one_then_other(map_t first, map_t second);
    map_t result;
    for (int unsigned i = 0; i < 8; i++) result[i] = mapped(second, first[i]);
    return result;
  endfunction

  function automatic map_t affine_map();
    map_t result;
    for (int unsigned i = 0; i < 8; i++) result[i] = affine(byte_t'(1 << i));
    return result;
  endfunction

  localparam map_t IntoTower = powers(Root);
  localparam map_t OutOfTower = inverted(IntoTower);
  localparam map_t OutOfTowerAffine = one_then_other(OutOfTower, affine_map());
  localparam map_t InverseAffineIntoTower = one_then_other(inverted(affine_map()), IntoTower);

  // ---- rounds, FIPS 197, 5.1 and 5.3 ------------------------------------------------------------

  function automatic block_t shift_rows(block_t x);
    for (int unsigned i = 0; i < 16; i++) shift_rows[i] = x[(i+4*(i%4))%16];
  endfunction

  function automatic block_t inverse_shift_rows(block_t x);
    for (int unsigned i = 0; i < 16; i++) inverse_shift_rows[(i+4*(i%4))%16] = x[i];
  endfunction

  // What InvMixColumns does beyond MixColumns is done first: to each byte, 4 times the sum of
  // itself and the byte two rows away is added.
  function automatic word_t before_inverse_mix(word_t x);
    byte_t even = doubled(doubled(x[7:0] ^ x[23:16]));
    byte_t odd = doubled(doubled(x[15:8] ^ x[31:24]));
    return x ^ {odd, even, odd, even};
  endfunction

  // A column, and the same doubled byte by byte
  function automatic word_t mix_column(word_t x, word_t twice);
    word_t result;
    for (int unsigned r = 0; r < 4; r++) begin
      result[8*r+:8] = twice[8*r+:8] ^ twice[8*((r+1)%4)+:8] ^ x[8*((r+1)%4)+:8] ^
          x[8*((r+2)%4)+:8] ^ x[8*((r+3)%4)+:8];
    end
    return result;
  endfunction

  function automatic word_t doubled_word(word_t x);
    word_t result;
    for (int unsigned r = 0; r < 4; r++) result[8*r+:8] = doubled(x[8*r+:8]);
    return result;
  endfunction

  function automatic word_t inverse_mix_column(word_t x);
    word_t y = before_inverse_mix(x);
    return mix_column(y, doubled_word(y));
  endfunction

endpackage
