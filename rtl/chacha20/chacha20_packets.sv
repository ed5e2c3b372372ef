// SPDX-License-Identifier: Apache-2.0
// Initial states of the packets that have blocks in a ring, without the counter, for the final
// addition: written row by row from the current key and nonce, read row by row. Latency 1 cycle.

module chacha20_packets
  import chacha20_pkg::*;
#(
    parameter int unsigned Packets,  // a power of two
    parameter int unsigned Beats,  // 1, 2 or 4 parts of a state
    localparam int unsigned Width = 512 / Beats,
    localparam int unsigned BeatWidth = Beats == 1 ? 1 : $clog2(Beats)
) (
    input  logic                 clk_i,
    input  logic                 rst_i,
    input  logic                 wipe_i,
    // New packet: its key and nonce are there for Beats cycles from the next one
    input  logic                 start_i,
    output logic                 ready_o,
    input  logic [        255:0] key_i,
    input  logic [         95:0] nonce_i,
    // Read: of the oldest packet, or of the one behind it when next_i gives up the oldest
    input  logic                 next_i,
    input  logic [BeatWidth-1:0] beat_i,
    output logic [    Width-1:0] data_o
);

  typedef logic [$clog2(Packets)-1:0] packet_t;
  typedef logic [$clog2(Packets*Beats)-1:0] address_t;

  function automatic address_t address(packet_t packet, logic [BeatWidth-1:0] beat);
    return address_t'(32'(packet) * Beats + 32'(beat));
  endfunction

  logic writing_q;
  packet_t write_q, read_q, read_d;
  logic [BeatWidth-1:0] row_q;
  logic row_last;
  logic [$clog2(Packets):0] level_q;

  assign row_last = 32'(row_q) == Beats - 1;
  assign read_d   = next_i ? read_q + 1'b1 : read_q;
  assign ready_o  = level_q != ($clog2(Packets) + 1)'(Packets) && (!writing_q || row_last);

  always_ff @(posedge clk_i) begin
    if (start_i) writing_q <= 1'b1;
    else if (row_last) writing_q <= 1'b0;
    if (writing_q) row_q <= row_last ? '0 : row_q + 1'b1;
    if (writing_q && row_last) write_q <= write_q + 1'b1;
    read_q <= read_d;
    if (start_i && !next_i) level_q <= level_q + 1'b1;
    if (!start_i && next_i) level_q <= level_q - 1'b1;
    if (rst_i || wipe_i) begin
      writing_q <= 1'b0;
      row_q <= '0;
      write_q <= '0;
      read_q <= '0;
      level_q <= '0;
    end
  end

  // A wipe walks zeros through the whole RAM.
  address_t walk_q;
  always_ff @(posedge clk_i) begin
    if (wipe_i) walk_q <= walk_q + 1'b1;
    if (rst_i) walk_q <= '0;
  end

  logic [Beats-1:0][Width-1:0] rows;
  // A word is never needed in the cycle that writes it.
  (* no_rw_check, ramstyle = "no_rw_check" *)
  logic [Width-1:0] memory[Packets*Beats];
  assign rows = initial_state(key_i, '0, nonce_i);

  always_ff @(posedge clk_i) begin
    if (wipe_i) memory[walk_q] <= '0;
    else if (writing_q) memory[address(write_q, row_q)] <= rows[row_q];
    data_o <= memory[address(read_d, beat_i)];
  end

endmodule
