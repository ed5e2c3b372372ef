// SPDX-License-Identifier: Apache-2.0
// wiped_ram for prove_wipe, which wants AXI's reset.

module wiped_ram_formal #(
    int unsigned Width = 4,
    int unsigned Depth = 4,
    bit EarlyAddress = 1'b0,
    bit EarlyWrite = 1'b0
) (
    input  logic                     aclk,
    input  logic                     aresetn,
    input  logic                     wipe_i,
    input  logic                     we_i,
    input  logic [$clog2(Depth)-1:0] write_address_i,
    input  logic [        Width-1:0] write_data_i,
    input  logic [$clog2(Depth)-1:0] read_address_i,
    output logic [        Width-1:0] data_o
);

  wiped_ram #(
      .Width(Width),
      .Depth(Depth),
      .EarlyAddress(EarlyAddress),
      .EarlyWrite(EarlyWrite)
  ) u_ram (
      .clk_i(aclk),
      .rst_i(!aresetn),
      .*
  );

endmodule
