// SPDX-License-Identifier: Apache-2.0
// What comes into a hash core: params and an AXI4-Stream packet become the words of padded blocks;
// in front of a part of a message that is not its first, the words of a chaining value come.

module hash_in
  import hash_pkg::*;
#(
    bit BigEndian,  // as hash_pad; of the chaining value too
    int unsigned DataBytes  // 4, 8, 16, 32 or 64
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     wipe_i,
    // As the ports of the core, where they are described
    input  logic                     param_valid_i,
    output logic                     param_ready_o,
    input  param_t                   param_i,
    input  logic                     valid_i,
    output logic                     ready_o,
    input  logic   [8*DataBytes-1:0] data_i,
    input  logic   [  DataBytes-1:0] keep_i,
    input  logic                     last_i,
    input  logic                     user_i,
    // To the core
    output logic                     start_o,        // opens a message or part
    output logic                     restored_o,     // a chaining value comes first
    input  logic                     core_busy_i,    // no start: the message before has words left
    output logic                     value_valid_o,
    input  logic                     value_ready_i,
    output word_t                    value_o,
    output logic                     word_valid_o,
    input  logic                     word_ready_i,
    output word_t                    word_o,
    output logic                     word_final_o,   // the message's last
    output logic                     error_o         // a beat of it was marked: from then on
);

  assign param_ready_o = !core_busy_i;
  assign start_o = param_valid_i && param_ready_o;
  assign restored_o = param_i.restored;

  // ---- words of the source ----------------------------------------------------------------------
  logic valid, ready, last, error, pad_ready, unused;
  word_t data;
  logic [3:0] keep;
  stream_width #(
      .InBytes (DataBytes),
      .OutBytes(4)
  ) u_width (
      .valid_o(valid),
      .ready_i(ready),
      .data_o (data),
      .keep_o (keep),
      .last_o (last),
      .user_o (error),
      .*
  );
  assign ready = value_ready_i || pad_ready;  // the core takes one kind at a time
  assign value_valid_o = valid;
  assign value_o = BigEndian ? swapped(data) : data;

  hash_pad #(
      .BigEndian(BigEndian)
  ) u_pad (
      .clk_i,
      .rst_i,
      .wipe_i,
      .start_i (start_o),
      .part_i  (param_i.part),
      .blocks_i(param_i.blocks),
      .open_o  (unused),
      .valid_i (valid),
      .ready_o (pad_ready),
      .data_i  (data),
      .keep_i  (keep),
      .last_i  (last),
      .valid_o (word_valid_o),
      .ready_i (word_ready_i),
      .word_o,
      .final_o (word_final_o)
  );

  logic error_q;
  assign error_o = error_q || (valid && ready && error);
  always_ff @(posedge clk_i) error_q <= error_o && !start_o;

endmodule
