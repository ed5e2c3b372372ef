// SPDX-License-Identifier: Apache-2.0
// Proof of aes_sub_byte: the tower gives the value of the table for each byte in each direction, in
// any sequence of bytes and directions; and each direction is the inverse of the other.

module aes_sub_byte_formal
  import aes_pkg::*;
#(
    int unsigned Registers = 3
) (
    input logic  clk_i,
    input byte_t byte_i,
    input logic  inverse_i
);

  // What went in, up to Registers cycles ago
  byte_t [Registers:0] bytes;
  logic  [Registers:0] inverses;
  logic  [        3:0] age_q = '0;
  assign bytes[0] = byte_i;
  assign inverses[0] = inverse_i;
  for (genvar i = 0; i < Registers; i++) begin : gen_late
    always_ff @(posedge clk_i) begin
      bytes[i+1] <= bytes[i];
      inverses[i+1] <= inverses[i];
    end
  end
  always_ff @(posedge clk_i) if (age_q != '1) age_q <= age_q + 1'b1;

  byte_t result;
  aes_sub_byte #(
      .SBox      (SBoxTower),
      .Registers (Registers),
      .Directions(BothDirections)
  ) u_byte (
      .clk_i,
      .byte_i,
      .inverse_i,
      .inverse_late_i(inverses[Registers==0?0 : Registers-1]),
      .byte_o        (result)
  );

  byte_t went_in;
  assign went_in = bytes[Registers];
  always_ff @(posedge clk_i) begin
    if (age_q >= 4'(Registers)) begin
      is_of_the_table :
      assert (result == (inverses[Registers] ? InverseSubByte[went_in] : SubByte[went_in]));
      is_undone :
      assert ((inverses[Registers] ? SubByte[result] : InverseSubByte[result]) == went_in);
      reached : cover (inverses[Registers] && result == 8'hff);
    end
  end

endmodule
