// SPDX-License-Identifier: Apache-2.0
// Initial states (without the counter) of the packets whose blocks are in a ring, for the final
// addition: written row by row from the current key and nonce, read row by row. Latency 3 cycles.

module chacha20_packets
  import chacha20_pkg::*;
#(
    parameter int unsigned Packets,  // a power of two
    parameter int unsigned Beats,  // 1, 2 or 4 parts of a state
    localparam int unsigned Width = 512 / Beats
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             wipe_i,
    // New packet: its key and nonce are there for Beats cycles from the next one
    input  logic             start_i,
    input  logic             hchacha_i,  // with start_i: rows of zeros, to add nothing
    output logic             ready_o,
    input  logic [    255:0] key_i,
    input  logic [     95:0] nonce_i,
    // Read: from the first row of the oldest packet, one row per cycle
    input  logic             read_i,
    input  logic             last_i,     // with read_i: for the last time
    output logic [Width-1:0] data_o
);

  typedef logic [$clog2(Packets)-1:0] packet_t;
  typedef logic [$clog2(Packets*Beats)-1:0] address_t;

  // A row is written three cycles after its turn. Outside its turn a row is zero (off_q), so an OR
  // selects it. A wipe sets off_q, which clears all rows without a gate at each reset. The owner
  // can be far away: it learns three cycles late how many packets there are, and a packet is
  // counted two cycles after the owner started it. So room for five more packets is reserved.
  logic [Beats-1:0] turn_q, written_q;  // a one for the row whose turn it is; and one cycle later
  logic [Beats-1:0] off_q;  // the opposite of turn_q, and ones for HChaCha20
  packet_t read_q;
  logic [$clog2(Packets):0] level_q;
  logic [1:0] room_q;  // on its way to the owner
  logic ready_q, done, done_q, we_q;
  address_t write_q, write_next, address_q;
  assign write_next = write_q + address_t'(we_q);

  assign done    = read_i && last_i;
  assign ready_o = ready_q;

  always_ff @(posedge clk_i) begin
    turn_q <= Beats'({turn_q, start_i});
    off_q <= Beats'({off_q, !start_i || hchacha_i});
    written_q <= turn_q;
    write_q <= write_next;
    if (done) read_q <= read_q + 1'b1;
    address_q <= read_i ? address_t'(32'(read_q) * Beats) : address_q + 1'b1;
    done_q <= done;
    if (turn_q[0] && !done_q) level_q <= level_q + 1'b1;
    if (!turn_q[0] && done_q) level_q <= level_q - 1'b1;
    room_q  <= {room_q[0], 32'(level_q) < Packets - 5};
    // At the first turn of a packet that starts in the next cycle, no other row has its turn
    ready_q <= room_q[1] && ({turn_q, start_i} << 3) == '0;
    if (rst_i || wipe_i) begin
      turn_q <= '0;
      off_q <= '1;
      written_q <= '0;
      write_q <= '0;
      read_q <= '0;
      address_q <= '0;
      level_q <= '0;
      room_q <= '0;
      {ready_q, done_q} <= '0;
    end
  end

  logic [Beats-1:0][Width-1:0] rows, rows_q;
  logic [Width-1:0] row, row_q;
  assign rows = initial_state(key_i, '0, nonce_i);

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Beats; i++) rows_q[i] <= off_q[i] ? '0 : rows[i];
    row_q <= row;
    we_q  <= |written_q && !rst_i;
  end

  always_comb begin
    row = '0;
    for (int unsigned i = 0; i < Beats; i++) row |= rows_q[i];
  end

  // A word is never read in the cycle that writes it.
  wiped_ram #(
      .Width(Width),
      .Depth(Packets * Beats),
      .CleanInput(1'b1),  // from the third cycle of a wipe on; the walk reaches each word again
      .EarlyAddress(1'b1)
  ) u_rows (
      .clk_i,
      .rst_i,
      .wipe_i,
      .we_i           (we_q),
      .write_address_i(write_next),
      .write_data_i   (row_q),
      .read_address_i (address_q),
      .data_o
  );

  always_ff @(posedge clk_i) begin
    if (!rst_i && !wipe_i) room_for_all : assert (32'(level_q) <= Packets);
  end

endmodule
