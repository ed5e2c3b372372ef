// SPDX-License-Identifier: Apache-2.0
// Proof, by induction: write beats come in the order of the addresses, exactly as many as each
// address says, each from the right client; offered beats are held (AXI4); counts of answers stay
// between zero and their maximum, whatever the bus answers; in a wipe wdata becomes zero as soon as
// the bus allows.

module dma_write_channel_formal #(
    int unsigned DataBytes   = 8,
    int unsigned BurstBytes  = 32,
    int unsigned Outstanding = 4
) (
    input logic                   clk_i,
    input logic                   rst_i,
    input logic                   abort_i,
    input logic                   data_valid_i,
    input logic [            7:0] data_len_i,
    input logic                   data_last_i,
    input logic                   data_error_i,
    input logic                   data_beat_valid_i,
    input logic [8*DataBytes-1:0] data_beat_i,
    input logic [  DataBytes-1:0] data_strobe_i,
    input logic                   post_valid_i,
    input logic [            7:0] post_len_i,
    input logic                   post_beat_valid_i,
    input logic [8*DataBytes-1:0] post_beat_i,
    input logic [  DataBytes-1:0] post_strobe_i,
    input logic                   awready_i,
    input logic                   wready_i,
    input logic                   bvalid_i,
    input logic                   bid_i,
    input logic [            1:0] bresp_i
);

  localparam int unsigned MostBeats = BurstBytes / DataBytes;

  logic idle, stale, data_ready, data_beat_ready, post_ready, post_beat_ready;
  logic awvalid, awid, wvalid, wlast, bready;
  logic data_done, data_read_error, data_write_error, post_done, post_error;
  logic [31:0] awaddr;
  logic [7:0] awlen;
  logic [8*DataBytes-1:0] wdata;
  logic [DataBytes-1:0] wstrb;

  logic known_q = 1'b0;  // there was a reset
  logic aborted_q;
  always_ff @(posedge clk_i) known_q <= 1'b1;
  logic rst;
  assign rst = rst_i || !known_q;

  always_comb begin
    assume (32'(data_len_i) < MostBeats);
    assume (post_len_i < 4);
    if (data_beat_ready) assume (data_beat_valid_i);
    if (post_beat_ready) assume (post_beat_valid_i);
  end

  dma_write_channel #(
      .DataBytes  (DataBytes),
      .BurstBytes (BurstBytes),
      .Outstanding(Outstanding)
  ) u_dut (
      .clk_i,
      .rst_i             (rst),
      .abort_i,
      .idle_o            (idle),
      .stale_o           (stale),
      .data_valid_i,
      .data_ready_o      (data_ready),
      .data_address_i    ('0),
      .data_len_i,
      .data_last_i,
      .data_error_i,
      .data_beat_offer_o (),
      .data_beat_valid_i,
      .data_beat_ready_o (data_beat_ready),
      .data_beat_i,
      .data_strobe_i,
      .data_done_o       (data_done),
      .data_read_error_o (data_read_error),
      .data_write_error_o(data_write_error),
      .post_valid_i,
      .post_ready_o      (post_ready),
      .post_address_i    ('0),
      .post_len_i,
      .post_beat_valid_i,
      .post_beat_ready_o (post_beat_ready),
      .post_beat_i,
      .post_strobe_i,
      .post_done_o       (post_done),
      .post_error_o      (post_error),
      .awvalid_o         (awvalid),
      .awready_i,
      .awid_o            (awid),
      .awaddr_o          (awaddr),
      .awlen_o           (awlen),
      .wvalid_o          (wvalid),
      .wready_i,
      .wdata_o           (wdata),
      .wstrb_o           (wstrb),
      .wlast_o           (wlast),
      .bvalid_i,
      .bready_o          (bready),
      .bid_i,
      .bresp_i
  );

  // ---- the bursts taken, oldest first: at most four wait for their beats ------------------------
  logic take_data, take_post, load_data, load_post, sent;
  assign take_data = data_valid_i && data_ready;
  assign take_post = post_valid_i && post_ready;
  assign load_data = data_beat_valid_i && data_beat_ready;
  assign load_post = post_beat_valid_i && post_beat_ready;
  assign sent = wvalid && wready_i;

  // Beats of the accepted addresses that the bus has not taken yet, including the one on the bus.
  int unsigned count_q, ended;
  logic [8:0] left_q [5];
  logic [4:0] post_q;
  always_comb begin
    ended = 32'(sent && left_q[0] == 1);
  end
  always_ff @(posedge clk_i) begin
    if (sent) left_q[0] <= left_q[0] - 1'b1;
    if (ended == 1) begin
      for (int unsigned i = 0; i < 4; i++) begin
        left_q[i] <= left_q[i+1];
        post_q[i] <= post_q[i+1];
      end
    end
    for (int unsigned i = 0; i < 5; i++) begin
      if ((take_data || take_post) && count_q - ended == i) begin
        left_q[i] <= 9'(take_post ? post_len_i : data_len_i) + 1'b1;
        post_q[i] <= take_post;
      end
    end
    count_q <= count_q + 32'(take_data || take_post) - ended;
    if (rst) count_q <= 0;
  end

  // ---- what the design has to do with them ------------------------------------------------------
  // A burst is on the bus (its last beat at least), or active, or next, in this order.
  int unsigned on_bus, active, following;
  logic next_post;
  logic [$clog2(MostBeats)-1:0] next_length;
  assign on_bus = 32'(wvalid && wlast);
  logic data_turn, post_turn, hidden_q;  // an abort has come since its turn began: zeros
  logic last;
  logic [$clog2(MostBeats)-1:0] left;
  assign {data_turn, post_turn, last, left} = u_dut.gen_part[0].u_turns.turn_q;
  always_ff @(posedge clk_i) begin
    if (u_dut.gen_part[0].u_turns.next_o) hidden_q <= 1'b0;
    if (rst || abort_i) hidden_q <= 1'b1;
  end
  assign active = 32'(data_turn || post_turn);
  assign following = 32'($countones(u_dut.u_order.held_q));

  always_comb begin
    {next_post, next_length} = '0;
    if (known_q && !rst_i) begin
      a_count : assert (count_q == on_bus + active + following);
      a_copies :
      assert (u_dut.u_beats.gen_registers.wvalid_q == '0 || &u_dut.u_beats.gen_registers.wvalid_q);
      a_data_shown :
      assert (u_dut.u_beats.gen_registers.data_shown_q == (data_turn && !hidden_q ? '1 : '0));
      a_post_shown :
      assert (u_dut.u_beats.gen_registers.post_shown_q == (post_turn && !hidden_q ? '1 : '0));
      if (wvalid) begin
        a_promised : assert (count_q != 0);
        a_last : assert (wlast == (left_q[0] == 1));
      end
      if (active == 1) begin
        a_active_left : assert (32'(left_q[on_bus]) == 32'(left) + 1 + 32'(wvalid && !wlast));
        a_active_last : assert (last == (left == 0));
        a_active_client : assert (post_turn == post_q[on_bus]);
        a_one_client : assert (data_turn != post_turn);
        if (wvalid && !wlast) a_not_first : assert (32'(left) < MostBeats - 1);
      end else begin
        a_whole : assert (!wvalid || wlast);
      end
      a_order : assert ((following == 1) == (u_dut.u_order.write_q[0] != u_dut.u_order.read_q[0]));
      for (int unsigned i = 0; i < 2; i++) begin
        if (following > i) begin
          assert (u_dut.u_order.held_q[0][u_dut.u_order.read_q[0]^i[0]]);
          {next_post, next_length} = u_dut.u_order.data_q[u_dut.u_order.read_q[0]^i[0]];
          assert (32'(left_q[on_bus+active+i]) == 32'(next_length) + 1);
          assert (next_post == post_q[on_bus+active+i]);
        end
      end
      if (awvalid) a_length_kept : assert (32'(awlen) < MostBeats);
      // Beats are taken from the client whose turn it is.
      if (load_data) a_data_turn : assert (data_turn);
      if (load_post) a_post_turn : assert (post_turn);
      a_one_burst : assert (!(data_ready && post_ready));
      if (data_ready || post_ready) a_room : assert (following != 2 && !awvalid);
      if (abort_i && aborted_q) a_abort : assert (!take_data && !take_post);
      a_data_flag : assert (u_dut.data_some == (u_dut.u_data.level_q != '0));
      a_post_flag : assert (u_dut.post_some == (u_dut.u_post.level_q != '0));
      a_data_count : assert (32'(u_dut.u_data.level_q) <= Outstanding);
      if (u_dut.data_answer) a_data_some : assert (u_dut.u_data.level_q != '0);
      if (u_dut.post_answer) a_post_some : assert (u_dut.u_post.level_q != '0);
      a_post_count : assert (32'(u_dut.u_post.level_q) <= Outstanding);
    end
  end

  // ---- from one cycle to the next ---------------------------------------------------------------
  logic was_q = 1'b0, aw_held_q, w_held_q, w_free_q, awid_q, wlast_q, idle_q;
  logic load_data_q, load_post_q;
  logic was_hidden_q;
  logic [7:0] awlen_q;
  logic [8*DataBytes-1:0] wdata_q, beat_q;
  logic [DataBytes-1:0] wstrb_q;
  always_ff @(posedge clk_i) begin
    was_q <= !rst;
    aw_held_q <= awvalid && !awready_i;
    w_held_q <= wvalid && !wready_i;
    w_free_q <= !wvalid || wready_i;
    aborted_q <= abort_i;
    was_hidden_q <= hidden_q;
    awid_q <= awid;
    awlen_q <= awlen;
    wlast_q <= wlast;
    wdata_q <= wdata;
    wstrb_q <= wstrb;
    beat_q <= load_post ? post_beat_i : data_beat_i;
    load_data_q <= load_data;
    load_post_q <= load_post;
    if (was_q && !rst) begin
      if (aw_held_q) a_aw_held : assert (awvalid && awid == awid_q && awlen == awlen_q);
      if (w_held_q)
        a_w_held : assert (wvalid && wlast == wlast_q && wdata == wdata_q && wstrb == wstrb_q);
      if (was_hidden_q && w_free_q) a_wiped : assert (wdata == '0 && wstrb == '0);
      if (!was_hidden_q && (load_data_q || load_post_q))
        a_beat : assert (wvalid && wdata == beat_q);
    end
  end

  always_ff @(posedge clk_i) begin
    c_long_then_short : cover (known_q && count_q == 2 && left_q[0] == 4 && left_q[1] == 1);
    c_full : cover (known_q && 32'(u_dut.u_data.level_q) == Outstanding);
    c_stale : cover (known_q && stale);
    c_done : cover (known_q && data_done && data_write_error && !data_read_error);
    idle_q <= idle;
    c_abort : cover (was_q && !rst && abort_i && !idle_q && idle);
  end

  logic unused;
  assign unused = ^{awaddr, bready, post_done, post_error};

endmodule
