// SPDX-License-Identifier: Apache-2.0
// The data of a ring: Unroll rounds spread over Stages registers, in which up to Stages blocks
// travel. It never stalls and has no control but the choice at its entry; chacha20_slots knows what
// is where. A state taken from state_i leaves at state_o, 20 rounds later, after Stages * 20 /
// Unroll cycles.

module chacha20_ring
  import chacha20_pkg::*;
#(
    parameter int unsigned Unroll,  // rounds in the ring: divides 20
    parameter int unsigned Stages   // registers in the ring: divides 4 * Unroll
) (
    input  logic         clk_i,
    // The slot at the entry takes state_i, not what has come round; a copy for each column
    input  logic   [3:0] enter_i,
    input  state_t       state_i,
    output state_t       state_o   // of the slot at the entry, before its last XOR
);

  localparam int unsigned StageSteps = 4 * Unroll / Stages;
  localparam bit OnePass = Unroll == Rounds;

  // stage_q[i] is after i + 1 registers; next[i] is that after its steps, added[i] before the last
  // step's XOR.
  state_t stage_q[Stages];
  state_t next[Stages];
  state_t added[Stages];

  // Row b leaves before its last XOR: the multiplexer at the entry has that place.
  assign state_o = added[Stages-1];

  for (genvar i = 1; i < Stages; i++) begin : gen_register
    always_ff @(posedge clk_i) stage_q[i] <= OnePass ? added[i-1] : next[i-1];
  end

  // The multiplexer at the entry is before the register, where it costs little: row a of a new
  // block is constant, so the register is set or reset; row b shares the LUT4 of the last step's
  // XOR. Row d has two registers, one of which is reset: their OR shares the LUT4 of the first
  // step's XOR.
  if (OnePass) begin : gen_enter
    logic unused;
    assign unused = ^enter_i;
    always_ff @(posedge clk_i) stage_q[0] <= state_i;
  end else begin : gen_choice
    localparam int unsigned RowD = 12;
    state_t chosen_q;
    logic [3:0][31:0] new_q;

    always_ff @(posedge clk_i) begin
      for (int unsigned column = 0; column < 4; column++) begin
        for (int unsigned word = column; word < 16; word += 4) begin
          chosen_q[word] <= enter_i[column] ? state_i[word] : next[Stages-1][word];
        end
        if (enter_i[column]) chosen_q[RowD+column] <= '0;
        new_q[column] <= enter_i[column] ? state_i[RowD+column] : '0;
      end
    end

    always_comb begin
      stage_q[0] = chosen_q;
      stage_q[0][RowD+:4] = chosen_q[RowD+:4] | new_q;
    end
  end

  // Without an entry to share a LUT with, a step's XOR is done by the next stage: in front of an
  // adder it can be a part of the carry chain.
  for (genvar i = 0; i < Stages; i++) begin : gen_stage
    chacha20_rounds #(
        .First(i * StageSteps),
        .Count(StageSteps),
        .XorFirst(OnePass && i > 0),
        .SwapDiagonals(Unroll % 2 != 0 && i == Stages - 1)
    ) u_rounds (
        .state_i(stage_q[i]),
        .state_o(next[i]),
        .added_o(added[i])
    );
  end

endmodule
