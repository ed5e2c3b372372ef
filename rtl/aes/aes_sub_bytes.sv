// SPDX-License-Identifier: Apache-2.0
// SubBytes of some bytes (FIPS 197, 5.1.1), and with BothDirections InvSubBytes (5.3.2). Latency:
// Registers cycles. For MixColumns the results are there doubled, too.

module aes_sub_bytes
  import aes_pkg::*;
#(
    parameter int unsigned Bytes,      // even
    parameter sbox_e       SBox,       // TBoxRam: EncryptOnly
    parameter int unsigned Registers,  // SBoxTable 0 or 1; SBoxTower 0 to 4; RAMs 2 or 3
    parameter directions_e Directions
) (
    input  logic                  clk_i,
    input  logic [Bytes-1:0][7:0] bytes_i,
    input  logic                  inverse_i,       // with bytes_i
    input  logic                  inverse_late_i,  // when all but the last register are passed
    output logic [Bytes-1:0][7:0] bytes_o,
    output logic [Bytes-1:0][7:0] doubled_o
);

  localparam bit InRam = SBox == SBoxRam || SBox == TBoxRam;

  if (InRam ? !(Registers inside {2, 3}) : Registers > (SBox == SBoxTower ? 4 : 1))
  begin : gen_bad_registers
    $fatal(1, "aes: an S-box has 2 or 3 registers in RAM, up to 4 as a tower, up to 1 as a table");
  end
  if (SBox == TBoxRam && Directions == BothDirections) begin : gen_bad_directions
    $fatal(1, "aes: TBoxRam is for EncryptOnly");
  end

  if (InRam) begin : gen_ram
    // A RAM has two ports, for two bytes. Its output register is the second of the Registers.
    for (genvar i = 0; i < Bytes / 2; i++) begin : gen_pair
      aes_sub_rom #(
          .Doubled   (SBox == TBoxRam),
          .Registers (Registers),
          .Directions(Directions)
      ) u_rom (
          .clk_i,
          .bytes_i  (bytes_i[2*i+:2]),
          .inverse_i,
          .bytes_o  (bytes_o[2*i+:2]),
          .doubled_o(doubled_o[2*i+:2])
      );
    end
    logic unused;
    assign unused = inverse_late_i;
  end else begin : gen_logic
    for (genvar i = 0; i < Bytes; i++) begin : gen_byte
      aes_sub_byte #(
          .SBox      (SBox),
          .Registers (Registers),
          .Directions(Directions)
      ) u_byte (
          .clk_i,
          .byte_i(bytes_i[i]),
          .inverse_i,
          .inverse_late_i,
          .byte_o(bytes_o[i])
      );
      assign doubled_o[i] = doubled(bytes_o[i]);
    end
  end

endmodule
