// SPDX-License-Identifier: Apache-2.0
// FIFO of Depth entries, first word falls through, one transfer per cycle at every depth.
// Latency in cycles: depth 0 (wires) 0; 1 (a register) and 2 (a spill register) 1; to 16 (a small
// RAM) 2; more (block RAM, and a register because its output is slow) 3.
// Only at depths 0 and 1 does ready_o depend on ready_i. A wipe takes Depth cycles, at least 1.
// At half rate, depth 1 is one transfer in two cycles, and its ready_o does not depend on ready_i.
// Late data comes a cycle after its handshake; all about it is in stream_late_fifo.

module stream_fifo #(
    int unsigned Width,  // bits of data
    int unsigned Depth,  // entries
    bit HalfRate = 1'b0,  // of depth 1
    bit Late = 1'b0,  // wide data, depth 8 or 16: ready_o is room_o of stream_late_fifo
    bit CleanInput = 1'b0,  // data_i is 0 in a wipe: spares a gate per bit
    localparam int unsigned LevelWidth = Depth == 0 ? 1 : $clog2(Depth + 1)
) (
    input  logic                  clk_i,
    input  logic                  rst_i,    // synchronous, active high
    input  logic                  wipe_i,   // held: nothing in, nothing out, data cleared
    input  logic                  valid_i,
    output logic                  ready_o,
    input  logic [     Width-1:0] data_i,
    output logic                  valid_o,
    input  logic                  ready_i,
    output logic [     Width-1:0] data_o,
    output logic [LevelWidth-1:0] level_o   // entries held, 0 to Depth
);

  if (Width == 0) begin : gen_bad_width
    $fatal(1, "stream_fifo: Width must be at least 1");
  end
  if (HalfRate && Depth != 1) begin : gen_bad_rate
    $fatal(1, "stream_fifo: HalfRate is for Depth 1");
  end

  // RAMs up to this depth are made of logic, deeper ones are block RAM.
  localparam int unsigned MostInLogic = 16;

  if (Late) begin : gen_late
    stream_late_fifo #(
        .Width(Width),
        .Depth(Depth)
    ) u_late (
        .clk_i,
        .rst_i,
        .wipe_i,
        .room_o(ready_o),
        .push_i(valid_i),
        .data_i,
        .valid_o,
        .ready_i,
        .data_o
    );
    assign level_o = '0;
  end else if (Depth == 0) begin : gen_wires
    logic unused;
    assign unused  = clk_i ^ rst_i;
    assign ready_o = ready_i && !wipe_i;
    assign valid_o = valid_i && !wipe_i;
    assign data_o  = data_i;
    assign level_o = '0;
  end else if (Depth == 1) begin : gen_register
    stream_register #(
        .Width   (Width),
        .HalfRate(HalfRate)
    ) u_register (
        .clk_i,
        .rst_i,
        .wipe_i,
        .valid_i,
        .ready_o,
        .data_i,
        .valid_o,
        .ready_i,
        .data_o
    );
    assign level_o = valid_o;
  end else begin : gen_counted
    // ready_o and level_o come from a counter, whatever the storage.
    logic [LevelWidth-1:0] level_q;
    logic push, pop;

    assign push = valid_i && ready_o;
    assign pop = valid_o && ready_i;
    assign level_o = level_q;

    always_ff @(posedge clk_i) begin
      if (push && !pop) level_q <= level_q + 1'b1;
      if (!push && pop) level_q <= level_q - 1'b1;
      if (rst_i || wipe_i) level_q <= '0;
    end

    if (Depth == 2) begin : gen_spill
      stream_spill #(
          .Width(Width)
      ) u_spill (
          .clk_i,
          .rst_i,
          .wipe_i,
          .valid_i,
          .ready_o,
          .data_i,
          .valid_o,
          .ready_i,
          .data_o
      );
    end else begin : gen_ram
      logic ram_valid, ram_ready;
      logic [Width-1:0] ram_data;

      logic full_q;

      assign ready_o = !full_q && !wipe_i;

      always_ff @(posedge clk_i) begin
        if (push != pop) full_q <= push && level_q == LevelWidth'(Depth - 1);
        if (rst_i || wipe_i) full_q <= 1'b0;
      end

      stream_fifo_ram #(
          .Width     (Width),
          .Depth     (Depth),
          .CleanInput(CleanInput)
      ) u_ram (
          .clk_i,
          .rst_i,
          .wipe_i,
          .push_i (push),
          .data_i,
          .valid_o(ram_valid),
          .ready_i(ram_ready),
          .data_o (ram_data)
      );

      if (Depth <= MostInLogic) begin : gen_direct
        assign valid_o = ram_valid;
        assign data_o = ram_data;
        assign ram_ready = ready_i;
      end else begin : gen_output
        // A register that has an enable and no reset can be the block RAM's own.
        logic valid_q;
        logic [Width-1:0] data_q;

        assign ram_ready = ready_i || !valid_q;
        assign valid_o   = valid_q && !wipe_i;
        assign data_o    = data_q;

        always_ff @(posedge clk_i) begin
          if (ram_ready) valid_q <= ram_valid;
          if (rst_i || wipe_i) valid_q <= 1'b0;
        end
        always_ff @(posedge clk_i) if (ram_ready || wipe_i) data_q <= ram_data;
      end
    end
  end

  if (Depth > 0) begin : gen_hold
    stream_hold #(
        .Width(Width)
    ) u_hold (
        .clk_i,
        .idle_i (rst_i || wipe_i),
        .valid_i(valid_o),
        .ready_i(ready_i),
        .data_i (data_o)
    );
  end

endmodule
