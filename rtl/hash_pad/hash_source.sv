// SPDX-License-Identifier: Apache-2.0
// The source of a hash core: an AXI4-Stream packet becomes the words of padded blocks. In front of
// a part of a message that is not the first, a packet with the chaining value comes.

module hash_source
  import hash_pad_pkg::*;
#(
    bit BigEndian,  // as hash_pad; of the chaining value too
    int unsigned DataBytes  // a power of two, at least 4
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   wipe_i,
    // Opens a message or part: not while one is open
    input  logic                   start_i,
    input  logic                   part_i,
    input  logic [           54:0] blocks_i,
    output logic                   error_o,         // a beat since then was marked
    // Packets
    input  logic                   source_valid_i,
    output logic                   source_ready_o,
    input  logic [8*DataBytes-1:0] source_data_i,
    input  logic [  DataBytes-1:0] source_keep_i,
    input  logic                   source_last_i,
    input  logic                   source_error_i,
    // Words of the chaining value, while restoring_i
    input  logic                   restoring_i,
    output logic                   value_valid_o,
    input  logic                   value_ready_i,
    output logic [           31:0] value_o,
    // Words of blocks
    output logic                   word_valid_o,
    input  logic                   word_ready_i,
    output logic [           31:0] word_o,
    output logic                   word_final_o     // the message's or part's last
);

  logic valid, ready, last, error, pad_ready, unused;
  logic [31:0] data;
  logic [ 3:0] keep;
  stream_width #(
      .InBytes (DataBytes),
      .OutBytes(4)
  ) u_width (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(source_valid_i),
      .ready_o(source_ready_o),
      .data_i (source_data_i),
      .keep_i (source_keep_i),
      .last_i (source_last_i),
      .user_i (source_error_i),
      .valid_o(valid),
      .ready_i(ready),
      .data_o (data),
      .keep_o (keep),
      .last_o (last),
      .user_o (error)
  );
  assign ready = restoring_i ? value_ready_i : pad_ready;
  assign value_valid_o = valid;
  assign value_o = BigEndian ? swapped(data) : data;

  hash_pad #(
      .BigEndian(BigEndian)
  ) u_pad (
      .clk_i,
      .rst_i,
      .wipe_i,
      .start_i,
      .part_i,
      .blocks_i,
      .open_o (unused),
      .valid_i(valid && !restoring_i),
      .ready_o(pad_ready),
      .data_i (data),
      .keep_i (keep),
      .last_i (last),
      .valid_o(word_valid_o),
      .ready_i(word_ready_i && !restoring_i),
      .word_o,
      .final_o(word_final_o)
  );

  always_ff @(posedge clk_i) begin
    if (start_i) error_o <= 1'b0;
    else if (valid && ready && error) error_o <= 1'b1;
  end

endmodule
