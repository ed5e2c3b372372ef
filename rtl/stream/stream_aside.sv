// SPDX-License-Identifier: Apache-2.0
// What goes beside data that is under way waits here, in block RAM: the data comes out in the order
// in which it went in. No handshake: an entry is there 2 cycles after pop_i. A wipe takes Depth + 4
// cycles.

module stream_aside #(
    int unsigned Width,
    int unsigned Depth   // entries, a power of two
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             wipe_i,
    input  logic             push_i,  // only while fewer than Depth entries are in here
    input  logic [Width-1:0] data_i,  // 0 in a wipe
    input  logic             pop_i,   // only what was pushed 2 cycles ago or earlier
    output logic [Width-1:0] data_o   // what was the oldest entry 2 cycles ago
);

  if (Depth < 2 || 2 ** $clog2(Depth) != Depth) begin : gen_bad_depth
    $fatal(1, "stream_aside: Depth must be a power of two, at least 2");
  end

  typedef logic [$clog2(Depth)-1:0] address_t;
  logic [$clog2(Depth):0] write_q, read_q;  // with a bit more, which only the assertions read
  logic wiping_q, catching_q, push_q;
  logic [Width-1:0] pushed_q;  // the RAM can be far from where the data comes from

  // In a wipe both pointers walk, the read one behind the write; it catches up afterwards.
  always_ff @(posedge clk_i) begin
    wiping_q <= wipe_i && !rst_i;
    catching_q <= wiping_q && !rst_i;
    pushed_q <= data_i;
    push_q <= push_i || wipe_i;
    if (push_q) write_q <= write_q + 1'b1;
    if (pop_i) read_q <= read_q + 1'b1;
    if (wiping_q || catching_q) read_q <= write_q;
    if (rst_i) begin
      push_q  <= 1'b0;
      write_q <= '0;
      read_q  <= '0;
    end
  end

  // A word is never needed in the cycle that writes it. The second register can be the block RAM's.
  (* no_rw_check, ramstyle = "no_rw_check" *)
  logic [Width-1:0] memory[Depth];
  logic [Width-1:0] read_data_q;

  always_ff @(posedge clk_i) begin
    if (push_q) memory[address_t'(write_q)] <= pushed_q;
    read_data_q <= memory[address_t'(read_q)];
    data_o <= read_data_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_i && !wipe_i && !wiping_q && !catching_q) begin
      known : assert (!pop_i || write_q != read_q);
      room : assert (!push_q || write_q - read_q != ($clog2(Depth) + 1)'(Depth));
    end
  end

endmodule
