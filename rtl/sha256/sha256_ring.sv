// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4, 6.2.2) of many messages in turn, as hash_ring has it. The ports are those of
// sha256.

module sha256_ring
  import hash_pkg::*;
  import sha256_pkg::*;
#(
    int unsigned Unroll,
    int unsigned Depth,
    int unsigned DataBytes
) (
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
    output logic                     busy_o
);

  localparam int unsigned RowWidth = $clog2(16 / Unroll);
  logic clk_i, rst_i;
  assign clk_i = aclk;
  assign rst_i = !aresetn;

  logic [Unroll-1:0][$clog2(64 / Unroll)-1:0] pass;
  logic [Unroll-1:0][RowWidth-1:0] row;
  logic [Unroll-1:0] is_message, clear;
  word_t [Unroll-1:0] message_word, schedule_word, constant;
  word_t [7:0] value, sum;
  for (genvar j = 0; j < Unroll; j++) begin : gen_row
    assign row[j] = RowWidth'(pass[j]);
  end
  hash_ring #(
      .BigEndian(1'b1),
      .Unroll   (Unroll),
      .Depth    (Depth),
      .DataBytes(DataBytes),
      .Words    (8),
      .Initial  (Initial),
      .Constants(K),
      .Banks    (Unroll)
  ) u_ring (
      .pass_o    (pass),
      .row_i     (row),
      .word_o    (message_word),
      .message_o (is_message),
      .constant_o(constant),
      .clear_o   (clear),
      .value_o   (value),
      .sum_i     (sum),
      .*
  );

  sha256_ring_schedule #(
      .Unroll(Unroll)
  ) u_schedule (
      .message_i(is_message),
      .word_i   (message_word),
      .word_o   (schedule_word),
      .*
  );

  state_t [Unroll:0] state;
  state_t sum_q;
  word_t h_sum_q;
  /* verilator lint_off UNUSEDSIGNAL */
  word_t [Unroll-1:0] h;  // only that of the last unit is needed
  /* verilator lint_on UNUSEDSIGNAL */
  assign state[0] = sum_q;
  for (genvar j = 0; j < Unroll; j++) begin : gen_round
    sha256_ring_round u_round (
        .state_i   (state[j]),
        .constant_i(constant[(j+1)%Unroll]),
        .word_i    (schedule_word[(j+1)%Unroll]),
        .clear_i   (clear[j]),
        .state_o   (state[j+1]),
        .h_o       (h[j]),
        .*
    );
  end

  always_ff @(posedge clk_i) begin
    sum_q.a   <= state[Unroll].a + value[0];
    sum_q.b   <= state[Unroll].b + value[1];
    sum_q.c   <= state[Unroll].c + value[2];
    sum_q.d   <= state[Unroll].d + value[3];
    sum_q.e   <= state[Unroll].e + value[4];
    sum_q.f   <= state[Unroll].f + value[5];
    sum_q.g   <= state[Unroll].g + value[6];
    sum_q.hkw <= state[Unroll].hkw + value[7];
    h_sum_q   <= h[Unroll-1] + value[7];
    if (wipe_i) {sum_q, h_sum_q} <= '0;
  end
  assign sum = {h_sum_q, sum_q.g, sum_q.f, sum_q.e, sum_q.d, sum_q.c, sum_q.b, sum_q.a};

endmodule
