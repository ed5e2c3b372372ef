// SPDX-License-Identifier: Apache-2.0
// All rounds laid out, RoundStages registers in each: one block per cycle. A block leaves Nr x
// RoundStages + 1 cycles after it was taken. Never stalls: the user has room for each result, and
// adds the last round key.

module aes_pipeline_core
  import aes_pkg::*;
#(
    parameter sbox_e       SBox,
    parameter int unsigned RoundStages,  // 1 to 5; one before the S-boxes, the others are theirs
    parameter key_sizes_e  KeySizes,     // not AnySize
    parameter directions_e Directions
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic              wipe_i,
    // Keys, one per packet
    input  logic              key_valid_i,  // stays until it is ready
    output logic              key_ready_o,
    input  logic      [255:0] key_i,
    input  key_size_e         size_i,
    input  logic              decrypt_i,
    // The next packet: its key is there
    output logic              opens_o,      // it is open from the next cycle on
    output logic              open_o,       // until its last block is taken
    output block_t            last_key_o,   // of the open packet: to be added to its blocks
    // Blocks of the open packet
    input  logic              valid_i,      // not in a wipe
    output logic              ready_o,
    input  block_t            block_i,
    input  logic              last_i,       // of the packet
    // In the same order, without the last AddRoundKey
    output logic              valid_o,
    output block_t            block_o
);

  localparam int unsigned Rounds = rounds(chosen(KeySizes, Key128));
  localparam int unsigned Last = RoundStages - 1;

  if (KeySizes == AnySize) begin : gen_bad_key_sizes
    $fatal(1, "aes: a Pipeline is for one key size");
  end
  if (RoundStages < 1 || RoundStages > 5) begin : gen_bad_stages
    $fatal(1, "aes: a Pipeline has 1 to 5 RoundStages in a round");
  end

  // ---- keys: those of the next packet wait beside the ones in use -------------------------------
  // The first block of a packet carries its round keys along: each round copies its key from
  // next_keys_q. The keys of the following packet may arrive once that block has entered; they come
  // four words per round, no faster than a block with up to 4 RoundStages, and start later. With 5
  // RoundStages they may arrive slightly later; for decryption only after the block has left,
  // because those keys come in reverse order.
  logic complete_q, complete, opens_q, taken_q, taken, word_valid, word_last, next_inverse;
  word_t word;
  logic [Rounds:0] place_q;  // whose key the next word is of, one of them
  logic [3:0] column_q;
  logic started_q;  // one of its words has come
  key_size_e unused_size;
  logic [3:0] unused_round;
  logic [1:0] unused_column;
  block_t next_keys_q[Rounds+1];  // in the order of use

  aes_key_expansion #(
      .SBox      (SBox),
      .Registers (Last > 3 ? 3 : Last),
      .KeySizes  (KeySizes),
      .Directions(Directions)
  ) u_expansion (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i  (key_valid_i),
      .ready_o  (key_ready_o),
      .start_i  (taken_q && !complete_q && !word_valid),
      .key_i,
      .size_i,
      .decrypt_i,
      .size_o   (unused_size),
      .decrypt_o(next_inverse),
      .valid_o  (word_valid),
      .word_o   (word),
      .round_o  (unused_round),
      .column_o (unused_column),
      .last_o   (word_last)
  );

  // Key words move from round to round, one per cycle; each round keeps the words addressed to it.
  // So no net goes to all keys, and a word arrives before the first block does. Only the first and
  // the last round key are loaded directly: a packet opens with them. A wipe writes zeros
  // everywhere.
  typedef struct packed {
    logic [Rounds:0] place;   // of one key, or of none
    logic [3:0]      column;
    word_t           word;
  } word_route_t;
  word_route_t route_q [Rounds];
  word_route_t route   [Rounds];    // what route_q takes
  logic [Rounds:0][3:0] write_q;

  assign route[0] = '{
          place: wipe_i ? '1 : word_valid ? place_q : '0,
          column: wipe_i ? '1 : column_q,
          word: wipe_i ? '0 : word
      };
  always_ff @(posedge clk_i) begin
    route_q <= route;
    if (rst_i) for (int unsigned r = 0; r < Rounds; r++) route_q[r].place <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (word_valid) begin
      started_q <= !word_last;
      column_q  <= {column_q[2:0], column_q[3]};
      if (column_q[3]) place_q <= next_inverse ? place_q >> 1 : place_q << 1;
    end else if (!started_q) begin
      column_q <= 4'b0001;
      place_q  <= next_inverse ? (Rounds + 1)'(1) << Rounds : (Rounds + 1)'(1);
    end
    if (rst_i || wipe_i) started_q <= 1'b0;
    if (wipe_i) place_q <= (Rounds + 1)'(1);
  end

  for (genvar r = 1; r < Rounds; r++) begin : gen_route
    assign route[r] = route_q[r-1];
  end
  for (genvar r = 0; r <= Rounds; r++) begin : gen_next_key
    localparam int unsigned At = r == Rounds ? 0 : r;
    for (genvar c = 0; c < 4; c++) begin : gen_column
      always_ff @(posedge clk_i) begin
        write_q[r][c] <= route[At].place[r] && route[At].column[c] && !rst_i;
        if (write_q[r][c]) next_keys_q[r][4*c+:4] <= route_q[At].word;
      end
    end
  end

  // ---- the open packet --------------------------------------------------------------------------
  logic open_q, first_q, inverse_q;
  logic opens_first_q, opens_last_q;  // as opens_q: one does not reach all keys
  block_t first_key_q, last_key_q;

  // With five stages the expansion is one cycle ahead of the rounds, so the packet opens one later.
  if (RoundStages > 4) begin : gen_complete_later
    logic complete_later_q;
    always_ff @(posedge clk_i) complete_later_q <= complete_q && !opens_q && !rst_i && !wipe_i;
    assign complete = complete_later_q;
  end else begin : gen_complete
    assign complete = complete_q;
  end

  flag_copies #(
      .Copies(3)
  ) u_opens (
      .clk_i,
      .flag_i  (complete && !open_q && !opens_q && !rst_i && !wipe_i),
      .copies_o({opens_q, opens_first_q, opens_last_q})
  );

  assign ready_o = open_q;
  assign opens_o = opens_q;
  assign open_o = open_q;
  assign last_key_o = last_key_q;

  always_ff @(posedge clk_i) begin
    if (word_valid && word_last) complete_q <= 1'b1;
    if (taken) taken_q <= 1'b1;
    if (valid_i && ready_o) begin
      first_q <= 1'b0;
      if (last_i) open_q <= 1'b0;
    end
    if (opens_q) begin
      open_q <= 1'b1;
      first_q <= 1'b1;
      inverse_q <= next_inverse;
      complete_q <= 1'b0;
      taken_q <= 1'b0;
    end
    if (rst_i || wipe_i) begin
      {open_q, complete_q, inverse_q} <= '0;
      taken_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (opens_first_q) first_key_q <= next_keys_q[0];
    if (opens_last_q) last_key_q <= next_keys_q[Rounds];
    if (wipe_i) {first_key_q, last_key_q} <= '0;
  end

  // ---- slots: slot_q[i] belongs to the data after i + 1 registers -------------------------------
  typedef struct packed {
    logic valid;
    logic first;    // it is valid, and its packet's first
    logic inverse;
  } slot_t;
  localparam int unsigned Slots = Rounds * RoundStages;
  localparam int unsigned Later = RoundStages > 4 ? Rounds - 8 : 0;
  localparam int unsigned Taken = Directions == BothDirections ? Slots - 1 : Later;
  slot_t slot_q[Slots];
  assign taken = slot_q[Taken].first;

  always_ff @(posedge clk_i) begin
    slot_q[0].valid   <= valid_i && ready_o;
    slot_q[0].first   <= valid_i && ready_o && first_q;
    slot_q[0].inverse <= inverse_q;
    for (int unsigned i = 1; i < Slots; i++) slot_q[i] <= slot_q[i-1];
    if (rst_i || wipe_i) begin
      for (int unsigned i = 0; i < Slots; i++) {slot_q[i].valid, slot_q[i].first} <= '0;
    end
  end

  // ---- data -------------------------------------------------------------------------------------
  block_t state_q[Rounds];
  block_t shifted[Rounds];
  block_t mixed  [Rounds];
  always_ff @(posedge clk_i) begin
    state_q[0] <= block_i ^ first_key_q;
    if (wipe_i) state_q[0] <= '0;
  end

  for (genvar r = 0; r < Rounds; r++) begin : gen_round
    block_t bytes, twice;

    aes_sub_bytes #(
        .Bytes     (16),
        .SBox      (SBox),
        .Registers (Last),
        .Directions(Directions)
    ) u_sub (
        .clk_i,
        .bytes_i       (state_q[r]),
        .inverse_i     (slot_q[RoundStages*r].inverse),
        .inverse_late_i(slot_q[RoundStages*r+(Last==0?0 : Last-1)].inverse),
        .bytes_o       (bytes),
        .doubled_o     (twice)
    );

    aes_round #(
        .Directions(Directions)
    ) u_round (
        .bytes_i(bytes),
        .doubled_i(twice),
        .inverse_i(slot_q[RoundStages*r+Last].inverse),
        .mix_columns_o(mixed[r]),
        .shifted_o(shifted[r])
    );

    // The round's key: loaded with the first block of a packet, kept for the blocks behind it.
    if (r < Rounds - 1) begin : gen_key
      block_t key_q, key;
      if (Last == 0) begin : gen_at_once
        logic take;
        assign take = slot_q[r].first;
        assign key  = take ? next_keys_q[r+1] : key_q;
        always_ff @(posedge clk_i) begin
          if (take) key_q <= next_keys_q[r+1];
          if (wipe_i) key_q <= '0;
        end
      end else begin : gen_before
        assign key = key_q;
        always_ff @(posedge clk_i) begin
          if (slot_q[RoundStages*r+Last-1].first) key_q <= next_keys_q[r+1];
          if (wipe_i) key_q <= '0;
        end
      end
      always_ff @(posedge clk_i) state_q[r+1] <= mixed[r] ^ key;
    end
  end

  // The first block of a packet finds its own round keys, never those of the next packet.
  logic packet_q;  // the packet whose key is expanded, modulo 2
  logic [Rounds-1:0] route_packet_q;
  logic [Rounds-1:1] key_packet_q;
  always_ff @(posedge clk_i) begin
    if (opens_q) packet_q <= !packet_q;
    route_packet_q <= {route_packet_q[Rounds-2:0], packet_q};
    for (int unsigned r = 1; r < Rounds; r++) begin
      if (write_q[r] != '0) key_packet_q[r] <= route_packet_q[r];
      if (slot_q[RoundStages*r-(Last==0?1 : 2)].first && !rst_i && !wipe_i) begin
        own_key : assert (key_packet_q[r] != packet_q);
      end
    end
    if (rst_i || wipe_i) packet_q <= 1'b0;
  end

  block_t result_q;
  logic   result_valid_q;
  always_ff @(posedge clk_i) begin
    result_q <= shifted[Rounds-1];
    result_valid_q <= slot_q[Slots-1].valid && !rst_i && !wipe_i;
    if (wipe_i) result_q <= '0;
  end
  assign valid_o = result_valid_q;
  assign block_o = result_q;

  logic unused;
  assign unused = ^{unused_size, mixed[Rounds-1]};

endmodule
