// SPDX-License-Identifier: Apache-2.0
// Proof, for any state and the steps of two rounds: a step that begins with the XOR of the one
// before it, left undone, ends as the two steps do one after the other.

module chacha20_rounds_formal
  import chacha20_pkg::*;
(
    input state_t state_i
);

  for (genvar step = 1; step <= 8; step++) begin : gen_step
    state_t done, added, whole, whole_added, late, late_added;
    chacha20_rounds #(
        .First(step - 1)
    ) u_before (
        .state_i,
        .state_o(done),
        .added_o(added)
    );
    chacha20_rounds #(
        .First(step)
    ) u_whole (
        .state_i(done),
        .state_o(whole),
        .added_o(whole_added)
    );
    chacha20_rounds #(
        .First   (step),
        .XorFirst(1'b1)
    ) u_late (
        .state_i(added),
        .state_o(late),
        .added_o(late_added)
    );
    always_comb begin
      a_state : assert (late == whole);
      a_added : assert (late_added == whole_added);
    end
  end

endmodule
