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
    StatusTagMismatch   = 8'd10
  } job_status_e;

  localparam logic [7:0] OperationXor = 8'd1;
  localparam logic [7:0] OperationKeystream = 8'd2;
  localparam logic [7:0] OperationMac = 8'd3;
  localparam logic [7:0] OperationSeal = 8'd4;
  localparam logic [7:0] OperationOpen = 8'd5;
  localparam logic [7:0] AlgorithmChacha20 = 8'd1;
  localparam logic [7:0] AlgorithmChacha20Poly1305 = 8'd2;

  typedef enum bit {
    CipherOnly = 1'b0,  // ChaCha20
    Aead       = 1'b1   // ChaCha20-Poly1305; DataBytes is 16
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
    logic [13:0]  control_reserved;
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
    logic         extended_nonce;
    logic         own_interrupt;
    logic [7:0]   key_slot;
    logic [7:0]   operation;
  } fetched_t;

  typedef struct packed {
    logic        zeros;      // a keystream job: feed zeros, read nothing
    logic        continues;  // additional data: the next one is the data of the same job
    logic [63:0] address;
    logic [31:0] length;
  } read_job_t;

  typedef struct packed {
    logic [63:0] address;
    logic [31:0] length;
  } write_job_t;

  // A cipher needs the number of blocks, an AEAD core takes messages as they are.
  typedef struct packed {
    logic [26:0]                   blocks;
    chacha20_poly1305_pkg::param_t message;
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

  function automatic int unsigned maximum(int unsigned a, int unsigned b);
    return a > b ? a : b;
  endfunction

endpackage
