// SPDX-License-Identifier: Apache-2.0
// Proof of dma_write_turns, Far: what a part is told, for the value that free_i has, comes true
// in the next cycle. The turns themselves: dma_write_channel_formal.

module dma_write_turns_formal #(
    int unsigned LengthBits = 2
) (
    input logic                  clk_i,
    input logic                  rst_i,
    input logic                  valid_i,
    input logic                  post_i,
    input logic [LengthBits-1:0] length_i,
    input logic                  free_i
);

  logic known_q = 1'b0;
  always_ff @(posedge clk_i) known_q <= 1'b1;
  always_comb assume (known_q || rst_i);

  logic data_turn, post_turn;
  logic [1:0] data_offer, post_offer;
  dma_write_turns #(
      .LengthBits(LengthBits),
      .Far(1'b1)
  ) u_turns (
      .clk_i,
      .rst_i,
      .valid_i,
      .ready_o     (),
      .post_i,
      .length_i,
      .free_i,
      .some_o      (),
      .next_o      (),
      .next_data_o (),
      .next_post_o (),
      .data_turn_o (data_turn),
      .post_turn_o (post_turn),
      .last_o      (),
      .data_offer_o(data_offer),
      .post_offer_o(post_offer)
  );

  logic was_q = 1'b0;
  logic data_q, post_q;
  always_ff @(posedge clk_i) begin
    was_q  <= known_q && !rst_i;
    data_q <= data_offer[free_i];
    post_q <= post_offer[free_i];
    if (was_q && !rst_i) begin
      data_as_told : assert (data_q == data_turn);
      post_as_told : assert (post_q == post_turn);
      one_client : assert (!(data_turn && post_turn));
      waits : cover (data_turn && !free_i);
      goes_on : cover (post_turn && u_turns.gen_far.come_q.valid);
    end
  end

endmodule
