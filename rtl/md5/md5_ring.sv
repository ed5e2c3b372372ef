// SPDX-License-Identifier: Apache-2.0
// MD5 (RFC 1321, 3.4) of many messages in turn, as hash_ring has it, with four units. The ports are
// those of md5. Rounds take the words of a block in different orders, so each unit has all of them.

module md5_ring
  import hash_pkg::*;
  import md5_pkg::*;
#(
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

  localparam int unsigned Unroll = RingUnroll;
  logic clk_i;
  assign clk_i = aclk;

  logic [Unroll-1:0][3:0] pass, word_index;
  logic [Unroll-1:0] clear;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Unroll-1:0] is_message;
  /* verilator lint_on UNUSEDSIGNAL */
  word_t [Unroll-1:0] word, constant, word_q;
  word_t [3:0] value, sum;
  hash_ring #(
      .BigEndian(1'b0),
      .Unroll   (Unroll),
      .Depth    (Depth),
      .DataBytes(DataBytes),
      .Words    (4),
      .Initial  (Initial),
      .Constants(T),
      .Banks    (1)
  ) u_ring (
      .pass_o    (pass),
      .row_i     (word_index),
      .word_o    (word),
      .message_o (is_message),
      .constant_o(constant),
      .clear_o   (clear),
      .value_o   (value),
      .sum_i     (sum),
      .*
  );

  // Unit j - 1 adds the word of step j; its round is the upper half of the number of the pass.
  state_t [Unroll:0] state;
  state_t sum_q;
  word_t a_sum_q;
  /* verilator lint_off UNUSEDSIGNAL */
  word_t [Unroll-1:0] a;  // only that of the last unit is needed
  /* verilator lint_on UNUSEDSIGNAL */
  assign state[0] = sum_q;
  for (genvar j = 0; j < Unroll; j++) begin : gen_step
    localparam logic [15:0][3:0] Words = unit_words(2'(j));
    assign word_index[j] = Words[pass[j]];
    // The step comes so many cycles after its word was asked for.
    localparam int unsigned Later = 9 + 3 * j - ring_word_age(j);
    logic [Later-1:0][1:0] round_q;
    always_ff @(posedge clk_i) begin
      word_q[j] <= wipe_i ? '0 : word[j];
      round_q   <= {round_q[Later-2:0], pass[j][3:2]};
    end

    md5_ring_step #(
        .Place(j)
    ) u_step (
        .state_i   (state[j]),
        .round_i   (round_q[Later-1]),
        .constant_i(constant[(j+1)%Unroll]),
        .word_i    (word_q[(j+1)%Unroll]),
        .clear_i   (clear[j]),
        .state_o   (state[j+1]),
        .a_o       (a[j]),
        .*
    );
  end

  always_ff @(posedge clk_i) begin
    sum_q.atm <= state[Unroll].atm + value[0];
    sum_q.b   <= state[Unroll].b + value[1];
    sum_q.c   <= state[Unroll].c + value[2];
    sum_q.d   <= state[Unroll].d + value[3];
    a_sum_q   <= a[Unroll-1] + value[0];
    if (wipe_i) {sum_q, a_sum_q} <= '0;
  end
  assign sum = {sum_q.d, sum_q.c, sum_q.b, a_sum_q};

endmodule
