// SPDX-License-Identifier: Apache-2.0
// The core socket: what the device and a core tell each other. README.md has the contract.
package saltmill_socket_pkg;
  import saltmill_descriptor_pkg::*;

  // What the core gets of a job. Byte 0 of keys, nonces and tags is in bits [7:0].
  typedef struct packed {
    logic [255:0] key;
    logic [191:0] nonce;           // extended_nonce: all 24 bytes; otherwise [191:96]
    logic [31:0]  counter;
    logic [127:0] tag;             // the expected one, of operations that verify one
    logic [4:0]   tag_bytes;       // of them; 0: all 16
    logic [31:0]  iv_bytes;        // initialisation vector that comes with the source; 0: none does
    logic [31:0]  aad_bytes;
    logic [31:0]  data_bytes;
    logic [31:0]  blocks;          // of facts_t's block_bytes; the last may be part of one
    logic         short_counter;   // only the last 32 bits of the counter block count
    logic         extended_nonce;
    key_size_e    key_size;
    operation_e   operation;
  } job_t;

  // What the core says at the end of a job that has a tag.
  typedef struct packed {
    logic         error;  // a beat of the source was marked
    logic         match;  // the tag is the expected one, or none is expected
    logic [127:0] tag;
  } record_t;

  typedef logic [31:0] operations_t;  // bit n: operation n

  // What the device must know about a core. The masks say what a job may ask for.
  typedef struct packed {
    algorithm_e  algorithm;
    structure_e  structure;
    logic        final_add;
    logic        late_source;       // source data and keep come a cycle later
    logic [7:0]  unroll;
    logic [7:0]  stages;
    logic [15:0] block_bytes;
    logic [15:0] cycles_per_block;
    logic [15:0] latency;
    logic [15:0] wipe_cycles;
    operations_t operations;        // all that it can do
    operations_t keyless;           // needs no key
    operations_t one_time;          // takes a one-time key and uses it up
    operations_t sourceless;        // has no source: the core gets zeros
    operations_t sinkless;          // has no destination
    operations_t tags;              // ends with a record
    operations_t verifies;          // compares the tag, which stays in the device
    operations_t digests;           // the result has digest_bytes, whatever the length
    operations_t aad;               // may have additional data
    operations_t ivs;               // may have its initialisation vector in memory
    operations_t counters;          // uses the counter field ...
    operations_t block_counters;    // ... as a number of blocks that must not pass 2^32
    operations_t short_counters;    // may have short_counter
    operations_t extended_nonces;   // may have extended_nonce
    operations_t tag_lengths;       // may have tag_bytes
    operations_t whole_blocks;      // the length is a multiple of block_bytes ...
    operations_t some_blocks;       // ... and not 0
    logic [6:0]  digest_bytes;      // 16 to 64
    logic [6:0]  iv_bytes;          // that one in memory has; 0: any but 12
    logic [2:0]  key_sizes;         // bit n: key_size n; 0: key_size has to be 0
  } facts_t;

  function automatic operations_t only(operation_e operation);
    return 32'd1 << operation;
  endfunction

  // Whether an operation is one of a mask; those above 31 never are.
  function automatic logic one_of(logic [7:0] operation, operations_t mask);
    return operation[7:5] == 0 && mask[operation[4:0]];
  endfunction

endpackage
