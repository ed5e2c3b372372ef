// SPDX-License-Identifier: Apache-2.0
// A cipher core that never stalls, of the structure that was chosen.

module aes_cipher
  import aes_pkg::*;
#(
    parameter structure_e  Structure,                // Ring or Pipeline
    parameter sbox_e       SBox,
    parameter int unsigned RoundStages,
    parameter key_sizes_e  KeySizes,
    parameter directions_e Directions,
    parameter round_keys_e RoundKeys   = StoredKeys
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic              wipe_i,
    // Keys, one per packet
    input  logic              key_valid_i,  // stays until it is ready
    output logic              key_ready_o,
    input  logic      [255:0] key_i,
    input  key_size_e         size_i,
    input  logic              decrypt_i,
    // The next packet: its key is there
    output logic              opens_o,      // it is open from the next cycle on
    output logic              open_o,       // until its last block is taken
    output block_t            last_key_o,   // of the open packet: to be added to its blocks
    // Blocks of the open packet
    input  logic              valid_i,      // not in a wipe
    output logic              ready_o,
    input  block_t            block_i,
    input  logic              last_i,       // of the packet
    // In the same order, without the last AddRoundKey: last_key_o is still to be added
    output logic              valid_o,
    output block_t            block_o
);

  if (Structure == Pipeline && RoundKeys == KeysOnTheFly) begin : gen_on_the_fly
    aes_on_the_fly_core #(
        .SBox       (SBox),
        .RoundStages(RoundStages),
        .KeySizes   (KeySizes),
        .Directions (Directions)
    ) u_cipher (
        .clk_i,
        .rst_i,
        .wipe_i,
        .key_valid_i,
        .key_ready_o,
        .key_i,
        .size_i,
        .decrypt_i,
        .opens_o,
        .open_o,
        .last_key_o,
        .valid_i,
        .ready_o,
        .block_i,
        .last_i,
        .valid_o,
        .block_o
    );
  end else if (Structure == Pipeline) begin : gen_pipeline
    aes_pipeline_core #(
        .SBox       (SBox),
        .RoundStages(RoundStages),
        .KeySizes   (KeySizes),
        .Directions (Directions)
    ) u_cipher (
        .clk_i,
        .rst_i,
        .wipe_i,
        .key_valid_i,
        .key_ready_o,
        .key_i,
        .size_i,
        .decrypt_i,
        .opens_o,
        .open_o,
        .last_key_o,
        .valid_i,
        .ready_o,
        .block_i,
        .last_i,
        .valid_o,
        .block_o
    );
  end else begin : gen_ring
    aes_ring_core #(
        .SBox       (SBox),
        .RoundStages(RoundStages),
        .KeySizes   (KeySizes),
        .Directions (Directions)
    ) u_cipher (
        .clk_i,
        .rst_i,
        .wipe_i,
        .key_valid_i,
        .key_ready_o,
        .key_i,
        .size_i,
        .decrypt_i,
        .opens_o,
        .open_o,
        .last_key_o,
        .valid_i,
        .ready_o,
        .block_i,
        .last_i,
        .valid_o,
        .block_o
    );
  end

endmodule
