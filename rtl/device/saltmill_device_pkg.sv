// SPDX-License-Identifier: Apache-2.0
// The device's configuration, and the types that its parts exchange. Codes and the layout of the
// descriptor are in saltmill_descriptor_pkg, which is generated from saltmill.rdl.
package saltmill_device_pkg;
  import saltmill_descriptor_pkg::*;
  import saltmill_socket_pkg::*;

  typedef enum int unsigned {
    ChaCha20         = 0,
    ChaCha20Poly1305 = 1,  // DataBytes is 16
    AesGcm           = 2,  // DataBytes is 16
    XorConstant      = 3,  // an example of a core
    Sha256           = 4,
    Md5              = 5,
    HmacSha256       = 6   // SHA-256, with and without a key
  } core_e;

  // What is chosen by default where not everything goes together
  function automatic aes_pkg::key_sizes_e default_key_sizes(aes_pkg::structure_e structure);
    return structure == aes_pkg::Pipeline ? aes_pkg::Only128 : aes_pkg::AnySize;
  endfunction

  function automatic aes_pkg::directions_e default_directions(aes_pkg::sbox_e sbox);
    return sbox == aes_pkg::TBoxRam ? aes_pkg::EncryptOnly : aes_pkg::BothDirections;
  endfunction

  function automatic int unsigned default_read_buffer(int unsigned data_bytes,
                                                      int unsigned burst_bytes);
    if (data_bytes == 64) return 16384;
    return burst_bytes > 2048 ? 8192 : 4096;
  endfunction

  // All that can be chosen, as one parameter
  typedef struct packed {
    core_e core;
    chacha20_adapter_pkg::config_t chacha20;
    chacha20_poly1305_adapter_pkg::config_t chacha20_poly1305;
    aes_gcm_adapter_pkg::config_t aes_gcm;
    hash_adapter_pkg::config_t hash;
    int unsigned data_bytes;
    int unsigned address_bits;
    dma_pkg::alignment_e alignment;
    int unsigned burst_bytes;
    int unsigned read_buffer_bytes;
    int unsigned key_slots;
    int unsigned max_log2_entries;
    int unsigned job_depth;
    int unsigned clock_hz;
  } config_t;

  /* verilator lint_off UNUSEDSIGNAL */
  function automatic facts_t facts(config_t config_i);
    case (config_i.core)
      ChaCha20Poly1305:
      return chacha20_poly1305_adapter_pkg::facts(config_i.chacha20_poly1305, config_i.data_bytes);
      AesGcm: return aes_gcm_adapter_pkg::facts(config_i.aes_gcm);
      XorConstant: return xor_constant_adapter_pkg::facts(config_i.data_bytes);
      Sha256, Md5:
      return hash_adapter_pkg::facts(config_i.hash, config_i.core == Md5, config_i.data_bytes);
      HmacSha256: return hmac_sha256_adapter_pkg::facts(config_i.hash, config_i.data_bytes);
      default: return chacha20_adapter_pkg::facts(config_i.chacha20, config_i.data_bytes);
    endcase
  endfunction

  // ---- a descriptor in block RAM: rows as wide as the bus, at least 16 bytes --------------------
  function automatic int unsigned row_bytes(int unsigned data_bytes);
    return data_bytes > 16 ? data_bytes : 16;
  endfunction

  // Bytes of a descriptor that are read: the tag is the last field that matters.
  function automatic int unsigned fetched_bytes(facts_t facts_i);
    return facts_i.verifies != 0 ? StatusOffset : TagOffset;
  endfunction

  function automatic int unsigned rows(config_t config_i);
    int unsigned bytes = row_bytes(config_i.data_bytes);
    return (fetched_bytes(facts(config_i)) + bytes - 1) / bytes;
  endfunction

  // Rows from one descriptor to the next
  function automatic int unsigned row_stride(config_t config_i);
    return 2 ** $clog2(rows(config_i));
  endfunction

  function automatic int unsigned row_address_bits(config_t config_i);
    return $clog2(config_i.job_depth * row_stride(config_i));
  endfunction

  /* verilator lint_on UNUSEDSIGNAL */

  // Rows of keys in flight: a key takes one or two.
  function automatic int unsigned key_row_bytes(int unsigned data_bytes);
    return data_bytes > 16 ? 32 : 16;
  endfunction

  // ---- a job that is being checked --------------------------------------------------------------
  typedef logic [TagOffset/4-1:0][31:0] words_t;  // of a descriptor, up to its tag
  typedef logic [TagOffset/4-1:0] marks_t;

  function automatic logic [63:0] address(words_t words, int unsigned offset);
    return {words[offset/4+1], words[offset/4]};
  endfunction

  typedef struct packed {
    logic data;      // its length is not 0
    logic aad;
    logic iv;        // in memory
    logic zeros;     // no source
    logic result;    // writes to its destination
    logic digest;
    logic tag;
    logic verifies;
    logic one_time;
  } does_t;

  // ---- how a job ends ---------------------------------------------------------------------------
  typedef struct packed {
    logic        writes;    // wait for the write DMA
    logic        has_tag;   // wait for the record
    logic        verifies;  // and keep the tag
    logic        at_once;   // an interrupt, whatever the host waits for
    job_status_e status;    // unless reading, writing or the tag say otherwise
  } ending_t;

  // ---- what the device reports of itself --------------------------------------------------------
  function automatic saltmill_map_pkg::description_t description(config_t config_i);
    /* verilator lint_off UNUSEDSIGNAL */
    facts_t known = facts(config_i);
    /* verilator lint_on UNUSEDSIGNAL */
    return
    '{
        core_algorithm: known.algorithm,
        core_structure: known.structure,
        core_final_add: known.final_add,
        shape_unroll: known.unroll,
        shape_stages: known.stages,
        shape_block_bytes: known.block_bytes,
        rate_cycles_per_block: known.cycles_per_block,
        rate_latency: known.latency,
        clock_hz: config_i.clock_hz,
        capabilities_data_bytes: 8'(config_i.data_bytes),
        capabilities_any_alignment: config_i.alignment == dma_pkg::AnyByte,
        capabilities_extended_nonce: known.extended_nonces != 0,
        capabilities_key_sizes: known.key_sizes,
        capabilities_key_slots: 8'(config_i.key_slots),
        capabilities_max_log2_entries: 4'(config_i.max_log2_entries),
        operations_mask: known.operations,
        keyless_mask: known.keyless,
        digest_bytes: known.digest_bytes,
        port_address_bits: 8'(config_i.address_bits)
    }
    ;
  endfunction

  // ---- derived sizes ----------------------------------------------------------------------------
  // Jobs of the read DMA in one of the device: initialisation vector, additional data, data
  function automatic int unsigned read_parts(config_t config_i);
    return (facts(config_i).aad | facts(config_i).ivs) != 0 ? 4 : 1;
  endfunction

  // Cycles of a wipe: those of the slowest part, and the registers behind it. A memory needs as
  // many as it has words, a power of two. Keys in flight are cleared by what comes out of the key
  // slots, so after these.
  function automatic int unsigned wipe_cycles(config_t config_i);
    int unsigned buffers = maximum(
        config_i.read_buffer_bytes / config_i.data_bytes,
        dma_pkg::write_buffer_beats(
            config_i.burst_bytes / config_i.data_bytes)
    );
    int unsigned keys = 2 * (2 ** $clog2(config_i.key_slots) + config_i.job_depth);
    return maximum(maximum(32'(facts(config_i).wipe_cycles), buffers), keys) + 32;
  endfunction

  function automatic int unsigned maximum(int unsigned a, int unsigned b);
    return a > b ? a : b;
  endfunction

endpackage
