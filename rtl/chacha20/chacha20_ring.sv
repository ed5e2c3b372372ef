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

  // stage[i] is after i registers and the steps behind each. The choice at the entry comes right
  // before a register: there it fits into the same LUT4 as the XOR of the last step.
  state_t stage[Stages+1];

  assign stage[0] = enter_i || OnePass ? state_i : stage[Stages];
  assign state_o  = stage[Stages];

  for (genvar i = 0; i < Stages; i++) begin : gen_stage
    state_t state_q;
    always_ff @(posedge clk_i) state_q <= stage[i];

    chacha20_rounds #(
        .First(i * StageSteps),
        .Count(StageSteps)
    ) u_rounds (
        .state_i(state_q),
        .state_o(stage[i+1])
    );
  end

endmodule
