// SPDX-License-Identifier: Apache-2.0
// The registers of wide write beats: a spill register that keeps nothing behind an abort.
// Latency 1 cycle, one beat per cycle, 2 beats.
//
// One flag cannot reach a wide beat in a cycle. So the two registers of each slice alternate, with
// flags of their own, and a free one loads what comes, which is 0 when nothing does: no enable
// depends on this cycle's handshakes.

module dma_wide_beats #(
    int unsigned Width,
    int unsigned SliceBits = 144
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             abort_i,  // what is not offered yet becomes 0
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [Width-1:0] data_i,   // 0 unless valid_i
    input  logic             last_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [Width-1:0] data_o,
    output logic             last_o
);

  // One copy of the flags more, for the handshakes; tools must not merge them (keep, as in
  // flag_copies).
  localparam int unsigned Slices = (Width + SliceBits - 1) / SliceBits;
  logic [Slices:0] ready, valid;
  assign ready_o = ready[Slices];
  assign valid_o = valid[Slices];

  for (genvar s = 0; s <= Slices; s++) begin : gen_slice
    (* keep *) logic [1:0] held_q;
    (* keep *) logic write_q, read_q;  // whose turn it is
    logic push, pop;

    assign ready[s] = !held_q[write_q];
    assign valid[s] = held_q[read_q];
    assign push = valid_i && ready[s];
    assign pop = valid[s] && ready_i;

    (* keep *) always_ff @(posedge clk_i) begin
      if (push) held_q[write_q] <= 1'b1;
      if (pop) held_q[read_q] <= 1'b0;
      if (push) write_q <= !write_q;
      if (pop) read_q <= !read_q;
      if (rst_i) {held_q, write_q, read_q} <= '0;
    end

    if (s < Slices) begin : gen_data
      localparam int unsigned Low = s * SliceBits;
      localparam int unsigned Bits = Width - Low < SliceBits ? Width - Low : SliceBits;
      logic [1:0] clear_q;  // a register that is not offered in this cycle, after an abort
      logic [1:0][Bits-1:0] data_q;

      (* keep *) always_ff @(posedge clk_i) begin
        clear_q[0] <= abort_i && read_q != pop;
        clear_q[1] <= abort_i && read_q == pop;
      end

      always_ff @(posedge clk_i) begin
        for (int unsigned i = 0; i < 2; i++) begin
          if (!held_q[i]) data_q[i] <= data_i[Low+:Bits];
          if (clear_q[i]) data_q[i] <= '0;
        end
      end

      assign data_o[Low+:Bits] = data_q[read_q];
    end else begin : gen_last
      logic [1:0] last_q;
      always_ff @(posedge clk_i) begin
        for (int unsigned i = 0; i < 2; i++) if (!held_q[i]) last_q[i] <= last_i;
      end
      assign last_o = last_q[read_q];
    end
  end

  stream_hold #(
      .Width(Width + 1)
  ) u_hold (
      .clk_i,
      .idle_i (rst_i),
      .valid_i(valid_o),
      .ready_i(ready_i),
      .data_i ({last_o, data_o})
  );

  always_ff @(posedge clk_i) if (!rst_i) together : assert (valid == '0 || valid == '1);

endmodule
