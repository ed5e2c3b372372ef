// SPDX-License-Identifier: Apache-2.0
// Proof, bounded: byte k of any packet comes out at lane (offset + k) of the right bus beat;
// exactly the job's bytes are strobed, and none from a beat with an error on; there are as many bus
// beats as the range has bus words; they come soon after the packet.

module dma_align_out_formal
  import dma_pkg::*;
#(
    int unsigned DataBytes = 8,
    alignment_e  Alignment = AnyByte,
    int unsigned Jobs      = 3,        // that the proof looks at
    int unsigned MostBytes = 20
) (
    input logic                   clk_i,
    input logic                   job_valid_i,
    input logic                   valid_i,
    input logic [8*DataBytes-1:0] data_i,
    input logic                   error_i,
    input logic                   room_i
);

  localparam int unsigned ByteBits = $clog2(DataBytes);
  localparam int unsigned Latency = Alignment == AnyByte ? ByteBits + 1 : 1;

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

  // ---- jobs and packets -------------------------------------------------------------------------
  logic [1:0] asked_q = '0, sent_q = '0, ended_q = '0, written_q = '0;  // jobs that are through
  logic [2:0] beat_q = '0, word_q = '0;  // of the packet, and of its bus beats
  logic job_ready, ready, job_valid, valid, last, out_valid, out_end, out_error;
  logic [DataBytes-1:0] keep, strobe;
  logic [8*DataBytes-1:0] out;
  logic [2:0] beats, words;

  assign job_valid = job_valid_i && asked_q < 2'(Jobs);
  assign valid = valid_i && sent_q < 2'(Jobs);
  assign beats = 3'((32'(length_q[sent_q]) + DataBytes - 1) / DataBytes);
  assign last = beat_q == beats - 1;
  always_comb begin
    for (int unsigned i = 0; i < DataBytes; i++) begin
      keep[i] = 32'(beat_q) * DataBytes + i < 32'(length_q[sent_q]);
    end
  end

  logic [ByteBits:0] last_lane;
  assign last_lane = {1'b0, offset_q[asked_q]} + {1'b0, ByteBits'(length_q[asked_q] - 1'b1)};
  dma_align_out #(
      .DataBytes(DataBytes),
      .Alignment(Alignment)
  ) u_dut (
      .clk_i,
      .rst_i          (rst_q),
      .wipe_i         (1'b0),
      .job_valid_i    (job_valid),
      .job_ready_o    (job_ready),
      .job_offset_i   (offset_q[asked_q]),
      .job_last_lane_i(last_lane),
      .valid_i        (valid),
      .ready_o        (ready),
      .data_i,
      .keep_i         (keep),
      .last_i         (last),
      .error_i,
      .room_i,
      .valid_o        (out_valid),
      .data_o         (out),
      .strobe_o       (strobe),
      .end_o          (out_end),
      .error_o        (out_error)
  );

  logic accept;
  assign accept = !rst_q && valid && ready;

  logic [7:0] value_q;
  logic [Jobs-1:0] failed_q = '0;
  logic [2:0] failed_beat_q[Jobs];  // the first with an error
  always_ff @(posedge clk_i) begin
    if (!rst_q && job_valid && job_ready) asked_q <= asked_q + 1'b1;
    if (accept) begin
      beat_q <= last ? '0 : beat_q + 1'b1;
      if (last) sent_q <= sent_q + 1'b1;
      if (sent_q == job_q && 32'(beat_q) == 32'(byte_q) / DataBytes)
        value_q <= data_i[8*(32'(byte_q)%DataBytes)+:8];
      if (error_i && !failed_q[sent_q]) begin
        failed_q[sent_q] <= 1'b1;
        failed_beat_q[sent_q] <= beat_q;
      end
    end
  end

  // ---- bus beats --------------------------------------------------------------------------------
  logic failed;
  int unsigned position[DataBytes];  // in the range's first bus word and the following
  assign words = 3'((32'(offset_q[written_q]) + 32'(length_q[written_q]) + DataBytes - 1)
      / DataBytes);
  assign failed = failed_q[written_q] && failed_beat_q[written_q] <= word_q;

  always_ff @(posedge clk_i) begin
    if (!rst_q && out_end) ended_q <= ended_q + 1'b1;
    if (!rst_q && out_valid) begin
      word_q <= word_q == words - 1 ? '0 : word_q + 1'b1;
      if (word_q == words - 1) written_q <= written_q + 1'b1;
    end
  end

  always_comb begin
    for (int unsigned i = 0; i < DataBytes; i++) begin
      position[i] = 32'(word_q) * DataBytes + i;
      if (!rst_q && out_valid) begin

        assert (strobe[i] == (!failed && position[i] >= 32'(offset_q[written_q])
            && position[i] < 32'(offset_q[written_q]) + 32'(length_q[written_q])));
        if (written_q == job_q && position[i] == 32'(offset_q[job_q]) + 32'(byte_q))
          assert (out[8*i+:8] == value_q);
      end
    end
    if (!rst_q) begin
      if (out_valid) a_known : assert (written_q < 2'(Jobs));
      if (out_end) begin
        a_end_known : assert (ended_q < 2'(Jobs));
        a_error : assert (out_error == failed_q[ended_q]);
      end
      // The job's last beat comes with its end or after it.
      if (out_valid && word_q == words - 1) a_ended : assert (ended_q > written_q || out_end);
    end
  end

  // Nothing stalls: this many cycles after the end of a packet, all of it has come out.
  logic [Latency+1:0] settled_q = '0;  // since the reset
  logic [1:0] sent_before[Latency + 2];
  always_ff @(posedge clk_i) begin
    settled_q <= {settled_q[Latency:0], !rst_q};
    sent_before[0] <= sent_q;
    for (int unsigned i = 1; i < Latency + 2; i++) sent_before[i] <= sent_before[i-1];
    if (!rst_q) begin
      if (settled_q[Latency+1]) a_soon : assert (written_q >= sent_before[Latency+1]);
      a_not_before : assert (written_q <= sent_q);
      c_all : cover (written_q == 2'(Jobs) && offset_q[0] == 1 && offset_q[1] == 7);
    end
  end

endmodule
