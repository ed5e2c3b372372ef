// SPDX-License-Identifier: Apache-2.0
// The write data channel of dma_write_channel: a client's beat goes to a register, one per cycle.
// Latency 1 cycle.
//
// While nothing is offered, wdata is zeros: no data stays, whether the bus is ready or not.

module dma_write_beats
  import dma_pkg::*;
#(
    int unsigned DataBytes = 16,  // 8, 16, 32 or 64
    localparam int unsigned Parts = beat_parts(9 * DataBytes)
) (
    input logic clk_i,
    input logic rst_i,
    input logic abort_i,  // zeros without strobes from here on
    // The turns
    input logic next_i,  // a turn begins after this cycle:
    input logic next_data_i,  // client 0's
    input logic next_post_i,  // or client 1's
    input logic data_turn_i,  // whose it is now
    input logic post_turn_i,
    input logic [Parts-1:0][1:0] post_offer_i,  // wide: of the next cycle, for wready_i 0 and 1
    input logic last_i,  // its last beat
    output logic free_o,  // a beat may go
    // Beats of the clients: always there, when ready. Wide ones may be taken before their turn
    input logic data_valid_i,
    output logic data_ready_o,
    input logic [8*DataBytes-1:0] data_beat_i,
    input logic [DataBytes-1:0] data_strobe_i,
    input logic post_valid_i,
    output logic post_ready_o,
    input logic [8*DataBytes-1:0] post_beat_i,
    input logic [DataBytes-1:0] post_strobe_i,
    // AXI4
    output logic wvalid_o,
    input logic wready_i,
    output logic [8*DataBytes-1:0] wdata_o,
    output logic [DataBytes-1:0] wstrb_o,
    output logic wlast_o
);

  localparam bit Wide = wide_beat(9 * DataBytes);
  logic active;
  assign active = data_turn_i || post_turn_i;

  if (Wide) begin : gen_wide
    // The registers of the data are the write buffer's, which shows zeros when it is not its turn.
    // The second client's are here.
    logic [Parts-1:0] ready, valid;
    logic [9*DataBytes-1:0] post;
    logic unused;
    assign unused = ^{next_i, next_data_i, next_post_i};
    assign data_ready_o = wready_i;
    assign post_ready_o = &ready;
    for (genvar i = 0; i < Parts; i++) begin : gen_post
      stream_offer #(
          .Width(PartBits)
      ) u_offer (
          .clk_i,
          .rst_i,
          .wipe_i (abort_i),
          .valid_i(post_valid_i),
          .ready_o(ready[i]),
          .data_i (PartBits'({post_strobe_i, post_beat_i} >> (i * PartBits))),
          .offer_i(post_offer_i[i]),
          .valid_o(valid[i]),
          .ready_i(wready_i),
          .data_o (post[i*PartBits+:PartBits])
      );
    end
    assign free_o = wready_i;
    assign wvalid_o = active;
    assign wlast_o = last_i;
    assign {wstrb_o, wdata_o} = {data_strobe_i, data_beat_i} | post;

`ifndef SYNTHESIS
    logic abort_q;
    always_ff @(posedge clk_i) begin
      abort_q <= abort_i;
      if (!rst_i && !abort_i && !abort_q) begin
        a_data_there : assert (data_valid_i == data_turn_i);
        a_post_there : assert (valid == {Parts{post_turn_i}});
      end
    end
`endif
  end else begin : gen_registers
    // Masks, no multiplexers: from those tools make a reset of the register, a table more.
    localparam int unsigned Slices = (9 * DataBytes + 159) / 160;
    localparam int unsigned SliceBytes = DataBytes / Slices;
    (* keep *) logic [Slices-1:0] data_shown_q, post_shown_q;  // no abort has come since
    logic unused;
    assign unused = ^{data_valid_i, post_valid_i, post_offer_i};

    // This cycle's handshake passes only one table: wvalid has a copy per slice, and one for each
    // client's buffer.
    (* keep *) logic [Slices+2:0] wvalid_q;
    assign wvalid_o = wvalid_q[Slices];
    assign free_o = !wvalid_o || wready_i;
    assign data_ready_o = (!wvalid_q[Slices+1] || wready_i) && data_turn_i;
    assign post_ready_o = (!wvalid_q[Slices+2] || wready_i) && post_turn_i;

    always_ff @(posedge clk_i) begin
      if (free_o) wlast_o <= last_i;
      for (int unsigned i = 0; i < Slices + 3; i++) begin
        if (!wvalid_q[i] || wready_i) wvalid_q[i] <= active;
      end
      if (rst_i) wvalid_q <= '0;
    end
    for (genvar i = 0; i < Slices; i++) begin : gen_slice
      localparam int unsigned Low = i * SliceBytes;
      (* keep *) always_ff @(posedge clk_i) begin
        if (next_i) {data_shown_q[i], post_shown_q[i]} <= {next_data_i, next_post_i};
        if (rst_i || abort_i) {data_shown_q[i], post_shown_q[i]} <= '0;
      end
      always_ff @(posedge clk_i) begin
        if (!wvalid_q[i] || wready_i) begin
          wdata_o[8*Low+:8*SliceBytes] <=
              (data_beat_i[8*Low+:8*SliceBytes] & {8 * SliceBytes{data_shown_q[i]}})
              | (post_beat_i[8*Low+:8*SliceBytes] & {8 * SliceBytes{post_shown_q[i]}});
          wstrb_o[Low+:SliceBytes] <=
              (data_strobe_i[Low+:SliceBytes] & {SliceBytes{data_shown_q[i]}})
              | (post_strobe_i[Low+:SliceBytes] & {SliceBytes{post_shown_q[i]}});
        end
      end
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (!rst_i && !abort_i) begin
        if (data_ready_o) a_data_there : assert (data_valid_i);
        if (post_ready_o) a_post_there : assert (post_valid_i);
      end
    end
`endif
  end

endmodule
