// SPDX-License-Identifier: Apache-2.0
// The data of a ring: Unroll rounds spread over Stages registers, in which up to Stages blocks travel.
// It never stalls and has no control but the choice at its entry; chacha20_slots knows what is where.
// A state taken from state_i leaves at state_o, 20 rounds later, after Stages * 20 / Unroll cycles.

module chacha20_ring
  import chacha20_pkg::*;
#(
    parameter int unsigned Unroll,  // rounds in the ring: even, divides 20
    parameter int unsigned Stages   // registers in the ring: divides 4 * Unroll
) (
    input  logic   clk_i,
    input  logic   enter_i,  // the slot at the entry takes state_i, not what has come round
    input  state_t state_i,
    output state_t state_o   // of the slot at the entry, before it takes anything
);

  localparam int unsigned StageSteps = 4 * Unroll / Stages;
  localparam bit OnePass = Unroll == Rounds;

  // stage_q[i] is after i + 1 registers, next[i] what its steps make of it. The choice at the entry
  // comes right before a register: there it fits into the same LUT4 as the XOR of the last step.
  state_t stage_q[Stages];
  state_t next[Stages];

  assign state_o = next[Stages-1];

  always_ff @(posedge clk_i) begin
    stage_q[0] <= enter_i || OnePass ? state_i : next[Stages-1];
    for (int unsigned i = 1; i < Stages; i++) stage_q[i] <= next[i-1];
  end

  for (genvar i = 0; i < Stages; i++) begin : gen_stage
    chacha20_rounds #(
        .First(i * StageSteps),
        .Count(StageSteps)
    ) u_rounds (
        .state_i(stage_q[i]),
        .state_o(next[i])
    );
  end

endmodule
