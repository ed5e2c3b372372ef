// SPDX-License-Identifier: Apache-2.0
// Data comes out after a fixed number of cycles, and waits in a small RAM meanwhile. The RAM is the
// register: data_i may come from an adder, and data_o go into one.

module hash_short_delay #(
    int unsigned Width,
    int unsigned Cycles  // 2 to 16
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic [Width-1:0] data_i,  // zeros for as many cycles are a wipe
    output logic [Width-1:0] data_o
);

  if (!(Cycles inside {[2 : 16]})) begin : gen_bad_cycles
    $fatal(1, "hash_short_delay: Cycles must be 2 to 16");
  end

  // A word is read in the cycle that replaces it. Each delay has a counter of its own, nearby.
  typedef logic [$clog2(Cycles)-1:0] address_t;
  address_t at_q;
  always_ff @(posedge clk_i) begin
    at_q <= rst_i || at_q == address_t'(Cycles - 1) ? '0 : at_q + 1'b1;
  end

  (* ramstyle = "MLAB, no_rw_check", ram_style = "distributed" *)
  logic [Width-1:0] memory[Cycles];
  always_ff @(posedge clk_i) memory[at_q] <= data_i;
  assign data_o = memory[at_q];

endmodule
