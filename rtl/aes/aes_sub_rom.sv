// SPDX-License-Identifier: Apache-2.0
// Two S-boxes (FIPS 197, 5.1.1) in one block RAM with two ports, or two that choose between the
// S-box and its inverse (5.3.2). Latency 2 cycles, 3 with a register that is not the RAM's.

module aes_sub_rom
  import aes_pkg::*;
#(
    parameter bit          Doubled,    // the doubled bytes are in the RAM, too
    parameter int unsigned Registers,  // 2 or 3
    parameter directions_e Directions
) (
    input  logic            clk_i,
    input  logic [1:0][7:0] bytes_i,
    input  logic            inverse_i,
    output logic [1:0][7:0] bytes_o,
    output logic [1:0][7:0] doubled_o
);

  localparam int unsigned Entries = Directions == BothDirections ? 512 : 256;
  localparam int unsigned Width = Doubled ? 16 : 8;

  logic unused;
  assign unused = inverse_i;

  (* rom_style = "block", ramstyle = "M10K" *)
  logic [Width-1:0] memory[Entries];
  initial begin
    for (int unsigned i = 0; i < Entries; i++) begin
      if (Doubled) memory[i] = Width'({doubled(SubByte[i%256]), SubByte[i%256]});
      else memory[i] = Width'(i < 256 ? SubByte[i] : InverseSubByte[i-256]);
    end
  end

  for (genvar i = 0; i < 2; i++) begin : gen_port
    logic [$clog2(Entries)-1:0] address;
    logic [Width-1:0] read_q, out_q, late;
    assign address = $clog2(Entries)'({inverse_i, bytes_i[i]});

    always_ff @(posedge clk_i) begin
      read_q <= memory[address];
      out_q  <= read_q;
    end
    if (Registers == 3) begin : gen_register
      logic [Width-1:0] late_q;
      always_ff @(posedge clk_i) late_q <= out_q;
      assign late = late_q;
    end else begin : gen_wires
      assign late = out_q;
    end
    assign bytes_o[i]   = late[7:0];
    assign doubled_o[i] = Doubled ? 8'(late >> 8) : doubled(late[7:0]);
  end

endmodule
