// SPDX-License-Identifier: Apache-2.0
// XOR with a constant in the core socket: an example of a core, and the least one that the device
// can be measured and brought up with.
module xor_constant_adapter
  import saltmill_descriptor_pkg::*;
  import saltmill_socket_pkg::*;
#(
    parameter int unsigned DataBytes
) (
    input logic clk_i,
    rst_i,
    wipe_i,
    input logic job_valid_i,
    output logic job_ready_o,
    input job_t job_i,
    input logic source_valid_i,
    output logic source_ready_o,
    input logic [8*DataBytes-1:0] source_data_i,
    input logic [DataBytes-1:0] source_keep_i,
    input logic source_last_i,
    source_error_i,
    output logic result_valid_o,
    input logic result_ready_i,
    output logic [8*DataBytes-1:0] result_data_o,
    output logic [DataBytes-1:0] result_keep_o,
    output logic result_last_o,
    result_error_o,
    output logic record_valid_o,
    input logic record_ready_i,
    output record_t record_o,
    output logic busy_o
);

  // The job is there before its source, and the next one only when that was taken.
  logic digest_q, busy;
  assign job_ready_o = 1'b1;
  assign busy_o = source_valid_i || busy || result_valid_o;
  assign {record_valid_o, record_o} = '0;
  always_ff @(posedge clk_i) if (job_valid_i) digest_q <= job_i.operation == OperationDigest;

  xor_constant #(
      .DataBytes(DataBytes)
  ) u_core (
      .digest_i(digest_q),
      .busy_o  (busy),
      .*
  );

  logic unused;
  assign unused = ^{job_i, record_ready_i};

endmodule
