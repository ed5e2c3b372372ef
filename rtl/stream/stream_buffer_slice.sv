// SPDX-License-Identifier: Apache-2.0
// A slice of stream_buffer: the whole FIFO, for some bits of the data.
//
// Block RAM is far away and slow: each of its inputs and outputs is a register without an enable,
// and a small RAM in front answers at once. Only the address of the small RAM depends on ready_i.
// All slices do the same in each cycle, and tools must not merge their registers (keep; on the
// process for Yosys, as in flag_copies).

module stream_buffer_slice #(
    int unsigned Width,
    int unsigned Depth,
    bit Alone  // wipe_i comes from far, and valid_o falls with it; else a cycle later, and ready_i
               // comes only with valid_o
) (
    input  logic             clk_i,
    input  logic             rst_i,    // synchronous, active high
    input  logic             wipe_i,   // held: nothing in, nothing out, data cleared
    input  logic             push_i,   // only while fewer than Depth entries are in here
    input  logic [Width-1:0] data_i,   // 0 in a wipe
    output logic             valid_o,
    input  logic             ready_i,
    output logic [Width-1:0] data_o
);

  typedef logic [$clog2(Depth)-1:0] address_t;
  localparam int unsigned Front = 16;
  typedef logic [$clog2(Front)-1:0] front_t;

  // In a wipe, the pointers of both RAMs walk, the read pointer one behind the write pointer; it
  // catches up when the write pointer has stopped. The flags are cleared from the second cycle on,
  // by a register of this slice.
  (* keep *) logic wiping_q, catching_q, clear_q;
  logic clear;
  assign clear = rst_i || clear_q;
  (* keep *) always_ff @(posedge clk_i) begin
    wiping_q   <= wipe_i && !rst_i;
    catching_q <= wiping_q && !rst_i;
    clear_q    <= wipe_i || wiping_q;
  end

  // Block RAM. Write enable, data and addresses are registers, and so is the flag that advances the
  // read address. The read data has the RAM's own register and one more.
  (* keep *) address_t write_q, read_q;
  (* keep *) logic we_q, issue_q, read_valid_q, late_valid_q;
  logic stored, credit, issue;
  logic [2:0] unused_next, unused_full;
  logic [Width-1:0] data_q, read_data_q, late_data_q;

  assign issue = stored && credit;

  (* keep *) always_ff @(posedge clk_i) begin
    we_q <= push_i || wipe_i;
    if (we_q) write_q <= write_q + 1'b1;
    issue_q <= issue;
    if (issue_q) read_q <= read_q + 1'b1;
    if (wiping_q || catching_q) read_q <= write_q;
    read_valid_q <= issue_q;
    late_valid_q <= read_valid_q;
    if (clear) {issue_q, read_valid_q, late_valid_q} <= '0;
    if (rst_i) begin
      we_q <= 1'b0;
      write_q <= '0;
      read_q <= '0;
    end
  end

  stream_count #(
      .Max  (Depth),
      .Start(0)
  ) u_stored (
      .clk_i,
      .rst_i(rst_i || wiping_q),
      .give_i(we_q),
      .take_i(issue),
      .some_o(stored),
      .some_next_o(unused_next[0]),
      .full_o(unused_full[0])
  );

  // A word is never needed in the cycle that writes it.
  (* no_rw_check, ramstyle = "no_rw_check" *)
  logic [Width-1:0] memory[Depth];

  always_ff @(posedge clk_i) begin
    data_q <= data_i;
    if (we_q) memory[write_q] <= data_q;
    read_data_q <= memory[read_q];
    late_data_q <= read_data_q;
  end

  // Small RAM with asynchronous read. A credit is a free entry that no read is on its way to. One
  // more entry is always free and is written in every cycle, so no write enable is needed.
  (* keep *) front_t front_write_q, front_read_q;
  (* keep *) logic pop_q;
  logic held, pop;
  logic [Width-1:0] front[Front];

  assign valid_o = held && !(Alone && wipe_i);
  assign data_o = front[front_read_q];
  assign pop = (valid_o || !Alone) && ready_i;

  always_ff @(posedge clk_i) begin
    front[front_write_q] <= late_data_q;
    if (late_valid_q || wiping_q) front_write_q <= front_write_q + 1'b1;
    if (pop) front_read_q <= front_read_q + 1'b1;
    if (wiping_q || catching_q) front_read_q <= front_write_q;
    pop_q <= pop;
    if (clear) pop_q <= 1'b0;
    if (rst_i) begin
      front_write_q <= '0;
      front_read_q  <= '0;
    end
  end

  stream_count #(
      .Max  (Front - 1),
      .Start(0)
  ) u_held (
      .clk_i,
      .rst_i(clear || (!Alone && wipe_i)),
      .give_i(late_valid_q),
      .take_i(pop),
      .some_o(held),
      .some_next_o(unused_next[1]),
      .full_o(unused_full[1])
  );

  stream_count #(
      .Max  (Front - 1),
      .Start(Front - 1)
  ) u_free (
      .clk_i,
      .rst_i(clear),
      .give_i(pop_q),
      .take_i(issue),
      .some_o(credit),
      .some_next_o(unused_next[2]),
      .full_o(unused_full[2])
  );

  always_ff @(posedge clk_i) begin
    if (!clear) room : assert (!we_q || write_q + 1'b1 != read_q);
  end

endmodule
