// SPDX-License-Identifier: Apache-2.0
// Proof of stream_width to wider beats: an output beat is exactly the input beats taken since the
// one before, in order, and it is offered as soon as it is full or the packet ends.

module stream_width_up_formal #(
    int unsigned InBytes  = 1,
    int unsigned OutBytes = 4
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

  localparam int unsigned Parts = OutBytes / InBytes;

  logic ready_o, valid_o, last_o, full;
  logic [Parts-1:0][8*InBytes-1:0] data_o;
  logic [Parts-1:0][InBytes-1:0] keep_o;
  logic [1:0] user_o;

  stream_width #(
      .InBytes  (InBytes),
      .OutBytes (OutBytes),
      .UserWidth(2)
  ) u_width (
      .*
  );

  assign full = u_width.gen_up.u_up.full_q;

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

  // The input beats that have not gone out.
  int unsigned count_q;
  logic [Parts-1:0][8*InBytes-1:0] data_q;
  logic [Parts-1:0][InBytes-1:0] keep_q;
  logic [1:0] user_q;
  logic last_q, begun_q, push, pop;
  assign push = valid_i && ready_o;
  assign pop  = valid_o && ready_i;

  always_ff @(posedge clk_i) begin
    if (pop) begin
      count_q <= 0;
      keep_q  <= '0;
      user_q  <= '0;
    end
    if (push) begin
      count_q <= pop ? 1 : count_q + 1;
      data_q[pop?0 : count_q] <= data_i;
      keep_q[pop?0 : count_q] <= keep_i;
      user_q <= pop ? user_i : user_q | user_i;
      last_q <= last_i;
      if (pop || count_q == 0) begun_q <= !first_q;
    end
    if (rst_i || wipe_i) begin
      count_q <= 0;
      keep_q  <= '0;
      user_q  <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (started_q && !rst_i) begin
      within_beat : assert (count_q <= Parts);
      position : assert (32'(u_width.gen_up.u_up.next_q) == (full ? 0 : count_q));
      if (wipe_i)
        silent_in_wipe :
        assert (!valid_o && !ready_o);
        else
          offered_when_complete : assert (valid_o == (count_q > 0 && (count_q == Parts || last_q)));
      if (count_q == 0) begin
        nothing_kept : assert (keep_q == '0 && user_q == '0);
      end else begin
        same_keep : assert (keep_o == keep_q);
        same_last : assert (last_o == last_q);
        same_user : assert (user_o == user_q);
        same_begin : assert (first_q == last_q);
        // Data and keep of every part.
        for (int unsigned i = 0; i < Parts; i++) begin
          if (i < count_q) assert (data_o[i] == data_q[i]);
          if (i + 1 < count_q || (i < count_q && !last_q)) assert (keep_q[i] == '1);
          if (i >= count_q) assert (keep_q[i] == '0);
        end
        empty_only_alone : assert (keep_q[0] != '0 || (count_q == 1 && !begun_q && last_q));
      end
      full_beat : cover (pop && keep_o == '1);
      empty : cover (pop && keep_o == '0);
    end
  end

endmodule
