// SPDX-License-Identifier: Apache-2.0
// ChaCha20-Poly1305 (RFC 8439, 2.8): the param of a message, and what accompanies a beat of it.

package chacha20_poly1305_pkg;

  typedef enum logic [1:0] {
    Cipher = 2'd0,  // ChaCha20 alone, from any counter
    Mac    = 2'd1,  // Poly1305 alone; the key is the one-time key, {s, r}
    Seal   = 2'd2,  // AEAD encryption
    Open   = 2'd3   // AEAD decryption
  } operation_e;

  // Byte 0 of key, nonce and tag is in [7:0].
  typedef struct packed {
    operation_e   operation;
    logic         extended;    // XChaCha20: a nonce of 24 bytes; not with Mac
    logic [127:0] tag;         // Open: the one that is expected
    logic [31:0]  aad_bytes;   // Seal and Open
    logic [31:0]  data_bytes;
    logic [31:0]  counter;     // Cipher: of the first block
    logic [191:0] nonce;       // extended: 24 bytes; otherwise its upper half
    logic [255:0] key;
  } param_t;

  // What the front sends to the back through the cipher, beside the data
  typedef struct packed {
    logic user;
    logic plain;     // key and mac take what went into the cipher, not what came out
    logic key;       // of a one-time key or subkey
    logic key_end;   // its last beat
    logic subkey;
    logic mac;
    logic mac_last;
    logic out;
    logic out_last;
  } route_t;

  // First block and lengths, for the formulas
  localparam int unsigned BlockBytes = 64;

  // A ring is as fast as lanes, a serial cipher as a serial Poly1305.
  function automatic poly1305_pkg::structure_e mac_of(chacha20_pkg::structure_e structure);
    return structure == chacha20_pkg::Serial ? poly1305_pkg::Serial : poly1305_pkg::Lanes;
  endfunction

  // Beats that a message takes on its way through the cipher
  function automatic int unsigned message_beats(operation_e operation, logic extended,
                                                int unsigned aad_bytes, int unsigned data_bytes,
                                                int unsigned beat_bytes);
    int unsigned beats = (data_bytes + beat_bytes - 1) / beat_bytes;
    int unsigned per_unit = 16 / beat_bytes;
    if (operation inside {Seal, Open}) begin
      beats = per_unit * ((aad_bytes + 15) / 16 + (data_bytes + 15) / 16 + 1);
      beats += BlockBytes / beat_bytes;
    end
    if (operation == Mac) beats += 32 / beat_bytes;
    if (extended) beats += BlockBytes / beat_bytes;
    return beats == 0 ? 1 : beats;
  endfunction

  // Messages sealed back to back, each with its own key and nonce and without additional data. With
  // a ring and lanes: the slowest of the cipher, the beats through it, and Poly1305. The serial
  // structures wait for each other: simulated, at 64, 1,500 and 65,536 bytes only.
  function automatic int unsigned message_cycles(poly1305_pkg::structure_e structure,
                                                 int unsigned cipher_cycles,  // per block
                                                 int unsigned interval, int unsigned data_bytes);
    int unsigned blocks = (data_bytes + BlockBytes - 1) / BlockBytes;
    int unsigned cipher = (blocks + 1) * cipher_cycles;
    int unsigned beats = message_beats(Seal, 1'b0, 0, data_bytes, 16);
    int unsigned mac = poly1305_pkg::message_cycles(
        structure, interval, (data_bytes + 15) / 16 * 16 + 16
    );
    int unsigned way = interval == 1 ? beats : 2 * beats;
    int unsigned most = cipher > way ? cipher : way;
    if (structure == poly1305_pkg::Serial) begin
      return data_bytes == 64 ? 358 : data_bytes == 1500 ? 4012 : 162058;
    end
    return most > mac ? most : mac;
  endfunction

  // The same, for 64 bytes of a long message
  function automatic int unsigned cycles_per_block(
      poly1305_pkg::structure_e structure, int unsigned cipher_cycles, int unsigned interval);
    int unsigned mac = BlockBytes / 16 * interval;
    if (structure == poly1305_pkg::Serial) return 158;
    return cipher_cycles > mac ? cipher_cycles : mac;
  endfunction

  // With lanes, the powers of the next key are made beside a message's blocks, if that key is
  // there: the cipher runs ahead by as many beats as the powers take cycles.
  function automatic int unsigned queue_depth(poly1305_pkg::structure_e structure);
    return structure == poly1305_pkg::Lanes ? 64 : 0;
  endfunction

  // Cycles that wipe_i must be held for: the longest of the parts, with the register in front of
  // each; the queue's input is zero from the third cycle on.
  function automatic int unsigned wipe_cycles(
      chacha20_pkg::structure_e structure, int unsigned unroll, int unsigned stages,
      poly1305_pkg::structure_e mac_structure, int unsigned data_bytes);
    int unsigned cipher = chacha20_pkg::wipe_cycles(structure, unroll, stages, data_bytes);
    int unsigned mac = 1 + poly1305_pkg::wipe_cycles(mac_structure);
    int unsigned queue = 1 + queue_depth(mac_structure) + 3;
    int unsigned most = cipher > mac ? cipher : mac;
    return most > queue ? most : queue;
  endfunction

endpackage
