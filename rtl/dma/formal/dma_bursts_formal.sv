// SPDX-License-Identifier: Apache-2.0
// Proof, by induction: the bursts of a range of any length tile its bus words exactly, in order;
// none crosses a multiple of BurstBytes, and each ends there but the last; the last is marked; each
// comes in time and stays until it is taken.

module dma_bursts_formal #(
    int unsigned DataBytes   = 16,
    int unsigned AddressBits = 40,
    int unsigned BurstBytes  = 1024
) (
    input logic                   clk_i,
    input logic                   rst_i,
    input logic                   job_valid_i,
    input logic [AddressBits-1:0] job_address_i,
    input logic [           31:0] job_length_m1_i,
    input logic                   job_mark_i,
    input logic                   ready_i
);

  localparam int unsigned ByteBits = $clog2(DataBytes);
  localparam int unsigned BeatBits = $clog2(BurstBytes) - ByteBits;
  typedef logic [AddressBits-ByteBits:0] word_t;  // number of a bus word, or one behind the last

  logic known_q = 1'b0, on;
  always_ff @(posedge clk_i) known_q <= 1'b1;
  always_comb assume (known_q || rst_i);
  assign on = known_q && !rst_i;

  logic [AddressBits:0] end_of_job;  // its last byte
  assign end_of_job = {1'b0, job_address_i} + (AddressBits + 1)'(job_length_m1_i);
  always_comb assume (!end_of_job[AddressBits]);

  logic job_ready, valid, last, mark;
  logic [AddressBits-1:0] address;
  logic [7:0] len;
  dma_bursts #(
      .DataBytes  (DataBytes),
      .AddressBits(AddressBits),
      .BurstBytes (BurstBytes)
  ) u_dut (
      .clk_i,
      .rst_i,
      .job_valid_i,
      .job_ready_o(job_ready),
      .job_address_i,
      .job_length_m1_i,
      .job_mark_i,
      .valid_o    (valid),
      .ready_i,
      .address_o  (address),
      .len_o      (len),
      .last_o     (last),
      .mark_o     (mark)
  );

  // ---- what is asked for: the oldest range, whose bursts come out, and one behind it ------------
  typedef struct packed {
    word_t next;  // word that no burst has yet
    word_t last;
    logic  mark;
  } range_t;
  range_t range_q[2], new_range;
  logic [1:0] count_q;
  logic load, take, done;
  word_t first, after;
  assign load = job_valid_i && job_ready;
  assign take = valid && ready_i;
  assign first = word_t'(address >> ByteBits);
  assign after = first + word_t'(len) + 1'b1;
  assign done = take && range_q[0].last < after;
  assign new_range = '{
          word_t'(job_address_i >> ByteBits),
          word_t'(end_of_job >> ByteBits),
          job_mark_i
      };
  always_ff @(posedge clk_i) begin
    if (take) range_q[0].next <= after;
    if (done) range_q[0] <= range_q[1];
    if (load && count_q == 2'(done)) range_q[0] <= new_range;
    else if (load) range_q[1] <= new_range;
    count_q <= count_q + 2'(load) - 2'(done);
    if (rst_i) count_q <= '0;
  end

  logic held_q;
  logic [2:0] silent_q;
  logic [AddressBits+9:0] offered_q;
  always_ff @(posedge clk_i) begin
    held_q    <= valid && !ready_i && !rst_i;
    offered_q <= {address, len, last, mark};
    silent_q  <= valid || count_q == '0 || rst_i ? '0 : silent_q + 1'b1;
  end

  always_comb begin
    if (on) begin
      if (valid) begin
        a_of_a_range : assert (count_q != '0);
        a_aligned : assert (address[ByteBits-1:0] == '0);
        a_next : assert (first == range_q[0].next);
        a_not_beyond : assert (after <= range_q[0].last + 1'b1);
        a_whole : assert (last || after[BeatBits-1:0] == '0);
        a_one_burst : assert (first >> BeatBits == (after - 1'b1) >> BeatBits);
        a_last : assert (last == (after == range_q[0].last + 1'b1));
        a_mark : assert (mark == range_q[0].mark);
      end
      if (held_q) a_held : assert (valid && {address, len, last, mark} == offered_q);
      a_in_time : assert (silent_q <= 3);
    end
  end

  // ---- for the induction ------------------------------------------------------------------------
  logic work_behind;  // the range at work is not the oldest: that has its last burst at the outputs
  range_t work;
  word_t position;  // the next word of the range at work
  assign work_behind = u_dut.full_q && last;
  assign work = range_q[work_behind];
  assign position = {1'b0, u_dut.number_q, u_dut.first_q};
  always_comb begin
    if (on) begin
      a_count : assert (count_q == 2'(u_dut.active_q) + 2'(work_behind));
      a_worked_on : assert (u_dut.active_q == (u_dut.started_q || u_dut.compared_q));
      a_either : assert (!u_dut.started_q || !u_dut.compared_q);
      if (u_dut.active_q) begin
        a_end : assert (word_t'(u_dut.end_q >> ByteBits) == work.last);
        a_of_work : assert (u_dut.mark_q == work.mark);
        a_position : assert (position == (u_dut.full_q && !last ? after : work.next));
        a_inside : assert (position <= work.last && work.next <= work.last);
      end
      if (u_dut.compared_q)
        a_compared : assert (u_dut.last_q == (position >> BeatBits == work.last >> BeatBits));
      if (valid) a_full : assert (u_dut.full_q);
      if (u_dut.full_q) begin
        a_first : assert (first == range_q[0].next && address[ByteBits-1:0] == '0);
        a_length : assert (first >> BeatBits == (after - 1'b1) >> BeatBits);
        a_ends : assert (last ? after == range_q[0].last + 1'b1 : after <= range_q[0].last);
        a_edge : assert (last || after[BeatBits-1:0] == '0);
        a_marked : assert (mark == range_q[0].mark);
      end
      // Cycles since something was asked for, by how far it has come
      if (count_q != '0 && !valid) begin
        a_soon : assert (32'(silent_q) <= (u_dut.full_q ? 3 : u_dut.compared_q ? 2 : 1));
      end
    end
  end

  always_ff @(posedge clk_i) begin
    c_two : cover (on && valid && last && count_q == 2);
    c_three : cover (on && take && last && range_q[0].next[BeatBits-1:0] == '0 && mark);
    c_most : cover (on && load && end_of_job == {1'b0, {AddressBits{1'b1}}} && &job_length_m1_i);
  end

endmodule
