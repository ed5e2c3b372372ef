// SPDX-License-Identifier: Apache-2.0
// Cuts keystream beats of InBytes into beats of OutBytes, or passes them on when both are the same.
// skip_i drops the rest of the input beat together with the output beat, so that the end of a
// packet costs no cycle. Latency 1 cycle, or 0. Decoupled: four more entries, 2 cycles more, no
// skipping.

module chacha20_narrow #(
    parameter int unsigned InBytes,
    parameter int unsigned OutBytes,  // divides InBytes
    parameter int unsigned Flags,     // bits that belong to an input beat
    parameter bit          Decoupled  // ready_i does not reach ready_o in a cycle
) (
    input  logic                  clk_i,
    input  logic                  rst_i,
    input  logic                  wipe_i,
    input  logic                  valid_i,
    output logic                  ready_o,
    input  logic [ 8*InBytes-1:0] data_i,
    input  logic [     Flags-1:0] flags_i,
    output logic                  valid_o,
    input  logic                  ready_i,
    input  logic                  skip_i,
    output logic [8*OutBytes-1:0] data_o,
    output logic [     Flags-1:0] flags_o,
    output logic                  end_o     // the last of the input beat
);

  localparam int unsigned Parts = InBytes / OutBytes;

  if (Decoupled) begin : gen_decoupled
    logic made_valid, made_ready, made_end, unused;
    logic [8*OutBytes-1:0] made_data;
    logic [Flags-1:0] made_flags;
    localparam int unsigned Depth = 4;  // not 2: then ready is a register
    logic [$clog2(Depth+1)-1:0] unused_level;
    assign unused = skip_i;

    chacha20_narrow #(
        .InBytes  (InBytes),
        .OutBytes (OutBytes),
        .Flags    (Flags),
        .Decoupled(1'b0)
    ) u_narrow (
        .clk_i,
        .rst_i,
        .wipe_i,
        .valid_i,
        .ready_o,
        .data_i,
        .flags_i,
        .valid_o(made_valid),
        .ready_i(made_ready),
        .skip_i (1'b0),
        .data_o (made_data),
        .flags_o(made_flags),
        .end_o  (made_end)
    );

    stream_fifo #(
        .Width(8 * OutBytes + Flags + 1),
        .Depth(Depth)
    ) u_spare (
        .clk_i,
        .rst_i,
        .wipe_i,
        .valid_i(made_valid),
        .ready_o(made_ready),
        .data_i ({made_end, made_flags, made_data}),
        .valid_o,
        .ready_i,
        .data_o ({end_o, flags_o, data_o}),
        .level_o(unused_level)
    );
  end else if (Parts == 1) begin : gen_equal
    logic unused;
    assign unused  = clk_i ^ rst_i ^ wipe_i ^ skip_i;
    assign valid_o = valid_i;
    assign ready_o = ready_i;
    assign data_o  = data_i;
    assign flags_o = flags_i;
    assign end_o   = 1'b1;
  end else begin : gen_parts
    // left_q: parts of shift_q, a bit each.
    logic [Parts-1:0] left_q;
    logic [8*InBytes-1:0] shift_q;
    logic [Flags-1:0] flags_q;

    assign valid_o = left_q[0];
    assign end_o   = !left_q[1];
    assign data_o  = shift_q[0+:8*OutBytes];
    assign flags_o = flags_q;
    assign ready_o = !left_q[0] || (ready_i && (end_o || skip_i));

    always_ff @(posedge clk_i) begin
      if (ready_i) left_q <= left_q >> 1;
      if (ready_o) left_q <= {Parts{valid_i}};
      if (rst_i || wipe_i) left_q <= '0;
    end

    always_ff @(posedge clk_i) begin
      if (ready_i) shift_q <= shift_q >> 8 * OutBytes;
      if (ready_o) begin
        shift_q <= data_i;
        flags_q <= flags_i;
      end
      if (wipe_i) shift_q <= '0;
    end
  end

endmodule
