// SPDX-License-Identifier: Apache-2.0
// Moves a stream of bytes up by any number of lanes: a level for each bit of that number, the
// highest first. Latency Depth cycles, one beat per cycle; no beat is refused.

module dma_funnel #(
    int unsigned DataBytes,
    int unsigned Levels,  // bits of a lane's number, or 1: nothing is moved
    int unsigned Depth,  // registers on the way: divides Levels
    localparam int unsigned LaneBits = $clog2(DataBytes)
) (
    input logic clk_i,
    input logic [(DataBytes+15)/16-1:0] clear_i,  // of 16 bytes each: 0 in the first register
    input logic [Depth-1:0] valid_i,  // in front of each register: as in dma_shift_up
    input logic [LaneBits-1:0] shift_i[Depth],  // and how far the beat there is moved
    input logic [8*DataBytes-1:0] data_i,  // 0 in a wipe
    output logic [8*DataBytes-1:0] data_o
);

  localparam int unsigned Step = Levels / Depth;

  for (genvar i = 0; i < Levels; i++) begin : gen_level
    logic [8*DataBytes-1:0] from, to;
    if (i == 0) begin : gen_first
      assign from = data_i;
    end else begin : gen_behind
      assign from = gen_level[i-1].to;
    end
    dma_shift_up #(
        .DataBytes (DataBytes),
        .Step      (DataBytes >> (i + 1)),
        .Registered(i % Step == Step - 1)
    ) u_shift (
        .clk_i,
        .clear_i(i < Step ? clear_i : '0),
        .valid_i(valid_i[i/Step]),
        .shift_i(shift_i[i/Step][LaneBits-1-i]),
        .data_i (from),
        .data_o (to)
    );
  end
  assign data_o = gen_level[Levels-1].to;

endmodule
