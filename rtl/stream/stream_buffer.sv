// SPDX-License-Identifier: Apache-2.0
// FIFO in block RAM that never refuses an entry: its owner counts them. First word falls through,
// one transfer per cycle, latency 6 cycles, with Near or Offered 7. A wipe takes Depth + 21 cycles.
//
// Wide data is cut into slices, because one pointer cannot reach all of it in a cycle. Each slice
// is a FIFO with its own pointers and flags; all slices move together. Only ready_i drives all of
// them: with several slices, a wipe reaches each through a register of its own, so it begins and
// ends a cycle later. Without Near and Offered, valid falls one more cycle later, because it has no
// table in front of it. Nothing comes in for a cycle behind such a wipe.
//
// Early bits, the upper ones, are a slice of their own and belong to the handshake; the others come
// a cycle later, for one cycle. So a handshake has a cycle to reach their slices.

module stream_buffer #(
    int unsigned Width,  // bits of data
    int unsigned Depth,  // entries, a power of two, at least 4
    bit Near = 1'b0,  // a spill register at the output: for a consumer that is far away
    bit Offered = 1'b0,  // stream_offer at the output: for a bus
    int unsigned Early = 0,  // bits of data that come with the handshake; 0: all
    int unsigned SliceBits = 144,  // four block RAMs of 36
    localparam int unsigned Slices = (Width - Early + SliceBits - 1) / SliceBits + 32'(Early != 0)
) (
    input  logic                   clk_i,
    input  logic                   rst_i,    // synchronous, active high
    input  logic                   wipe_i,   // held: nothing in, nothing out, data cleared
    input  logic                   push_i,   // only while fewer than Depth entries are in here
    input  logic [ Width-1:0]      data_i,   // 0 in a wipe
    input  logic [Slices-1:0][1:0] offer_i,  // Offered: as in stream_offer
    output logic                   valid_o,
    input  logic                   ready_i,
    output logic [ Width-1:0]      data_o
);

  if (Depth < 4 || 2 ** $clog2(Depth) != Depth) begin : gen_bad_depth
    $fatal(1, "stream_buffer: Depth must be a power of two, at least 4");
  end
  if (32'(Near) + 32'(Offered) + 32'(Early != 0) > 1) begin : gen_bad_output
    $fatal(1, "stream_buffer: Near, Offered and Early exclude each other");
  end

  logic unused;
  assign unused = ^offer_i && !Offered;

  logic [Slices-1:0] valid;
  assign valid_o = valid[Early!=0?Slices-1 : 0];

  logic [Slices-1:0] wipe;
  if (Slices == 1) begin : gen_wipe
    assign wipe = wipe_i;
  end else begin : gen_wipes
    flag_copies #(
        .Copies(Slices)
    ) u_wipe (
        .clk_i,
        .flag_i  (wipe_i),
        .copies_o(wipe)
    );
  end

  logic [Slices-1:0] take;  // Early
  if (Early != 0) begin : gen_take
    flag_copies #(
        .Copies(Slices - 1)
    ) u_take (
        .clk_i,
        .flag_i  (valid_o && ready_i && !rst_i),
        .copies_o(take[Slices-2:0])
    );
    assign take[Slices-1] = valid_o && ready_i;
  end else begin : gen_no_take
    assign take = '0;  // not used
  end

  for (genvar s = 0; s < Slices; s++) begin : gen_slice
    localparam bit IsEarly = Early != 0 && s == Slices - 1;
    localparam int unsigned Low = IsEarly ? Width - Early : s * SliceBits;
    localparam int unsigned End = IsEarly ? Width : Width - Early;
    localparam int unsigned Bits = IsEarly || End - Low < SliceBits ? End - Low : SliceBits;
    logic held_valid, held_ready;
    logic [Bits-1:0] held;

    stream_buffer_slice #(
        .Width(Bits),
        .Depth(Depth),
        .Alone(Slices == 1 || Near)
    ) u_slice (
        .clk_i,
        .rst_i,
        .wipe_i (wipe[s]),
        .push_i,
        .data_i (data_i[Low+:Bits]),
        .valid_o(held_valid),
        .ready_i(held_ready),
        .data_o (held)
    );

    if (Near) begin : gen_near
      stream_spill #(
          .Width    (Bits),
          .SliceBits(Slices == 1 ? Bits : 80)
      ) u_near (
          .clk_i,
          .rst_i,
          .wipe_i (wipe[s]),
          .valid_i(held_valid),
          .ready_o(held_ready),
          .data_i (held),
          .valid_o(valid[s]),
          .ready_i,
          .data_o (data_o[Low+:Bits])
      );
    end else if (Offered) begin : gen_offered
      logic room;
      assign held_ready = held_valid && room;
      stream_offer #(
          .Width(Bits)
      ) u_offer (
          .clk_i,
          .rst_i,
          .wipe_i (wipe[s]),
          .valid_i(held_valid),
          .ready_o(room),
          .data_i (held),
          .offer_i(offer_i[s]),
          .valid_o(valid[s]),
          .ready_i,
          .data_o (data_o[Low+:Bits])
      );
    end else begin : gen_wires
      assign valid[s] = held_valid;
      // With several slices, one table says for all of them whether they move.
      assign held_ready = Early != 0 ? take[s] : ready_i && (Slices == 1 || valid_o);
      assign data_o[Low+:Bits] = held;
    end
  end

  localparam int unsigned HoldBits = Early != 0 ? Early : Width;
  stream_hold #(
      .Width(HoldBits)
  ) u_hold (
      .clk_i,
      .idle_i (rst_i || (wipe_i && !Offered)),
      .valid_i(valid_o),
      .ready_i(ready_i),
      .data_i (data_o[Width-1-:HoldBits])
  );

  always_ff @(posedge clk_i) begin
    if (!rst_i && (!wipe[0] || Offered) && Early == 0)
      together : assert (valid == '0 || valid == '1);
    if (!rst_i && !wipe[0] && Early != 0) data_there : assert ((valid | ~take) == '1);
    if (!rst_i && !wipe[0] && Early != 0) all_there : assert (!valid_o || valid == '1);
  end

endmodule
