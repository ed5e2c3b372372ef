// SPDX-License-Identifier: Apache-2.0
// Block RAM with a write and a read port, for secrets: a wipe writes zeros into every word, and
// then zeros reach the output. Latency 2 cycles; the second register is the RAM's own. A wipe takes
// Depth + 4 cycles, with EarlyAddress 5.

module wiped_ram #(
    int unsigned Width,
    int unsigned Depth,  // words, a power of two
    bit CleanInput = 1'b0,  // write_data_i is 0 when a wipe writes: spares a gate per bit
    bit EarlyAddress = 1'b0,  // write_address_i is that of the next cycle: no gate before the RAM
    bit EarlyWrite = 1'b0  // with EarlyAddress: we_i too, and a wipe's writes
) (
    input  logic                     clk_i,
    input  logic                     rst_i,            // starts with a wipe
    input  logic                     wipe_i,
    input  logic                     we_i,
    input  logic [$clog2(Depth)-1:0] write_address_i,
    input  logic [        Width-1:0] write_data_i,
    input  logic [$clog2(Depth)-1:0] read_address_i,   // not one that is being written
    output logic [        Width-1:0] data_o
);

  if (Depth < 2 || 2 ** $clog2(Depth) != Depth) begin : gen_bad_depth
    $fatal(1, "wiped_ram: Depth must be a power of two, at least 2");
  end

  // In a wipe the walk replaces the write address. The read address remains the owner's: its word
  // is cleared too, and in the end the output.
  logic [$clog2(Depth)-1:0] walk_q, walk, write_address, read_address;
  assign walk = wipe_i ? walk_q : write_address_i;
  if (EarlyAddress) begin : gen_early
    always_ff @(posedge clk_i) write_address <= walk;
  end else begin : gen_now
    assign write_address = walk;
  end
  assign read_address = read_address_i;
  always_ff @(posedge clk_i) begin
    if (wipe_i) walk_q <= walk_q + 1'b1;
    if (rst_i) walk_q <= '0;
  end

  (* no_rw_check, ramstyle = "no_rw_check", ram_style = "block" *)
  logic [Width-1:0] memory[Depth];
  logic write, wiping;
  if (EarlyWrite) begin : gen_early_write
    always_ff @(posedge clk_i) {write, wiping} <= {we_i || wipe_i, wipe_i};
  end else begin : gen_write
    assign {write, wiping} = {we_i || wipe_i, wipe_i};
  end
  logic [Width-1:0] read_q;
  always_ff @(posedge clk_i) begin
    if (write) memory[write_address] <= wiping && !CleanInput ? '0 : write_data_i;
    read_q <= memory[read_address];
    data_o <= read_q;
  end

endmodule
