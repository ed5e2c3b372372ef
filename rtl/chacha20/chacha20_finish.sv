// SPDX-License-Identifier: Apache-2.0
// From the ring to the keystream: cuts a block that leaves into Beats beats and adds the initial
// state (RFC 8439, 2.3.1). First beat 5 cycles after leave_i, 3 without the addition.

module chacha20_finish
  import chacha20_pkg::*;
#(
    parameter int unsigned Packets,   // with blocks in the ring at once
    parameter int unsigned Beats,     // of a block
    parameter final_add_e  FinalAdd,
    localparam int unsigned Width = 512 / Beats
) (
    input  logic          clk_i,
    input  logic          rst_i,
    input  logic          wipe_i,
    // New packet: its key and nonce are there for Beats cycles from the next one
    input  logic          start_i,
    input  logic          hchacha_i,      // with start_i: nothing is added
    output logic          start_ready_o,
    input  logic  [255:0] key_i,
    input  logic  [ 95:0] nonce_i,
    // A block leaves the ring in the next cycle, at least Beats cycles after the one before
    input  logic          leave_i,
    input  word_t         counter_i,

    input  logic               leave_hchacha_i,
    input  logic               last_i,           // of its packet
    input  state_t             state_i,          // in the next cycle; row b before its last XOR
    // Keystream; never refused
    output logic               valid_o,
    output logic   [Width-1:0] data_o,
    output logic               end_o,            // last beat of a block
    output logic               last_o,           // last beat of a packet
    output logic               ends_o            // last beat of the last block that a counter has
);

  // turn_q[i]: the block in held_q gives its beat i. The row passes a register that is reset in all
  // other cycles, so an OR selects, not a multiplexer.
  //
  // Where a beat is a block, nothing is selected, and a block is in held_q for one cycle: no flag
  // has to reach all of it but the wipe. What is no block is not valid.
  localparam bit Masked = Beats > 1 || FinalAdd == HostAdd;
  typedef struct packed {logic valid, last, stop, ends;} flags_t;
  logic [Beats-1:0] turn_q;
  logic counter_off_q;  // nothing is added to a counter
  logic [Beats-1:0] off_q;  // it is the turn of another, or of none
  logic leave_q, turn_last, next_last_q, last_q, ends_q, next_hchacha_q, hchacha_q;
  state_t held_q;
  word_t next_counter_q, held_counter_q, counter_q;
  logic [Beats-1:0][Width-1:0] rows, row_q;
  logic [Width-1:0] x;
  flags_t flags_q;

  assign rows = step_xor(held_q, 4 * Rounds - 1);
  assign turn_last = turn_q[Beats-1];

  always_ff @(posedge clk_i) begin
    leave_q <= leave_i;
    turn_q  <= Beats'({turn_q, leave_q});
    off_q   <= ~Beats'({turn_q, leave_q});
    if (Beats == 1) counter_off_q <= !leave_q || next_hchacha_q;
    else counter_off_q <= !turn_q[Beats==1?0 : Beats-2] || hchacha_q;
    flags_q <= '{
        valid: |turn_q,
        last: turn_last && last_q,
        stop: turn_last,
        ends: turn_last && ends_q
    };
    if (rst_i || wipe_i) begin
      leave_q <= 1'b0;
      turn_q <= '0;
      off_q <= '1;
      counter_off_q <= 1'b1;
      flags_q.valid <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    next_counter_q <= counter_i;
    next_last_q <= last_i;
    next_hchacha_q <= leave_hchacha_i;
    if (leave_q || wipe_i || Beats == 1) begin
      held_q <= state_i;
      held_counter_q <= next_counter_q;
      last_q <= next_last_q;
      ends_q <= next_counter_q == '1;
      hchacha_q <= next_hchacha_q;
    end
    for (int unsigned i = 0; i < Beats; i++) begin
      row_q[i] <= (Masked ? off_q[i] : wipe_i) ? '0 : rows[i];
    end
    counter_q <= counter_off_q ? '0 : held_counter_q;
  end

  always_comb begin
    x = '0;
    for (int unsigned i = 0; i < Beats; i++) x |= row_q[i];
  end

  flags_t out;
  assign valid_o = out.valid && !wipe_i;
  assign end_o   = out.stop;
  assign last_o  = out.last;
  assign ends_o  = out.ends;

  if (FinalAdd == HostAdd) begin : gen_host_add
    logic unused;
    assign unused = start_i ^ hchacha_i ^ (^key_i) ^ (^nonce_i) ^ (^counter_q);
    assign out = flags_q;
    assign data_o = x;
    assign start_ready_o = 1'b1;
  end else begin : gen_add
    logic [Width-1:0] row;
    chacha20_packets #(
        .Packets(Packets),
        .Beats  (Beats)
    ) u_packets (
        .clk_i,
        .rst_i,
        .wipe_i,
        .start_i,
        .hchacha_i,
        .ready_o(start_ready_o),
        .key_i,
        .nonce_i,
        .read_i (leave_i),
        .last_i,
        .data_o (row)
    );

    // The counter is word 12 of the state; its place in the row is zero. It is added first. The row
    // arrives as late as x; y_q is beside the adder.
    localparam int unsigned CounterWord = 12 % (16 / Beats);
    logic [Width/32-1:0][31:0] x_q, y_q, sum_q;
    flags_t x_flags_q, sum_flags_q;

    always_ff @(posedge clk_i) begin
      x_q <= x;
      x_q[CounterWord] <= x[32*CounterWord+:32] + counter_q;
      y_q <= row;
      for (int unsigned i = 0; i < Width / 32; i++) sum_q[i] <= x_q[i] + y_q[i];
      if (wipe_i) sum_q <= '0;
    end

    always_ff @(posedge clk_i) begin
      x_flags_q   <= flags_q;
      sum_flags_q <= x_flags_q;
      if (rst_i || wipe_i) {x_flags_q.valid, sum_flags_q.valid} <= '0;
    end

    assign out = sum_flags_q;
    assign data_o = sum_q;
  end

endmodule
