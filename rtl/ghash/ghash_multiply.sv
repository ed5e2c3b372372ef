// SPDX-License-Identifier: Apache-2.0
// Multiplication of polynomials after Karatsuba, as far as pieces of PieceBits: three products of
// halves instead of four. One per cycle, three cycles after its factors; zeros clear it.

module ghash_multiply
  import ghash_pkg::*;
#(
    parameter int unsigned PieceBits  // power of 2
) (
    input  logic             clk_i,
    input  element_t         x_i,
    input  element_t         y_i,
    output logic     [254:0] product_o  // to be reduced
);

  localparam int unsigned Levels = $clog2(128 / PieceBits);
  localparam int unsigned Pieces = 2 ** Levels;
  localparam int unsigned Products = 3 ** Levels;
  typedef logic [PieceBits-1:0] piece_t;
  typedef logic [2*PieceBits-2:0] pieces_product_t;

  // A product's number has one digit per level, the lowest for neighbouring pieces: 0 is the
  // product of the low halves, 1 of the high halves, 2 of the sums of both. In that last case the
  // pieces are summed first.
  function automatic logic takes(int unsigned number, int unsigned piece);
    logic result = 1'b1;
    for (int unsigned level = 0; level < Levels; level++) begin
      int unsigned digit = number / 3 ** level % 3;
      if (digit != 2 && digit != (piece >> level) % 2) result = 1'b0;
    end
    return result;
  endfunction

  function automatic pieces_product_t multiplied(piece_t x, piece_t y);
    pieces_product_t result = '0;
    for (int unsigned i = 0; i < PieceBits; i++) begin
      if (y[i]) result ^= pieces_product_t'(x) << i;
    end
    return result;
  endfunction

  piece_t x_q[Products], y_q[Products];
  pieces_product_t products_q[Products];
  logic [254:0] product_q;

  for (genvar n = 0; n < Products; n++) begin : gen_product
    piece_t x, y;
    always_comb begin
      x = '0;
      y = '0;
      for (int unsigned piece = 0; piece < Pieces; piece++) begin
        if (takes(n, piece)) begin
          x ^= x_i[PieceBits*piece+:PieceBits];
          y ^= y_i[PieceBits*piece+:PieceBits];
        end
      end
    end
    always_ff @(posedge clk_i) begin
      x_q[n] <= x;
      y_q[n] <= y;
      products_q[n] <= multiplied(x_q[n], y_q[n]);
    end
  end

  // Three products of halves become one, level by level.
  for (genvar level = 0; level <= Levels; level++) begin : gen_level
    localparam int unsigned Bits = 2 * PieceBits * 2 ** level - 1;
    localparam int unsigned Count = 3 ** (Levels - level);
    logic [Bits-1:0] made[Count];

    for (genvar n = 0; n < Count; n++) begin : gen_made
      if (level == 0) begin : gen_first
        assign made[n] = products_q[n];
      end else begin : gen_joined
        localparam int unsigned Half = (Bits + 1) / 4;
        logic [Bits-1:0] low, high, middle;
        assign low = Bits'(gen_level[level-1].made[3*n]);
        assign high = Bits'(gen_level[level-1].made[3*n+1]);
        assign middle = Bits'(gen_level[level-1].made[3*n+2]) ^ low ^ high;
        assign made[n] = low ^ middle << Half ^ high << 2 * Half;
      end
    end
  end

  always_ff @(posedge clk_i) product_q <= gen_level[Levels].made[0];
  assign product_o = product_q;

endmodule
