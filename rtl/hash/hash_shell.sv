// SPDX-License-Identifier: Apache-2.0
// What is around a serial hash core: params, AXI4-Stream packets in and out, padding. Digests have
// 16 bytes per beat inside.

module hash_shell
  import hash_pkg::*;
#(
    bit BigEndian,  // as hash_pad; of the chaining value too
    int unsigned DataBytes  // 4, 8, 16, 32 or 64
) (
    // As the ports of the core, where they are described
    input  logic                     aclk,
    input  logic                     aresetn,
    input  logic                     wipe_i,
    input  logic                     param_valid_i,
    output logic                     param_ready_o,
    input  param_t                   param_i,
    input  logic                     s_axis_tvalid,
    output logic                     s_axis_tready,
    input  logic   [8*DataBytes-1:0] s_axis_tdata,
    input  logic   [  DataBytes-1:0] s_axis_tkeep,
    input  logic                     s_axis_tlast,
    input  logic                     s_axis_tuser,
    output logic                     m_axis_tvalid,
    input  logic                     m_axis_tready,
    output logic   [8*DataBytes-1:0] m_axis_tdata,
    output logic   [  DataBytes-1:0] m_axis_tkeep,
    output logic                     m_axis_tlast,
    output logic                     m_axis_tuser,
    output logic                     busy_o,
    // To the core: as hash_steps
    output logic                     start_o,
    output logic                     restored_o,
    input  logic                     core_busy_i,
    output logic                     value_valid_o,
    input  logic                     value_ready_i,
    output word_t                    value_o,
    output logic                     word_valid_o,
    input  logic                     word_ready_i,
    output word_t                    word_o,
    output logic                     word_final_o,
    input  logic                     digest_valid_i,
    output logic                     digest_ready_o,
    input  logic   [          127:0] digest_i,
    input  logic                     digest_last_i
);

  logic rst, error;
  assign rst = !aresetn;
  assign busy_o = core_busy_i || m_axis_tvalid;

  hash_in #(
      .BigEndian(BigEndian),
      .DataBytes(DataBytes)
  ) u_in (
      .clk_i(aclk),
      .rst_i(rst),
      .valid_i(s_axis_tvalid),
      .ready_o(s_axis_tready),
      .data_i(s_axis_tdata),
      .keep_i(s_axis_tkeep),
      .last_i(s_axis_tlast),
      .user_i(s_axis_tuser),
      .core_busy_i(core_busy_i || wipe_i),
      .error_o(error),
      .*
  );

  stream_width #(
      .InBytes (16),
      .OutBytes(DataBytes)
  ) u_out (
      .clk_i  (aclk),
      .rst_i  (rst),
      .wipe_i,
      .valid_i(digest_valid_i),
      .ready_o(digest_ready_o),
      .data_i (digest_i),
      .keep_i ('1),
      .last_i (digest_last_i),
      .user_i (error),
      .valid_o(m_axis_tvalid),
      .ready_i(m_axis_tready),
      .data_o (m_axis_tdata),
      .keep_o (m_axis_tkeep),
      .last_o (m_axis_tlast),
      .user_o (m_axis_tuser)
  );

  stream_hold #(
      .Width(9 * DataBytes + 2)
  ) u_hold (
      .clk_i  (aclk),
      .idle_i (rst || wipe_i),
      .valid_i(m_axis_tvalid),
      .ready_i(m_axis_tready),
      .data_i ({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser})
  );

endmodule
