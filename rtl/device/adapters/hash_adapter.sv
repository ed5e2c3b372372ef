// SPDX-License-Identifier: Apache-2.0
// SHA-256 or MD5 in the core socket.
module hash_adapter
  import saltmill_socket_pkg::*;
  import hash_adapter_pkg::*;
#(
    parameter config_t Config,
    parameter bit IsMd5,
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

  assign {record_valid_o, record_o} = '0;
  // verilog_format: off
  if (IsMd5) begin : gen_md5
    md5 #(.Structure(Config.structure), .Depth(Config.depth), .DataBytes(DataBytes)) u_core (
        .aclk(clk_i), .aresetn(!rst_i), .wipe_i, .busy_o, .param_valid_i(job_valid_i),
        .param_ready_o(job_ready_o), .param_i(param(job_i, IsMd5)), .s_axis_tvalid(source_valid_i),
        .s_axis_tready(source_ready_o), .s_axis_tdata(source_data_i), .s_axis_tkeep(source_keep_i),
        .s_axis_tlast(source_last_i), .s_axis_tuser(source_error_i), .m_axis_tvalid(result_valid_o),
        .m_axis_tready(result_ready_i), .m_axis_tdata(result_data_o), .m_axis_tkeep(result_keep_o),
        .m_axis_tlast(result_last_o), .m_axis_tuser(result_error_o));
  end else begin : gen_sha256
    sha256 #(.Structure(Config.structure), .Unroll(Config.unroll), .Depth(Config.depth),
             .DataBytes(DataBytes)) u_core (
        .aclk(clk_i), .aresetn(!rst_i), .wipe_i, .busy_o, .param_valid_i(job_valid_i),
        .param_ready_o(job_ready_o), .param_i(param(job_i, IsMd5)), .s_axis_tvalid(source_valid_i),
        .s_axis_tready(source_ready_o), .s_axis_tdata(source_data_i), .s_axis_tkeep(source_keep_i),
        .s_axis_tlast(source_last_i), .s_axis_tuser(source_error_i), .m_axis_tvalid(result_valid_o),
        .m_axis_tready(result_ready_i), .m_axis_tdata(result_data_o), .m_axis_tkeep(result_keep_o),
        .m_axis_tlast(result_last_o), .m_axis_tuser(result_error_o));
  end
  // verilog_format: on
  logic unused;  // there are no records
  assign unused = ^{job_i, record_ready_i};

endmodule
