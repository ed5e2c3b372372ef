// SPDX-License-Identifier: Apache-2.0
// The storage of a deep stream_fifo: a circular buffer in a RAM with a registered read.
// An entry can be read in the cycle after its push. A wipe takes Depth cycles.

module stream_fifo_ram #(
    int unsigned Width,  // bits of data
    int unsigned Depth   // entries, at least 2
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             wipe_i,  // held: zeros walk through the RAM
    input  logic             push_i,
    input  logic [Width-1:0] data_i,
    input  logic             read_i,  // data_o takes the oldest entry, or anything if there is none
    input  logic             pop_i,   // and the next entry becomes the oldest
    output logic [Width-1:0] data_o
);

  localparam int unsigned AddressWidth = $clog2(Depth);
  typedef logic [AddressWidth-1:0] address_t;

  if (Depth < 2) begin : gen_bad_depth
    $fatal(1, "stream_fifo_ram: Depth must be at least 2");
  end

  function automatic address_t after(address_t address);
    return address == address_t'(Depth - 1) ? '0 : address + 1'b1;
  endfunction

  // In a wipe the write goes one ahead of the read, so that the read register ends with a zero
  // and both pointers with the same value.
  address_t write_q, read_q, write_address;
  assign write_address = wipe_i ? after(read_q) : write_q;

  always_ff @(posedge clk_i) begin
    if (push_i) write_q <= after(write_q);
    if (pop_i || wipe_i) read_q <= after(read_q);
    if (wipe_i) write_q <= write_address;
    if (rst_i) begin
      write_q <= '0;
      read_q  <= '0;
    end
  end

  // A word is never needed in the cycle that writes it: no bypass around the RAM.
  (* no_rw_check, ramstyle = "no_rw_check" *)
  logic [Width-1:0] memory [Depth];
  logic [Width-1:0] data_q;
  assign data_o = data_q;

  always_ff @(posedge clk_i) begin
    if (push_i || wipe_i) memory[write_address] <= wipe_i ? '0 : data_i;
    if (read_i) data_q <= memory[read_q];
  end

endmodule
