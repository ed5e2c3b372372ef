// SPDX-License-Identifier: Apache-2.0
// Datapath of the serial structure: four rows of 16 words in small RAMs, a quarter round with a
// register per step, and one adder for the final addition and for counting.
//
// What is read in cycle t leaves the last step in cycle t + 4. Words of a param enter the RAMs
// through the quarter round too: its XORs have spare inputs, and while it holds zeros, a word that
// enters at one of them comes out in a row. The rotations on its path are undone by wires.

module chacha20_serial_data
  import chacha20_pkg::*;
#(
    parameter final_add_e FinalAdd
) (
    input logic clk_i,
    // Read
    input logic move_i,  // a new read; otherwise what was read stays
    input serial_place_t read_place_i,
    input logic [3:0] read_rows_i,  // the other rows read as zeros
    // Write
    input serial_place_t write_place_i,
    input logic [3:0] write_rows_i,
    // Words of the param
    input word_t word_i,
    input logic load_b_i,  // row b takes it, and not what write_* say
    input logic write_b_i,  // now
    input logic [1:0] load_column_i,
    input logic load_cd_i,  // can be written to rows c and d 2 cycles later
    input logic invert_i,  // inverts the load_cd_i in the next cycle
    input logic constant_i,  // can be written to row a 3 cycles later
    input logic [1:0] constant_column_i,
    // The sum of the last two reads, 2 cycles later; with addend_on_i, of the last read and a
    // number
    input logic addend_on_i,  // a cycle after the read
    input logic [1:0] addend_i,
    output logic [32:0] sum_o,
    input logic sum_to_d_i  // can be written to row d in the next cycle
);

  typedef struct packed {word_t a, b, c, d;} quarter_t;

  function automatic word_t rotated(word_t word, int unsigned left);
    return word_t'({word, word} >> (32 - left));
  endfunction

  // For a bit that has these values in the four constants: shared by all bits with the same values
  logic [15:0] constant_of;
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      constant_of[i] = constant_i && 4'(i >> constant_column_i) % 2 == 1;
    end
  end

  // A word that enters at step 0, 1 or 2 is rotated on its path; these functions undo that: to row
  // a by steps 0 and 1, to rows c and d by steps 1 and 2 and by step 2.
  word_t constant, word_cd, sum_d;
  always_comb begin
    for (int unsigned i = 0; i < 32; i++) begin
      constant[(i+20)%32] = constant_of[{
        Constants[96+i], Constants[64+i], Constants[32+i], Constants[i]
      }];
    end
  end
  assign word_cd = load_cd_i ? rotated(word_i, 24) : '0;
  assign sum_d   = sum_o[31:0];

  quarter_t read, stage_q[4], stage_d[4], written;

  for (genvar i = 0; i < 4; i++) begin : gen_step
    chacha20_quarter_step #(
        .Index(i)
    ) u_step (
        .a_i(stage_q[i].a),
        .b_i(stage_q[i].b),
        .c_i(stage_q[i].c),
        .d_i(stage_q[i].d),
        .a_o(stage_d[i].a),
        .b_o(stage_d[i].b),
        .c_o(stage_d[i].c),
        .d_o(stage_d[i].d)
    );
  end

  always_ff @(posedge clk_i) begin
    if (move_i) begin
      stage_q[0].a <= read_rows_i[0] ? read.a : '0;
      stage_q[0].b <= read_rows_i[1] ? read.b : '0;
      stage_q[0].c <= read_rows_i[2] ? read.c : '0;
      stage_q[0].d <= read_rows_i[3] ? read.d : '0;
    end
    for (int unsigned i = 1; i < 4; i++) stage_q[i] <= stage_d[i-1];
    stage_q[1].d <= stage_d[0].d ^ constant;
    if (invert_i) stage_q[1].b <= '1;
    stage_q[2].b <= stage_d[1].b ^ word_cd;
    if (sum_to_d_i) stage_q[3].d <= sum_d;
  end

  always_comb begin
    written = stage_d[3];
    if (load_b_i) written.b = word_i;
  end

  // On a diagonal, each row is one column further than the row above. The initial state is kept
  // once, in block 0, except row d.
  function automatic logic [3:0] address(serial_place_t place, logic [1:0] row);
    logic block = place.block && !(place.initial_i && row != 2'd3);
    return {place.initial_i, block, place.diagonal ? place.column + row : place.column};
  endfunction

  logic [3:0][31:0] row_read, row_write;
  assign {row_write[0], row_write[1], row_write[2], row_write[3]} = written;
  assign read = {row_read[0], row_read[1], row_read[2], row_read[3]};

  for (genvar row = 0; row < 4; row++) begin : gen_row
    word_t memory[16];
    logic [3:0] write_address;
    logic write;

    always_comb begin
      write_address = {
        write_place_i.initial_i, write_place_i.block, write_place_i.column
      } + {2'b0, write_place_i.diagonal ? 2'(row) : 2'd0};
      write_address[3:2] = {write_place_i.initial_i, write_place_i.block};
      write = write_rows_i[row];
      if (row == 1 && load_b_i) begin
        write_address = {2'b10, load_column_i};
        write = write_b_i;
      end
    end

    assign row_read[row] = memory[address(read_place_i, 2'(row))];
    always_ff @(posedge clk_i) begin
      if (write) memory[write_address] <= row_write[row];
    end
  end

  // One row at a time is read for the sum: the others are zeros.
  word_t word_q, held_q;
  assign sum_o = {1'b0, word_q} + {1'b0, held_q};

  always_ff @(posedge clk_i) begin
    if (move_i) begin
      word_q <= stage_q[0].a | stage_q[0].b | stage_q[0].c | stage_q[0].d;
      held_q <= FinalAdd == HardwareAdd ? word_q : '0;
      if (addend_on_i) held_q <= 32'(addend_i);
    end
  end

endmodule
