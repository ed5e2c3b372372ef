// SPDX-License-Identifier: Apache-2.0
// Round keys in block RAM: written word by word, read whole, 2 cycles after the address. A wipe
// takes 16 * Banks + 2 cycles.

module aes_round_keys
  import aes_pkg::*;
#(
    parameter int unsigned Banks,  // of 16 round keys; a power of two
    localparam int unsigned AddressBits = $clog2(16 * Banks)
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     wipe_i,
    input  logic                     write_i,
    input  logic   [AddressBits-1:0] write_address_i,
    input  logic   [            1:0] column_i,
    input  word_t                    word_i,
    input  logic   [AddressBits-1:0] address_i,
    output block_t                   key_o
);

  // A wipe walks through the whole RAM; the read address follows the write address.
  logic [AddressBits-1:0] wipe_q, write_address_q;
  logic [3:0] write_q;
  logic wiping_q;
  word_t word_q;

  always_ff @(posedge clk_i) begin
    wiping_q <= wipe_i;
    wipe_q <= wipe_i ? wipe_q + 1'b1 : '0;
    write_address_q <= wipe_i ? wipe_q : write_address_i;
    for (int unsigned i = 0; i < 4; i++) write_q[i] <= wipe_i || (write_i && column_i == 2'(i));
    word_q <= wipe_i ? '0 : word_i;
    if (rst_i) write_q <= '0;
  end

  for (genvar i = 0; i < 4; i++) begin : gen_column
    // A word is never needed in the cycle that writes it.
    (* no_rw_check, ramstyle = "no_rw_check" *)
    word_t memory[16*Banks];
    word_t read_q, late_q;
    always_ff @(posedge clk_i) begin
      if (write_q[i]) memory[write_address_q] <= word_q;
      read_q <= memory[wiping_q?write_address_q : address_i];
      late_q <= read_q;
    end
    assign key_o[4*i+:4] = late_q;
  end

endmodule
