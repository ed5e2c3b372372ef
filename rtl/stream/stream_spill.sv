// SPDX-License-Identifier: Apache-2.0
// Spill register: cuts valid, ready and data of a stream with two registers. Data comes out of a
// multiplexer of the two.
// Latency 1 cycle, one transfer per cycle, holds 2 entries. A wipe takes 1 cycle.
// Wide data (several slices): valid and ready fall a cycle after wipe_i; what moves in that cycle
// is cleared too. Nothing comes in for a cycle after a wipe or a reset.

module stream_spill #(
    int unsigned Width,  // bits of data
    int unsigned SliceBits = 160  // of data that one copy of the flags drives
) (
    input  logic             clk_i,
    input  logic             rst_i,    // synchronous, active high
    input  logic             wipe_i,   // held: nothing in, nothing out, data cleared
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [Width-1:0] data_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [Width-1:0] data_o
);

  if (Width == 0) begin : gen_bad_width
    $fatal(1, "stream_spill: Width must be at least 1");
  end

  // The two registers alternate. A free one loads data_i in every cycle, so no bit of data has an
  // enable that depends on this cycle's handshakes. One flag cannot reach wide data in a cycle:
  // slices of it have their own copies of the flags, which tools must not merge (keep; on the
  // process for Yosys, as in flag_copies).
  localparam int unsigned Slices = Width == 0 ? 1 : (Width + SliceBits - 1) / SliceBits;
  (* keep *) logic [Slices-1:0][1:0] held_q;
  (* keep *) logic [Slices-1:0] write_q, read_q;  // whose turn it is
  logic [1:0][Width-1:0] data_q;
  logic push, pop, some, full;

  assign push = valid_i && ready_o;
  assign pop  = valid_o && ready_i;

  if (Slices == 1) begin : gen_flags
    assign ready_o = !full && !wipe_i;
    assign valid_o = some && !wipe_i;
    assign full = held_q[0][write_q[0]];
    assign some = held_q[0][read_q[0]];
  end else begin : gen_handshake
    // Flags of their own: with no table behind them, and none of the data's load.
    assign ready_o = !full;
    assign valid_o = some;
    always_ff @(posedge clk_i) begin
      some <= push || (some && (full || !pop));
      full <= some && !pop && (full || push);
      if (rst_i || wipe_i) {some, full} <= 2'b01;
    end
  end

  for (genvar i = 0; i < Slices; i++) begin : gen_copy
    (* keep *) always_ff @(posedge clk_i) begin
      if (push) held_q[i][write_q[i]] <= 1'b1;
      if (pop) held_q[i][read_q[i]] <= 1'b0;
      if (push) write_q[i] <= ~write_q[i];
      if (pop) read_q[i] <= ~read_q[i];
      if (rst_i || wipe_i) {held_q[i], write_q[i], read_q[i]} <= '0;
    end
  end

  for (genvar s = 0; s < Slices; s++) begin : gen_slice
    localparam int unsigned Low = s * SliceBits;
    localparam int unsigned Bits = Width - Low < SliceBits ? Width - Low : SliceBits;

    always_ff @(posedge clk_i) begin
      for (int unsigned i = 0; i < 2; i++) begin
        if (!held_q[s][i]) data_q[i][Low+:Bits] <= data_i[Low+:Bits];
        if (wipe_i) data_q[i][Low+:Bits] <= '0;
      end
    end

    assign data_o[Low+:Bits] = data_q[read_q[s]][Low+:Bits];
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

endmodule
