// SPDX-License-Identifier: Apache-2.0
// Proof of stream_offer: entries come out in order and none is lost, only while they are offered.
// In a wipe, what was offered stays until it is taken; soon all else is zero.

module stream_offer_formal #(
    int unsigned Width = 2
) (
    input logic             clk_i,
    input logic             rst_i,
    input logic             wipe_i,
    input logic             valid_i,
    input logic [Width-1:0] data_i,
    input logic [      1:0] offer_i,
    input logic             ready_i
);

  logic known_q = 1'b0, on;
  always_ff @(posedge clk_i) known_q <= 1'b1;
  always_comb assume (known_q || rst_i);
  assign on = known_q && !rst_i;

  logic ready_o, valid_o, push, pop;
  logic [Width-1:0] data_o;
  assign push = valid_i && ready_o;
  assign pop  = valid_o && ready_i;

  stream_offer #(.Width(Width)) u_offer (.*);

  // The entries, oldest first, and cycles of this wipe before this one
  int unsigned count;
  logic [1:0][Width-1:0] entry_q;
  logic [2:1] wipe_q;
  logic offer_q, refused_q, wiping_q;
  logic [Width-1:0] offered_q;
  always_comb begin
    if (valid_o && !ready_i) assume (offer_i[0]);
    if (wiping_q) assume (!valid_i);
    assume (known_q || wiping_q);
    if (wipe_q[1] && (!wipe_q[2] || valid_o)) assume (wipe_i);
  end
  always_ff @(posedge clk_i) begin
    wipe_q <= wipe_i ? {wipe_q[1], 1'b1} : '0;
    wiping_q <= wipe_i;
    offer_q <= offer_i[ready_i];
    refused_q <= valid_o && !ready_i;
    offered_q <= data_o;
    count <= count + 32'(push) - 32'(pop);
    if (pop) entry_q[0] <= entry_q[1];
    for (int unsigned i = 0; i < 2; i++) if (push && i == count - 32'(pop)) entry_q[i] <= data_i;
    if (wipe_i) count <= valid_o && !ready_i ? 1 : 0;
    if (rst_i) begin
      count <= 0;
      {wipe_q, offer_q, refused_q} <= '0;
    end
  end

  logic [1:0] held;
  logic read;
  assign held = u_offer.held_q;
  assign read = u_offer.read_q;
  always_ff @(posedge clk_i) begin
    if (on) begin
      counted : assert (count == 32'(held[0]) + 32'(held[1]));
      same_held : assert (u_offer.data_held_q == held);
      same_read : assert (u_offer.data_read_q == read);
      same_shown : assert (u_offer.data_shown_q == u_offer.shown_q);
      turns : assert ((u_offer.write_q == read) == (count != 1));
      accepts : assert (ready_o == (count < 2 && !wipe_i));
      offers : assert (valid_o == (count > 0 && (offer_q || wipe_q[1])));
      if (count > 0) oldest : assert (held[read] && u_offer.data_q[read] == entry_q[0]);
      if (count > 1) second : assert (u_offer.data_q[!read] == entry_q[1]);
      if (valid_o)
        data :
        assert (data_o == entry_q[0]);
        else nothing : assert (data_o == '0);
      if (valid_o) stays : assert (!u_offer.clear_q[read]);
      if (refused_q) refused : assert (valid_o && data_o == offered_q);
      if (wipe_q[1]) in_wipe : assert (count == 32'(valid_o) && u_offer.clear_q[!read]);
      if (wipe_q[1] && !valid_o) clears : assert (u_offer.clear_q[read]);
      if (wipe_q[2]) behind : assert (u_offer.data_q[!read] == '0 || u_offer.clear_q[!read]);
      if (wipe_q[2] && !valid_o && !wipe_i) wiped : assert (count == 0);
      full : cover (count == 2 && offer_q);
      waits : cover (wipe_q[2] && valid_o && data_o != '0);
      empty_again : cover (pop && count == 1 && !push);
    end
  end

  // A cycle after the last entry was taken, or the wipe's third, nothing is left.
  logic clean_q;
  always_ff @(posedge clk_i) begin
    clean_q <= wipe_q[2] && wipe_i && !valid_o && !rst_i;
    if (on && clean_q && wipe_q[2]) clean : assert (u_offer.data_q == '0);
    if (on && wipe_q[2] && valid_o && !refused_q) only : assert (u_offer.clear_q[!read]);
  end

endmodule
