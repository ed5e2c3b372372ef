// SPDX-License-Identifier: Apache-2.0
// Key expansion (FIPS 197, 5.2): one word per cycle, in order. The S-boxes take four cycles; so the
// last word of a group (Nk words; 4 with a 256-bit key) is computed as soon as they answer for its
// first word, and fed back into them.
//
// For decryption, all round keys but the first and the last pass InvMixColumns (5.3.5).
// From the start to the last word: 4 Nr + Nk + 7 cycles for 128 and 256 bits, 60 for 192 bits; one
// more with BothDirections.

module aes_key_expansion
  import aes_pkg::*;
#(
    parameter sbox_e       SBox,
    parameter int unsigned Registers,  // of the S-boxes: at most 3
    parameter key_sizes_e  KeySizes,
    parameter directions_e Directions
) (
    input  logic              clk_i,
    input  logic              rst_i,
    input  logic              wipe_i,
    input  logic              valid_i,    // stays until it is ready, with the key
    output logic              ready_o,    // the whole key has been read
    input  logic              start_i,    // there is room for the words of a key
    input  logic      [255:0] key_i,
    input  key_size_e         size_i,
    input  logic              decrypt_i,
    output key_size_e         size_o,     // of this key, until the next one starts
    output logic              decrypt_o,
    output logic              valid_o,    // never refused
    output word_t             word_o,
    output logic      [  3:0] round_o,    // of the word's round key
    output logic      [  1:0] column_o,
    output logic              last_o      // it is the last word
);

  // words_q: the last eight words. index_q: number of the next word. group_q: its index in its
  // group, whose first word uses the S-boxes. load_q: reads the key. wait_q: waits for the S-boxes.
  // step_q: makes the other words. These flags are registered, because everything here depends on
  // them.
  logic [7:0][31:0] words_q;
  logic active_q, load_q, step_q, rotate_q, decrypt_q;
  key_size_e size_q, size;
  logic [5:0] index_q;
  logic [2:0] group_q, wait_q;
  byte_t round_constant_q;
  logic first, loaded, last;
  word_t word, key_word, base, group_sum, substituted, used, sub_input_q;

  assign size = chosen(KeySizes, size_q);
  assign loaded = load_q && index_q == 6'(key_words(size)) - 6'd1;
  assign first = group_q == '0;
  assign last = index_q == 6'(4 * rounds(size) + 3);
  assign ready_o = loaded && !wipe_i;

  assign key_word = word_t'(key_i >> (32 * index_q[2:0]));
  always_comb begin
    unique case (size)
      Key128:  base = words_q[4];
      Key192:  base = words_q[2];
      default: base = words_q[0];
    endcase
    group_sum = '0;
    for (int unsigned i = 0; i < 8; i++) begin
      if (size == Key128 ? i >= 4 : size == Key192 ? i >= 2 : i < 4) group_sum ^= words_q[i];
    end
  end
  assign used = !rotate_q ? substituted :
      {substituted[7:0], substituted[31:8]} ^ 32'(round_constant_q);
  assign word = load_q ? key_word : base ^ (first ? used : words_q[7]);

  always_ff @(posedge clk_i) begin
    if (wait_q != '0) wait_q <= wait_q - 1'b1;
    if (wait_q == 3'd1) step_q <= 1'b1;
    if (loaded) begin
      wait_q <= 3'(Registers + 1);
      load_q <= 1'b0;
    end
    if (load_q || step_q) index_q <= index_q + 1'b1;
    if (step_q) group_q <= group_q == (size == Key192 ? 3'd5 : 3'd3) ? '0 : group_q + 1'b1;
    if (step_q && last) {active_q, step_q} <= '0;
    if (!active_q) begin
      {active_q, load_q} <= {2{valid_i && start_i}};
      index_q <= '0;
      group_q <= '0;
    end
    if (rst_i || wipe_i) begin
      {active_q, load_q, step_q} <= '0;
      wait_q <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!active_q) begin
      if (valid_i && start_i) begin
        size_q <= size_i;
        decrypt_q <= decrypt_i;
      end
      rotate_q <= 1'b1;
      round_constant_q <= 8'h01;
    end
    if (step_q && first) begin
      if (rotate_q) round_constant_q <= doubled(round_constant_q);
      rotate_q <= size != Key256 || !rotate_q;
    end
    if (load_q || step_q) words_q <= {word, words_q[7:1]};
    // The last word of the key, or of the group that starts now
    if (wait_q != '0) sub_input_q <= words_q[7];
    else if (step_q && first) sub_input_q <= group_sum ^ used;
    if (wipe_i) begin
      words_q <= '0;
      sub_input_q <= '0;
    end
  end

  logic [3:0][7:0] unused_doubled;
  aes_sub_bytes #(
      .Bytes     (4),
      .SBox      (SBox == TBoxRam ? SBoxRam : SBox),
      .Registers (Registers),
      .Directions(EncryptOnly)
  ) u_sub (
      .clk_i,
      .bytes_i       (sub_input_q),
      .inverse_i     (1'b0),
      .inverse_late_i(1'b0),
      .bytes_o       (substituted),
      .doubled_o     (unused_doubled)
  );

  // The words, one cycle later
  typedef struct packed {
    logic valid, edge_key, last;
    logic [5:0] index;
  } tag_t;
  tag_t made_q;
  always_ff @(posedge clk_i) begin
    made_q <= '{
        valid: (load_q || step_q) && !rst_i && !wipe_i,
        edge_key: index_q < 6'd4 || index_q >= 6'(4 * rounds(size)),
        last: last,
        index: index_q
    };
  end

  tag_t out;
  if (Directions == BothDirections) begin : gen_both
    tag_t  out_q;
    word_t word_q;
    always_ff @(posedge clk_i) begin
      out_q  <= made_q;
      word_q <= decrypt_q && !made_q.edge_key ? inverse_mix_column(words_q[7]) : words_q[7];
      if (wipe_i) word_q <= '0;
      if (rst_i || wipe_i) out_q.valid <= 1'b0;
    end
    assign out = out_q;
    assign word_o = word_q;
  end else begin : gen_encrypt
    assign out = made_q;
    assign word_o = words_q[7];
  end

  assign size_o = size;
  assign decrypt_o = Directions == BothDirections && decrypt_q;
  assign valid_o = out.valid;
  assign round_o = out.index[5:2];
  assign column_o = out.index[1:0];
  assign last_o = out.last;

  logic unused_edge;
  assign unused_edge = out.edge_key;

endmodule
