// SPDX-License-Identifier: Apache-2.0
// One level of a funnel: moves a stream of bytes up by Step lanes, or not; bytes move from each
// beat into the next. Latency 1 cycle, or 0 without a register, one beat per cycle.
//
// What is below lane 0 comes from the top of the beat before, so joining the two costs nothing. A
// level chooses between two inputs, not four: with a register behind each level that is one table
// of four inputs per bit, where tools make four of a 4:1 multiplexer.

module dma_shift_up #(
    int unsigned DataBytes,
    int unsigned Step,  // lanes, 1 to DataBytes / 2
    bit Registered = 1'b1
) (
    input  logic                         clk_i,
    input  logic [(DataBytes+15)/16-1:0] clear_i,  // of 16 bytes each: data_o is 0
    input  logic                         valid_i,  // a beat, or a wipe; else anything may come
    input  logic                         shift_i,
    input  logic [      8*DataBytes-1:0] data_i,   // 0 in a wipe
    output logic [      8*DataBytes-1:0] data_o
);

  logic [8*Step-1:0] carry_q;  // top of the beat before
  logic [8*DataBytes-1:0] moved;

  assign moved = {data_i[8*(DataBytes-Step)-1:0], carry_q};

  always_ff @(posedge clk_i) if (valid_i) carry_q <= data_i[8*DataBytes-1-:8*Step];

  if (Registered) begin : gen_register
    always_ff @(posedge clk_i) begin
      data_o <= shift_i ? moved : data_i;
      for (int unsigned i = 0; i < DataBytes; i++) if (clear_i[i/16]) data_o[8*i+:8] <= '0;
    end
  end else begin : gen_wires
    logic unused;
    assign unused = ^clear_i;
    assign data_o = shift_i ? moved : data_i;
  end

endmodule
