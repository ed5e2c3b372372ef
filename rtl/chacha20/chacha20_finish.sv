// SPDX-License-Identifier: Apache-2.0
// The way from the ring to the keystream: cuts a block that leaves into Beats beats and adds the
// initial state (RFC 8439, 2.3.1). First beat 3 cycles after leave_i, 1 without the addition.

module chacha20_finish
  import chacha20_pkg::*;
#(
    parameter int unsigned Packets,   // with blocks in the ring at once
    parameter int unsigned Beats,     // of a block
    parameter final_add_e  FinalAdd,
    localparam int unsigned Width = 512 / Beats
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               wipe_i,
    // New packet: its key and nonce are there for Beats cycles from the next one
    input  logic               start_i,
    output logic               start_ready_o,
    input  logic   [    255:0] key_i,
    input  logic   [     95:0] nonce_i,
    // A block leaves the ring, at least Beats cycles after the one before
    input  logic               leave_i,
    input  state_t             state_i,
    // What is known of the oldest block in the ring
    output logic               next_o,         // done with it
    input  word_t              counter_i,
    input  logic               exhausted_i,
    input  logic               last_i,         // of its packet
    // Keystream; never refused
    output logic               valid_o,
    output logic   [Width-1:0] data_o,
    output logic               end_o,          // last beat of a block
    output logic               last_o,         // last beat of a packet
    output logic               exhausted_o
);

  localparam int unsigned BeatWidth = Beats == 1 ? 1 : $clog2(Beats);

  // Beat beat_q of the block in shift_q is at its low end.
  logic valid_q;
  logic [BeatWidth-1:0] beat_d, beat_q;
  state_t shift_q;
  logic   beat_end;

  assign beat_d   = leave_i ? '0 : beat_q + 1'b1;
  assign beat_end = Beats == 1 || beat_q == '1;
  assign next_o   = valid_q && beat_end;

  always_ff @(posedge clk_i) begin
    valid_q <= leave_i || (valid_q && !beat_end);
    beat_q  <= beat_d;
    if (rst_i || wipe_i) valid_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    shift_q <= leave_i || Beats == 1 || wipe_i ? state_i : shift_q >> Width;
  end

  typedef struct packed {logic valid, last, stop, exhausted;} flags_t;
  flags_t flags;
  assign flags = '{
          valid: valid_q && !wipe_i,
          last: last_i && beat_end,
          stop: beat_end,
          exhausted: exhausted_i
      };

  flags_t out;
  assign valid_o = out.valid;
  assign end_o = out.stop;
  assign last_o = out.last;
  assign exhausted_o = out.exhausted;

  if (FinalAdd == HostAdd) begin : gen_host_add
    logic unused;
    assign unused = start_i ^ (^key_i) ^ (^nonce_i) ^ (^counter_i);
    assign out = flags;
    assign data_o = shift_q[0+:Width/32];
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
        .ready_o(start_ready_o),
        .key_i,
        .nonce_i,
        .next_i (next_o && last_i),
        .beat_i (beat_d),
        .data_o (row)
    );

    // The counter is word 12 of the state; its place in the row is zero. It is added first, because
    // block RAM is slow and leaves no time for a choice.
    localparam int unsigned CounterWord = 12 % (16 / Beats);
    logic [Width/32-1:0][31:0] x_q, y_q, sum_q;
    flags_t flags_q, flags_qq;

    always_ff @(posedge clk_i) begin
      x_q <= shift_q[0+:Width/32];
      x_q[CounterWord] <= shift_q[CounterWord] + (beat_end && !wipe_i ? counter_i : '0);
      y_q <= row;
      for (int unsigned i = 0; i < Width / 32; i++) sum_q[i] <= x_q[i] + y_q[i];
    end

    always_ff @(posedge clk_i) begin
      flags_q  <= flags;
      flags_qq <= flags_q;
      if (rst_i || wipe_i) {flags_q.valid, flags_qq.valid} <= '0;
    end

    assign out = flags_qq;
    assign data_o = sum_q;
  end

endmodule
