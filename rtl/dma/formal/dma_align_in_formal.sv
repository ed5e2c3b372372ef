// SPDX-License-Identifier: Apache-2.0
// Proof, by induction: a range of any length from any lane takes as many bus beats as it has bus
// words, and gives as many packet beats as its packet has words; the last is marked and has the
// remaining bytes. dma_align_in_bytes_formal proves where the bytes go.

module dma_align_in_formal
  import dma_pkg::*;
#(
    int unsigned DataBytes = 8,
    alignment_e  Alignment = AnyByte
) (
    input logic                   clk_i,
    input logic                   job_valid_i,
    input logic                   valid_i,
    input logic                   zero_i,
    input logic [8*DataBytes-1:0] data_i,
    input logic                   error_i
);

  localparam int unsigned ByteBits = $clog2(DataBytes);
  typedef logic [33-ByteBits:0] words_t;

  logic rst_q = 1'b1;
  always_ff @(posedge clk_i) rst_q <= 1'b0;

  // Any job, again and again.
  logic [ByteBits-1:0] offset_q;
  logic [32:0] length_q;  // 1 to 2^32
  logic zeros_q;
  always_ff @(posedge clk_i) begin
    offset_q <= offset_q;
    length_q <= length_q;
    zeros_q  <= zeros_q;
  end
  always_comb begin
    assume (length_q != '0 && length_q <= 33'h1_0000_0000);
    if (zeros_q || Alignment == AlignedOnly) assume (offset_q == '0);
  end

  // Bus words of the range, and words of its packet
  words_t bus_words, packet_words;
  logic [33:0] reach;
  assign reach = 34'(length_q) + 34'(offset_q) - 34'd1;
  assign bus_words = words_t'(reach >> ByteBits) + 1'b1;
  assign packet_words = words_t'((34'(length_q) + 34'(DataBytes) - 34'd1) >> ByteBits);

  // As dma_read has it: whether the lanes have a carry
  logic more;
  logic [33:0] length_m1;
  assign length_m1 = 34'(length_q) - 34'd1;
  assign more = offset_q != '0 && reach[ByteBits] == length_m1[ByteBits];

  logic open, job_ready, zeros, valid, last, error, absorbed;
  logic [8*DataBytes-1:0] data;
  logic [  DataBytes-1:0] keep;
  dma_align_in #(
      .DataBytes(DataBytes),
      .Alignment(Alignment)
  ) u_dut (
      .clk_i,
      .rst_i          (rst_q),
      .wipe_i         (1'b0),
      .job_valid_i,
      .job_ready_o    (job_ready),
      .job_zeros_i    (zeros_q),
      .job_continues_i(1'b0),
      .job_offset_i   (offset_q),
      .job_tail_i     (ByteBits'(length_q - 1'b1)),
      .job_beats_m1_i ((33 - ByteBits)'(reach >> ByteBits)),
      .job_more_i     (more),
      .zeros_o        (zeros),
      .zero_i,
      .open_o         (open),
      .valid_i,
      .data_i,
      .error_i,
      .valid_o        (valid),
      .data_o         (data),
      .keep_o         (keep),
      .last_o         (last),
      .error_o        (error),
      .absorbed_o     (absorbed)
  );

  // Beats come only when they may, and for the active job; zeros only for a job of zeros: see
  // dma_read.
  logic open_q = 1'b0;
  always_ff @(posedge clk_i) open_q <= open && !rst_q;
  always_comb begin
    if (valid_i) assume (open_q && u_dut.active_q && !zeros_q);
    if (zero_i) assume (zeros);
  end

  // Of the job at work: bus beats that have come, and packet beats that were made.
  words_t come_q = '0, made_q = '0;
  logic making;
  assign making = u_dut.slot && (!u_dut.first_q || !u_dut.carried_q);
  always_ff @(posedge clk_i) begin
    if (u_dut.slot && !u_dut.flush_q) come_q <= come_q + 1'b1;
    if (making) made_q <= made_q + 1'b1;
    if (u_dut.ends || rst_q) {come_q, made_q} <= '0;
  end

  logic known_q = 1'b0, ended_q, making_q;
  always_ff @(posedge clk_i) begin
    known_q  <= !rst_q;
    ended_q  <= u_dut.ends;
    making_q <= making;
  end

  always_comb begin
    if (!rst_q && known_q) begin
      if (u_dut.active_q) begin
        a_shift : assert (u_dut.shift_q == -offset_q && u_dut.carried_q == (offset_q != '0));
        a_tail : assert (u_dut.tail_q == ByteBits'(length_q - 1'b1));
        a_zeros : assert (u_dut.zeros_q == zeros_q);
        a_more : assert (u_dut.more_q == (offset_q != '0 && packet_words == bus_words));
        a_first : assert (u_dut.first_q == (come_q == '0));
        if (u_dut.flush_q) begin
          a_flush : assert (u_dut.more_q && come_q == bus_words);
        end else begin
          a_left : assert (come_q < bus_words);
          a_last : assert (u_dut.last_q == (come_q + 1'b1 == bus_words));
          a_count : assert (words_t'(u_dut.left_q) == bus_words - come_q - 1'b1);
        end
        a_made : assert (made_q == (u_dut.carried_q && come_q != '0 ? come_q - 1'b1 : come_q));
        if (u_dut.ends) a_all : assert (made_q + words_t'(making) == packet_words);
        // With more bus words than packet words, one bus beat gives no packet beat.
        if (u_dut.ends)
          a_one_less :
          assert (bus_words - packet_words == words_t'(u_dut.carried_q && !u_dut.more_q));
      end else begin
        a_idle : assert (!u_dut.flush_q && !u_dut.zeros_q && come_q == '0 && made_q == '0);
      end
      a_open : assert (!open_q || !u_dut.flush_q);
      a_known : assert (u_dut.known[1].last == ended_q && u_dut.made[1] == making_q);
      a_rest : assert (u_dut.known[1].count == (ended_q ? ByteBits'(length_q - 1'b1) : '1));
    end
  end

  always_ff @(posedge clk_i) begin
    c_long : cover (known_q && length_q == 33'h1_0000_0000 && offset_q == '1 && u_dut.active_q);
    c_flush : cover (known_q && u_dut.flush_q && packet_words == 3);
    c_last : cover (known_q && valid && last && !keep[DataBytes-1]);
  end

  logic unused;
  assign unused = ^{job_ready, zeros, data, error, absorbed};

endmodule
