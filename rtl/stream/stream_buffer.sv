// SPDX-License-Identifier: Apache-2.0
// FIFO in block RAM for an owner who counts its entries: it never refuses one. First word falls
// through, one transfer per cycle, latency 5 cycles. A wipe takes Depth + 20 cycles.
//
// Block RAM is far away and slow: each of its inputs and outputs is a register, without an enable,
// and a small RAM in front answers at once. Of that one only the address depends on ready_i.

module stream_buffer #(
    int unsigned Width,  // bits of data
    int unsigned Depth,  // entries, a power of two, at least 4
    int unsigned SliceBits = 160  // of the small RAM, with pointers of their own
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

  if (Depth < 4 || 2 ** $clog2(Depth) != Depth) begin : gen_bad_depth
    $fatal(1, "stream_buffer: Depth must be a power of two, at least 4");
  end

  // In a wipe, the pointers of both RAMs walk, the read one behind the write; it catches up when the
  // write has come to its end.
  logic wiping_q, catching_q, clear;
  assign clear = rst_i || wipe_i || wiping_q || catching_q;
  always_ff @(posedge clk_i) begin
    wiping_q   <= wipe_i && !rst_i;
    catching_q <= wiping_q && !rst_i;
  end

  // Block RAM: write_i, data and address are registers; the read has the RAM's own and one behind.
  logic [$clog2(Depth)-1:0] write_q, read_q;
  logic we_q, issue, credit_q;
  logic [Width-1:0] data_q, read_data_q, late_data_q;
  logic read_valid_q, late_valid_q;

  assign issue = write_q != read_q && credit_q;

  always_ff @(posedge clk_i) begin
    we_q <= push_i || wipe_i;
    if (we_q) write_q <= write_q + 1'b1;
    if (issue) read_q <= read_q + 1'b1;
    if (wiping_q || catching_q) read_q <= write_q;
    read_valid_q <= issue;
    late_valid_q <= read_valid_q;
    if (clear) {read_valid_q, late_valid_q} <= '0;
    if (rst_i) begin
      we_q <= 1'b0;
      write_q <= '0;
      read_q <= '0;
    end
  end

  // A word is never needed in the cycle that writes it.
  (* no_rw_check, ramstyle = "no_rw_check" *)
  logic [Width-1:0] memory[Depth];

  always_ff @(posedge clk_i) begin
    data_q <= data_i;
    if (we_q) memory[write_q] <= data_q;
    read_data_q <= memory[read_q];
    late_data_q <= read_data_q;
  end

  // The small RAM, read without a clock. A credit is a free entry of it that no read is on its way to;
  // one more entry is always free and takes whatever comes, so that no write enable has to reach all
  // of the RAM. Nor does a pointer: each slice has its own, which tools must not merge.
  localparam int unsigned Front = 16;
  typedef logic [$clog2(Front):0] count_t;
  localparam int unsigned Slices = (Width + SliceBits - 1) / SliceBits;
  (* keep *) logic [Slices-1:0][$clog2(Front)-1:0] front_write_q, front_read_q;
  count_t held_q, free_q;
  logic valid_q, pop, pop_q;

  assign valid_o = valid_q && !wipe_i;
  assign pop = valid_o && ready_i;

  for (genvar s = 0; s < Slices; s++) begin : gen_slice
    localparam int unsigned Low = s * SliceBits;
    localparam int unsigned Bits = Width - Low < SliceBits ? Width - Low : SliceBits;
    logic [Bits-1:0] front[Front];

    always_ff @(posedge clk_i) begin
      front[front_write_q[s]] <= late_data_q[Low+:Bits];
    end
    assign data_o[Low+:Bits] = front[front_read_q[s]];

    always_ff @(posedge clk_i) begin
      if (late_valid_q || wiping_q) front_write_q[s] <= front_write_q[s] + 1'b1;
      if (pop) front_read_q[s] <= front_read_q[s] + 1'b1;
      if (wiping_q || catching_q) front_read_q[s] <= front_write_q[s];
      if (rst_i) begin
        front_write_q[s] <= '0;
        front_read_q[s]  <= '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (late_valid_q && !pop) held_q <= held_q + 1'b1;
    if (!late_valid_q && pop) held_q <= held_q - 1'b1;
    valid_q <= late_valid_q || (pop ? held_q > 1 : held_q != '0);
    pop_q   <= pop;
    if (issue && !pop_q) free_q <= free_q - 1'b1;
    if (!issue && pop_q) free_q <= free_q + 1'b1;
    credit_q <= pop_q || (issue ? free_q > 1 : free_q != '0);
    if (clear) begin
      held_q   <= '0;
      valid_q  <= 1'b0;
      pop_q    <= 1'b0;
      free_q   <= count_t'(Front - 1);
      credit_q <= 1'b1;
    end
  end

  stream_hold #(
      .Width(Width)
  ) u_hold (
      .clk_i,
      .idle_i (rst_i || wipe_i),
      .valid_i(valid_o),
      .ready_i(ready_i),
      .data_i (data_o)
  );

  always_ff @(posedge clk_i) begin
    if (!clear) begin
      room : assert (!we_q || write_q + 1'b1 != read_q);
      front_room : assert (!late_valid_q || held_q != count_t'(Front - 1));
    end
  end

endmodule
