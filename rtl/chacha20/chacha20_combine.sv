// SPDX-License-Identifier: Apache-2.0
// XOR of a stream with keystream beats, one to one. Keystream that a packet leaves unused is
// dropped, so that the next packet starts with its own block. Latency 1 cycle.
//
// Wide streams at full rate (Late): data, keep and keystream come a cycle after their handshake,
// because it does not reach all of them in its own. Latency 2 cycles. A cycle without a beat
// behind keystream that is dropped, and behind the keystream of a packet that goes on without.
//
// Bytes that have no keystream come out as zeros, never as they came in: those after the counter's
// end and those of a packet longer than its param says (both marked in user), those without keep,
// and all of a beat whose byte 0 has no keep. A packet that uses no byte of its keystream leaves
// all of it.

module chacha20_combine #(
    parameter int unsigned DataBytes,
    parameter int unsigned UserBits,
    parameter bit MarksEnd,  // what key_exhausted_i marks
    parameter bit Decoupled,  // ready_i does not reach ready_o, and nothing of a block is skipped
    // ready_i does not reach ready_o: a beat in two cycles, the first a cycle after open_i
    parameter bit HalfRate,
    parameter int unsigned LateDepth = 16  // wide at full rate: of the output
) (
    input logic clk_i,
    input logic rst_i,
    input logic wipe_i,
    // Keystream
    input logic key_valid_i,
    output logic key_ready_o,
    output logic key_skip_o,  // what remains of this block is not needed
    input logic [8*DataBytes-1:0] key_data_i,  // Late: a cycle later
    input logic key_end_i,  // last beat before the next use of key_last_i
    input logic key_last_i,  // with key_end_i: last beat of the packet
    input logic key_exhausted_i,  // MarksEnd: with key_end_i, none follows; else: it is none
    // Data
    input logic open_i,  // a packet may move
    input logic keyed_i,  // with open_i: it has keystream
    input logic next_i,  // a packet comes behind it, or first if none is open
    input logic next_keyed_i,  // with next_i: it has keystream
    input logic valid_i,
    output logic ready_o,
    input logic some_i,  // byte 0 is kept
    input logic [8*DataBytes-1:0] data_i,  // Late: a cycle later
    input logic [DataBytes-1:0] keep_i,  // as data_i
    input logic last_i,
    input logic [UserBits-1:0] user_i,
    output logic valid_o,
    input logic ready_i,
    output logic [8*DataBytes-1:0] data_o,
    output logic [DataBytes-1:0] keep_o,
    output logic last_o,
    output logic [UserBits:0] user_o,  // {no keystream, user_i}
    output logic starved_o  // keystream is there, no data
);

  // In wide streams, a signal that depends on a handshake or on the keystream's flags cannot reach
  // all data in one cycle: the mask comes behind the output.
  localparam bit Wide = DataBytes > 16;
  localparam bit Late = Wide && !HalfRate;

  // dropping_q: the packet has ended, its keystream has not. beyond_q: the keystream has ended, the
  // packet has not. exhausted_q: the rest of this packet has no keystream. hidden_q: one of the
  // last two, because all bits of the data depend on it.
  logic dropping_q, dropping_d, beyond_q, beyond_d, exhausted_q, exhausted_d, hidden_q;
  logic needs, move, room;
  logic keyed, plain;  // data of a packet may move that has keystream left; that has none
  logic drop;  // keystream of a packet that has ended
  logic key_taken, key_finished;

  assign needs = some_i && keyed;
  assign ready_o = plain || (keyed && (key_valid_i || !some_i));
  assign move = valid_i && ready_o;

  assign key_ready_o = drop || (valid_i && needs);
  assign key_skip_o = dropping_q || last_i;
  assign key_taken = key_valid_i && key_ready_o;
  assign starved_o = key_valid_i && !dropping_q && !valid_i;

  if (Decoupled) begin : gen_nothing_skipped
    assign key_finished = key_last_i && key_end_i;
  end else begin : gen_skipped
    assign key_finished = key_last_i && (key_end_i || key_skip_o);
  end

  always_comb begin
    dropping_d = dropping_q;
    if (key_taken) dropping_d = key_skip_o && !key_finished;
    else if (move && last_i) dropping_d = keyed;
    beyond_d = beyond_q;
    exhausted_d = exhausted_q;
    if (move) beyond_d = !last_i && (beyond_q || (needs && key_last_i && key_end_i));
    if (key_taken && MarksEnd) begin
      exhausted_d = !key_finished && (exhausted_q || (key_exhausted_i && key_end_i));
    end
  end

  always_ff @(posedge clk_i) begin
    dropping_q <= dropping_d;
    beyond_q <= beyond_d;
    exhausted_q <= exhausted_d;
    if (rst_i || wipe_i) {dropping_q, beyond_q, exhausted_q} <= '0;
  end

  // At full rate they are far apart, too: whether a beat may move, room at the output included, is
  // in registers, so that a handshake is one table of flags. Their next values are chosen by the
  // handshake from what is known without it. The output has no room from the second cycle of a wipe
  // on; the first is cleared anyway.
  logic masked, shown, none;
  assign none = !MarksEnd && needs && key_exhausted_i;
  if (Late) begin : gen_early
    logic may, with_key;
    always_comb begin
      may = (open_i || next_i) && !dropping_q && room;
      with_key = (open_i ? keyed_i : next_keyed_i) && !beyond_q;
      if (move) begin
        if (last_i) may = room && next_i && (plain || (some_i && key_finished));
        else may = room && (plain || !(some_i && key_last_i && key_end_i));
        with_key = last_i ? next_keyed_i : keyed;
      end
    end
    assign drop = dropping_q;
    always_ff @(posedge clk_i) begin
      keyed <= may && with_key;
      plain <= may && !with_key;
      hidden_q <= beyond_d || exhausted_d;
      if (rst_i || wipe_i) {keyed, plain, hidden_q} <= '0;
    end
    assign masked = hidden_q || (some_i && !keyed_i) || none;
    assign shown  = some_i;
  end else begin : gen_in_order
    logic open, with_key, show, may;
    if (HalfRate) begin : gen_half
      // No beat moves in the cycle behind a beat, so all that is known of a packet may come from
      // registers, a cycle later. While keystream is dropped, nothing moves.
      logic open_q, keyed_q, show_q, hidden;
      assign hidden = (beyond_q || exhausted_q) && !dropping_q;
      always_ff @(posedge clk_i) begin
        open_q   <= open_i && !(move && last_i);
        keyed_q  <= keyed_i;
        hidden_q <= hidden;
        show_q   <= keyed_i && !hidden;
        if (rst_i || wipe_i) {open_q, keyed_q, hidden_q, show_q} <= '0;
      end
      assign {open, with_key, show} = {open_q, keyed_q, show_q};
    end else begin : gen_full
      always_ff @(posedge clk_i) hidden_q <= (beyond_d || exhausted_d) && !rst_i && !wipe_i;
      assign {open, with_key, show} = {open_i, keyed_i, keyed_i && !hidden_q};
    end
    assign may = open && !dropping_q && room && !wipe_i;
    assign keyed = may && with_key && !beyond_q;
    assign plain = may && !(with_key && !beyond_q);
    assign drop = dropping_q && !wipe_i;
    assign masked = hidden_q || (some_i && !with_key) || none;
    assign shown = some_i && (Wide || (show && !none));
    logic unused;
    assign unused = next_i && next_keyed_i;
  end

  logic [8*DataBytes-1:0] result;

  // Each 16 bytes have the mask's flag beside them. Late: a register of it, as of the other flags,
  // and one that clears them in a wipe.
  localparam int unsigned Slices = (DataBytes + 15) / 16;
  localparam int unsigned SliceBytes = DataBytes / Slices;
  logic [Slices-1:0] clear, mask, show;
  logic last;
  logic [UserBits-1:0] user;
  if (Late) begin : gen_late
    flag_copies #(
        .Copies(Slices)
    ) u_clear (
        .clk_i,
        .flag_i  (wipe_i),
        .copies_o(clear)
    );
    flag_copies #(
        .Copies(Slices)
    ) u_mask (
        .clk_i,
        .flag_i  (masked),
        .copies_o(mask)
    );
    flag_copies #(
        .Copies(Slices)
    ) u_show (
        .clk_i,
        .flag_i  (shown && !wipe_i),
        .copies_o(show)
    );
    always_ff @(posedge clk_i) {last, user} <= {last_i, user_i};
  end else begin : gen_in_time
    assign clear = '0;
    assign mask = {Slices{masked}};
    assign show = {Slices{shown}};
    assign {last, user} = {last_i, user_i};
  end

  logic [DataBytes-1:0] keep;
  always_comb begin
    for (int unsigned i = 0; i < DataBytes; i++) begin
      keep[i] = keep_i[i] && !clear[i/SliceBytes];
      result[8*i+:8] = (data_i[8*i+:8] ^ key_data_i[8*i+:8]) & {8{keep_i[i] && show[i/SliceBytes]}};
    end
  end

  typedef struct packed {
    logic masked;
    logic [SliceBytes-1:0] keep;
    logic [8*SliceBytes-1:0] data;
  } slice_t;
  slice_t [Slices-1:0] made, held;
  always_comb begin
    for (int unsigned i = 0; i < Slices; i++) begin
      made[i] = '{
          mask[i] && !clear[i],
          keep[SliceBytes*i+:SliceBytes],
          result[8*SliceBytes*i+:8*SliceBytes]
      };
      keep_o[SliceBytes*i+:SliceBytes] = held[i].keep;
      data_o[8*SliceBytes*i+:8*SliceBytes] = Wide && held[i].masked ? '0 : held[i].data;
    end
    user_o[UserBits] = held[Slices-1].masked;
  end

  localparam int unsigned Depth = Late ? LateDepth : Decoupled && !HalfRate ? 2 : 1;
  logic [$clog2(Depth+1)-1:0] unused_level;
  stream_fifo #(
      .Width   ($bits(made) + UserBits + 1),
      .Depth   (Depth),
      .HalfRate(HalfRate),
      .Late    (Late)
  ) u_output (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(move),
      .ready_o(room),
      .data_i ({last && !clear[0], user & {UserBits{!clear[0]}}, made}),
      .valid_o,
      .ready_i,
      .data_o ({last_o, user_o[UserBits-1:0], held}),
      .level_o(unused_level)
  );

endmodule
