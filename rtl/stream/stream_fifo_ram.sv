// SPDX-License-Identifier: Apache-2.0
// The storage of a deep stream_fifo: a circular buffer in a RAM, whose read register is the output.
// An entry comes out 2 cycles after its push at the earliest. A wipe takes Depth cycles.

module stream_fifo_ram #(
    int unsigned Width,      // bits of data
    int unsigned Depth,      // words, at least 3
    bit          CleanInput  // data_i is 0 in a wipe
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             wipe_i,   // held: zeros walk through the RAM
    input  logic             push_i,   // only while fewer than Depth entries are in here
    input  logic [Width-1:0] data_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [Width-1:0] data_o
);

  localparam int unsigned AddressWidth = $clog2(Depth);
  typedef logic [AddressWidth-1:0] address_t;

  if (Depth < 3) begin : gen_bad_depth
    $fatal(1, "stream_fifo_ram: Depth must be at least 3");
  end

  function automatic address_t after(address_t address);
    return 2 ** AddressWidth != Depth && address == address_t'(Depth - 1) ? '0 : address + 1'b1;
  endfunction

  // Equal pointers mean an empty RAM, never a full one: the first of Depth entries is in the read
  // register before the last is pushed. In a wipe the read pointer follows one behind the write
  // pointer, and catches up in the cycle after it.
  address_t write_q, read_q;
  logic valid_q, wiping_q, read, stored;

  assign stored = write_q != read_q && !wiping_q;
  assign read = ready_i || !valid_q || wipe_i;
  assign valid_o = valid_q && !wipe_i;

  always_ff @(posedge clk_i) begin
    if (push_i || wipe_i) write_q <= after(write_q);
    if (read) valid_q <= stored;
    if (read && stored) read_q <= after(read_q);
    if (wipe_i || wiping_q) read_q <= write_q;
    wiping_q <= wipe_i;
    if (rst_i || wipe_i) valid_q <= 1'b0;
    if (rst_i) begin
      wiping_q <= 1'b0;
      write_q  <= '0;
      read_q   <= '0;
    end
  end

  // A word is never read in the cycle that writes it: no bypass around the RAM.
  (* no_rw_check, ramstyle = "no_rw_check" *)
  logic [Width-1:0] memory [Depth];
  logic [Width-1:0] data_q;
  assign data_o = data_q;

  always_ff @(posedge clk_i) begin
    if (push_i || wipe_i) memory[write_q] <= wipe_i && !CleanInput ? '0 : data_i;
    if (read) data_q <= memory[read_q];
  end

endmodule
