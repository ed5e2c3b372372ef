// SPDX-License-Identifier: Apache-2.0
// Key slots: written word by word by the host, read by the device only, in rows of a key, two
// cycles after slot_i and row_i. A slot is valid once its words 0 to 7 were written in order for
// one use. With rows of 32 bytes, a word is written a cycle later: the memories are far away. The
// host's word and use are there a cycle before write_i, and words are two cycles apart.
module saltmill_key_store #(
    parameter int unsigned Slots = 8,  // 1 to 32
    parameter int unsigned RowBytes = 16,  // 16 or 32
    localparam int unsigned Rows = 32 / RowBytes
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  wipe_i,        // held for Rows * Slots + 5 cycles
    // Host
    input  logic                  write_i,
    input  logic [           2:0] write_use_i,   // {one-time, size}
    input  logic [           7:0] write_word_i,  // 8 * slot + word
    input  logic [          31:0] write_data_i,
    // Device
    input  logic [           7:0] slot_i,
    input  logic [           2:0] use_i,         // the use that a job makes of the key
    output logic                  valid_o,       // of slot_i for use_i a cycle before
    output logic                  written_o,     // slot_i was written a cycle before
    input  logic                  spend_i,       // the key in slot_i is used up
    input  logic                  row_i,
    output logic [8*RowBytes-1:0] key_o          // byte 0 in [7:0]
);

  localparam int unsigned SlotBits = Slots > 1 ? $clog2(Slots) : 1;
  localparam int unsigned RowBits = $clog2(Rows);

  logic [SlotBits-1:0] slot, write_slot;
  logic write;
  assign slot = slot_i[SlotBits-1:0];
  // Of a power of two, only the upper bits matter: no carry chain.
  localparam int unsigned UpperBits = $clog2(Slots);
  logic exists;
  assign exists = 2 ** UpperBits == Slots ? slot_i >> UpperBits == '0 : 32'(slot_i) < Slots;

  localparam bit Late = RowBytes > 16;
  logic write_now;
  logic [2:0] write_use;
  logic [7:0] write_word;
  logic [31:0] write_data;
  assign write_now = write_i && 32'(write_word_i[7:3]) < Slots;
  if (Late) begin : gen_late
    always_ff @(posedge clk_i) begin
      {write, write_use, write_word} <= {write_now && !rst_i, write_use_i, write_word_i};
      write_data <= wipe_i ? '0 : write_data_i;
    end
  end else begin : gen_now
    assign {write, write_use, write_word} = {write_now, write_use_i, write_word_i};
    assign write_data = wipe_i ? '0 : write_data_i;
  end
  assign write_slot = write_word[3+:SlotBits];

  // ---- words: memories of one word, so that a row is read whole ---------------------------------
  logic [SlotBits+RowBits-1:0] write_row, read_row;
  assign write_row = (SlotBits + RowBits)'(write_word_i[7:2] >> (1 - RowBits));
  assign read_row  = (SlotBits + RowBits)'({slot, row_i} >> (1 - RowBits));
  for (genvar word = 0; word < RowBytes / 4; word++) begin : gen_word
    wiped_ram #(
        .Width       (32),
        .Depth       (2 ** (SlotBits + RowBits)),
        .CleanInput  (1'b1),
        .EarlyAddress(Late),
        .EarlyWrite  (Late)
    ) u_ram (
        .clk_i,
        .rst_i,
        .wipe_i,
        .we_i           (write_now && (32'(write_word_i[2:0]) % (RowBytes / 4)) == word),
        .write_address_i(write_row),
        .write_data_i   (write_data),
        .read_address_i (read_row),
        .data_o         (key_o[32*word+:32])
    );
  end

  // ---- uses -------------------------------------------------------------------------------------
  // A key is valid only if it was written whole and for one use, so that a half-changed key is
  // never used.
  logic [Slots-1:0] valid_q;
  logic [Slots-1:0][2:0] use_q;
  logic [10:0] written, expected_q;  // the next word of a key that is being written in order
  logic next_q;  // the word that is written now is the expected one
  assign written = {write_use, write_word};
  // All slots are compared, and the job's is chosen a cycle later.
  logic [SlotBits-1:0] slot_q;
  logic [Slots-1:0] fits_q;
  assign valid_o = fits_q[slot_q];
  always_ff @(posedge clk_i) begin
    slot_q <= slot;
    for (int unsigned i = 0; i < Slots; i++) fits_q[i] <= exists && valid_q[i] && use_q[i] == use_i;
    written_o <= write && write_slot == slot;
    next_q <= {write_use_i, write_word_i} == expected_q;
    if (spend_i) valid_q[slot] <= 1'b0;
    if (write) begin
      use_q[write_slot] <= write_use;
      expected_q <= written + 1'b1;
      valid_q[write_slot] <= write_word[2:0] == 3'd7 && next_q;
      if (write_word[2:0] != 0 && !next_q) expected_q <= '0;
    end
    if (rst_i || wipe_i) begin
      valid_q <= '0;
      fits_q <= '0;
      expected_q <= '0;
    end
  end

`ifndef SYNTHESIS
  // next_q is of this word, and of the word expected now.
  logic [10:0] request_q;
  logic before_q;
  always_ff @(posedge clk_i) begin
    request_q <= {write_use_i, write_word_i};
    before_q  <= write;
    if (write && !rst_i && !wipe_i) begin
      a_early : assert (request_q == written && !before_q);
    end
  end
`endif

endmodule
