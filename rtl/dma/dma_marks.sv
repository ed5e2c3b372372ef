// SPDX-License-Identifier: Apache-2.0
// Queue in block RAM whose owner knows how many entries it has: two pointers and nothing else.
// data_o is the oldest entry as it was 2 cycles ago, so one entry can be popped in each cycle.

module dma_marks #(
    int unsigned Width,
    int unsigned Depth   // entries, at most 1023
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             push_i,  // only while fewer than Depth entries are in here
    input  logic [Width-1:0] data_i,
    input  logic             pop_i,   // only what was pushed 3 cycles ago or earlier
    output logic [Width-1:0] data_o
);

  localparam int unsigned PointerBits = $clog2(Depth + 1);  // one word of a RAM is never used
  logic [PointerBits-1:0] write_pointer, read_pointer;

  dma_pointer #(
      .Bits(PointerBits)
  ) u_write_pointer (
      .clk_i,
      .rst_i,
      .step_i   (push_i),
      .pointer_o(write_pointer)
  );

  dma_pointer #(
      .Bits(PointerBits)
  ) u_read_pointer (
      .clk_i,
      .rst_i,
      .step_i   (pop_i),
      .pointer_o(read_pointer)
  );

  // A word that is read in the cycle that writes it is not used. Two registers, because block RAM
  // is slow; the second one is its own.
  (* no_rw_check, ramstyle = "no_rw_check", ram_style = "block" *)
  logic [Width-1:0] memory[2**PointerBits];
  logic [Width-1:0] read_data_q;

  always_ff @(posedge clk_i) begin
    if (push_i) memory[write_pointer] <= data_i;
    read_data_q <= memory[read_pointer];
    data_o <= read_data_q;
  end

endmodule
