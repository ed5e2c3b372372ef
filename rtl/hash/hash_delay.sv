// SPDX-License-Identifier: Apache-2.0
// Data comes out after a fixed number of cycles, and waits in block RAM meanwhile.

module hash_delay #(
    int unsigned Width,
    int unsigned Cycles  // 6 or more
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic [Width-1:0] data_i,  // zeros for as many cycles are a wipe
    output logic [Width-1:0] data_o
);

  if (Cycles < 6) begin : gen_bad_cycles
    $fatal(1, "hash_delay: Cycles must be 6 or more");
  end

  // A word is read in the cycle before its place is written again. Block RAM is far away: it has a
  // register in front, and one behind its own.
  localparam int unsigned Depth = Cycles - 3;
  typedef logic [$clog2(Depth)-1:0] address_t;
  address_t write_q, read_q;
  always_ff @(posedge clk_i) begin
    read_q  <= rst_i || read_q == address_t'(Depth - 1) ? '0 : read_q + 1'b1;
    write_q <= read_q;
  end

  (* no_rw_check, ramstyle = "no_rw_check", ram_style = "block" *)
  logic [Width-1:0] memory[Depth];
  logic [Width-1:0] in_q, word_q, out_q;
  always_ff @(posedge clk_i) begin
    in_q <= data_i;
    memory[write_q] <= in_q;
    word_q <= memory[read_q];
    out_q <= word_q;
    data_o <= out_q;
  end

endmodule
