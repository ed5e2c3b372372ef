// SPDX-License-Identifier: Apache-2.0
// The S-box (FIPS 197, 5.1.1) as logic, and with BothDirections its inverse (5.3.2). Latency:
// Registers cycles.  SBoxTower: x = a Y + b has the inverse (a Y + (a + b)) / d with d = Nu a^2 + a
// b + b^2: one inversion in GF(2^4). The affine step and the way to and from the tower are one map
// each. With four registers no step is deeper than three LUT4.

module aes_sub_byte
  import aes_pkg::*;
#(
    parameter sbox_e       SBox       = SBoxTower,   // or SBoxTable
    parameter int unsigned Registers  = 3,           // to 4 of a SBoxTower, to 1 of a SBoxTable
    parameter directions_e Directions = EncryptOnly
) (
    input  logic  clk_i,
    input  byte_t byte_i,
    input  logic  inverse_i,       // with byte_i
    input  logic  inverse_late_i,  // the same when all but the last register are passed
    output byte_t byte_o
);

  localparam bit Both = Directions == BothDirections;
  byte_t value;
  logic  unused;
  assign unused = clk_i ^ inverse_i ^ inverse_late_i;

  if (SBox == SBoxTower) begin : gen_tower
    typedef struct packed {nibble_t a, b, d;} parts_t;
    parts_t split, factors, factors_q;
    byte_t x, x_q, y, y_q;
    nibble_t inverse;

    assign x = Both && inverse_i ? mapped(
        InverseAffineIntoTower, byte_i ^ AffineConstant
    ) : mapped(
        IntoTower, byte_i
    );
    assign split = '{
            a: x_q[7:4],
            b: x_q[7:4] ^ x_q[3:0],
            d: product4(Nu, product4(x_q[7:4], x_q[7:4])) ^ product4(x_q[3:0], x_q[7:4] ^ x_q[3:0])
        };
    // The inversion is on the side of its register that has less logic.
    assign factors = '{a: split.a, b: split.b, d: Registers >= 4 ? split.d : inverse4(split.d)};
    assign inverse = Registers >= 4 ? inverse4(factors_q.d) : factors_q.d;
    assign y = {product4(factors_q.a, inverse), product4(factors_q.b, inverse)};
    assign value = Both && inverse_late_i ? mapped(
        OutOfTower, y_q
    ) : mapped(
        OutOfTowerAffine, y_q
    ) ^ AffineConstant;

    if (Registers >= 3) begin : gen_in_tower
      always_ff @(posedge clk_i) x_q <= x;
    end else begin : gen_not_in_tower
      assign x_q = x;
    end
    if (Registers >= 2) begin : gen_inverse
      always_ff @(posedge clk_i) factors_q <= factors;
    end else begin : gen_no_inverse
      assign factors_q = factors;
    end
    if (Registers >= 4) begin : gen_out_of_tower
      always_ff @(posedge clk_i) y_q <= y;
    end else begin : gen_not_out_of_tower
      assign y_q = y;
    end
  end else begin : gen_table
    assign value = Both && inverse_i ? InverseSubByte[byte_i] : SubByte[byte_i];
  end

  if (Registers == 0) begin : gen_wires
    assign byte_o = value;
  end else begin : gen_register
    byte_t byte_q;
    always_ff @(posedge clk_i) byte_q <= value;
    assign byte_o = byte_q;
  end

endmodule
