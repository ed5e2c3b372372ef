// SPDX-License-Identifier: Apache-2.0
// Brings messages to the pipeline of a hash core. Beats of many messages come in any order:
// each has the number of its slot, which is a place of the pipeline with a buffer in front.
// What is here: the buffers, and padding (FIPS 180-4, 5.1.1; RFC 1321, 3.1 and 3.2), where
// blocks leave them. A beat whose slot is full waits, and those behind it.

module hash_slots
  import hash_pkg::*;
  import hash_pipe_pkg::*;
#(
    bit BigEndian,  // words, and the length: as SHA-256; otherwise as MD5
    int unsigned Depth  // blocks of a slot, a power of two
) (
    input  logic          clk_i,
    input  logic          rst_i,
    input  logic          wipe_i,
    input  logic          clearing_i,  // held for two laps: nothing in, nothing is there
    // As the ports of the core, where they are described
    input  logic          valid_i,
    output logic          ready_o,
    input  logic  [511:0] data_i,
    input  logic  [ 63:0] keep_i,
    input  logic          last_i,
    input  slot_t         slot_i,
    input  logic          user_i,
    output logic          begun_o,     // a beat that begins a message goes in
    // By a place's age, in cycles (hash_pipe_turns)
    input  slot_t         place_i,     // at 0
    output logic          there_o,     // at 3: its slot has a block,
    output logic          last_o,      // the message's last,
    output logic          ends_o,      // and its padding needs no block more,
    output logic          error_o,     // marked,
    output logic  [  6:0] bytes_o,     // of so many bytes
    input  logic          used_i,      // at 4: it is taken
    input  logic  [  6:0] from_i,      // at 4: padding begins with this byte,
    input  logic          one_i,       // which is 0x80
    input  logic  [ 63:0] length_i,    // at 5: of the message, in bits, or zero
    output word_t [ 15:0] word_o       // at 7, 9, 11 and so on
);

  localparam int unsigned PointerWidth = $clog2(Depth) + 1;
  localparam int unsigned AddressWidth = $bits(slot_t) + $clog2(Depth);
  typedef logic [PointerWidth-1:0] pointer_t;  // its top bit changes with each lap of a buffer

  // ---- beats come in ----------------------------------------------------------------------------
  // Three registers, which move together: behind the first one it is looked up how full the slot
  // is, behind the second one compared; from the third one the beat is taken. One whose slot is
  // full waits there until a block of it is freed. Who waits is known from a register alone.
  typedef struct packed {
    logic [511:0] data;
    logic [63:0]  keep;
    logic         last;
    logic         user;
    slot_t        slot;
  } beat_t;
  // Where in its buffer a slot's next block goes, and whether its message goes on
  typedef struct packed {
    logic     inside_message;
    pointer_t next;
  } end_t;
  logic  [2:0] valid_q;
  beat_t [2:0] beat_q;
  logic waits_q, taken;
  assign ready_o = !waits_q && !clearing_i && !wipe_i;
  assign taken   = valid_q[2] && !waits_q;
  always_ff @(posedge clk_i) begin
    if (!waits_q) begin
      valid_q <= {valid_q[1:0], valid_i && !clearing_i && !wipe_i};
      beat_q <= {
        beat_q[1:0],
        beat_t'{data: data_i, keep: keep_i, last: last_i, user: user_i, slot: slot_i}
      };
    end
    if (rst_i || clearing_i || wipe_i) valid_q <= '0;
    if (wipe_i) beat_q <= '0;
  end

  // Ends change when a beat is taken, so that a place sees no block before it is there: a beat
  // that is looked up adds those of its slot which are before it.
  (* ram_style = "distributed", ramstyle = "MLAB, no_rw_check" *)
  end_t ends[PipePlaces];
  (* ram_style = "distributed", ramstyle = "MLAB, no_rw_check" *)
  pointer_t starts[PipePlaces];  // the oldest block
  end_t end_q, after, after_q;
  pointer_t start_q, freed_start;
  logic [PointerWidth-2:0] next_q;
  logic freed, full, has_freed;
  slot_t freed_place;
  logic  inside_message_q;
  assign after = '{inside_message: !beat_q[1].last, next: end_q.next + 1'b1};
  assign full = end_q.next == (start_q ^ {1'b1, (PointerWidth - 1)'(0)});
  assign has_freed = freed && freed_place == beat_q[waits_q?2 : 1].slot;
  assign begun_o = taken && !inside_message_q && !clearing_i;
  always_ff @(posedge clk_i) begin
    if (!waits_q) begin
      start_q <= starts[beat_q[0].slot];
      end_q   <= ends[beat_q[0].slot];
      if (valid_q[2] && beat_q[2].slot == beat_q[0].slot) end_q <= after_q;
      if (valid_q[1] && beat_q[1].slot == beat_q[0].slot) end_q <= after;
      inside_message_q <= end_q.inside_message;
      next_q <= end_q.next[PointerWidth-2:0];
      after_q <= after;
    end
    if (freed && freed_place == beat_q[waits_q?1 : 0].slot) start_q <= freed_start;
    waits_q <= (waits_q || (valid_q[1] && full)) && !has_freed;
    if (rst_i || clearing_i || wipe_i) waits_q <= 1'b0;
    if (taken || clearing_i) begin
      ends[clearing_i?place_i : beat_q[2].slot] <= clearing_i ? '0 : after_q;
    end
  end

  // The number of bytes: after the highest one that is kept
  function automatic logic [6:0] count(logic [63:0] keep);
    count = '0;
    for (int unsigned i = 0; i < 64; i++) begin
      if (keep[i] && (i == 63 || !keep[i+1])) count |= 7'(i + 1);
    end
  endfunction

  logic write_q;
  logic [AddressWidth-1:0] address_q;  // in a wipe it walks
  logic [511:0] write_data_q;
  logic [9:0] write_kind_q;
  always_ff @(posedge clk_i) begin
    write_q <= taken || wipe_i;
    address_q <= wipe_i ? address_q + 1'b1 : {beat_q[2].slot, next_q};
    write_data_q <= wipe_i ? '0 : beat_q[2].data;
    // With at most 55 bytes 0x80 and the length fit behind them.
    write_kind_q <= {
      beat_q[2].last, beat_q[2].last && !beat_q[2].keep[55], beat_q[2].user, count(beat_q[2].keep)
    };
  end

  // ---- the oldest block of a slot ---------------------------------------------------------------
  // Word i leaves its bank 2 * i cycles after word 0: then the buffer's place is free.
  localparam int unsigned FreeAge = 4 + 2 * 15;
  typedef struct packed {
    slot_t    place;
    pointer_t start;
  } at_t;
  at_t [FreeAge:1] at_q;
  pointer_t end_there_q;
  logic some_q, there_q;
  logic [FreeAge:5] used_q;
  assign freed = used_q[FreeAge];
  assign freed_place = at_q[FreeAge].place;
  assign freed_start = at_q[FreeAge].start + 1'b1;
  always_ff @(posedge clk_i) begin
    at_q <= {at_q[FreeAge-1:1], place_i, starts[place_i]};
    end_there_q <= ends[place_i].next;
    some_q <= end_there_q != at_q[1].start;
    there_q <= some_q && !clearing_i;
    used_q <= {used_q[FreeAge-1:5], used_i};
    if (freed || clearing_i) starts[freed_place] <= clearing_i ? '0 : freed_start;
    if (rst_i || clearing_i) used_q <= '0;
  end

  (* no_rw_check, ramstyle = "no_rw_check", ram_style = "block" *)
  logic [9:0] kinds[2**AddressWidth];
  logic [9:0] kind_q, oldest_q;
  always_ff @(posedge clk_i) begin
    if (write_q) kinds[address_q] <= write_kind_q;
    kind_q   <= kinds[{at_q[1].place, at_q[1].start[PointerWidth-2:0]}];
    oldest_q <= kind_q;
  end
  assign there_o = there_q;
  assign {last_o, ends_o, error_o, bytes_o} = oldest_q;

  // ---- words, padded ----------------------------------------------------------------------------
  typedef struct packed {
    logic [6:0] from;
    logic             one;
  } padding_t;
  padding_t [5+2*15:5] padding_q;
  always_ff @(posedge clk_i) padding_q <= {padding_q[4+2*15:5], from_i, one_i};

  word_t [1:0] length;  // with the words: the first one
  hash_delay #(
      .Width (32),
      .Cycles(28)
  ) u_length_first (
      .clk_i,
      .rst_i,
      .data_i(BigEndian ? length_i[63:32] : length_i[31:0]),
      .data_o(length[0])
  );
  hash_delay #(
      .Width (32),
      .Cycles(30)
  ) u_length_second (
      .clk_i,
      .rst_i,
      .data_i(BigEndian ? length_i[31:0] : length_i[63:32]),
      .data_o(length[1])
  );

  for (genvar i = 0; i < 16; i++) begin : gen_word
    (* no_rw_check, ramstyle = "no_rw_check", ram_style = "block" *)
    word_t memory[2**AddressWidth];
    word_t read_q, raw_q, padded, padded_q;
    padding_t padding;
    assign padding = padding_q[5+2*i];
    always_comb begin
      for (int unsigned j = 0; j < 4; j++) begin
        padded[8*j+:8] = padding.from > 7'(4 * i + j) ? raw_q[8*j+:8] : 8'h0;
        if (padding.from == 7'(4 * i + j) && padding.one) padded[8*j+:8] = 8'h80;
      end
      if (BigEndian) padded = swapped(padded);
      if (i >= 14) padded |= length[i%2];
    end
    always_ff @(posedge clk_i) begin
      if (write_q) memory[address_q] <= write_data_q[32*i+:32];
      read_q <= memory[{at_q[3+2*i].place, at_q[3+2*i].start[PointerWidth-2:0]}];
      raw_q <= read_q;
      padded_q <= wipe_i ? '0 : padded;
      word_o[i] <= wipe_i ? '0 : padded_q;  // it is far to where the words are used
    end
  end

endmodule
