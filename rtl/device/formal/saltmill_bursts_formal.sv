// SPDX-License-Identifier: Apache-2.0
// Proof: the bursts of any byte range are whole beats, follow one another without gap or overlap,
// cover the range and nothing beyond its bus words, stay below the largest burst, and never cross a
// 4 KiB boundary (AMBA AXI4, A3.4.1); requests are held until they are taken.
module saltmill_bursts_formal #(
    parameter int unsigned DataBytes  = 16,
    parameter int unsigned BurstBytes = 64
) (
    input logic        clk_i,
    input logic        job_valid_i,
    input logic [63:0] job_address_i,
    input logic [31:0] job_length_i,
    input logic        ready_i
);

  logic rst_q = 1'b1;
  logic job_ready, valid, last;
  logic [63:0] address;
  logic [ 8:0] beats;
  always_ff @(posedge clk_i) rst_q <= 1'b0;

  saltmill_bursts #(
      .DataBytes (DataBytes),
      .BurstBytes(BurstBytes)
  ) u_dut (
      .clk_i,
      .rst_i      (rst_q),
      .job_valid_i,
      .job_ready_o(job_ready),
      .job_address_i,
      .job_length_i,
      .valid_o    (valid),
      .ready_i,
      .address_o  (address),
      .beats_o    (beats),
      .last_o     (last)
  );

  // The range under way, kept apart from the design: where its next burst must begin, where it ends.
  localparam logic [64:0] BusMask = ~65'(DataBytes - 1);
  logic        active_q = 1'b0;
  logic [64:0] next_q;
  logic [64:0] end_q;  // first byte after the last bus word
  always_ff @(posedge clk_i) begin
    if (!rst_q) begin
      if (valid && ready_i) begin
        next_q <= next_q + 65'(beats) * DataBytes;
        if (last) active_q <= 1'b0;
      end
      if (job_valid_i && job_ready) begin
        active_q <= 1'b1;
        next_q   <= 65'(job_address_i) & BusMask;
        end_q    <= (65'(job_address_i) + 65'(job_length_i) + 65'(DataBytes - 1)) & BusMask;
      end
    end
  end

  // A job is not empty and does not reach past the end of the address space.
  always_comb begin
    assume (job_length_i != 0);
    assume (!job_address_i[63] || job_address_i[62:32] != '1);
  end

  logic        held_q = 1'b0;
  logic [63:0] held_address_q;
  logic [ 8:0] held_beats_q;
  logic        held_last_q;
  always_ff @(posedge clk_i) begin
    held_q         <= !rst_q && valid && !ready_i;
    held_address_q <= address;
    held_beats_q   <= beats;
    held_last_q    <= last;
  end

  always_comb begin
    if (!rst_q) begin
      a_active : assert (valid == active_q);
      if (valid) begin
        a_next : assert (65'(address) == next_q);
        a_some : assert (beats != 0 && 32'(beats) <= BurstBytes / DataBytes);
        a_end : assert (last == (next_q + 65'(beats) * DataBytes == end_q));
        a_inside : assert (next_q + 65'(beats) * DataBytes <= end_q);
        a_4k : assert ({20'd0, address[11:0]} + 32'(beats) * DataBytes <= 4096);
        // For the induction: what is left to do is what the design counts.
        a_left : assert (end_q - next_q == 65'(u_dut.left_q) * DataBytes);
        a_aligned : assert ((next_q & ~BusMask) == 0);
        a_top : assert (end_q <= 65'h1_0000_0000_0000_0000);
      end
      if (held_q) begin
        a_hold :
        assert (valid && address == held_address_q && beats == held_beats_q && last == held_last_q);
      end
      c_two_bursts : cover (valid && !last && beats == 9'd1);
    end
  end

endmodule
