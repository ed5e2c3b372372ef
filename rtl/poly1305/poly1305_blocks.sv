// SPDX-License-Identifier: Apache-2.0
// Beats in, padded blocks out: a FIFO that tells how far its first message is in, because the power
// of r that a block is multiplied with depends on how many follow. Two blocks can be read at once, by
// their places. A wipe takes Depth + 2 cycles.

module poly1305_blocks
  import poly1305_pkg::*;
#(
    int unsigned Ahead,
    localparam int unsigned Depth = 16
) (
    input  logic           clk_i,
    input  logic           rst_i,
    input  logic           wipe_i,
    input  logic           valid_i,
    output logic           ready_o,
    input  logic   [127:0] data_i,
    input  logic   [ 15:0] keep_i,
    input  logic           last_i,
    // Of the first message: blocks that are in and not taken. New ones, and those of the next message
    // after an end, are seen 2 cycles later.
    output logic   [  3:0] count_o,   // modulo 16
    output logic           known_o,   // its end or more than Ahead blocks are in
    output logic           close_o,   // at most Ahead blocks are left
    output logic           single_o,  // one
    output logic   [  3:0] place_o,   // of the first of them
    input  logic           take_i,
    input  logic           end_i,     // with take_i: it was the message's last
    // Blocks by place, also some cycles after they were taken
    input  logic   [  3:0] first_i,
    output block_t         first_o,
    input  logic   [  3:0] next_i,
    output block_t         next_o,
    output logic           empty_o
);

  localparam int unsigned Spare = 3;  // for what is on its way in when it is said to be full

  logic valid_q, last_q, ready_q;
  block_t block_q;
  assign ready_o = ready_q && !wipe_i;

  always_ff @(posedge clk_i) begin
    valid_q <= valid_i && ready_o;
    last_q  <= last_i;
    block_q <= wipe_i ? '0 : padded(data_i, keep_i);
    if (rst_i || wipe_i) valid_q <= 1'b0;
  end

  // Pointers with a bit more than addresses
  logic [4:0] write_q, read_q, held;
  assign held = write_q - read_q;
  assign place_o = read_q[3:0];
  assign empty_o = !valid_q && held == '0;

  always_ff @(posedge clk_i) begin
    if (valid_q || wipe_i) write_q <= write_q + 1'b1;
    if (take_i) read_q <= read_q + 1'b1;
    if (wipe_i) read_q <= write_q + 1'b1;
    ready_q <= held < 5'(Depth - Spare);
    if (rst_i) begin
      write_q <= '0;
      read_q  <= '0;
    end
    if (rst_i || wipe_i) ready_q <= 1'b0;
  end

  block_t memory[Depth];
  always_ff @(posedge clk_i) begin
    if (valid_q || wipe_i) memory[write_q[3:0]] <= block_q;
  end
  assign first_o = memory[first_i];
  assign next_o  = memory[next_i];

  // Where messages end: the pointer behind their last block
  logic [4:0] ends[Depth];
  logic [3:0] end_write_q, end_read_q;
  logic end_in;
  assign end_in = valid_q && last_q;

  // take_i comes late: it only chooses.
  typedef struct packed {
    logic [3:0] count;
    logic known, close, single;
  } first_t;

  // Tables instead of comparisons: bit n is set for n > Ahead.
  localparam logic [31:0] Far = '1 << (Ahead + 1);

  function automatic first_t first_of(logic [4:0] left, logic taken, logic ended);
    return
    '{
        count: left[3:0] - {3'd0, taken},
        known: ended ? left != {4'd0, taken} : Far[left] && !(taken && left == 5'(Ahead + 1)),
        close: ended && (!Far[left] || (taken && left == 5'(Ahead + 1))),
        single: ended && left == (taken ? 5'd2 : 5'd1)
    }
    ;
  endfunction

  logic [4:0] until_q, left;
  logic   ended_q;
  first_t first_q;
  assign left = until_q - read_q;
  assign {count_o, known_o, close_o, single_o} = first_q;

  always_ff @(posedge clk_i) begin
    ended_q <= end_write_q != end_read_q;
    until_q <= end_write_q != end_read_q ? ends[end_read_q] : write_q;
    first_q <= take_i ? first_of(left, 1'b1, ended_q) : first_of(left, 1'b0, ended_q);
    if (rst_i || wipe_i) begin
      {ended_q, until_q} <= '0;
      first_q <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (end_in) ends[end_write_q] <= write_q + 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (end_in) end_write_q <= end_write_q + 1'b1;
    if (end_i) end_read_q <= end_read_q + 1'b1;
    if (rst_i || wipe_i) begin
      end_write_q <= '0;
      end_read_q  <= '0;
    end
  end

endmodule
