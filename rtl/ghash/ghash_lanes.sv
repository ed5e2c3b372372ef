// SPDX-License-Identifier: Apache-2.0
// One block per cycle. The multiplier's four registers hold four independent sums, each multiplied
// by H^4 per turn; the last four blocks of a message by H^4, H^3, H^2 and H. The hash is the sum of
// the four (Horner's rule with a stride).
//
// The multiplier never stops: in a turn without a block the sum is multiplied by 1, and its block
// waits for the next turn.

module ghash_lanes
  import ghash_pkg::*;
#(
    parameter int unsigned PieceBits  // of the multiplier
) (
    input  logic       clk_i,
    input  logic       rst_i,
    input  logic       wipe_i,
    input  logic       valid_i,
    output logic       ready_o,
    input  element_t   block_i,       // or key
    input  remaining_t remaining_i,
    output logic       hash_valid_o,
    input  logic       hash_ready_i,
    output element_t   hash_o,
    output logic       busy_o
);

  // Set-up of a key, step by step: in step 0, H x H enters. In step Square, H^2 is ready; H x H^2
  // enters, then H^2 x H^2.
  localparam int unsigned Square = Lanes + 2;
  localparam int unsigned SetUp = 2 * Square + 1;  // all powers are there
  typedef logic [$clog2(SetUp+1)-1:0] step_t;
  typedef logic [$clog2(Lanes)-1:0] turn_t;

  // ---- input, and its schedule ------------------------------------------------------------------
  step_t step_q, step_d, step_soon;
  turn_t turn_q, next_q, next_d;  // the sum whose turn it is; the sum of the next block
  logic open_q, open_d;  // a message has begun
  logic ready_q, full_q, held_q, key, move, last;  // held: a hash is being made or waits
  logic more, idle_ready;
  logic [Lanes+1:1] ends_q;  // cycles since the last block went in

  assign key = remaining_i == '0;
  assign ready_o = ready_q && !(held_q && remaining_i == 1) && !wipe_i;
  assign move = valid_i && ready_o;
  assign last = move && remaining_i == 1;
  assign more = !key && remaining_i != 1;
  assign idle_ready = step_soon == step_t'(SetUp) && (!open_q || next_q == turn_t'(turn_q + 1'b1));

  assign step_soon = step_q == step_t'(SetUp) ? step_q : step_q + 1'b1;
  always_comb begin
    step_d = step_soon;
    next_d = next_q;
    open_d = open_q;
    if (move && key) step_d = '0;
    if (move && !key) begin
      next_d = turn_q + 1'b1;
      open_d = !last;
    end
  end

  always_ff @(posedge clk_i) begin
    step_q  <= step_d;
    next_q  <= next_d;
    open_q  <= open_d;
    turn_q  <= turn_q + 1'b1;
    ends_q  <= {ends_q[Lanes:1], last};
    held_q  <= last || ends_q != '0 || (full_q && !hash_ready_i);
    // The next message begins when the sums of this one have left the multiplier. Whether a block
    // moves is known late in the cycle, so both answers are prepared.
    ready_q <= ends_q[Lanes-1:1] == '0 && (move ? more : idle_ready);
    if (rst_i || wipe_i) begin
      step_q <= step_t'(SetUp);
      turn_q <= '0;
      ends_q <= '0;
      {ready_q, open_q, held_q} <= '0;
    end
  end

  element_t block_q, x_q, y_q;  // the factors
  logic [Lanes:0] factor_q;  // power that block_q is multiplied by; bit 0: block_q; no bit: 1

  // ---- the powers of the key --------------------------------------------------------------------
  element_t powers_q[1:Lanes];
  logic [4:1] made_q;  // which of them is there
  logic [254:0] made;
  element_t product;
  assign product = reduced(made);

  always_ff @(posedge clk_i) begin
    made_q <= {
      step_d == step_t'(2 * Square),
      step_d == step_t'(2 * Square - 1),
      step_d == step_t'(Square - 1),
      step_d == '0
    };
    if (made_q[1]) powers_q[1] <= block_q;
    for (int unsigned i = 2; i <= Lanes; i++) if (made_q[i]) powers_q[i] <= product;
    if (wipe_i) made_q <= '1;  // zeros are made
  end

  // ---- the factors ------------------------------------------------------------------------------
  // used_q[i]: the factors of i cycles ago belonged to a sum of the open message.
  logic [Lanes:1] used_q;
  // again_q: what leaves the multiplier now enters it once more. taken_q: a block or power entered
  // in the cycle before, instead of only being offered.
  logic moved_q, again_q, taken_q, set_up;
  element_t power;

  assign set_up = step_q == '0 || step_q == step_t'(Square) || step_q == step_t'(Square + 1);

  always_comb begin
    power = element_t'(factor_q == '0) | (factor_q[0] ? block_q : '0);
    for (int unsigned i = 1; i <= Lanes; i++) power |= factor_q[i] ? powers_q[i] : '0;
  end

  always_ff @(posedge clk_i) begin
    factor_q[0] <= step_q == '0;
    for (int unsigned i = 1; i <= Lanes; i++) begin
      factor_q[i] <= move && remaining_i == remaining_t'(i);
    end
    if (step_q == step_t'(Square)) factor_q[1] <= 1'b1;
    if (step_q == step_t'(Square + 1)) factor_q[2] <= 1'b1;
    if (rst_i || wipe_i) factor_q <= '0;
  end

  always_ff @(posedge clk_i) begin
    moved_q <= move && !key;
    again_q <= used_q[Lanes-1] && (open_q || last);
    used_q  <= {used_q[Lanes-1:1], moved_q || again_q};
    taken_q <= (move && !key) || set_up;
    if (step_q != '0) block_q <= block_i;  // in step 0 it stays: the key
    if (step_q == step_t'(Square) || step_q == step_t'(Square + 1)) block_q <= powers_q[2];
    x_q <= (taken_q ? block_q : '0) ^ (again_q ? product : '0);
    y_q <= power;
    if (wipe_i) {block_q, x_q, y_q} <= '0;
    if (rst_i || wipe_i) begin
      used_q <= '0;
      {moved_q, again_q, taken_q} <= '0;
    end
  end

  ghash_multiply #(
      .PieceBits(PieceBits)
  ) u_multiply (
      .clk_i,
      .x_i      (x_q),
      .y_i      (y_q),
      .product_o(made)
  );

  // ---- output -----------------------------------------------------------------------------------
  element_t hash_q;
  assign hash_valid_o = full_q && !wipe_i;
  assign hash_o = hash_q;
  assign busy_o = open_q || ends_q != '0 || full_q;

  always_ff @(posedge clk_i) begin
    if (ends_q[Lanes+1:2] != '0 && used_q[Lanes]) hash_q <= hash_q ^ product;
    if (ends_q[1] || wipe_i) hash_q <= '0;
    if (hash_ready_i) full_q <= 1'b0;
    if (ends_q[Lanes+1]) full_q <= 1'b1;
    if (rst_i || wipe_i) full_q <= 1'b0;
  end

endmodule
