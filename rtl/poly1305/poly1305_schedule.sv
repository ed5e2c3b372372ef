// SPDX-License-Identifier: Apache-2.0
// Chooses the work of the multiplier array in each turn: powers of a new key first, because they
// are few and the next message waits for them; otherwise the next block of the message.
//
// Block i goes to lane i modulo k: the lane is multiplied by r^k, and the block is added. After a
// message of n blocks, each lane is multiplied by the power that it still lacks: r^k (r^n if n < k)
// for the lane with the oldest block, down to r for the lane with the last; the sum of these
// results is the hash. Power e is made from the largest power of two below e, so that all of a
// level are made together.

module poly1305_schedule
  import poly1305_pkg::*;
#(
    int unsigned Interval,
    localparam int unsigned Count = lanes(Interval)  // of lanes and of powers
) (
    input  logic  clk_i,
    input  logic  rst_i,
    input  logic  wipe_i,
    input  logic  key_valid_i,
    // Blocks
    input  logic  valid_i,
    output logic  ready_o,      // depends on registers only
    input  logic  last_i,
    input  logic  sum_free_i,   // the sum of the last message has been taken
    output logic  valid_o,
    output turn_t turn_o,
    output logic  idle_o        // no key is set up
);

  typedef logic [3:0] count_t;
  localparam count_t Last = count_t'(Count - 1);

  // A turn takes Interval cycles.
  logic [1:0] wait_q;
  logic free, power, block, fill, close;
  assign free = wait_q == '0;

  // Powers of the key that is set up. made_q: started or done. base_q: the largest power of two in
  // the last complete level. due_q: the next power takes the next free turn.
  count_t made_q, base_q, settle_q, making;
  logic due_q, level_end, set_up;
  logic key_write_q, key_read_q;
  logic [1:0] used_q, ready_q, ready_d;  // keys that are kept; those whose powers are all there
  logic message_end;

  assign making = made_q + 1'b1;
  assign power = free && due_q;
  assign level_end = made_q == '0 || making == {base_q[2:0], 1'b0} || making == count_t'(Count);
  assign set_up = settle_q == 4'd1 && made_q == count_t'(Count);
  assign idle_o = !due_q && made_q == '0;

  always_ff @(posedge clk_i) begin
    if (settle_q != '0) settle_q <= settle_q - 1'b1;
    if (settle_q == 4'd1 && !set_up) due_q <= 1'b1;
    if (idle_o && key_valid_i && used_q != 2'(Keys)) due_q <= 1'b1;
    if (power) begin
      made_q <= making;
      if (level_end) begin
        base_q <= making;
        due_q <= 1'b0;
        settle_q <= count_t'(turnaround(Interval) - 1);
      end
    end
    if (set_up) made_q <= '0;
    if (set_up) key_write_q <= !key_write_q;
    if (message_end) key_read_q <= !key_read_q;
    used_q  <= used_q + 2'(power && made_q == '0) - 2'(message_end);
    ready_q <= ready_d;
    if (rst_i || wipe_i) begin
      {due_q, made_q, settle_q} <= '0;
      {key_write_q, key_read_q} <= '0;
      {used_q, ready_q} <= '0;
    end
  end
  assign ready_d = ready_q + 2'(set_up) - 2'(message_end);

  // Blocks. wrapped_q: all lanes have one. After a message's last block, turns are skipped until
  // every lane would have had one; then the oldest result is ready, and the lanes that have a block
  // are closed.
  count_t lane_q, left_q;  // left_q: lanes to be closed
  logic wrapped_q, closing_q, closing_d, begun_q, sum_busy_q, open_q;
  logic lane_end;
  assign lane_end = lane_q == Last;
  assign ready_o = free && open_q && !due_q && !wipe_i;
  assign block = valid_i && ready_o;
  assign fill = free && !due_q && closing_q && !wrapped_q;
  assign close = free && !due_q && closing_q && wrapped_q && (begun_q || !sum_busy_q);
  assign message_end = close && left_q == 4'd1;
  assign closing_d = (closing_q && !message_end) || (block && last_i);

  always_ff @(posedge clk_i) begin
    wait_q <= power || block || fill || close ? 2'(Interval - 1) : wait_q - 2'(wait_q != '0);
    if (block || fill || close) lane_q <= lane_end ? '0 : lane_q + 1'b1;
    if ((block || fill) && lane_end) wrapped_q <= 1'b1;
    if (block) left_q <= wrapped_q ? count_t'(Count) : lane_q + 1'b1;
    if (close) left_q <= left_q - 1'b1;
    closing_q <= closing_d;
    begun_q   <= close || begun_q;
    open_q    <= !closing_d && ready_d != '0;
    if (message_end) {lane_q, wrapped_q, begun_q} <= '0;
    if (sum_free_i) sum_busy_q <= 1'b0;
    if (close) sum_busy_q <= 1'b1;
    if (rst_i || wipe_i) begin
      wait_q <= '0;
      {lane_q, wrapped_q, closing_q, begun_q, sum_busy_q, open_q} <= '0;
    end
  end

  // The next power, e = made_q + 1, is r^(e - base) * r^base. Power e is stored in place e - 1.
  turn_t turn, turn_q;
  logic valid_q;
  always_comb begin
    turn = '0;
    turn.ends = close;
    turn.last = message_end;
    if (power) begin
      turn.load = made_q == '0;
      turn.zero = made_q == '0;
      turn.power = 1'b1;
      turn.a = {2'b11, 2'(made_q - base_q)};
      turn.b = {key_write_q, base_q - 4'd1};
      turn.to = {key_write_q, made_q};
    end else begin
      turn.zero = !wrapped_q;
      turn.a = lane_q;
      turn.b = {key_read_q, close ? left_q - 4'd1 : Last};
      turn.to = {1'b0, lane_q};
    end
  end

  assign valid_o = valid_q;
  assign turn_o  = turn_q;
  always_ff @(posedge clk_i) begin
    valid_q <= power || block || close;
    turn_q  <= turn;
    if (rst_i || wipe_i) valid_q <= 1'b0;
  end

endmodule
