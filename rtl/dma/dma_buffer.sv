// SPDX-License-Identifier: Apache-2.0
// FIFO in block RAM for beats that cannot be refused: a flag says early enough whether there is
// room, or the sender counts. First word falls through, one beat per cycle, latency 3 cycles.
//
// One flag does not reach wide beats in a cycle: those go through stream_buffer, which cuts them
// into slices, and ready_i reaches only small RAMs; latency 6 cycles, Offered 7. Early bits, the
// upper ones, belong to the handshake; the others come a cycle later, for one cycle.

module dma_buffer #(
    int unsigned Width,
    int unsigned Depth,  // a power of two; all but one are used
    int unsigned Reserve = 1,  // beats that may come after the flag has fallen
    bit Decoupled = 1'b0,  // ready_i reaches one flag and not the RAM: a register more
    bit Offered = 1'b0,  // wide: the output is a bus (stream_offer)
    int unsigned Early = 0,  // wide: bits that come with the handshake; 0: all
    localparam int unsigned Parts = dma_pkg::beat_parts(Width)
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  wipe_i,    // held for Depth + 5 cycles, wide 22, with data_i at 0
    output logic                  room_o,
    output logic                  popped_o,  // a beat has left; wide: a cycle later
    input  logic                  push_i,
    input  logic [Width-1:0]      data_i,
    input  logic [Parts-1:0][1:0] offer_i,   // Offered: as in stream_offer
    output logic                  valid_o,
    input  logic                  ready_i,
    output logic [Width-1:0]      data_o
);

  localparam bit Wide = dma_pkg::wide_beat(Width);
  if ((Offered || Early != 0) && !Wide) begin : gen_bad_output
    $fatal(1, "dma_buffer: only wide beats can be Offered or have Early bits");
  end
  localparam int unsigned LevelWidth = $clog2(Depth + 1);

  logic [LevelWidth-1:0] level_q;
  logic room_q, pop, popped_q;

  assign room_o = room_q;
  assign pop = valid_o && ready_i;

  // One adder for both directions. Wide: what leaves is counted a cycle later.
  assign popped_o = Wide ? popped_q : pop;
  always_ff @(posedge clk_i) begin
    popped_q <= pop && !rst_i && !wipe_i;
    if (push_i != popped_o) level_q <= level_q + {{LevelWidth - 1{popped_o}}, 1'b1};
    room_q <= level_q < LevelWidth'(Depth - Reserve);
    if (rst_i || wipe_i) begin
      level_q <= '0;
      room_q  <= 1'b0;
    end
  end

  if (Wide) begin : gen_wide
    stream_buffer #(
        .Width(Width),
        .Depth(Depth),
        .Offered(Offered),
        .Early(Early),
        .SliceBits(dma_pkg::PartBits)
    ) u_slices (
        .clk_i,
        .rst_i,
        .wipe_i,
        .push_i,
        .data_i,
        .offer_i,
        .valid_o,
        .ready_i,
        .data_o
    );
  end else begin : gen_narrow
    logic unused;
    assign unused = ^offer_i;

    // Equal pointers mean an empty RAM. In a wipe zeros are written to each word in use, and the
    // read pointer stays where both pointers start.
    localparam int unsigned PointerBits = $clog2(Depth);
    logic [PointerBits-1:0] write_pointer, read_pointer;
    logic stored, stored_valid_q, read, read_stored, wiping_q;

    assign stored = write_pointer != read_pointer;

    always_ff @(posedge clk_i) begin
      wiping_q <= wipe_i;
      if (read_stored) stored_valid_q <= stored;
      if (rst_i || wipe_i || wiping_q) stored_valid_q <= 1'b0;
    end

    dma_pointer #(
        .Bits(PointerBits)
    ) u_write_pointer (
        .clk_i,
        .rst_i    (rst_i || wiping_q != wipe_i),
        .step_i   (push_i || wipe_i),
        .pointer_o(write_pointer)
    );

    dma_pointer #(
        .Bits(PointerBits)
    ) u_read_pointer (
        .clk_i,
        .rst_i    (rst_i || wiping_q),
        .step_i   (read_stored && stored),
        .pointer_o(read_pointer)
    );

    // A word is never read in the cycle that writes it: no bypass around the RAM.
    (* no_rw_check, ramstyle = "no_rw_check", ram_style = "block" *)
    logic [Width-1:0] memory[2**PointerBits];
    logic [Width-1:0] stored_data_q;

    always_ff @(posedge clk_i) begin
      if (push_i || wipe_i) memory[write_pointer] <= data_i;
      if (read_stored) stored_data_q <= memory[read_pointer];
    end

    // A register that has an enable and no reset can be the block RAM's own.
    logic valid_q;
    logic [Width-1:0] data_q;
    always_ff @(posedge clk_i) begin
      if (read) valid_q <= stored_valid_q;
      if (rst_i || wipe_i) valid_q <= 1'b0;
    end
    // In a wipe nothing is valid, so both registers load in each cycle.
    always_ff @(posedge clk_i) if (read) data_q <= stored_data_q;

    if (Decoupled) begin : gen_skid
      // While the skid register is free, it follows the output: so it keeps a beat that is refused.
      logic free_q;
      logic [Width-1:0] skid_q;
      assign read = free_q;
      assign read_stored = free_q || !stored_valid_q;
      assign valid_o = !free_q || valid_q;
      assign data_o = free_q ? data_q : skid_q;
      always_ff @(posedge clk_i) begin
        free_q <= !valid_o || ready_i;
        if (free_q) skid_q <= data_q;
        if (rst_i || wipe_i) free_q <= 1'b1;
      end
    end else begin : gen_direct
      // Both registers are full: a flag, so that ready_i passes one table on its way to the RAM.
      logic full_q;
      always_ff @(posedge clk_i) begin
        full_q <= (stored_valid_q || !read) && (stored || !read_stored);
        if (rst_i || wipe_i || wiping_q) full_q <= 1'b0;
      end
      assign read = ready_i || !valid_q;
      assign read_stored = ready_i || !full_q;
      assign valid_o = valid_q;
      assign data_o = data_q;
`ifndef SYNTHESIS
      always_ff @(posedge clk_i) begin
        if (!rst_i && !wipe_i) a_full : assert (full_q == (valid_q && stored_valid_q));
      end
`endif
    end
  end

  localparam int unsigned HoldBits = Early != 0 ? Early : Width;
  stream_hold #(
      .Width(HoldBits)
  ) u_hold (
      .clk_i,
      .idle_i (rst_i || wipe_i),
      .valid_i(valid_o),
      .ready_i(ready_i),
      .data_i (data_o[Width-1-:HoldBits])
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && !wipe_i) a_room : assert (level_q < LevelWidth'(Depth - 1) || !push_i);
  end
`endif

endmodule
