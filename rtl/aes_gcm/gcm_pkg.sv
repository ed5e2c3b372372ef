// SPDX-License-Identifier: Apache-2.0
// AES-GCM (SP 800-38D) and the other modes of AES: the param of a message, and what accompanies a
// block of it.

package gcm_pkg;

  typedef enum logic [1:0] {
    Encrypt = 2'd0,  // in the mode of the param
    Decrypt = 2'd1,
    Seal    = 2'd2,  // GCM, authenticated encryption; GMAC with no data
    Open    = 2'd3   // GCM, authenticated decryption
  } operation_e;

  // Byte 0 of key, IV and tag is in [7:0].
  typedef struct packed {
    operation_e operation;
    aes_pkg::mode_e mode;  // Encrypt and Decrypt
    aes_pkg::key_size_e size;  // matters in a core for any size
    logic [4:0] tag_bytes;  // Open: of the tag that is compared, 1 to 15; otherwise 16
    logic [127:0] tag;  // Open: the one that is expected
    logic [31:0] iv_bytes;  // Seal and Open: 12, in iv; others come before the additional data
    logic [31:0] aad_bytes;  // Seal and Open
    logic [31:0] data_bytes;
    logic [127:0] iv;  // Encrypt and Decrypt: all of it
    logic [255:0] key;
  } param_t;

  // What accompanies a block through the cipher
  typedef struct packed {
    logic                  user;
    logic                  key;        // GHASH's
    logic                  counter;    // the first one's block, which the tag is encrypted with
    logic                  hash;       // GHASH takes it
    logic                  plain;      // as it went in, not as it came out
    logic                  iv;         // its hash is the first counter block
    ghash_pkg::remaining_t remaining;
    logic                  out;
    logic                  out_last;
  } route_t;

  // Blocks of a message that pass the cipher: besides the data, GHASH's key, the first counter
  // block, and everything that is hashed.
  function automatic int unsigned message_blocks(int unsigned aad_bytes, int unsigned data_bytes);
    return (aad_bytes + 15) / 16 + (data_bytes + 15) / 16 + 3;
  endfunction

  function automatic int unsigned cycles_per_block(int unsigned cipher_cycles,
                                                   int unsigned digit_bits);
    int unsigned hash = ghash_pkg::cycles_per_block(digit_bits);
    return cipher_cycles > hash ? cipher_cycles : hash;
  endfunction

  // Cycles from the param's handshake to the first beat that is encrypted in a counter mode: those
  // of the cipher alone, one for the first part of a message, and with a ring 4 more for the path
  // to block RAM.
  function automatic int unsigned latency(aes_pkg::structure_e structure,
                                          aes_pkg::key_sizes_e sizes, int unsigned stages,
                                          aes_pkg::directions_e directions);
    return aes_pkg::latency(structure, sizes, stages, directions, aes_pkg::BlockBytes) +
        (structure == aes_pkg::Ring ? 5 : 1);
  endfunction

  // Messages sealed back to back, each with its own key and IV and without additional data: the
  // slowest of the cipher, GHASH and, with a pipeline, the key expansion.
  function automatic int unsigned message_cycles(aes_pkg::structure_e structure,
                                                 aes_pkg::key_sizes_e sizes, int unsigned stages,
                                                 int unsigned digit_bits, int unsigned data_bytes);
    int unsigned blocks = message_blocks(0, data_bytes);
    int unsigned rounds = aes_pkg::rounds(aes_pkg::chosen(sizes, aes_pkg::Key128));
    int unsigned most = blocks * aes_pkg::cycles_per_block(structure, sizes);
    int unsigned hash = (blocks - 2) * ghash_pkg::cycles_per_block(
        digit_bits
    ) + ghash_pkg::set_up_cycles(
        digit_bits
    ) + (digit_bits == 128 ? 4 : 2);
    int unsigned keys = 4 * rounds + 11 + stages;
    if (hash > most) most = hash;
    return structure == aes_pkg::Pipeline && keys > most ? keys : most;
  endfunction

  // Expected tags that can wait
  localparam int unsigned Tags = 16;

endpackage
