// SPDX-License-Identifier: Apache-2.0
// One column of a product modulo 2^130 - 5: the 8 products of limbs whose weights are equal modulo
// 2^136, and those above multiplied by 2^136 = 5 * 2^6. Latency 5 cycles, one column per cycle.
//
// The column's index is First, then First + Columns and so on. Which products are above 2^136
// changes with it, but products are summed in pairs that stay together.

module poly1305_column
  import poly1305_pkg::*;
#(
    int unsigned First,
    int unsigned Columns,  // made in a cycle: even, divides 8
    localparam int unsigned Steps = Limbs / Columns
) (
    input  logic          clk_i,
    input  logic          wipe_i,
    input  limbs_t        a_i,
    input  limbs_t        b_i,     // the limbs that belong to those of a
    input  logic   [ 1:0] step_i,  // 0 to Steps - 1, 2 cycles after a and b
    output logic   [46:0] sum_o    // at most 2^46.1, see formal/
);

  // Its own copy of A and B: a multiplier is slow, and a register that feeds several would be far
  // from some of them.
  limbs_t a_q, b_q;
  logic [Limbs-1:0][35:0] product_q;
  always_ff @(posedge clk_i) begin
    a_q <= a_i;
    b_q <= b_i;
    if (wipe_i) {a_q, b_q} <= '0;
    for (int unsigned i = 0; i < Limbs; i++) product_q[i] <= a_q[i] * b_q[i];
  end

  // The product of limb i of a is below 2^136 from this step on.
  function automatic int unsigned low_from(int unsigned i);
    return i > First ? (i - First + Columns - 1) / Columns : 0;
  endfunction

  // Four pairs. from_of: the step from which a pair is below 2^136; 0 is always, Steps is never
  function automatic int unsigned first_of(int unsigned p);
    return First % 2 == 1 ? 2 * p : (2 * p + 7) % 8;  // limb I, with limb I + 1
  endfunction
  function automatic int unsigned from_of(int unsigned p);
    int unsigned i = first_of(p);
    return low_from(i % 2 == 1 && i != 7 ? i + 1 : i);
  endfunction

  // Sums of products: for each pair the low or the high version is zero. Widths are those of the
  // largest possible value, not of the type: otherwise Yosys merges two adders in a row into a
  // carry-save adder of twice the size.
  logic [3:0][36:0] low_q, high_q;

  for (genvar p = 0; p < 4; p++) begin : gen_pair
    localparam int unsigned I = first_of(p);
    localparam int unsigned From = from_of(p);
    if (I == 7) begin : gen_ends
      // Limb 0 is always low and limb 7 always high.
      always_ff @(posedge clk_i) begin
        low_q[p]  <= {1'b0, product_q[0]};
        high_q[p] <= {1'b0, product_q[7]};
      end
    end else begin : gen_sum
      logic is_low;
      logic [36:0] sum;
      assign is_low = From == 0 || (From < Steps && step_i >= 2'(From));
      assign sum = {1'b0, product_q[I]} + {1'b0, product_q[I+1]};
      always_ff @(posedge clk_i) begin
        low_q[p]  <= is_low ? sum : '0;
        high_q[p] <= is_low ? '0 : sum;
      end
    end
  end

  logic [1:0][36:0] low_half, high_half;
  logic [37:0] low_sum_q, high_sum_q;
  logic [46:0] sum_q;
  assign sum_o = sum_q;

  always_comb begin
    for (int unsigned h = 0; h < 2; h++) begin
      low_half[h]  = low_q[2*h] + low_q[2*h+1];
      high_half[h] = high_q[2*h] + high_q[2*h+1];
    end
  end

  always_ff @(posedge clk_i) begin
    low_sum_q <= {1'b0, low_half[0]} + {1'b0, low_half[1]};
    high_sum_q <= {1'b0, high_half[0]} + {1'b0, high_half[1]};
    sum_q <= {9'd0, low_sum_q} + {{3'd0, high_sum_q} + {1'b0, high_sum_q, 2'd0}, 6'd0};
  end

endmodule
