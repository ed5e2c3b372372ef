// SPDX-License-Identifier: Apache-2.0
// Key slots: written word by word by the host, read whole by the device only, one cycle after
// read_i. A slot is valid once its words 0 to 7 have been written in order, for the use that all of
// them were written for.
module saltmill_key_store #(
    parameter int unsigned Slots = 8  // 1..32; takes as many cycles of wipe_i
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         wipe_i,
    // Host
    input  logic         write_i,
    input  logic         write_one_time_i,  // the use
    input  logic [  7:0] write_word_i,      // 8 * slot + word
    input  logic [ 31:0] write_data_i,
    // Device
    input  logic         read_i,
    input  logic [  7:0] slot_i,
    input  logic         one_time_i,        // the use that is made of the key
    input  logic         spend_i,           // it is used up; at most 7 cycles after read_i
    output logic         valid_o,           // and key_o: of the last read, until the next
    output logic [255:0] key_o              // byte 0 in [7:0]
);

  localparam int unsigned SlotBits = Slots > 1 ? $clog2(Slots) : 1;

  if (Slots < 1 || Slots > 32) begin : gen_bad_slots
    $fatal(1, "KeySlots must be 1 to 32.");
  end

  logic [Slots-1:0] valid_q, one_time_q;
  logic [SlotBits-1:0] wipe_slot_q;
  logic [SlotBits-1:0] slot, write_slot, address;
  logic write;
  assign slot = slot_i[SlotBits-1:0];
  assign write_slot = write_word_i[3+:SlotBits];
  assign write = write_i && 32'(write_word_i[7:3]) < Slots;
  assign address = wipe_i ? wipe_slot_q : write_slot;

  // Eight memories of one word, so that a key is read whole.
  for (genvar word = 0; word < 8; word++) begin : gen_word
    logic [31:0] memory [Slots];
    logic        enable;
    assign enable = wipe_i || (write && 32'(write_word_i[2:0]) == word);
    always_ff @(posedge clk_i) begin
      if (enable) memory[address] <= wipe_i ? '0 : write_data_i;
      if (wipe_i) key_o[32*word+:32] <= '0;
      else if (read_i) key_o[32*word+:32] <= memory[slot];
    end
  end

  // A key counts only when it was written whole, so that a half-changed one is never used, and all of
  // it for one use. Writing a key takes longer than spend_i may come after read_i: only the key that
  // was read is used up.
  logic [8:0] written, expected_q;  // the next word of a key that is being written in order
  assign written = {write_one_time_i, write_word_i};
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      valid_o <= 32'(slot_i) < Slots && valid_q[slot] && one_time_q[slot] == one_time_i;
    end
    if (spend_i) valid_q[slot] <= 1'b0;
    wipe_slot_q <= 32'(wipe_slot_q) == Slots - 1 || !wipe_i ? '0 : wipe_slot_q + 1'b1;
    if (write) begin
      one_time_q[write_slot] <= write_one_time_i;
      if (write_word_i[2:0] == 0 || written == expected_q) begin
        expected_q <= written + 1'b1;
        valid_q[write_slot] <= write_word_i[2:0] == 3'd7;
      end else begin
        expected_q <= '0;
        valid_q[write_slot] <= 1'b0;
      end
    end
    if (rst_i || wipe_i) begin
      valid_q <= '0;
      one_time_q <= '0;
      valid_o <= 1'b0;
      expected_q <= '0;
    end
  end

endmodule
