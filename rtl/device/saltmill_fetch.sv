// SPDX-License-Identifier: Apache-2.0
// Fetches the descriptors that the host has handed over (RING_HEAD), one burst each and several
// outstanding, as many as there is room for. Their beats go to the RAMs of decode and feed.
module saltmill_fetch
  import saltmill_descriptor_pkg::*;
  import saltmill_device_pkg::*;
#(
    parameter config_t Config,
    localparam int unsigned Columns = row_bytes(Config.data_bytes) / Config.data_bytes,
    localparam int unsigned RowAddressBits = row_address_bits(Config),
    localparam int unsigned AddressBits = Config.address_bits,
    localparam int unsigned BaseBits = AddressBits - DescriptorLog2
) (
    input  logic                      clk_i,
    input  logic                      rst_i,              // also in a wipe
    input  logic                      enable_i,
    // Ring
    input  logic [      BaseBits-1:0] base_i,
    input  logic [              15:0] mask_i,             // entries - 1
    input  logic [              15:0] head_i,
    output logic [              15:0] fetched_o,          // descriptors asked for since the wipe
    // Burst requests: one descriptor each
    output logic                      request_valid_o,
    input  logic                      request_ready_i,
    output logic [   AddressBits-1:0] request_address_o,
    output logic [               7:0] request_len_o,      // beats - 1
    // Beats read, in order; always taken
    input  logic                      beat_valid_i,
    input  logic                      beat_error_i,
    input  logic                      beat_last_i,
    // Where they go
    output logic [       Columns-1:0] write_o,
    output logic [RowAddressBits-1:0] write_row_o,
    output logic                      fetched_one_o,      // a descriptor is there
    // Its reader
    input  logic                      started_i,          // with the next descriptor
    output logic                      error_o,            // in one of its beats: a cycle later
    // A place is free again
    input  logic                      freed_i
);

  localparam int unsigned Beats = fetched_bytes(
      facts(Config)
  ) / Config.data_bytes + 32'(fetched_bytes(
      facts(Config)
  ) % Config.data_bytes != 0);
  localparam int unsigned StrideBits = $clog2(row_stride(Config));
  localparam int unsigned SlotBits = RowAddressBits - StrideBits;

  assign request_len_o = 8'(Beats - 1);

  // ---- requests: three cycles each --------------------------------------------------------------
  typedef enum logic [1:0] {
    StCompare,  // head and what was fetched: the result is a flag a cycle later
    StAddress,  // wait for a descriptor and for room; the address is there
    StRequest
  } state_e;

  state_e state_q;
  logic some_q, room, request;
  logic [BaseBits-1:0] address_q;
  assign request_valid_o = state_q == StRequest;
  assign request_address_o = {address_q, DescriptorLog2'(0)};
  assign request = request_valid_o && request_ready_i;

  always_ff @(posedge clk_i) begin
    some_q <= fetched_o != head_i && enable_i;
    address_q <= base_i + BaseBits'(fetched_o & mask_i);
    unique case (state_q)
      StCompare: state_q <= StAddress;
      StAddress: if (some_q && room) state_q <= StRequest;
      StRequest:
      if (request_ready_i) begin
        state_q   <= StCompare;
        fetched_o <= fetched_o + 1'b1;
      end
      default:   state_q <= StCompare;
    endcase
    if (rst_i) begin
      state_q   <= StCompare;
      some_q    <= 1'b0;
      fetched_o <= '0;
    end
  end

  stream_credit #(
      .Max    (Config.job_depth),
      .Start  (Config.job_depth),
      .WantMax(1)
  ) u_room (
      .clk_i,
      .rst_i,
      .give_i(freed_i),
      .want_m1_i(1'b0),
      .take_i(request),
      .enough_o(room)
  );

  // ---- rows -------------------------------------------------------------------------------------
  // A beat is a column of a row; with a bus as wide as a row there is one.
  localparam int unsigned ColumnBits = $clog2(Columns);
  localparam int unsigned BeatBits = StrideBits + ColumnBits;
  logic [SlotBits-1:0] slot_q;
  logic failed_q;  // an earlier beat of the descriptor

  if (BeatBits == 0) begin : gen_one_beat
    assign write_row_o = slot_q;
    assign write_o = beat_valid_i;
  end else begin : gen_beats
    logic [BeatBits-1:0] beat_q;
    always_ff @(posedge clk_i) begin
      if (beat_valid_i) beat_q <= beat_last_i ? '0 : beat_q + 1'b1;
      if (rst_i) beat_q <= '0;
    end
    assign write_row_o = RowAddressBits'({slot_q, beat_q} >> ColumnBits);
    if (Columns == 1) begin : gen_whole
      assign write_o = beat_valid_i;
    end else begin : gen_columns
      assign write_o = Columns'(beat_valid_i) << beat_q[ColumnBits-1:0];
    end
  end

  always_ff @(posedge clk_i) begin
    fetched_one_o <= beat_valid_i && beat_last_i;
    if (beat_valid_i && beat_last_i) slot_q <= slot_q + 1'b1;
    if (beat_valid_i) failed_q <= (failed_q || beat_error_i) && !beat_last_i;
    if (rst_i) begin
      fetched_one_o <= 1'b0;
      slot_q <= '0;
      failed_q <= 1'b0;
    end
  end

  // An error of any beat is the descriptor's: the last one is read by the core's feed alone.
  dma_marks #(
      .Width(1),
      .Depth(Config.job_depth)
  ) u_errors (
      .clk_i,
      .rst_i,
      .push_i(beat_valid_i && beat_last_i),
      .data_i(failed_q || beat_error_i),
      .pop_i (started_i),
      .data_o(error_o)
  );

endmodule
