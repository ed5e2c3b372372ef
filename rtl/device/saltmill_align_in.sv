// SPDX-License-Identifier: Apache-2.0
// Makes the packet of a job from the beats that its source's bus reads return: byte 0 of the source
// moves to byte lane 0. One beat per cycle; a job whose source is not bus-aligned costs one cycle.
// Keystream jobs get zeros and read nothing.
module saltmill_align_in
  import saltmill_device_pkg::*;
#(
    parameter int unsigned DataBytes = 16,
    parameter alignment_e  Alignment = AnyByte
) (
    input  logic                         clk_i,
    input  logic                         rst_i,
    // Jobs, length > 0
    input  logic                         job_valid_i,
    output logic                         job_ready_o,
    input  logic                         job_zeros_i,
    input  logic [$clog2(DataBytes)-1:0] job_offset_i,
    input  logic [                 31:0] job_length_i,
    // Beats read, in order
    input  logic                         beat_valid_i,
    output logic                         beat_ready_o,
    input  logic [      8*DataBytes-1:0] beat_data_i,
    input  logic                         beat_error_i,
    // Packets
    output logic                         valid_o,
    input  logic                         ready_i,
    output logic [      8*DataBytes-1:0] data_o,
    output logic [        DataBytes-1:0] keep_o,
    output logic                         last_o,
    output logic                         error_o
);

  localparam int unsigned ByteBits = $clog2(DataBytes);

  logic                active_q;
  logic                zeros_q;
  logic [ByteBits-1:0] offset_q;
  logic [        31:0] left_q;  // bytes not yet sent
  logic                primed_q;  // the carry holds the beat before this one

  // How many bytes are wanted now, and whether the carry alone has them.
  logic                need_beat;
  logic [        31:0] carry_bytes;
  assign last_o = left_q <= 32'(DataBytes);
  assign carry_bytes = primed_q ? 32'(DataBytes) - 32'(offset_q) : 32'd0;
  assign need_beat = !zeros_q && left_q > carry_bytes;

  // Priming: the first beat of an unaligned job goes to the carry only, unless it is also the last.
  logic priming;
  logic one_beat;
  assign one_beat = left_q + 32'(offset_q) <= 32'(DataBytes);
  assign priming  = offset_q != 0 && !primed_q && !zeros_q && !one_beat;

  logic advance;  // a packet beat leaves
  assign valid_o = active_q && !priming && (!need_beat || beat_valid_i);
  assign advance = valid_o && ready_i;
  assign beat_ready_o = active_q && need_beat && (priming || ready_i);
  assign job_ready_o = !active_q || (advance && last_o);

  always_ff @(posedge clk_i) begin
    if (job_valid_i && job_ready_o) begin
      active_q <= 1'b1;
      zeros_q  <= job_zeros_i;
      offset_q <= Alignment == AnyByte && !job_zeros_i ? job_offset_i : '0;
      left_q   <= job_length_i;
      primed_q <= 1'b0;
    end else begin
      if (advance && last_o) active_q <= 1'b0;
      if (advance) left_q <= left_q - 32'(DataBytes);
      if (beat_valid_i && beat_ready_o && offset_q != 0) primed_q <= 1'b1;
    end
    if (rst_i) active_q <= 1'b0;
  end

  // The low bits of what is left say how many lanes the last beat has; 0 says all.
  always_comb begin
    keep_o = '1;
    if (last_o && left_q[ByteBits-1:0] != 0) keep_o = ~('1 << left_q[ByteBits-1:0]);
  end

  if (Alignment == AnyByte) begin : gen_rotate
    // Lane i of the rotated beat is lane i + offset of the bus; the upper lanes of a packet beat
    // come from the beat after the one that gave its lower lanes.
    logic [8*DataBytes-1:0] rotated;
    logic [8*DataBytes-1:0] carry_q;
    logic                   carry_error_q;

    saltmill_rotate #(
        .DataBytes(DataBytes)
    ) u_rotate (
        .amount_i(offset_q),
        .data_i  (beat_data_i),
        .data_o  (rotated)
    );

    logic [8*DataBytes-1:0] merged;
    always_comb begin
      merged = rotated;
      if (primed_q) begin
        for (int unsigned i = 0; i < DataBytes; i++) begin
          if (32'(i) < carry_bytes) merged[8*i+:8] = carry_q[8*i+:8];
        end
      end
    end
    assign data_o  = zeros_q ? '0 : merged;
    assign error_o = !zeros_q && ((need_beat && beat_error_i) || (primed_q && carry_error_q));

    always_ff @(posedge clk_i) begin
      if (beat_valid_i && beat_ready_o) begin
        carry_q <= rotated;
        carry_error_q <= beat_error_i;
      end
      if (rst_i) carry_q <= '0;  // a wipe: source bytes are secret
    end
  end else begin : gen_straight
    assign data_o  = zeros_q ? '0 : beat_data_i;
    assign error_o = !zeros_q && beat_error_i;
  end

endmodule
