// SPDX-License-Identifier: Apache-2.0
// Makes bus beats with strobes from a job's packet: byte 0 of the packet moves to the byte lane of
// the destination address. One beat per cycle; a packet that reaches into one more bus word than
// it has beats costs one cycle more. After a beat with an error nothing more of the job is strobed.
module saltmill_align_out
  import saltmill_device_pkg::*;
#(
    parameter int unsigned DataBytes = 16,
    parameter alignment_e  Alignment = AnyByte
) (
    input  logic                         clk_i,
    input  logic                         rst_i,
    // Jobs, one per packet
    input  logic                         job_valid_i,
    output logic                         job_ready_o,
    input  logic [$clog2(DataBytes)-1:0] job_offset_i,
    // Packets
    input  logic                         valid_i,
    output logic                         ready_o,
    input  logic [      8*DataBytes-1:0] data_i,
    input  logic [        DataBytes-1:0] keep_i,
    input  logic                         last_i,
    input  logic                         error_i,
    // Bus beats
    output logic                         valid_o,
    input  logic                         ready_i,
    output logic [      8*DataBytes-1:0] data_o,
    output logic [        DataBytes-1:0] strobe_o,
    output logic                         last_o,
    output logic                         error_o        // of the job so far; final with last_o
);

  localparam int unsigned ByteBits = $clog2(DataBytes);

  logic failed_q;  // an earlier beat of this job had an error
  logic failed;

  if (Alignment == AnyByte) begin : gen_rotate
    // The rotation down by DataBytes - offset is the rotation up by offset.
    logic [   ByteBits-1:0] offset;
    logic [   ByteBits-1:0] amount;
    logic [8*DataBytes-1:0] rotated;
    logic [8*DataBytes-1:0] carry_q;
    logic [  DataBytes-1:0] carry_keep_q;
    logic [  DataBytes-1:0] rotated_keep;
    logic [  DataBytes-1:0] below;  // lanes below the offset: they belong to the next bus word
    logic                   flush_q;  // only the carry is left of the packet
    logic                   spills;

    assign offset = job_offset_i;
    assign amount = -offset;

    saltmill_rotate #(
        .DataBytes(DataBytes)
    ) u_rotate (
        .amount_i(amount),
        .data_i  (data_i),
        .data_o  (rotated)
    );

    always_comb begin
      below = (DataBytes'(1) << offset) - 1'b1;
      rotated_keep = (keep_i << offset) | DataBytes'(keep_i >> (DataBytes - 32'(offset)));
    end

    assign spills = |(rotated_keep & below);
    assign failed = failed_q || (!flush_q && error_i);

    always_comb begin
      data_o = rotated;
      if (offset != 0) begin
        for (int unsigned i = 0; i < DataBytes; i++) begin
          if (below[i]) data_o[8*i+:8] = carry_q[8*i+:8];
        end
      end
      strobe_o = (below & carry_keep_q) | (flush_q ? '0 : ~below & rotated_keep);
      if (failed) strobe_o = '0;
    end

    assign valid_o = job_valid_i && (flush_q || valid_i);
    assign last_o  = flush_q || (last_i && !spills);
    assign ready_o = job_valid_i && !flush_q && ready_i;

    always_ff @(posedge clk_i) begin
      if (valid_o && ready_i) begin
        carry_q <= rotated;
        carry_keep_q <= last_o ? '0 : rotated_keep;
        flush_q <= !flush_q && last_i && spills;
      end
      if (rst_i) begin
        flush_q <= 1'b0;
        carry_keep_q <= '0;
        carry_q <= '0;  // a wipe
      end
    end
  end else begin : gen_straight
    logic unused;  // 0 by the host's promise, which the decoder checks
    assign unused   = ^job_offset_i;
    assign failed   = failed_q || error_i;
    assign data_o   = data_i;
    assign strobe_o = failed ? '0 : keep_i;
    assign valid_o  = job_valid_i && valid_i;
    assign last_o   = last_i;
    assign ready_o  = job_valid_i && ready_i;
  end

  assign error_o = failed;
  assign job_ready_o = valid_o && ready_i && last_o;

  always_ff @(posedge clk_i) begin
    if (valid_o && ready_i) failed_q <= failed && !last_o;
    if (rst_i) failed_q <= 1'b0;
  end

endmodule
