// SPDX-License-Identifier: Apache-2.0
// Blocks of many messages, in block RAM, for several readers: word i of a block is in bank i mod
// Banks, and reader j has a copy of bank j mod Banks. Latency of a read 2 cycles; a wipe takes
// Places * 16 / Banks + 4 cycles.

module hash_buffer
  import hash_pkg::*;
#(
    int unsigned Places,  // for blocks, a power of two
    int unsigned Readers,
    int unsigned Banks,  // a power of two
    localparam int unsigned PlaceWidth = $clog2(Places),
    localparam int unsigned RowWidth = $clog2(16 / Banks)
) (
    input  logic                                   clk_i,
    input  logic                                   rst_i,
    input  logic                                   wipe_i,
    input  logic                                   write_i,
    input  logic  [PlaceWidth-1:0]                 write_place_i,
    input  logic  [           3:0]                 write_index_i,
    input  word_t                                  word_i,
    input  logic  [   Readers-1:0][PlaceWidth-1:0] place_i,
    input  logic  [   Readers-1:0][  RowWidth-1:0] row_i,          // index / Banks
    output word_t [   Readers-1:0]                 word_o
);

  localparam int unsigned AddressWidth = PlaceWidth + RowWidth;
  logic [AddressWidth-1:0] write_q;  // in a wipe it walks
  logic [Banks-1:0] banks_q;
  word_t word_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Banks; i++) begin
      banks_q[i] <= wipe_i || (write_i && 4'(write_index_i % 4'(Banks)) == 4'(i));
    end
    write_q <= wipe_i ? write_q + 1'b1 : {write_place_i, RowWidth'(write_index_i / 4'(Banks))};
    word_q  <= wipe_i ? '0 : word_i;
    if (rst_i) banks_q <= '0;
  end

  for (genvar i = 0; i < Readers; i++) begin : gen_reader
    (* no_rw_check, ramstyle = "no_rw_check", ram_style = "block" *)
    word_t memory [2**AddressWidth];
    word_t read_q;
    always_ff @(posedge clk_i) begin
      if (banks_q[i%Banks]) memory[write_q] <= word_q;
      read_q <= memory[{place_i[i], row_i[i]}];
      word_o[i] <= read_q;
    end
  end

endmodule
