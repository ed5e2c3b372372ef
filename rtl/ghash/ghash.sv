// SPDX-License-Identifier: Apache-2.0
// GHASH (SP 800-38D, 6.4): the hash of blocks under a key, which stays until another one comes.
// DigitBits chooses the size and the speed; set-up, latency and cycles per block: ghash_pkg.

module ghash
  import ghash_pkg::*;
#(
    parameter int unsigned DigitBits = 128,  // per cycle: 1 to 128, a power of 2; 128: a block
    parameter int unsigned PieceBits = 16    // DigitBits 128: where Karatsuba's multiplication ends
) (
    input logic aclk,
    input logic aresetn,  // synchronous: control only
    input logic wipe_i,  // held for wipe_cycles(): clears everything
    // Key and blocks: byte 0 is [7:0]
    input logic s_valid_i,
    output logic s_ready_o,
    input logic [127:0] s_block_i,
    input remaining_t s_remaining_i,  // 0: a key; 1: the last block; to 4: or more
    // Hashes, in the order of messages
    output logic hash_valid_o,
    input logic hash_ready_i,
    output logic [127:0] hash_o,
    output logic busy_o  // from a block to the hash
);

  if (!(DigitBits inside {1, 2, 4, 8, 16, 32, 64, 128})) begin : gen_bad_digit_bits
    $fatal(1, "ghash: DigitBits must be a power of 2, 128 at most");
  end
  if (DigitBits == 128 && !(PieceBits inside {4, 8, 16, 32, 64})) begin : gen_bad_piece_bits
    $fatal(1, "ghash: PieceBits must be a power of 2 from 4 to 64");
  end

  // For the benches and the lab
  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned CyclesPerBlock = cycles_per_block(DigitBits);
  localparam int unsigned SetUpCycles = set_up_cycles(DigitBits);
  localparam int unsigned Latency = latency(DigitBits);
  localparam int unsigned WipeCycles = wipe_cycles(DigitBits);
  /* verilator lint_on UNUSEDPARAM */

  logic rst;
  element_t hash;
  assign rst = !aresetn;
  assign hash_o = reflected(hash);

  if (DigitBits == 128) begin : gen_lanes
    ghash_lanes #(
        .PieceBits(PieceBits)
    ) u_lanes (
        .clk_i      (aclk),
        .rst_i      (rst),
        .wipe_i,
        .valid_i    (s_valid_i),
        .ready_o    (s_ready_o),
        .block_i    (reflected(s_block_i)),
        .remaining_i(s_remaining_i),
        .hash_valid_o,
        .hash_ready_i,
        .hash_o     (hash),
        .busy_o
    );
  end else begin : gen_digits
    ghash_digits #(
        .DigitBits(DigitBits)
    ) u_digits (
        .clk_i      (aclk),
        .rst_i      (rst),
        .wipe_i,
        .valid_i    (s_valid_i),
        .ready_o    (s_ready_o),
        .block_i    (reflected(s_block_i)),
        .remaining_i(s_remaining_i),
        .hash_valid_o,
        .hash_ready_i,
        .hash_o     (hash),
        .busy_o
    );
  end

  stream_hold #(
      .Width(128)
  ) u_hold (
      .clk_i  (aclk),
      .idle_i (rst || wipe_i),
      .valid_i(hash_valid_o),
      .ready_i(hash_ready_i),
      .data_i (hash_o)
  );

endmodule
