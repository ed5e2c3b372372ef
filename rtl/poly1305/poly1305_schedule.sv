// SPDX-License-Identifier: Apache-2.0
// Chooses what the multiplier array does in each turn: powers of a new key first, because they are few
// and the next message waits for them, otherwise the next block of the message.
//
// Block i of n goes to lane i modulo k, which is multiplied by r^k, and block i + k is added to it. The
// last k blocks are multiplied by the powers that they should have had, r^(n - i), and make the sum.
// Power e is made of the largest power of two below e, so that all of a level are made together.

module poly1305_schedule
  import poly1305_pkg::*;
#(
    int unsigned Interval,
    localparam int unsigned Count = lanes(Interval)  // of lanes and of powers
) (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        wipe_i,
    // Keys
    input  logic        key_valid_i,
    // The first message in poly1305_blocks
    input  logic  [3:0] count_i,      // modulo 16
    input  logic        known_i,
    input  logic        close_i,
    input  logic        single_i,
    input  logic  [3:0] place_i,
    output logic        take_o,
    output logic        end_o,
    // The sum of the last message has been taken
    input  logic        sum_free_i,
    output logic        valid_o,
    output turn_t       turn_o
);

  typedef logic [3:0] count_t;

  // A turn takes Interval cycles.
  logic [1:0] wait_q;
  logic free;
  assign free = wait_q == '0;

  // Powers of the key that is set up: made_q are under way or done, all are done when settle_q is 0;
  // base_q is the largest power of two among them.
  count_t made_q, settle_q, base_q;
  logic load, power, settled, set_up;
  logic key_write_q, key_read_q;
  logic [1:0] used_q, ready_q;  // keys that are kept; those whose powers are all there

  assign settled = settle_q == '0;
  assign load = free && key_valid_i && made_q == '0 && used_q != 2'(Keys);
  assign power = free && made_q != '0 && made_q != count_t'(Count) && (made_q != base_q || settled);
  assign set_up = made_q == count_t'(Count) && settled;

  // Blocks
  count_t lane_q;
  logic wrapped_q, ending_q, sum_busy_q;  // ending_q: in the last k blocks
  logic block;
  assign block = free && !load && !power && ready_q != '0 && known_i &&
      (!close_i || ending_q || !sum_busy_q);
  assign take_o = block;
  assign end_o = block && single_i;

  always_ff @(posedge clk_i) begin
    wait_q   <= load || power || block ? 2'(Interval - 1) : wait_q - 2'(wait_q != '0);

    settle_q <= load || power ? count_t'(turnaround(Interval) - 1) : settle_q - 4'(!settled);
    if (load) {made_q, base_q} <= {4'd1, 4'd1};
    if (power) made_q <= made_q + 1'b1;
    if (power && made_q + 1'b1 == {base_q[2:0], 1'b0}) base_q <= made_q + 1'b1;
    if (set_up) made_q <= '0;
    if (set_up) key_write_q <= !key_write_q;
    if (end_o) key_read_q <= !key_read_q;
    used_q  <= used_q + 2'(load) - 2'(end_o);
    ready_q <= ready_q + 2'(set_up) - 2'(end_o);

    if (block) begin
      lane_q <= lane_q == count_t'(Count - 1) ? '0 : lane_q + 1'b1;
      wrapped_q <= wrapped_q || lane_q == count_t'(Count - 1);
      ending_q <= close_i;
    end
    if (end_o) {lane_q, wrapped_q, ending_q} <= '0;
    if (sum_free_i) sum_busy_q <= 1'b0;
    if (block && close_i) sum_busy_q <= 1'b1;

    if (rst_i || wipe_i) begin
      wait_q <= '0;
      {made_q, settle_q} <= '0;
      {key_write_q, key_read_q} <= '0;
      {used_q, ready_q} <= '0;
      {lane_q, wrapped_q, ending_q, sum_busy_q} <= '0;
    end
  end

  // The next power, e = made_q + 1, is r^(e - base) * r^base. Power e is stored in place e - 1.
  turn_t turn;
  always_comb begin
    turn = '0;
    turn.load = load;
    turn.power = load || power;
    turn.block = place_i;
    turn.next = place_i + count_t'(Count);
    if (block) begin
      turn.first = !wrapped_q;
      turn.add = !close_i;
      turn.ends = close_i;
      turn.last = single_i;
      turn.a = lane_q;
      turn.b = {key_read_q, (close_i ? count_i : count_t'(Count)) - 4'd1};
      turn.to = {1'b0, lane_q};
    end else begin
      turn.a  = {2'b11, 2'(made_q - base_q)};
      turn.b  = {key_write_q, base_q - 4'd1};
      turn.to = {key_write_q, made_q};
    end
  end

  logic  valid_q;
  turn_t turn_q;
  assign valid_o = valid_q;
  assign turn_o  = turn_q;

  always_ff @(posedge clk_i) begin
    valid_q <= load || power || block;
    turn_q  <= turn;
    if (rst_i || wipe_i) valid_q <= 1'b0;
  end

endmodule
