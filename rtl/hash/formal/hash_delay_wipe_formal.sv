// SPDX-License-Identifier: Apache-2.0
// Proof, from any state without a reset: when zeros have gone into a delay for as many cycles as
// it delays, its memory is zero.

module hash_delay_wipe_formal #(
    int unsigned Width  = 8,
    int unsigned Cycles = 24
) (
    input logic             clk_i,
    input logic [Width-1:0] data_i
);

  localparam int unsigned Depth = Cycles - 3;
  /* verilator lint_off PINCONNECTEMPTY */
  hash_delay #(
      .Width (Width),
      .Cycles(Cycles)
  ) u_dut (
      .clk_i,
      .rst_i (1'b0),
      .data_i,
      .data_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */

  int unsigned address, write, zeros_q = 0;  // any address; cycles of zeros
  logic turns_q = 1'b0;  // the counters have begun: where, nobody knows
  assign write = 32'(u_dut.write_q);
  always_ff @(posedge clk_i) begin
    address <= address;
    turns_q <= 1'b1;
    if (zeros_q < Cycles) zeros_q <= zeros_q + 1;
    if (data_i != '0) zeros_q <= 0;
  end
  always_comb assume (address < Depth && 32'(u_dut.read_q) < Depth && write < Depth);

  int unsigned behind;  // how long ago it was written
  assign behind = write > address ? write - address : write + Depth - address;
  always_ff @(posedge clk_i) begin
    if (turns_q) begin
      follows : assert (write == (32'(u_dut.read_q) + Depth - 1) % Depth);
      if (zeros_q != 0) comes_in : assert (u_dut.in_q == '0);
      if (behind < zeros_q) overwritten : assert (u_dut.memory[address] == '0);
      if (zeros_q == Cycles) wiped : assert (u_dut.memory[address] == '0);
    end
  end

endmodule
