// SPDX-License-Identifier: Apache-2.0
// What each place of a hash pipeline does next. A place has a message of its slot, and goes around
// once in Places cycles, which is a block: at age 0 it comes by. Then it takes the next block
// of its message, or the first of the slot's next message, or the block that padding adds, or
// none: then its chaining value waits.

module hash_pipe_turns
  import hash_pkg::*;
  import hash_pipe_pkg::*;
#(
    int unsigned Places = PipePlaces  // less for proofs
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         wipe_i,
    output logic         clearing_o,      // two laps after a reset or wipe
    output slot_t        place_o,         // at age 0
    // At 3: as hash_slots
    input  logic         there_i,         // not in the cycle after one of clearing
    input  logic         last_i,
    input  logic         ends_i,
    input  logic         error_i,
    input  logic  [ 6:0] bytes_i,
    input  logic         room_i,          // for one more digest
    output logic         digest_o,        // that is taken
    // At 4: as hash_slots
    output logic         used_o,
    output logic  [ 6:0] from_o,
    output logic         one_o,
    output logic  [63:0] length_o,        // at 5
    output logic         first_o,         // at 7: the first block of a message
    // Of the lap before: its last step comes at 5, the sum with the chaining value at 6
    output logic         read_initial_o,  // at 4: the chaining value is the first one
    output slot_t        read_place_o,    // at 4
    output logic         clear_o,         // at 5: there was no block, the step's result is zero
    output logic         write_o,         // at 7: the sum is the place's chaining value
    output logic         write_digest_o,  // or the digest
    output logic         write_error_o,
    output slot_t        write_place_o
);

  // ---- places -----------------------------------------------------------------------------------
  slot_t [7:0] place_q;  // by age
  logic [1:0] laps_q;
  logic wrap;
  assign wrap = place_q[0] == slot_t'(Places - 1);
  assign place_o = place_q[0];
  always_ff @(posedge clk_i) begin
    place_q <= {place_q[6:0], wrap ? slot_t'(0) : place_q[0] + 1'b1};
    if (wrap && clearing_o) begin
      laps_q <= laps_q - 1'b1;
      clearing_o <= laps_q != 2'd1;
    end
    if (rst_i) place_q[0] <= '0;
    if (rst_i || wipe_i) {laps_q, clearing_o} <= '1;
  end

  typedef struct packed {
    logic active;
    logic first;
    logic digest;
    logic error;
  } turn_t;
  turn_t turn_q;  // the decision, at 4

  // ---- what is known of a message ---------------------------------------------------------------
  typedef struct packed {
    logic        open;
    logic        extra;  // all of it has come: a block of padding is left,
    logic        one;    // which begins with 0x80
    logic        error;
    logic [60:0] bytes;  // that came
  } state_t;
  (* no_rw_check, ramstyle = "no_rw_check", ram_style = "block" *)
  state_t memory[2**$bits(slot_t)];
  state_t stored_q, now_q, next, next_q, after_q;
  logic [60:0] bytes;  // with the block's
  always_ff @(posedge clk_i) begin
    stored_q <= memory[place_q[1]];
    now_q <= stored_q;
    next_q <= next;
    after_q <= next_q;
    after_q.bytes <= turn_q.digest ? '0 : bytes;
    if (clearing_o || wipe_i) {now_q, after_q} <= '0;
    memory[place_q[5]] <= after_q;
  end

  // ---- at 3: the decision -----------------------------------------------------------------------
  logic active, ends;
  assign ends = now_q.extra || ends_i;
  assign active = (now_q.extra || there_i) && (room_i || !ends);
  assign digest_o = active && ends;
  always_comb begin
    next = now_q;
    if (active) begin
      next.open  = !ends;
      next.extra = !ends && last_i;
      next.one   = bytes_i[6];
      next.error = !ends && (now_q.error || error_i);
    end
  end

  turn_t was;
  logic [7:5] first_q;
  always_ff @(posedge clk_i) begin
    turn_q.active <= active;
    turn_q.first <= active && !now_q.open;
    turn_q.digest <= digest_o;
    turn_q.error <= now_q.error || (error_i && !now_q.extra);
    used_o <= active && !now_q.extra;
    from_o <= now_q.extra ? '0 : bytes_i;
    one_o <= now_q.extra ? now_q.one : last_i;
    length_o <= turn_q.digest ? {bytes, 3'b0} : '0;
    first_q <= {first_q[6:5], turn_q.first};
    if (rst_i) turn_q <= '0;
  end
  assign first_o = first_q[7];
  assign bytes   = next_q.bytes + 61'(used_o ? from_o : '0);  // at 4

  // ---- a lap later: the result ------------------------------------------------------------------
  hash_delay #(
      .Width ($bits(turn_t)),
      .Cycles(Places - 2)
  ) u_lap (
      .clk_i,
      .rst_i,
      .data_i(turn_q),
      .data_o(was)
  );
  turn_t [7:3] was_q;
  always_ff @(posedge clk_i) begin
    was_q <= {was_q[6:3], was};
    if (rst_i || clearing_o) was_q <= '0;
  end
  assign read_initial_o = was_q[4].first;
  assign read_place_o = place_q[4];
  assign clear_o = !was_q[5].active;
  assign write_o = was_q[7].active;
  assign write_digest_o = was_q[7].digest;
  assign write_error_o = was_q[7].error;
  assign write_place_o = place_q[7];

endmodule
