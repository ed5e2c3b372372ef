// SPDX-License-Identifier: Apache-2.0
// Proof, bounded: whatever the alignment of source and destination, byte k of a job arrives at byte
// lane (destination + k), strobed, once; nothing else is strobed; the last beat is marked; after a
// beat with an error nothing of the job is strobed. Source and destination alignment are chained.
module saltmill_align_formal
  import saltmill_device_pkg::*;
#(
    parameter int unsigned DataBytes = 4
) (
    input logic                         clk_i,
    input logic                         job_valid_i,
    input logic                         job_zeros_i,
    input logic [$clog2(DataBytes)-1:0] job_source_i,
    input logic [$clog2(DataBytes)-1:0] job_destination_i,
    input logic [                 31:0] job_length_i,
    input logic                         beat_valid_i,
    input logic [      8*DataBytes-1:0] beat_data_i,
    input logic                         beat_error_i,
    input logic                         ready_i
);

  localparam int unsigned ByteBits = $clog2(DataBytes);
  localparam int unsigned MostBytes = 4 * DataBytes;

  logic rst_q = 1'b1;
  always_ff @(posedge clk_i) rst_q <= 1'b0;
  always_comb assume (job_length_i != 0 && job_length_i <= MostBytes);

  // ---- one job at a time through both --------------------------------------------------------------
  logic active_q = 1'b0;
  logic zeros_q;
  logic [ByteBits-1:0] source_q, destination_q;
  logic [31:0] length_q;
  logic take, in_ready, done;
  assign take = job_valid_i && in_ready && !active_q && !rst_q;
  always_ff @(posedge clk_i) begin
    if (done) active_q <= 1'b0;
    if (take) begin
      active_q      <= 1'b1;
      zeros_q       <= job_zeros_i;
      source_q      <= job_source_i;
      destination_q <= job_destination_i;
      length_q      <= job_length_i;
    end
  end

  logic beat_ready;
  logic packet_valid, packet_ready, packet_last, packet_error;
  logic [8*DataBytes-1:0] packet_data;
  logic [  DataBytes-1:0] packet_keep;
  saltmill_align_in #(
      .DataBytes(DataBytes)
  ) u_in (
      .clk_i,
      .rst_i       (rst_q),
      .job_valid_i (job_valid_i && !active_q),
      .job_ready_o (in_ready),
      .job_zeros_i,
      .job_offset_i(job_source_i),
      .job_length_i,
      .beat_valid_i,
      .beat_ready_o(beat_ready),
      .beat_data_i,
      .beat_error_i,
      .valid_o     (packet_valid),
      .ready_i     (packet_ready),
      .data_o      (packet_data),
      .keep_o      (packet_keep),
      .last_o      (packet_last),
      .error_o     (packet_error)
  );

  logic bus_valid, bus_last, bus_error;
  logic [8*DataBytes-1:0] bus_data;
  logic [  DataBytes-1:0] bus_strobe;
  saltmill_align_out #(
      .DataBytes(DataBytes)
  ) u_out (
      .clk_i,
      .rst_i       (rst_q),
      .job_valid_i (active_q),
      .job_ready_o (done),
      .job_offset_i(destination_q),
      .valid_i     (packet_valid),
      .ready_o     (packet_ready),
      .data_i      (packet_data),
      .keep_i      (packet_keep),
      .last_i      (packet_last),
      .error_i     (packet_error),
      .valid_o     (bus_valid),
      .ready_i,
      .data_o      (bus_data),
      .strobe_o    (bus_strobe),
      .last_o      (bus_last),
      .error_o     (bus_error)
  );

  // ---- any one byte of the job ----------------------------------------------------------------------
  logic [31:0] k_q;  // never changes: it stands for every byte
  always_ff @(posedge clk_i) k_q <= k_q;

  logic [31:0] in_beats_q, out_beats_q;  // of this job so far
  logic [31:0] in_position, out_position;
  logic [7:0] byte_q;
  logic       failed_q;
  assign in_position  = 32'(source_q) + k_q;
  assign out_position = 32'(destination_q) + k_q;
  always_ff @(posedge clk_i) begin
    if (beat_valid_i && beat_ready) begin
      in_beats_q <= in_beats_q + 1;
      if (in_beats_q == in_position / DataBytes)
        byte_q <= beat_data_i[8*(in_position%DataBytes)+:8];
      if (beat_error_i) failed_q <= 1'b1;
    end
    if (bus_valid && ready_i) out_beats_q <= out_beats_q + 1;
    if (take) begin
      in_beats_q  <= '0;
      out_beats_q <= '0;
      failed_q    <= 1'b0;
      byte_q      <= '0;  // what a keystream job's source counts as
    end
  end

  // The byte may arrive in the very cycle in which it leaves.
  logic [7:0] expected;
  logic       beat_now;
  assign beat_now = beat_valid_i && beat_ready && in_beats_q == in_position / DataBytes;
  assign expected = beat_now ? beat_data_i[8*(in_position%DataBytes)+:8] : byte_q;

  logic any_error;
  assign any_error = failed_q || (beat_valid_i && beat_ready && beat_error_i);

  logic [31:0] position[DataBytes];
  always_comb begin
    for (int unsigned i = 0; i < DataBytes; i++) begin
      position[i] = out_beats_q * DataBytes + i;
    end
    if (!rst_q) begin
      if (bus_valid && ready_i && !any_error) begin
        for (int unsigned i = 0; i < DataBytes; i++) begin
          // Strobed exactly where a byte of the job belongs.
          assert (bus_strobe[i] == (position[i] >= 32'(destination_q)
              && position[i] < 32'(destination_q) + length_q));
          if (k_q < length_q && position[i] == out_position) assert (bus_data[8*i+:8] == expected);
        end
      end
      if (bus_valid && ready_i) begin
        assert (bus_last == (out_beats_q == (32'(destination_q) + length_q - 1) / DataBytes));
        if (bus_error) assert (bus_strobe == 0);
        if (bus_last) assert (bus_error == any_error);
        if (zeros_q) assert (!bus_error);
      end
      // No more is read than the job has.
      if (beat_valid_i && beat_ready) begin
        assert (!zeros_q && in_beats_q <= (32'(source_q) + length_q - 1) / DataBytes);
      end
      if (done) begin
        assert (zeros_q || in_beats_q + 32'(beat_valid_i && beat_ready)
            == (32'(source_q) + length_q - 1) / DataBytes + 1);
      end
      c_unaligned : cover (done && source_q == 1 && destination_q == 3 && out_beats_q == 3);
    end
  end

endmodule
