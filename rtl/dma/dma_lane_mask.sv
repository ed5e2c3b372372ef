// SPDX-License-Identifier: Apache-2.0
// The lanes from the lowest to the highest of a range, as strobes: none, if the lowest is the last
// and the highest the first. Latency 2 cycles, one per cycle.
//
// First each group of four lanes learns whether it is inside the range and whether it contains an
// end of it; then each lane asks its group: one table of four inputs per lane.

module dma_lane_mask #(
    int unsigned DataBytes  // power of two, at least 8
) (
    input  logic                         clk_i,
    input  logic [$clog2(DataBytes)-1:0] lowest_i,
    input  logic [$clog2(DataBytes)-1:0] highest_i,
    output logic [        DataBytes-1:0] strobe_o
);

  localparam int unsigned Groups = DataBytes / 4;
  typedef logic [$clog2(Groups)-1:0] group_t;

  group_t lowest_group, highest_group;
  assign lowest_group  = group_t'(lowest_i >> 2);
  assign highest_group = group_t'(highest_i >> 2);

  logic [Groups-1:0] outside_q, at_lowest_q, at_highest_q;
  logic [3:0] from_q, to_q;  // lanes of a group from the lowest on, and up to the highest

  always_ff @(posedge clk_i) begin
    for (int unsigned g = 0; g < Groups; g++) begin
      outside_q[g]    <= group_t'(g) < lowest_group || group_t'(g) > highest_group;
      at_lowest_q[g]  <= group_t'(g) == lowest_group;
      at_highest_q[g] <= group_t'(g) == highest_group;
    end
    for (int unsigned i = 0; i < 4; i++) begin
      from_q[i] <= 2'(i) >= lowest_i[1:0];
      to_q[i]   <= 2'(i) <= highest_i[1:0];
    end
  end

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    always_ff @(posedge clk_i) begin
      for (int unsigned i = 0; i < 4; i++) begin
        strobe_o[4*g+i] <= (from_q[i] || !at_lowest_q[g]) && (to_q[i] || !at_highest_q[g]);
      end
      if (outside_q[g]) strobe_o[4*g+:4] <= '0;  // the registers' own reset: no table
    end
  end

endmodule
