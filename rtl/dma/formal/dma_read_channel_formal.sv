// SPDX-License-Identifier: Apache-2.0
// Proof, by induction, whatever the bus answers and whenever a reset or an abort comes: no client
// has more bursts under way than Outstanding; the counts never pass below zero; a beat goes to the
// client of its ID and to no other, a cycle later, and only if that waits for one; others are
// dropped and told of;
// each burst's address is on the bus as its client gave it, and stays until it is taken; clients
// take turns.

module dma_read_channel_formal #(
    int unsigned DataBytes   = 8,
    int unsigned AddressBits = 32,
    int unsigned Outstanding = 4
) (
    input logic                                    clk_i,
    input logic                                    rst_i,
    input logic                                    abort_i,
    input logic [            1:0]                  valid_i,      // of the clients
    input logic [            1:0][AddressBits-1:0] address_i,
    input logic [            1:0][            7:0] len_i,
    input logic                                    beat_open_i,
    input logic                                    arready_i,
    input logic                                    rvalid_i,
    input logic                                    rid_i,
    input logic [8*DataBytes-1:0]                  rdata_i,
    input logic [            1:0]                  rresp_i,
    input logic                                    rlast_i
);

  logic known_q = 1'b0, rst, on;
  always_ff @(posedge clk_i) known_q <= 1'b1;
  assign rst = rst_i || !known_q;
  assign on  = known_q && !rst_i;

  logic idle, stale, error, last, arvalid, arid, rready;
  logic [1:0] ready, given;
  logic [8*DataBytes-1:0] data;
  logic [AddressBits-1:0] araddr;
  logic [7:0] arlen;
  dma_read_channel #(
      .DataBytes  (DataBytes),
      .AddressBits(AddressBits),
      .Outstanding(Outstanding)
  ) u_dut (
      .clk_i,
      .rst_i          (rst),
      .abort_i,
      .idle_o         (idle),
      .stale_o        (stale),
      .data_valid_i   (valid_i[0]),
      .data_ready_o   (ready[0]),
      .data_address_i (address_i[0]),
      .data_len_i     (len_i[0]),
      .data_beat_o    (given[0]),
      .fetch_valid_i  (valid_i[1]),
      .fetch_ready_o  (ready[1]),
      .fetch_address_i(address_i[1]),
      .fetch_len_i    (len_i[1]),
      .fetch_beat_o   (given[1]),
      .beat_open_i,
      .beat_data_o    (data),
      .beat_error_o   (error),
      .beat_last_o    (last),
      .arvalid_o      (arvalid),
      .arready_i,
      .arid_o         (arid),
      .araddr_o       (araddr),
      .arlen_o        (arlen),
      .rvalid_i,
      .rready_o       (rready),
      .rid_i,
      .rdata_i,
      .rresp_i,
      .rlast_i
  );

  // ---- bursts under way: taken from a client, their last beat not come yet ----------------------
  // One that was taken a cycle ago is not on the bus yet, so no beat is of it.
  logic [1:0] take, taken_q, wanted, waits;
  int under_way_q[2];
  logic beat_q, id_q, last_q, error_q, zero_q;  // that was on the bus a cycle ago
  logic [8*DataBytes-1:0] data_q;
  always_ff @(posedge clk_i) begin
    beat_q  <= rvalid_i && rready && !rst;
    id_q    <= rid_i;
    last_q  <= rlast_i;
    error_q <= rresp_i >= 2'd2;
    data_q  <= rdata_i;
    zero_q  <= abort_i;
  end
  assign take = valid_i & ready;
  for (genvar i = 0; i < 2; i++) assign waits[i] = under_way_q[i] > int'(taken_q[i]);
  assign wanted = beat_q ? {id_q, !id_q} & waits : 2'b00;
  always_ff @(posedge clk_i) begin
    taken_q <= rst ? '0 : take;
    for (int unsigned i = 0; i < 2; i++) begin
      under_way_q[i] <= under_way_q[i] + 32'(take[i]) - 32'(wanted[i] && last_q);
      if (rst) under_way_q[i] <= 0;
    end
  end

  // The burst that is on the bus next
  logic asked_q, client_q;
  logic [AddressBits-1:0] address_q;
  logic [7:0] len_q;
  always_ff @(posedge clk_i) begin
    if (arvalid && arready_i) asked_q <= 1'b0;
    if (take != '0) begin
      asked_q   <= 1'b1;
      client_q  <= take[1];
      address_q <= address_i[take[1]];
      len_q     <= len_i[take[1]];
    end
    if (rst) asked_q <= 1'b0;
  end

  // Whose turn was last, and who else could have had this one
  logic turn_q;
  logic [1:0] wanted_q;
  always_ff @(posedge clk_i) begin
    if (ready != '0) turn_q <= ready[1];
    for (int unsigned i = 0; i < 2; i++)
    wanted_q[i] <= valid_i[i] && under_way_q[i] < int'(Outstanding) && !taken_q[i];
    if (rst) turn_q <= 1'b0;
  end

  logic was_q = 1'b0, abort_q, ignored_q, quiet_q, idle_q;
  always_ff @(posedge clk_i) begin
    was_q     <= !rst;
    abort_q   <= abort_i;
    idle_q    <= idle;
    ignored_q <= beat_q && wanted == '0;
    quiet_q   <= under_way_q[0] == 0 && under_way_q[1] == 0 && take == '0 && !arvalid;
  end

  for (genvar i = 0; i < 2; i++) begin : gen_counted
    always_comb begin
      if (on) begin
        assert (under_way_q[i] >= 0 && under_way_q[i] <= int'(Outstanding));
        assert (u_dut.taken_q[i] == taken_q[i]);
        assert (32'(u_dut.gen_client[i].u_bursts.level_q) + 32'(taken_q[i]) == under_way_q[i]);
        assert (u_dut.some[i] == waits[i]);
        if (ready[i]) assert (under_way_q[i] < int'(Outstanding));
      end
    end
  end
  always_comb begin
    if (on) begin
      a_one_burst : assert (take != 2'b11 && ready != 2'b11);
      a_turn : assert (turn_q == u_dut.u_address.last_q);
      if (was_q && ready != '0 && ready[1] == turn_q) a_turns : assert (!wanted_q[!turn_q]);
      a_taken_when_free : assert (ready == '0 || !asked_q);
      if (was_q) begin
        a_given : assert (given == wanted);
        a_last : assert (u_dut.last_q == (last_q ? wanted : 2'b00));
        a_unwanted : assert (u_dut.unwanted_q == (beat_q && wanted == '0));
        if (given != '0) a_beat : assert (last == last_q && error == error_q);
        a_data : assert (data == (zero_q ? '0 : data_q));
      end
      a_asked : assert (arvalid == asked_q);
      a_asked_first : assert (taken_q == '0 || asked_q);
      if (arvalid) a_address : assert ({arid, araddr, arlen} == {client_q, address_q, len_q});
      if (was_q) begin
        a_told : assert (stale == ignored_q);
        a_idle : assert (idle == quiet_q);
        if (abort_i && abort_q) a_aborted : assert (take == '0);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    c_full : cover (on && under_way_q[0] == int'(Outstanding) && under_way_q[1] == 1);
    c_stale : cover (on && stale && under_way_q[0] != 0);
    c_idle : cover (was_q && on && abort_i && idle && !idle_q);
    c_turns : cover (on && arvalid && arid && under_way_q[0] == 2 && under_way_q[1] == 2);
  end

endmodule
