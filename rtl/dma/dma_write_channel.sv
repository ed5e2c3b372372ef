// SPDX-License-Identifier: Apache-2.0
// The write half of an AXI4 master for two clients: 0, whose jobs are of many bursts (ID 0), and 1,
// which goes first, with single bursts (ID 1). A burst is taken every 2 cycles; its first beat is
// on the bus 3 cycles after that, then one per cycle, in the order of the addresses.
//
// After abort_i nothing new is asked for, the bursts under way are finished with zeros and without
// strobes, and idle_o tells when all are answered. An answer that nobody waits for is ignored.

module dma_write_channel #(
    int unsigned DataBytes = 16,  // 8, 16, 32 or 64
    int unsigned AddressBits = 32,
    int unsigned BurstBytes = DataBytes == 8 ? 2048 : 4096,  // or as in dma_write
    int unsigned Outstanding = 64  // bursts of each client not yet answered; a power of two
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   abort_i,             // held until idle_o
    output logic                   idle_o,              // nothing is under way
    output logic                   stale_o,             // pulse: an answer was ignored
    // Client 0: bursts, and the beats of those taken
    input  logic                   data_valid_i,
    output logic                   data_ready_o,
    input  logic [AddressBits-1:0] data_address_i,      // multiple of DataBytes
    input  logic [            8:0] data_beats_i,
    input  logic                   data_last_i,         // last burst of a job
    input  logic                   data_error_i,        // with it: handed on with the answer
    input  logic                   data_beat_valid_i,
    output logic                   data_beat_ready_o,
    input  logic [8*DataBytes-1:0] data_beat_i,
    input  logic [  DataBytes-1:0] data_strobe_i,
    output logic                   data_done_o,         // pulse: a job's last burst is answered
    output logic                   data_read_error_o,   // with it: that burst's data_error_i
    output logic                   data_write_error_o,  // with it: so had an answer of the job
    // Client 1
    input  logic                   post_valid_i,
    output logic                   post_ready_o,
    input  logic [AddressBits-1:0] post_address_i,      // multiple of DataBytes
    input  logic [            8:0] post_beats_i,        // 1 to 4
    input  logic                   post_beat_valid_i,
    output logic                   post_beat_ready_o,
    input  logic [8*DataBytes-1:0] post_beat_i,
    input  logic [  DataBytes-1:0] post_strobe_i,
    output logic                   post_done_o,         // pulse: a burst is answered
    output logic                   post_error_o,
    // AXI4
    output logic                   awvalid_o,
    input  logic                   awready_i,
    output logic                   awid_o,
    output logic [AddressBits-1:0] awaddr_o,
    output logic [            7:0] awlen_o,
    output logic                   wvalid_o,
    input  logic                   wready_i,
    output logic [8*DataBytes-1:0] wdata_o,
    output logic [  DataBytes-1:0] wstrb_o,
    output logic                   wlast_o,
    input  logic                   bvalid_i,
    output logic                   bready_o,
    input  logic                   bid_i,
    input  logic [            1:0] bresp_i
);

  if (Outstanding < 4 || 2 ** $clog2(Outstanding) != Outstanding) begin : gen_bad_outstanding
    $fatal(1, "dma_write_channel: Outstanding must be a power of two, at least 4");
  end

  localparam int unsigned ByteBits = $clog2(DataBytes);
  localparam int unsigned LengthBits = $clog2(BurstBytes / DataBytes);
  typedef logic [LengthBits-1:0] length_t;  // beats after the first, or before the last

  if (LengthBits < 2 || LengthBits > 8) begin : gen_bad_burst
    $fatal(1, "dma_write_channel: BurstBytes must be 4 to 256 beats");
  end

  // Bursts without an answer, of each client as many as the top bit says
  localparam int unsigned CountBits = $clog2(Outstanding) + 1;
  logic [CountBits-1:0] data_count_q;
  logic [CountBits-1:0] post_count_q;

  // ---- addresses --------------------------------------------------------------------------------
  // The burst on AW is also the one whose beats come next: it stays until both are through with it.
  logic next_q, free, take, take_post, next_taken;
  length_t data_length, length, length_q;

  // Short counters are tables of four inputs: a carry chain would be longer.
  always_comb begin
    for (int unsigned i = 0; i < LengthBits; i++) begin
      data_length[i] = data_beats_i[i] == |(data_beats_i & 9'((1 << i) - 1));
    end
    length = data_length;
    if (post_valid_i) length = {{LengthBits - 2{1'b0}}, post_beats_i[1:0] - 2'd1};
  end

  assign free = !awvalid_o && !next_q && !abort_i;
  assign post_ready_o = free && !post_count_q[CountBits-1];
  assign data_ready_o = free && !data_count_q[CountBits-1] && !post_valid_i;
  assign take_post = post_valid_i && post_ready_o;
  assign take = take_post || (data_valid_i && data_ready_o);

  always_ff @(posedge clk_i) begin
    if (free) begin
      awid_o <= post_valid_i;
      length_q <= length;
      awaddr_o[AddressBits-1:ByteBits] <= post_valid_i ? post_address_i[AddressBits-1:ByteBits]
          : data_address_i[AddressBits-1:ByteBits];
    end
    if (awready_i) awvalid_o <= 1'b0;
    if (next_taken) next_q <= 1'b0;
    if (take) {awvalid_o, next_q} <= '1;
    if (rst_i) {awvalid_o, next_q} <= '0;
  end

  assign awaddr_o[ByteBits-1:0] = '0;
  assign awlen_o = 8'(length_q);

  // ---- beats ------------------------------------------------------------------------------------
  logic active_q, post_q;  // a burst, and whose
  length_t beat_q, next_beat, last_beat_q;
  logic w_free, load, last;

  assign w_free = !wvalid_o || wready_i;
  assign last = beat_q == last_beat_q;
  assign load = w_free && active_q && (abort_i || (post_q ? post_beat_valid_i : data_beat_valid_i));
  assign data_beat_ready_o = w_free && active_q && !post_q;
  assign post_beat_ready_o = w_free && active_q && post_q;
  always_comb begin
    for (int unsigned i = 0; i < LengthBits; i++) begin
      next_beat[i] = beat_q[i] != &(beat_q | ~length_t'((1 << i) - 1));
    end
  end
  assign next_taken = next_q && (!active_q || (load && last));

  always_ff @(posedge clk_i) begin
    if (load) beat_q <= next_beat;
    if (load && last) active_q <= 1'b0;
    if (next_taken) begin
      active_q <= 1'b1;
      post_q <= awid_o;
      beat_q <= '0;
      last_beat_q <= length_q;
    end
    if (rst_i) active_q <= 1'b0;
  end

  // While nothing is offered, wdata follows what is to come: in a wipe, zeros. Then nothing stays,
  // whether the bus is ready or not.
  always_ff @(posedge clk_i) begin
    if (w_free) begin
      wvalid_o <= load;
      wlast_o  <= last;
      wdata_o  <= abort_i ? '0 : post_q ? post_beat_i : data_beat_i;
      wstrb_o  <= abort_i ? '0 : post_q ? post_strobe_i : data_strobe_i;
    end
    if (rst_i) wvalid_o <= 1'b0;
  end

  // ---- answers ----------------------------------------------------------------------------------
  // In order for each client. What is known of a burst comes out of its queue 2 cycles after the
  // answer, which waits for it.
  logic data_answer, post_answer, b_valid_q, b_id_q, b_error_q;
  logic [1:0] data_answer_q, answer_error_q;
  logic mark_last, mark_error, failed_q;

  assign bready_o = 1'b1;
  assign data_answer = b_valid_q && !b_id_q && data_count_q != '0;
  assign post_answer = b_valid_q && b_id_q && post_count_q != '0;

  always_ff @(posedge clk_i) begin
    b_valid_q <= bvalid_i;
    b_id_q    <= bid_i;
    b_error_q <= bresp_i[1];  // EXOKAY is OKAY
    if (rst_i) b_valid_q <= 1'b0;
  end

  logic take_data;
  assign take_data = take && !take_post;

  always_ff @(posedge clk_i) begin
    if (take_data != data_answer)
      data_count_q <= data_count_q + {{CountBits - 1{data_answer}}, 1'b1};
    if (take_post != post_answer)
      post_count_q <= post_count_q + {{CountBits - 1{post_answer}}, 1'b1};
    if (rst_i) begin
      data_count_q <= '0;
      post_count_q <= '0;
    end
  end

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
  assign asked = take || awvalid_o || next_q || active_q || wvalid_o;
  assign answered = data_count_q == '0 && post_count_q == '0 && data_answer_q == '0;

  always_ff @(posedge clk_i) begin
    idle_o <= !asked && answered;
    if (rst_i) idle_o <= 1'b1;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && data_valid_i)
      a_data_fits : assert (data_beats_i != 0 && 32'(data_beats_i) * DataBytes <= BurstBytes);
    if (!rst_i && post_valid_i) a_post_fits : assert (post_beats_i != 0 && post_beats_i <= 4);
  end
`endif

  logic unused;
  assign unused = ^{bresp_i[0], data_address_i[ByteBits-1:0], post_address_i[ByteBits-1:0],
      post_beats_i[8:2], data_beats_i[8:LengthBits]};

endmodule
