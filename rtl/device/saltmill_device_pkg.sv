// SPDX-License-Identifier: Apache-2.0
// Types of the device. The descriptor's layout and all codes are those of saltmill.rdl (a test
// compares them); byte n of a descriptor is bits [8n+7:8n].
package saltmill_device_pkg;

  typedef enum logic [7:0] {
    StatusPending       = 8'd0,
    StatusOk            = 8'd1,
    StatusBadOperation  = 8'd2,
    StatusBadDescriptor = 8'd3,
    StatusBadKeySlot    = 8'd4,
    StatusBadAlignment  = 8'd5,
    StatusBadCounter    = 8'd6,
    StatusFetchError    = 8'd7,
    StatusReadError     = 8'd8,
    StatusWriteError    = 8'd9,
    StatusTagMismatch   = 8'd10,
    StatusBadLength     = 8'd11
  } job_status_e;

  localparam logic [7:0] OperationXor = 8'd1;
  localparam logic [7:0] OperationKeystream = 8'd2;
  localparam logic [7:0] OperationMac = 8'd3;
  localparam logic [7:0] OperationSeal = 8'd4;
  localparam logic [7:0] OperationOpen = 8'd5;
  localparam logic [7:0] OperationEcbEncrypt = 8'd6;
  localparam logic [7:0] OperationEcbDecrypt = 8'd7;
  localparam logic [7:0] OperationCbcEncrypt = 8'd8;
  localparam logic [7:0] OperationCbcDecrypt = 8'd9;
  localparam logic [7:0] AlgorithmChacha20 = 8'd1;
  localparam logic [7:0] AlgorithmChacha20Poly1305 = 8'd2;
  localparam logic [7:0] AlgorithmAes = 8'd3;

  typedef enum int unsigned {
    CipherOnly = 0,  // ChaCha20
    Aead       = 1,  // ChaCha20-Poly1305; DataBytes is 16
    Aes        = 2   // AES and GCM; DataBytes is 16
  } core_e;

  typedef enum bit {
    AlignedOnly = 1'b0,  // source and destination are multiples of DataBytes
    AnyByte     = 1'b1
  } alignment_e;

  localparam int unsigned DescriptorBytes = 128;
  localparam int unsigned DescriptorBits = $clog2(DescriptorBytes);
  localparam int unsigned TagOffset = 'h40;
  localparam int unsigned TagAndStatusBytes = 24;  // they are written together, or the last 8

  typedef struct packed {
    logic [319:0] reserved;          // 0x58
    logic [31:0]  status_reserved;   // 0x54
    logic [31:0]  status;            // 0x50
    logic [127:0] tag;               // 0x40
    logic [63:0]  aad;               // 0x38
    logic [31:0]  aad_length;        // 0x34
    logic [95:0]  nonce_first;       // 0x28
    logic [95:0]  nonce;             // 0x1C
    logic [31:0]  counter;           // 0x18
    logic [63:0]  destination;       // 0x10
    logic [63:0]  source;            // 0x08
    logic [31:0]  length;            // 0x04
    logic [5:0]   control_reserved;
    logic         short_counter;
    logic [4:0]   tag_bytes;
    logic [1:0]   key_size;
    logic         extended_nonce;
    logic         own_interrupt;
    logic [7:0]   key_slot;
    logic [7:0]   operation;         // 0x00
  } descriptor_t;

  // A descriptor as it waits for its turn: what the jobs need, and what was wrong with it.
  typedef struct packed {
    logic         fetch_error;
    logic         misused;         // a field that its operation does not use is not 0
    logic [127:0] tag;
    logic [63:0]  aad;
    logic [31:0]  aad_length;
    logic [191:0] nonce;
    logic [31:0]  counter;
    logic [63:0]  destination;
    logic [63:0]  source;
    logic [31:0]  length;
    logic         short_counter;
    logic [4:0]   tag_bytes;
    logic [1:0]   key_size;
    logic         extended_nonce;
    logic         own_interrupt;
    logic [7:0]   key_slot;
    logic [7:0]   operation;
  } fetched_t;

  typedef struct packed {
    logic        zeros;      // a keystream job: feed zeros, read nothing
    logic        continues;  // the next one is of the same job: after a vector, additional data
    logic [63:0] address;
    logic [31:0] length;
  } read_job_t;

  typedef struct packed {
    logic [63:0] address;
    logic [31:0] length;
  } write_job_t;

  // What a core makes its param of
  typedef struct packed {
    logic [7:0]   operation;
    logic         extended_nonce;
    logic [1:0]   key_size;
    logic [4:0]   tag_bytes;       // 0: all
    logic         short_counter;
    logic [26:0]  blocks;          // of ChaCha20
    logic [127:0] tag;
    logic [31:0]  iv_bytes;        // Aes: before the additional data; 0: the nonce is it
    logic [31:0]  aad_bytes;
    logic [31:0]  data_bytes;
    logic [31:0]  counter;
    logic [191:0] nonce;           // the last 12 bytes, or all 24
    logic [255:0] key;
  } core_job_t;

  typedef struct packed {
    logic         read_failed;
    logic         match;        // the expected one, or none is expected
    logic [127:0] tag;
  } tag_t;

  // One per job, in order: how it ends.
  typedef struct packed {
    logic        writes;         // wait for the write DMA
    logic        has_tag;        // wait for the tag
    logic        opens;          // and keep it
    logic        own_interrupt;
    logic [31:0] length;         // that the core works on
    job_status_e status;         // unless reading, writing or the tag say otherwise
  } ending_t;

  // What the host is told of a core, and what else depends on which it is
  typedef struct packed {
    logic [7:0]  algorithm;
    logic [31:0] operations;        // bit n: operation n is available
    logic [2:0]  key_sizes;         // Aes: bit n: key_size n is available
    int unsigned unroll;            // rounds in one pass
    int unsigned block_bytes;
    int unsigned cycles_per_block;
    int unsigned latency;
    int unsigned wipe_cycles;
  } core_facts_t;

  /* verilator lint_off UNUSEDSIGNAL */
  function automatic core_facts_t core_facts(
      core_e core, int unsigned structure, int unsigned unroll, int unsigned stages,
      chacha20_pkg::final_add_e final_add, poly1305_pkg::structure_e mac_structure,
      int unsigned mac_interval, aes_pkg::key_sizes_e key_sizes, aes_pkg::directions_e directions,
      aes_pkg::modes_e modes, int unsigned digit_bits, int unsigned data_bytes);
    chacha20_pkg::structure_e rounds = chacha20_pkg::structure_e'(structure);
    aes_pkg::structure_e aes_rounds = aes_pkg::structure_e'(structure);
    core_facts_t facts;
    facts.operations = 32'd1 << OperationKeystream;
    if (core == Aes) begin
      facts.algorithm = AlgorithmAes;
      facts.operations |= 32'd1 << OperationXor | 32'd1 << OperationSeal | 32'd1 << OperationOpen;
      if (modes == aes_pkg::AllModes) begin
        facts.operations |= 32'd1 << OperationEcbEncrypt | 32'd1 << OperationCbcEncrypt;
        if (directions == aes_pkg::BothWays) begin
          facts.operations |= 32'd1 << OperationEcbDecrypt | 32'd1 << OperationCbcDecrypt;
        end
      end
      facts.key_sizes = key_sizes == aes_pkg::AnySize ? 3'b111 : 3'd1 << key_sizes;
      facts.unroll = aes_rounds == aes_pkg::Pipeline ?
          aes_pkg::rounds(aes_pkg::chosen(key_sizes, aes_pkg::Key128)) : 1;
      facts.block_bytes = aes_pkg::BlockBytes;
      facts.cycles_per_block =
          gcm_pkg::cycles_per_block(aes_pkg::cycles_per_block(aes_rounds, key_sizes), digit_bits);
      facts.latency = gcm_pkg::latency(aes_rounds, key_sizes, stages, directions);
      facts.wipe_cycles = aes_pkg::wipe_cycles(aes_rounds, stages);
      return facts;
    end

    facts.algorithm = AlgorithmChacha20;
    facts.key_sizes = '0;
    facts.unroll = unroll;
    facts.block_bytes = 64;
    facts.cycles_per_block =
        chacha20_pkg::cycles_per_block(rounds, unroll, stages, data_bytes, final_add);
    facts.latency = chacha20_pkg::latency(rounds, unroll, stages, data_bytes, final_add);
    facts.wipe_cycles = chacha20_pkg::wipe_cycles(rounds, unroll, stages, data_bytes);
    // Without the final addition the XOR would be with something that is no keystream.
    if (final_add == chacha20_pkg::HardwareAdd) facts.operations |= 32'd1 << OperationXor;
    if (core == Aead) begin
      facts.algorithm = AlgorithmChacha20Poly1305;
      facts.operations |= 32'd1 << OperationMac | 32'd1 << OperationSeal | 32'd1 << OperationOpen;
      facts.wipe_cycles = chacha20_poly1305_pkg::wipe_cycles(rounds, unroll, stages, mac_structure,
                                                             mac_interval, data_bytes);
    end
    return facts;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  function automatic int unsigned maximum(int unsigned a, int unsigned b);
    return a > b ? a : b;
  endfunction

endpackage
