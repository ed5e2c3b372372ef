// SPDX-License-Identifier: Apache-2.0
// XOR with a constant in the core socket: one beat per cycle, latency 1 cycle. An example of a
// core, and the least one that the device can be measured and brought up with.
module xor_constant_adapter
  import saltmill_socket_pkg::*;
  import xor_constant_adapter_pkg::*;
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

  assign job_ready_o = 1'b1;  // a packet needs nothing of its job
  assign busy_o = source_valid_i || result_valid_o;
  assign {record_valid_o, record_o} = '0;

  stream_spill #(
      .Width(9 * DataBytes + 2)
  ) u_result (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(source_valid_i),
      .ready_o(source_ready_o),
      .data_i({
        source_error_i, source_last_i, source_keep_i, source_data_i ^ {DataBytes{Constant}}
      }),
      .valid_o(result_valid_o),
      .ready_i(result_ready_i),
      .data_o({result_error_o, result_last_o, result_keep_o, result_data_o})
  );

  logic unused;
  assign unused = ^{job_valid_i, job_i, record_ready_i};

endmodule
