// SPDX-License-Identifier: Apache-2.0
// All rounds laid out as in aes_pipeline_core, with a step of the key expansion beside each round:
// every block takes its own key along, so a new key costs only the opening of a packet. A block
// leaves Nr x RoundStages + 1 cycles after it was taken, with its last round key added. Never
// stalls.

module aes_on_the_fly_core
  import aes_pkg::*;
#(
    parameter sbox_e       SBox,
    parameter int unsigned RoundStages,  // 1 to 5; one before the S-boxes, the others are theirs
    parameter key_sizes_e  KeySizes,     // not AnySize
    parameter directions_e Directions    // EncryptOnly: the last round key is known last
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
    output block_t            last_key_o,   // 0: it is added here
    // Blocks of the open packet
    input  logic              valid_i,      // not in a wipe
    output logic              ready_o,
    input  block_t            block_i,
    input  logic              last_i,       // of the packet
    // In the same order
    output logic              valid_o,
    output block_t            block_o
);

  localparam key_size_e Size = chosen(KeySizes, Key128);
  localparam int unsigned Words = key_words(Size);
  localparam int unsigned Rounds = rounds(Size);
  localparam int unsigned Last = RoundStages - 1;

  if (KeySizes == AnySize) begin : gen_bad_key_sizes
    $fatal(1, "aes: a Pipeline is for one key size");
  end
  if (RoundStages < 1 || RoundStages > 5) begin : gen_bad_stages
    $fatal(1, "aes: a Pipeline has 1 to 5 RoundStages in a round");
  end
  if (Directions != EncryptOnly) begin : gen_bad_directions
    $fatal(1, "aes: KeysOnTheFly is for EncryptOnly");
  end

  // ---- packets: one is open, the key of the next one waits --------------------------------------
  typedef logic [Words-1:0][31:0] words_t;
  words_t next_key_q, key_q;
  logic waits_q, opens_q, open_q;

  assign key_ready_o = key_valid_i && !waits_q && !wipe_i;
  assign ready_o = open_q;
  assign opens_o = opens_q;
  assign open_o = open_q;
  assign last_key_o = '0;

  always_ff @(posedge clk_i) begin
    if (!waits_q) next_key_q <= words_t'(key_i);
    if (key_ready_o) waits_q <= 1'b1;
    opens_q <= waits_q && (!open_q || (valid_i && last_i)) && !opens_q;
    if (valid_i && ready_o && last_i) open_q <= 1'b0;
    if (opens_q) begin
      key_q   <= next_key_q;
      open_q  <= 1'b1;
      waits_q <= 1'b0;
    end
    if (wipe_i) {next_key_q, key_q} <= '0;
    if (rst_i || wipe_i) {waits_q, opens_q, open_q} <= '0;
  end

  // ---- rounds: each round key is ready together with the data it is added to --------------------
  localparam int unsigned Slots = Rounds * RoundStages + 1;
  logic [Slots-1:0] slot_q;  // a block is in the data after i + 1 registers
  block_t state_q[Rounds + 1];
  words_t words[Rounds + 1];  // that end with the round's key; a register before its data
  assign words[0] = key_q;
  assign valid_o  = slot_q[Slots-1];
  assign block_o  = state_q[Rounds];

  always_ff @(posedge clk_i) begin
    slot_q <= {slot_q[Slots-2:0], valid_i && ready_o};
    if (rst_i || wipe_i) slot_q <= '0;
    state_q[0] <= block_i ^ key_q[3:0];
    if (wipe_i) state_q[0] <= '0;
  end

  for (genvar r = 1; r <= Rounds; r++) begin : gen_round
    block_t bytes, twice, mixed, shifted;

    aes_key_step #(
        .SBox     (SBox),
        .Registers(Last),
        .KeySize  (Size),
        .Round    (r)
    ) u_key (
        .clk_i,
        .words_i(words[r-1]),
        .words_o(words[r])
    );

    aes_sub_bytes #(
        .Bytes     (16),
        .SBox      (SBox),
        .Registers (Last),
        .Directions(EncryptOnly)
    ) u_sub (
        .clk_i,
        .bytes_i       (state_q[r-1]),
        .inverse_i     (1'b0),
        .inverse_late_i(1'b0),
        .bytes_o       (bytes),
        .doubled_o     (twice)
    );

    aes_round #(
        .Directions(EncryptOnly)
    ) u_round (
        .bytes_i(bytes),
        .doubled_i(twice),
        .inverse_i(1'b0),
        .mix_columns_o(mixed),
        .shifted_o(shifted)
    );

    always_ff @(posedge clk_i) begin
      state_q[r] <= (r == Rounds ? shifted : mixed) ^ words[r][Words-1-:4];
    end
  end

  logic unused;
  assign unused = ^{key_i, size_i, decrypt_i};

endmodule
