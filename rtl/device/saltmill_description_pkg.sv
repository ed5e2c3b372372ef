// SPDX-License-Identifier: Apache-2.0
// The device's description of itself; the fields are those of the registers in saltmill.rdl.
package saltmill_description_pkg;

  typedef struct packed {
    logic [7:0]  algorithm;
    logic [3:0]  structure;
    logic        final_add;
    logic [7:0]  unroll;
    logic [7:0]  stages;
    logic [15:0] block_bytes;
    logic [15:0] cycles_per_block;
    logic [15:0] latency;
    logic [31:0] clock_hz;
    logic [7:0]  data_bytes;
    logic        any_alignment;
    logic        extended_nonce;
    logic [2:0]  key_sizes;
    logic [7:0]  key_slots;
    logic [3:0]  max_log2_entries;
    logic [31:0] operations;
    logic [31:0] keyless;
    logic [7:0]  address_bits;
  } description_t;

endpackage
