// SPDX-License-Identifier: Apache-2.0
// A packet XORed with a constant, one beat per cycle, latency 1 cycle. Or its digest: 32 bytes, of
// which byte i is the XOR of the constant and of bytes i, i + 32, i + 64 ... of the packet; it
// leaves when the packet has ended.
module xor_constant
  import xor_constant_adapter_pkg::*;
#(
    parameter int unsigned DataBytes  // a power of two from 8 to 64
) (
    input logic clk_i,
    input logic rst_i,
    input logic wipe_i,
    input logic digest_i,  // it stays until the packet's last beat is taken
    // Source
    input logic source_valid_i,
    output logic source_ready_o,
    input logic [8*DataBytes-1:0] source_data_i,
    input logic [DataBytes-1:0] source_keep_i,
    input logic source_last_i,
    input logic source_error_i,
    // Result
    output logic result_valid_o,
    input logic result_ready_i,
    output logic [8*DataBytes-1:0] result_data_o,
    output logic [DataBytes-1:0] result_keep_o,
    output logic result_last_o,
    output logic result_error_o,
    output logic busy_o  // a digest is not out yet
);

  localparam int unsigned PartBytes = DataBytes < DigestBytes ? DataBytes : DigestBytes;
  localparam int unsigned Parts = DigestBytes / PartBytes;
  localparam int unsigned PartBits = Parts > 1 ? $clog2(Parts) : 1;

  // ---- the sum: a beat is added to one part of it -----------------------------------------------
  logic [8*PartBytes-1:0] beat;
  always_comb begin
    beat = '0;
    for (int unsigned i = 0; i < DataBytes; i++) begin
      if (source_keep_i[i]) beat[8*(i%PartBytes)+:8] ^= source_data_i[8*i+:8];
    end
  end

  logic [Parts-1:0][8*PartBytes-1:0] sum_q;
  logic [PartBits-1:0] part_q;
  logic added_q, error_q;  // some of a packet is in the sum; a beat of it was marked
  logic giving_q, add, give, last_part, ready;  // it leaves, part by part
  assign last_part = part_q == PartBits'(Parts - 1);
  assign add = source_valid_i && digest_i && !giving_q;
  assign give = giving_q && ready;
  assign busy_o = added_q || giving_q;
  always_ff @(posedge clk_i) begin
    if (add) begin
      sum_q[part_q] <= sum_q[part_q] ^ beat;
      error_q <= error_q || source_error_i;
      added_q <= !source_last_i;
      giving_q <= source_last_i;
      part_q <= last_part || source_last_i ? '0 : part_q + 1'b1;
    end
    if (give) begin
      sum_q[part_q] <= '0;
      part_q <= last_part ? '0 : part_q + 1'b1;
      if (last_part) {giving_q, error_q} <= '0;
    end
    if (rst_i || wipe_i) {sum_q, part_q, added_q, error_q, giving_q} <= '0;
  end

  // ---- result -----------------------------------------------------------------------------------
  logic valid, last, error;
  logic [  DataBytes-1:0] keep;
  logic [8*DataBytes-1:0] data;
  assign source_ready_o = !giving_q && (digest_i || ready);
  always_comb begin
    valid = source_valid_i && !digest_i;
    {error, last, keep, data} = {source_error_i, source_last_i, source_keep_i, source_data_i};
    if (giving_q) begin
      valid = 1'b1;
      {error, last, keep} = {error_q, last_part, DataBytes'({PartBytes{1'b1}})};
      data = (8 * DataBytes)'(sum_q[part_q]);
    end
  end

  stream_spill #(
      .Width(9 * DataBytes + 2)
  ) u_result (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(valid),
      .ready_o(ready),
      .data_i ({error, last, keep, data ^ {DataBytes{Constant}}}),
      .valid_o(result_valid_o),
      .ready_i(result_ready_i),
      .data_o ({result_error_o, result_last_o, result_keep_o, result_data_o})
  );

endmodule
