// SPDX-License-Identifier: Apache-2.0
// Proof, from any state: 7 cycles before the end of a ring's wipe, all words of all banks of its
// buffers are zero, and they stay zero.

module hash_buffer_wipe_formal
  import hash_pkg::*;
#(
    int unsigned Depth = 64,
    int unsigned Banks = 4,
    localparam int unsigned Readers = 4,
    localparam int unsigned Places = RingBuffers * Depth,
    localparam int unsigned PlaceWidth = $clog2(Places),
    localparam int unsigned RowWidth = $clog2(16 / Banks)
) (
    input logic                                   clk_i,
    input logic                                   rst_i,
    input logic                                   wipe_i,
    input logic                                   write_i,
    input logic  [PlaceWidth-1:0]                 write_place_i,
    input logic  [           3:0]                 write_index_i,
    input word_t                                  word_i,
    input logic  [   Readers-1:0][PlaceWidth-1:0] place_i,
    input logic  [   Readers-1:0][  RowWidth-1:0] row_i
);

  localparam int unsigned Width = PlaceWidth + RowWidth;
  localparam int unsigned Rows = 2 ** Width;
  if (ring_wipe_cycles(Depth, Banks) != Rows + 8) begin : gen_other_cycles
    $fatal(1, "hash_buffer_wipe_formal: a wipe has other cycles");
  end

  /* verilator lint_off PINCONNECTEMPTY */
  hash_buffer #(
      .Places (Places),
      .Readers(Readers),
      .Banks  (Banks)
  ) u_dut (
      .word_o(),
      .*
  );
  /* verilator lint_on PINCONNECTEMPTY */

  logic [Width-1:0] address, behind;  // any, and how long ago it was walked over
  logic [Width+1:0] wiped_q = '0;  // cycles
  assign behind = u_dut.write_q - address - 1'b1;
  always_ff @(posedge clk_i) begin
    address <= address;
    if (wiped_q <= (Width + 2)'(Rows)) wiped_q <= wiped_q + 1'b1;
    if (!wipe_i) wiped_q <= '0;
  end
  always_comb assume (!wipe_i || !rst_i);  // a reset is before a wipe

  for (genvar i = 0; i < Readers; i++) begin : gen_reader
    always_ff @(posedge clk_i) begin
      if (wiped_q > (Width + 2)'(Rows)) wiped : assert (u_dut.gen_reader[i].memory[address] == '0);
      if (wiped_q != '0) begin
        writes_zeros : assert (u_dut.banks_q[i%Banks] && u_dut.word_q == '0);
        if ((Width + 2)'(behind) + 1'b1 < wiped_q)
          walked_over : assert (u_dut.gen_reader[i].memory[address] == '0);
      end
    end
  end

endmodule
