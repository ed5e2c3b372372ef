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
  // A pair that changes in the same step as the pair before is added to that one first, in the next
  // cycle: what comes out of the multipliers has a long way. A column has at most one such two.
  function automatic bit joins(int unsigned p);
    return p inside {1, 2, 3} && from_of(p) == from_of(p - 1) && first_of(p - 1) != 7 &&
        from_of(p) > 0 && from_of(p) < Steps;
  endfunction

  // Sums of products: for each pair the low or the high version is zero. Widths are those of the
  // largest possible value, not of the type: otherwise Yosys merges two adders in a row into a
  // carry-save adder of twice the size.
  logic [3:0][36:0] low_q, high_q;
  logic [36:0] low_four, high_four;
  localparam bit HasFour = joins(1) || joins(2) || joins(3);

  for (genvar p = 0; p < 4; p++) begin : gen_pair
    localparam int unsigned I = first_of(p);
    localparam int unsigned From = from_of(p);
    if (I == 7) begin : gen_ends
      // Limb 0 is always low and limb 7 always high.
      always_ff @(posedge clk_i) begin
        low_q[p]  <= {1'b0, product_q[0]};
        high_q[p] <= {1'b0, product_q[7]};
      end
    end else if (joins(p)) begin : gen_joined
      assign low_q[p]  = '0;
      assign high_q[p] = '0;
    end else begin : gen_sum
      logic is_low;
      assign is_low = From == 0 || (From < Steps && step_i >= 2'(From));
      if (joins(p + 1)) begin : gen_four
        logic is_low_q;
        logic [1:0][35:0] pair_q;
        logic [36:0] four;
        always_ff @(posedge clk_i) begin
          is_low_q  <= is_low;
          pair_q[0] <= product_q[I] + product_q[I+1];
          pair_q[1] <= product_q[I+2] + product_q[I+3];
        end
        assign four = {1'b0, pair_q[0]} + {1'b0, pair_q[1]};
        assign low_four = is_low_q ? four : '0;
        assign high_four = is_low_q ? '0 : four;
        assign low_q[p] = '0;
        assign high_q[p] = '0;
      end else begin : gen_two
        logic [36:0] sum;
        assign sum = {1'b0, product_q[I]} + {1'b0, product_q[I+1]};
        always_ff @(posedge clk_i) begin
          low_q[p]  <= is_low ? sum : '0;
          high_q[p] <= is_low ? '0 : sum;
        end
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

  // Without a sum of four, both halves are sums of two; with it, the two other pairs are first.
  if (HasFour) begin : gen_with_four
    logic [36:0] low, high;
    assign low  = low_half[0] + low_half[1];
    assign high = high_half[0] + high_half[1];
    always_ff @(posedge clk_i) begin
      low_sum_q  <= {1'b0, low} + {1'b0, low_four};
      high_sum_q <= {1'b0, high} + {1'b0, high_four};
    end
  end else begin : gen_pairs
    assign {low_four, high_four} = '0;
    always_ff @(posedge clk_i) begin
      low_sum_q  <= {1'b0, low_half[0]} + {1'b0, low_half[1]};
      high_sum_q <= {1'b0, high_half[0]} + {1'b0, high_half[1]};
    end
  end

  always_ff @(posedge clk_i) begin
    sum_q <= {9'd0, low_sum_q} + {{3'd0, high_sum_q} + {1'b0, high_sum_q, 2'd0}, 6'd0};
  end

endmodule
