// SPDX-License-Identifier: Apache-2.0
// Modes of operation (SP 800-38A, 6): what goes into the cipher, and what is added to its output.
// Everything is known together with the data, except the chaining value of CBC encryption, which is
// the result of the block before.

module aes_modes
  import aes_pkg::*;
#(
    parameter modes_e Modes
) (
    input  logic           clk_i,
    input  logic           wipe_i,
    // Packet: at its start; the IV is there two cycles before
    input  logic           open_i,
    input  mode_e          mode_i,
    input  logic           decrypt_i,
    input  logic   [127:0] iv_i,
    // In its place, in any cycle: the hash of an IV, whose last 32 bits count
    input  logic           counter_valid_i,
    input  block_t         counter_i,
    // A block of it moves
    input  logic           move_i,
    input  block_t         data_i,
    input  block_t         last_key_i,
    output block_t         block_o,          // through the cipher
    output block_t         mask_o,           // added to its output, with the last round key
    // A block has left the cipher
    input  logic           made_i,
    input  block_t         made_block_i,
    output logic           chained_o,        // each block waits until the one before has left
    output logic           whole_o           // only whole blocks
);

  // First the IV; then the counter block of each block, or the previous ciphertext block
  block_t iv_q, counted, first;
  logic opens;
  assign opens = open_i || counter_valid_i;
  assign first = counter_valid_i ? counter_i : iv_i;

  // The counter is big-endian: byte 15 is its lowest.
  typedef logic [3:0][31:0] number_t;
  function automatic number_t reversed(logic [15:0][7:0] x);
    block_t result;
    for (int unsigned i = 0; i < 16; i++) result[i] = x[15-i];
    return result;
  endfunction

  // A carry crosses one word per cycle. carry_q[i]: word i increments with the next block, because
  // all words below it are ones in this one. low_soon: word 0 will be all ones in the next block.
  // ones_q: the other words, and word 0 without its last byte, are all ones; registered, so one
  // cycle late, which is safe because they rarely change.
  number_t number, next_number;
  logic [2:0][31:0] iv;
  logic [3:1] carry_q;
  logic [2:0] ones_q, iv_ones_q;
  logic wide_q, iv_low_q, low_soon;  // wide: the counter is all of the counter block

  assign number = reversed(iv_q);
  assign iv = 96'(reversed(iv_i));
  assign counted = reversed(next_number);
  assign low_soon = ones_q[0] && number[0][7:0] == 8'hfe;
  always_comb begin
    next_number[0] = number[0] + 1'b1;
    for (int unsigned i = 1; i < 4; i++) next_number[i] = number[i] + 32'(carry_q[i]);
  end

  always_ff @(posedge clk_i) begin
    iv_low_q <= iv[0] == '1;
    iv_ones_q <= {iv[2] == '1, iv[1] == '1, iv[0][31:8] == '1};
    ones_q <= {number[2] == '1, number[1] == '1, number[0][31:8] == '1};
    if (move_i) carry_q <= {3{wide_q && low_soon}} & {&ones_q[2:1], ones_q[1], 1'b1};
    if (opens) begin
      wide_q  <= mode_i == Ctr;
      ones_q  <= iv_ones_q;
      carry_q <= {3{mode_i == Ctr && iv_low_q}} & {&iv_ones_q[2:1], iv_ones_q[1], 1'b1};
    end
  end

  if (Modes == AllModes) begin : gen_all
    logic count_q, chain_q, unchain_q;
    logic waits_q;  // for its own block, not one of the packet before

    assign block_o   = (count_q ? '0 : data_i) ^ (count_q || chain_q ? iv_q : '0);
    assign mask_o    = (count_q ? data_i : '0) ^ (unchain_q ? iv_q : '0) ^ last_key_i;
    assign chained_o = chain_q;
    assign whole_o   = !count_q;

    always_ff @(posedge clk_i) begin
      if (opens) begin
        count_q   <= mode_i == Ctr || mode_i == Ctr32;
        chain_q   <= mode_i == Cbc && !decrypt_i;
        unchain_q <= mode_i == Cbc && decrypt_i;
      end
      if (move_i && !chain_q) iv_q <= unchain_q ? data_i : counted;
      if (move_i) waits_q <= 1'b1;
      if (opens) waits_q <= 1'b0;
      if (made_i && chain_q && waits_q) iv_q <= made_block_i ^ last_key_i;
      if (opens) iv_q <= first;
      if (wipe_i) begin  // and nothing comes out
        iv_q <= '0;
        {count_q, chain_q, unchain_q} <= '0;
      end
    end
  end else begin : gen_counter
    logic unused;
    assign unused = ^{mode_i, decrypt_i, made_i, made_block_i};
    assign block_o = iv_q;
    assign mask_o = data_i ^ last_key_i;
    assign chained_o = 1'b0;
    assign whole_o = 1'b0;

    always_ff @(posedge clk_i) begin
      if (move_i) iv_q <= counted;
      if (opens) iv_q <= first;
      if (wipe_i) iv_q <= '0;
    end
  end

endmodule
