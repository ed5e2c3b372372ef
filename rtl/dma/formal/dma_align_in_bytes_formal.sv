// SPDX-License-Identifier: Apache-2.0
// Proof, bounded: byte k of any packet is byte k of its range, in the right lane and beat; the
// lanes that hold bytes are marked; an error marks the packet beat that contains it and all later
// ones.

module dma_align_in_bytes_formal
  import dma_pkg::*;
#(
    int unsigned DataBytes = 8,
    alignment_e  Alignment = AnyByte,
    int unsigned Jobs      = 3,        // that the proof looks at
    int unsigned MostBytes = 20
) (
    input logic                   clk_i,
    input logic                   valid_i,
    input logic [8*DataBytes-1:0] data_i,
    input logic                   error_i
);

  localparam int unsigned ByteBits = $clog2(DataBytes);

  logic rst_q = 1'b1;
  always_ff @(posedge clk_i) rst_q <= 1'b0;

  // The jobs, and one byte of one of them: constant, but arbitrary.
  logic [ByteBits-1:0] offset_q[Jobs];
  logic [4:0] length_q[Jobs];
  logic [1:0] job_q;
  logic [4:0] byte_q;
  always_ff @(posedge clk_i) begin
    offset_q <= offset_q;
    length_q <= length_q;
    job_q <= job_q;
    byte_q <= byte_q;
  end
  always_comb begin
    assume (job_q < 2'(Jobs) && byte_q < length_q[job_q]);
    for (int unsigned i = 0; i < Jobs; i++) begin
      assume (length_q[i] != 0 && 32'(length_q[i]) <= MostBytes);
      if (Alignment == AlignedOnly) assume (offset_q[i] == '0);
    end
  end

  // ---- jobs and bus beats -----------------------------------------------------------------------
  logic [1:0] asked_q = '0, come_q = '0, made_q = '0;  // jobs that are through
  logic [2:0] word_q = '0, beat_q = '0;  // of the range, and of the packet
  logic open, job_ready, job_valid, valid, out_valid, out_last, out_error, zeros, absorbed;
  logic [  DataBytes-1:0] keep;
  logic [8*DataBytes-1:0] out;
  logic [5:0] reach, reach_come, length_m1;

  assign job_valid = asked_q < 2'(Jobs);
  assign reach = 6'(offset_q[asked_q]) + 6'(length_q[asked_q]) - 1'b1;
  assign length_m1 = 6'(length_q[asked_q]) - 1'b1;
  assign reach_come = 6'(offset_q[come_q]) + 6'(length_q[come_q]) - 1'b1;
  // Beats come only when they may, and for the active job.
  logic open_q = 1'b0;
  always_ff @(posedge clk_i) open_q <= open && !rst_q;
  assign valid = valid_i && open_q && come_q < asked_q && u_dut.active_q;

  dma_align_in #(
      .DataBytes(DataBytes),
      .Alignment(Alignment)
  ) u_dut (
      .clk_i,
      .rst_i          (rst_q),
      .wipe_i         (1'b0),
      .job_valid_i    (job_valid),
      .job_ready_o    (job_ready),
      .job_zeros_i    (1'b0),
      .job_continues_i(1'b0),
      .job_offset_i   (offset_q[asked_q]),
      .job_tail_i     (ByteBits'(length_m1)),
      .job_beats_m1_i ((33 - ByteBits)'(reach >> ByteBits)),
      .job_more_i     (offset_q[asked_q] != '0 && reach[ByteBits] == length_m1[ByteBits]),
      .zeros_o        (zeros),
      .zero_i         (1'b0),
      .open_o         (open),
      .valid_i        (valid),
      .data_i,
      .error_i,
      .valid_o        (out_valid),
      .data_o         (out),
      .keep_o         (keep),
      .last_o         (out_last),
      .error_o        (out_error),
      .absorbed_o     (absorbed)
  );

  logic accept;
  assign accept = !rst_q && valid;

  logic [7:0] value_q;
  logic [Jobs-1:0] failed_q = '0;
  logic [2:0] failed_word_q[Jobs];  // the first with an error
  logic [5:0] place;  // of the byte, from the start of its first bus word
  assign place = 6'(offset_q[job_q]) + 6'(byte_q);
  always_ff @(posedge clk_i) begin
    if (!rst_q && job_valid && job_ready) asked_q <= asked_q + 1'b1;
    if (accept) begin
      word_q <= word_q == 3'(reach_come >> ByteBits) ? '0 : word_q + 1'b1;
      if (word_q == 3'(reach_come >> ByteBits)) come_q <= come_q + 1'b1;
      if (come_q == job_q && word_q == 3'(place >> ByteBits))
        value_q <= data_i[8*place[ByteBits-1:0]+:8];
      if (error_i && !failed_q[come_q]) begin
        failed_q[come_q] <= 1'b1;
        failed_word_q[come_q] <= word_q;
      end
    end
  end

  // ---- packet beats -----------------------------------------------------------------------------
  int unsigned rest;  // bytes of the packet from this beat on
  int unsigned last_word;  // bus word that this beat came with
  assign rest = 32'(length_q[made_q]) - 32'(beat_q) * DataBytes;
  always_comb begin
    last_word = 32'(beat_q) + 32'(offset_q[made_q] != '0);
    if (last_word > 32'((6'(offset_q[made_q]) + 6'(length_q[made_q]) - 6'd1) >> ByteBits))
      last_word = 32'((6'(offset_q[made_q]) + 6'(length_q[made_q]) - 6'd1) >> ByteBits);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_q && out_valid) begin
      beat_q <= out_last ? '0 : beat_q + 1'b1;
      if (out_last) made_q <= made_q + 1'b1;
    end
  end

  always_comb begin
    if (!rst_q && out_valid) begin
      a_of_a_job : assert (made_q < 2'(Jobs));
      a_last : assert (out_last == (rest <= DataBytes));
      a_error : assert (out_error == (failed_q[made_q] && 32'(failed_word_q[made_q]) <= last_word));
      for (int unsigned i = 0; i < DataBytes; i++) begin
        assert (keep[i] == (i < rest));
        if (made_q == job_q && 32'(beat_q) * DataBytes + i == 32'(byte_q))
          assert (out[8*i+:8] == value_q);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    c_all : cover (made_q == 2'(Jobs) && length_q[1] > 5'd9 && offset_q[1] != '0);
  end

  logic unused;
  assign unused = ^{zeros, absorbed};

endmodule
