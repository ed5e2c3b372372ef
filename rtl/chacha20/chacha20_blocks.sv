// SPDX-License-Identifier: Apache-2.0
// Data that belongs to the blocks in a ring: a FIFO, because blocks leave in the order in which
// they entered. It is read on a schedule, without a handshake: the data is there 3 cycles after
// soon_i.

module chacha20_blocks #(
    parameter int unsigned Blocks,  // in the ring at once: a power of two
    parameter int unsigned Width
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             wipe_i,
    input  logic             enter_i,
    input  logic [Width-1:0] data_i,   // of the block that enters; 0 in a wipe
    input  logic             soon_i,   // a block is needed in 3 cycles
    output logic [Width-1:0] data_o    // of that block
);

  typedef logic [$clog2(Blocks)-1:0] address_t;
  logic [$clog2(Blocks):0] write_q, read_q;  // with a bit more, which only the assertions read
  logic wiping_q, catching_q, write_now_q;
  logic [Width-1:0] late_q;  // the RAM can be far from the entry

  // In a wipe both pointers walk through the RAM; the read pointer follows one behind the write
  // pointer, and catches up afterwards.

  always_ff @(posedge clk_i) begin
    wiping_q <= wipe_i && !rst_i;
    catching_q <= wiping_q && !rst_i;
    late_q <= data_i;
    write_now_q <= enter_i || wipe_i;
    if (write_now_q) write_q <= write_q + 1'b1;
    if (soon_i) read_q <= read_q + 1'b1;
    if (wiping_q || catching_q) read_q <= write_q;
    if (rst_i) begin
      write_now_q <= 1'b0;
      write_q <= '0;
      read_q <= '0;
    end
  end

  // A word is never needed in the cycle that writes it. The second register can be the block RAM's,
  // the third is where it is needed.
  (* no_rw_check, ramstyle = "no_rw_check" *)
  logic [Width-1:0] memory[Blocks];
  logic [Width-1:0] read_data_q, late_data_q, data_q;
  assign data_o = data_q;

  always_ff @(posedge clk_i) begin
    if (write_now_q) memory[address_t'(write_q)] <= late_q;
    read_data_q <= memory[address_t'(read_q)];
    late_data_q <= read_data_q;
    data_q <= late_data_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i && !wipe_i && !wiping_q && !catching_q) begin
      known : assert (!soon_i || write_q != read_q);
      room : assert (!write_now_q || write_q - read_q != ($clog2(Blocks) + 1)'(Blocks));
    end
  end

endmodule
