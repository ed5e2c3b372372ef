// SPDX-License-Identifier: Apache-2.0
// SUBBYTES() of one byte (FIPS 197, 5.1.1), with Inverse INVSUBBYTES() (5.3.2), after Stages cycles.

module aes_sbox
  import aes_pkg::*;
  import aes_tower_pkg::*;
#(
    parameter sbox_e SBox,
    parameter int unsigned Stages,  // registers: SBoxTable 0 or 1, SBoxTower 0 to 3, SBoxRam 1 or 2
    parameter bit Inverse = 1'b0
) (
    input  logic  clk_i,
    input  byte_t byte_i,
    output byte_t byte_o
);

  if (SBox == SBoxTower) begin : gen_tower
    // {h, l} is h * Y + l, its inverse {h * e, (h + l) * e} with e = 1 / norm.
    tower_t a, b, b_c;
    nibble_t d, d_b, e, e_c;
    byte_t out;

    assign a   = into_tower(Inverse ? inverse_affine(byte_i ^ AffineConstant) : byte_i);
    assign d   = norm(a);
    assign e   = inverse4(d_b);
    assign out = out_of_tower(scaled(b_c, e_c));

    if (Stages >= 2) begin : gen_norm
      always_ff @(posedge clk_i) {b, d_b} <= {a, d};
    end else begin : gen_no_norm
      assign {b, d_b} = {a, d};
    end
    if (Stages >= 3) begin : gen_inverse
      always_ff @(posedge clk_i) {b_c, e_c} <= {b, e};
    end else begin : gen_no_inverse
      assign {b_c, e_c} = {b, e};
    end
    if (Stages >= 1) begin : gen_out
      always_ff @(posedge clk_i) byte_o <= Inverse ? out : affine(out) ^ AffineConstant;
    end else begin : gen_no_out
      assign byte_o = Inverse ? out : affine(out) ^ AffineConstant;
    end
  end

endmodule
