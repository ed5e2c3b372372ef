// SPDX-License-Identifier: Apache-2.0
// One round in a ring of RoundStages registers, which holds up to RoundStages blocks; their round
// keys are in block RAM. A block leaves Nr x RoundStages + 2 cycles after it was taken, if its slot
// was at the entry. Never stalls: the user has room for each result, and adds the last round key.

module aes_ring_core
  import aes_pkg::*;
#(
    parameter sbox_e       SBox,
    parameter int unsigned RoundStages,  // 3 or 4; one before the S-boxes, the others are theirs
    parameter key_sizes_e  KeySizes,
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

  localparam int unsigned Banks = KeyBanks;
  localparam int unsigned Last = RoundStages - 1;
  typedef logic [$clog2(Banks)-1:0] bank_t;
  typedef logic [3:0] left_t;

  if (RoundStages < 3 || RoundStages > 4) begin : gen_bad_stages
    $fatal(1, "aes: a Ring has 3 or 4 RoundStages");
  end

  // ---- keys: a bank from the start of its expansion until its packet's last block has left ------
  // complete_q: the newest bank holds a whole key, and its packet is not yet open. The pointers
  // have one bit more than an address.
  logic [$clog2(Banks):0] write_q, leave_q;
  logic complete_q, opens_q, word_valid, word_last, room;
  word_t word;
  left_t word_round, round_left;
  logic [1:0] word_column;
  key_size_e next_size;
  logic next_inverse;
  block_t next_last_q;  // its last round key

  aes_key_expansion #(
      .SBox      (SBox),
      .Registers (Last),
      .KeySizes  (KeySizes),
      .Directions(Directions)
  ) u_expansion (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i  (key_valid_i),
      .ready_o  (key_ready_o),
      .start_i  (room && !complete_q && !word_valid),
      .key_i,
      .size_i,
      .decrypt_i,
      .size_o   (next_size),
      .decrypt_o(next_inverse),
      .valid_o  (word_valid),
      .word_o   (word),
      .round_o  (word_round),
      .column_o (word_column),
      .last_o   (word_last)
  );

  // A round key's address is the number of rounds that come after it.
  assign round_left = next_inverse ? word_round : left_t'(rounds(next_size)) - word_round;

  logic leave;
  assign room = write_q - leave_q != ($clog2(Banks) + 1)'(Banks);

  always_ff @(posedge clk_i) begin
    if (word_valid && word_last) complete_q <= 1'b1;
    if (opens_q) begin
      complete_q <= 1'b0;
      write_q <= write_q + 1'b1;
    end
    if (leave) leave_q <= leave_q + 1'b1;
    if (word_valid && round_left == '0) next_last_q <= {word, next_last_q[15:4]};
    if (wipe_i) next_last_q <= '0;
    if (rst_i || wipe_i) begin
      complete_q <= 1'b0;
      write_q <= '0;
      leave_q <= '0;
    end
  end

  // ---- the open packet, and a block on its way in -----------------------------------------------
  typedef struct packed {
    bank_t bank;
    left_t rounds;
  } packet_t;
  packet_t packet_q, waiting_packet_q, coming;  // coming: of the next block to enter
  logic inverse_q, waiting_inverse_q;
  logic open_q, waiting_q, waiting_last_q;
  block_t last_key_q, waiting_block_q;
  logic enter, in_order;

  assign ready_o = open_q && (!waiting_q || enter);
  assign opens_o = opens_q;
  assign open_o = open_q;
  assign last_key_o = last_key_q;
  assign coming = waiting_q ? waiting_packet_q : packet_q;

  always_ff @(posedge clk_i) begin
    opens_q <= complete_q && !open_q && !opens_q && in_order;
    if (enter) waiting_q <= 1'b0;
    if (valid_i && ready_o) begin
      waiting_q <= 1'b1;
      waiting_last_q <= last_i;
      waiting_packet_q <= packet_q;
      waiting_inverse_q <= inverse_q;
      if (last_i) open_q <= 1'b0;
    end
    if (opens_q) begin
      open_q <= 1'b1;
      inverse_q <= next_inverse;
      packet_q <= '{bank: bank_t'(write_q), rounds: left_t'(rounds(next_size))};
    end
    if (rst_i || wipe_i) begin
      {opens_q, open_q, waiting_q, waiting_inverse_q} <= '0;
      packet_q.bank <= '1;  // not the first packet's: what was read before is not its key
    end
  end

  always_ff @(posedge clk_i) begin
    if (opens_q) last_key_q <= next_last_q;
    if (valid_i && ready_o) waiting_block_q <= block_i;
    if (wipe_i) begin
      last_key_q <= '0;
      waiting_block_q <= '0;
    end
  end

  // ---- slots: slot_q[i] belongs to the data after i + 1 registers -------------------------------
  // Round keys arrive three cycles after their address is chosen. At that time it is known whether
  // the slot will be free, and which packet's block comes next. A block that enters must be of that
  // packet; otherwise it waits for another slot.
  typedef struct packed {
    logic  valid;
    logic  last;
    logic  inverse;
    bank_t bank;
    left_t left;     // rounds after this one
  } slot_t;
  slot_t slot_q[RoundStages];
  slot_t slot_d;
  packet_t address_q;
  logic free_q, final_q, ends;

  assign enter = free_q && waiting_q && slot_q[Last].bank == waiting_packet_q.bank;
  always_comb begin
    slot_d = slot_q[Last];
    slot_d.left = slot_q[Last].left - 1'b1;
    if (free_q) begin
      slot_d.valid = enter;
      slot_d.last = waiting_last_q;
      slot_d.inverse = waiting_inverse_q;
      slot_d.left = waiting_packet_q.rounds - 1'b1;
    end
  end

  // The slot that the address is chosen for
  packet_t read;
  logic soon_free;
  always_comb begin
    read = RoundStages == 3 ? {slot_d.bank, slot_d.left} : {slot_q[0].bank, slot_q[0].left};
    soon_free = !(RoundStages == 3 ? slot_d.valid : slot_q[0].valid) || read.rounds == '0;
    if (soon_free) read = coming;
  end
  assign ends = slot_q[Last-1].valid && slot_q[Last-1].left == '0;

  always_ff @(posedge clk_i) begin
    slot_q[0] <= slot_d;
    for (int unsigned i = 1; i < RoundStages; i++) slot_q[i] <= slot_q[i-1];
    slot_q[Last-2].bank <= read.bank;
    address_q <= read;
    final_q <= ends;
    free_q <= ends || !slot_q[Last-1].valid;
    if (rst_i || wipe_i) begin
      for (int unsigned i = 0; i < RoundStages; i++) slot_q[i].valid <= 1'b0;
      final_q <= 1'b0;
      free_q  <= 1'b1;
    end
  end
  assign leave = final_q && slot_q[Last].last;

  // A packet with fewer rounds than the one before waits: its blocks would overtake.
  if (KeySizes == AnySize) begin : gen_order
    logic under_way;
    always_comb begin
      under_way = waiting_q;
      for (int unsigned i = 0; i < RoundStages; i++) under_way |= slot_q[i].valid;
    end
    assign in_order = !under_way || left_t'(rounds(next_size)) >= packet_q.rounds;
  end else begin : gen_same
    assign in_order = 1'b1;
  end

  // ---- data -------------------------------------------------------------------------------------
  block_t state_q, bytes, twice, key, mixed, result, result_q;
  logic result_valid_q;

  aes_round_keys #(
      .Banks(Banks)
  ) u_keys (
      .clk_i,
      .rst_i,
      .wipe_i,
      .write_i        (word_valid),
      .write_address_i({bank_t'(write_q), round_left}),
      .column_i       (word_column),
      .word_i         (word),
      .address_i      (address_q),
      .key_o          (key)
  );

  aes_sub_bytes #(
      .Bytes     (16),
      .SBox      (SBox),
      .Registers (Last),
      .Directions(Directions)
  ) u_sub (
      .clk_i,
      .bytes_i       (state_q),
      .inverse_i     (slot_q[0].inverse),
      .inverse_late_i(slot_q[Last-1].inverse),
      .bytes_o       (bytes),
      .doubled_o     (twice)
  );

  aes_round #(
      .Directions(Directions)
  ) u_round (
      .bytes_i(bytes),
      .doubled_i(twice),
      .inverse_i(slot_q[Last].inverse),
      .mix_columns_o(mixed),
      .shifted_o(result)
  );

  always_ff @(posedge clk_i) begin
    state_q <= (free_q ? waiting_block_q : mixed) ^ key;
    result_q <= result;
    result_valid_q <= final_q && !rst_i && !wipe_i;
    if (wipe_i) result_q <= '0;
  end

  assign valid_o = result_valid_q;
  assign block_o = result_q;

endmodule
