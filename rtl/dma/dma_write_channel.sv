// SPDX-License-Identifier: Apache-2.0
// The write half of an AXI4 master for two clients: client 0 has jobs of many bursts (ID 0), client
// 1 single bursts (ID 1). Latencies of addresses: dma_address. A burst's first beat is on the bus 3
// cycles after its address was taken (wide: 4), then one per cycle, in the order of the addresses:
// a client requests a burst only when it has all of its beats.
//
// After abort_i nothing new is requested; bursts that were taken are finished with zeros and
// without strobes, and idle_o says when all are answered. An answer that nobody waits for is
// ignored.

module dma_write_channel
  import dma_pkg::*;
#(
    int unsigned DataBytes = 16,  // 8, 16, 32 or 64
    int unsigned AddressBits = 32,
    int unsigned BurstBytes = DataBytes == 8 ? 2048 : 4096,  // or as in dma_write
    // Bursts of each client not yet answered; a power of two
    int unsigned Outstanding = dma_pkg::BurstsUnderWay,
    localparam bit Wide = wide_beat(9 * DataBytes),
    localparam int unsigned Parts = beat_parts(9 * DataBytes)
) (
    input logic clk_i,
    input logic rst_i,
    input logic abort_i,  // held until idle_o
    output logic idle_o,  // nothing is outstanding
    output logic stale_o,  // pulse: an answer was ignored
    // Client 0: bursts, and the beats of those taken
    input logic data_valid_i,
    output logic data_ready_o,
    input logic [AddressBits-1:0] data_address_i,  // multiple of DataBytes
    input logic [7:0] data_len_i,  // beats - 1
    input logic data_last_i,  // last burst of a job
    input logic data_error_i,  // with it: handed on with the answer
    output logic [Parts-1:0][1:0] data_beat_offer_o,  // wide: see stream_offer
    input logic data_beat_valid_i,  // always, when it is its turn
    output logic data_beat_ready_o,
    input logic [8*DataBytes-1:0] data_beat_i,
    input logic [DataBytes-1:0] data_strobe_i,
    output logic data_done_o,  // pulse: a job's last burst is answered
    output logic data_read_error_o,  // with it: that burst's data_error_i
    output logic data_write_error_o,  // with it: so had an answer of the job
    // Client 1
    input logic post_valid_i,
    output logic post_ready_o,
    input logic [AddressBits-1:0] post_address_i,  // multiple of DataBytes
    input logic [7:0] post_len_i,  // 0 to 3
    input logic post_beat_valid_i,  // always, when ready
    output logic post_beat_ready_o,
    input logic [8*DataBytes-1:0] post_beat_i,
    input logic [DataBytes-1:0] post_strobe_i,
    output logic post_done_o,  // pulse: a burst is answered
    output logic post_error_o,
    // AXI4
    output logic awvalid_o,
    input logic awready_i,
    output logic awid_o,
    output logic [AddressBits-1:0] awaddr_o,
    output logic [7:0] awlen_o,
    output logic wvalid_o,
    input logic wready_i,
    output logic [8*DataBytes-1:0] wdata_o,
    output logic [DataBytes-1:0] wstrb_o,
    output logic wlast_o,
    input logic bvalid_i,
    output logic bready_o,
    input logic bid_i,
    input logic [1:0] bresp_i
);

  if (Outstanding < 4 || 2 ** $clog2(Outstanding) != Outstanding) begin : gen_bad_outstanding
    $fatal(1, "dma_write_channel: Outstanding must be a power of two, at least 4");
  end

  localparam int unsigned LengthBits = $clog2(BurstBytes / DataBytes);
  typedef logic [LengthBits-1:0] length_t;  // beats after the first, or before the last

  if (LengthBits < 2 || LengthBits > 8) begin : gen_bad_burst
    $fatal(1, "dma_write_channel: BurstBytes must be a power of two, 4 to 256 beats");
  end

  // Bursts of a client without an answer: some, or as many as may be
  logic data_some, data_full, post_some, post_full;

  // ---- addresses --------------------------------------------------------------------------------
  logic take_data, take_post, order_ready, ordered;
  length_t length;
  logic [LengthBits:0] order;
  dma_address #(
      .AddressBits(AddressBits),
      .LengthBits (LengthBits)
  ) u_address (
      .clk_i,
      .rst_i,
      .open_i   (order_ready && !abort_i),
      .full_i   ({post_full, data_full}),
      .valid_i  ({post_valid_i, data_valid_i}),
      .ready_o  ({post_ready_o, data_ready_o}),
      .address_i({post_address_i, data_address_i}),
      .len_i    ({post_len_i, data_len_i}),
      .take_o   ({take_post, take_data}),
      .len_o    (length),
      .axvalid_o(awvalid_o),
      .axready_i(awready_i),
      .axid_o   (awid_o),
      .axaddr_o (awaddr_o),
      .axlen_o  (awlen_o)
  );

  // The bursts whose beats come next. A place that is free when a burst is offered is still free
  // when it is taken.
  logic ordered_ready;
  stream_spill #(
      .Width(1 + LengthBits)
  ) u_order (
      .clk_i,
      .rst_i,
      .wipe_i (1'b0),
      .valid_i(take_post || take_data),
      .ready_o(order_ready),
      .data_i ({take_post, length}),
      .valid_o(ordered),
      .ready_i(ordered_ready),
      .data_o (order)
  );

  // ---- beats ------------------------------------------------------------------------------------
  // The client whose turn it is has a beat in each cycle.
  typedef struct packed {logic ready, some, next, next_data, next_post, data, post, last;} turn_t;
  turn_t [Parts-1:0] turns;  // the same in all
  turn_t turn;
  logic [Parts-1:0][1:0] post_offer;
  logic free;  // the next beat may go
  assign turn = turns[0];
  assign ordered_ready = turn.ready;
  for (genvar i = 0; i < Parts; i++) begin : gen_part
    dma_write_turns #(
        .LengthBits(LengthBits),
        .Far(Wide)
    ) u_turns (
        .clk_i,
        .rst_i,
        .valid_i     (ordered),
        .ready_o     (turns[i].ready),
        .post_i      (order[LengthBits]),
        .length_i    (order[LengthBits-1:0]),
        .free_i      (free),
        .some_o      (turns[i].some),
        .next_o      (turns[i].next),
        .next_data_o (turns[i].next_data),
        .next_post_o (turns[i].next_post),
        .data_turn_o (turns[i].data),
        .post_turn_o (turns[i].post),
        .last_o      (turns[i].last),
        .data_offer_o(data_beat_offer_o[i]),
        .post_offer_o(post_offer[i])
    );
  end
  logic unused_turns;
  assign unused_turns = ^turns;

  dma_write_beats #(
      .DataBytes(DataBytes)
  ) u_beats (
      .clk_i,
      .rst_i,
      .abort_i,
      .next_i      (turn.next),
      .next_data_i (turn.next_data),
      .next_post_i (turn.next_post),
      .data_turn_i (turn.data),
      .post_turn_i (turn.post),
      .last_i      (turn.last),
      .free_o      (free),
      .post_offer_i(post_offer),
      .data_valid_i(data_beat_valid_i),
      .data_ready_o(data_beat_ready_o),
      .data_beat_i,
      .data_strobe_i,
      .post_valid_i(post_beat_valid_i),
      .post_ready_o(post_beat_ready_o),
      .post_beat_i,
      .post_strobe_i,
      .wvalid_o,
      .wready_i,
      .wdata_o,
      .wstrb_o,
      .wlast_o
  );

  // ---- answers ----------------------------------------------------------------------------------
  // In order for each client. The record of a burst comes out of its queue 2 cycles after the
  // answer, which waits for it.
  logic data_answer, post_answer, b_valid_q, b_id_q, b_error_q;
  logic [1:0] data_answer_q, answer_error_q;
  logic mark_last, mark_error, failed_q;

  assign bready_o = 1'b1;
  assign data_answer = b_valid_q && !b_id_q && data_some;
  assign post_answer = b_valid_q && b_id_q && post_some;

  always_ff @(posedge clk_i) begin
    b_valid_q <= bvalid_i;
    b_id_q    <= bid_i;
    b_error_q <= bresp_i[1];  // EXOKAY is OKAY
    if (rst_i) b_valid_q <= 1'b0;
  end

  logic [1:0] unused_next;
  stream_count #(
      .Max  (Outstanding),
      .Start(0)
  ) u_data (
      .clk_i,
      .rst_i,
      .give_i(take_data),
      .take_i(data_answer),
      .some_o(data_some),
      .some_next_o(unused_next[0]),
      .full_o(data_full)
  );

  stream_count #(
      .Max  (Outstanding),
      .Start(0)
  ) u_post (
      .clk_i,
      .rst_i,
      .give_i(take_post),
      .take_i(post_answer),
      .some_o(post_some),
      .some_next_o(unused_next[1]),
      .full_o(post_full)
  );

  dma_marks #(
      .Width(2),
      .Depth(Outstanding)
  ) u_bursts (
      .clk_i,
      .rst_i,
      .push_i(take_data),
      .data_i({data_last_i, data_error_i}),
      .pop_i (data_answer),
      .data_o({mark_last, mark_error})
  );

  always_ff @(posedge clk_i) begin
    data_answer_q  <= {data_answer_q[0], data_answer};
    answer_error_q <= {answer_error_q[0], b_error_q};
    if (data_answer_q[1]) failed_q <= (failed_q || answer_error_q[1]) && !mark_last;
    data_done_o        <= data_answer_q[1] && mark_last && !abort_i;
    data_read_error_o  <= mark_error;
    data_write_error_o <= failed_q || answer_error_q[1];
    post_done_o        <= post_answer && !abort_i;
    post_error_o       <= b_error_q;
    stale_o            <= b_valid_q && !data_answer && !post_answer;
    if (rst_i) begin
      data_answer_q <= '0;
      data_done_o   <= 1'b0;
      post_done_o   <= 1'b0;
      stale_o       <= 1'b0;
    end
    if (rst_i || abort_i) failed_q <= 1'b0;  // the job's last burst may never come
  end

  logic asked, answered;
  assign asked = take_post || take_data || awvalid_o || ordered || turn.some || wvalid_o;
  assign answered = !data_some && !post_some && data_answer_q == '0;

  always_ff @(posedge clk_i) begin
    idle_o <= !asked && answered;
    if (rst_i) idle_o <= 1'b1;
  end

  logic unused;
  assign unused = bresp_i[0];

endmodule
