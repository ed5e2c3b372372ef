// SPDX-License-Identifier: Apache-2.0
// Proof of stream_width to narrower beats: the output beats of an input beat are its parts with
// kept bytes, in order, last with the final one; an empty packet is one empty beat.

module stream_width_down_formal #(
    int unsigned InBytes  = 4,
    int unsigned OutBytes = 1
) (
    input logic                 clk_i,
    input logic                 rst_i,
    input logic                 wipe_i,
    input logic                 valid_i,
    input logic [8*InBytes-1:0] data_i,
    input logic [  InBytes-1:0] keep_i,
    input logic                 last_i,
    input logic [          1:0] user_i,
    input logic                 ready_i
);

  localparam int unsigned Parts = InBytes / OutBytes;

  logic ready_o, valid_o, last_o;
  logic [8*OutBytes-1:0] data_o;
  logic [OutBytes-1:0] keep_o;
  logic [1:0] user_o;

  stream_width #(
      .InBytes  (InBytes),
      .OutBytes (OutBytes),
      .UserWidth(2)
  ) u_width (
      .*
  );

  logic started_q = 1'b0;
  logic first_q;  // the next input beat begins a packet
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (valid_i && ready_o) first_q <= last_i;
    if (rst_i || wipe_i) first_q <= 1'b1;
  end
  always_comb begin
    assume (started_q || rst_i);
    assume ((keep_i & (keep_i + 1'b1)) == '0);
    assume (last_i || keep_i == '1);
    assume (first_q || keep_i != '0);
  end

  // The input beat that is in the module, whole, and how many of its parts have gone out.
  logic busy_q, last_q, begun_q, push, pop;
  int unsigned part_q;
  logic [Parts-1:0][8*OutBytes-1:0] data_q;
  logic [Parts-1:0][OutBytes-1:0] keep_q;
  logic [1:0] user_q;
  logic final_part;
  assign push = valid_i && ready_o;
  assign pop = valid_o && ready_i;
  assign final_part = part_q == Parts - 1 || keep_q[part_q+1] == '0;

  always_ff @(posedge clk_i) begin
    if (pop) begin
      part_q <= part_q + 1;
      if (final_part) busy_q <= 1'b0;
    end
    if (push) begin
      busy_q  <= 1'b1;
      part_q  <= 0;
      data_q  <= data_i;
      keep_q  <= keep_i;
      last_q  <= last_i;
      user_q  <= user_i;
      begun_q <= !first_q;
    end
    if (rst_i || wipe_i) busy_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (started_q && !rst_i) begin
      if (wipe_i)
        silent_in_wipe :
        assert (!valid_o && !ready_o);
        else begin
          offered : assert (valid_o == busy_q);
          accepts : assert (ready_o == (!busy_q || (ready_i && final_part)));
        end
      same_state : assert (u_width.gen_down.u_down.valid_q == busy_q);
      if (busy_q) begin
        in_range : assert (part_q < Parts);
        same_rest : assert (u_width.gen_down.u_down.data_q == data_q >> 8 * OutBytes * part_q);
        same_keep_rest : assert (u_width.gen_down.u_down.keep_q == keep_q >> OutBytes * part_q);
        same_user : assert (user_o == user_q);
        same_last : assert (last_o == (last_q && final_part));
        same_ends : assert (u_width.gen_down.u_down.last_q == last_q && first_q == last_q);
        contiguous : assert ((keep_q & (keep_q + 1'b1)) == '0);
        full_until_last : assert (last_q || keep_q == '1);
        empty_only_alone : assert (keep_o != '0 || (last_o && part_q == 0 && !begun_q));
      end
      full : cover (pop && last_o && keep_o == '1);
      empty : cover (pop && keep_o == '0);
    end
  end

endmodule
