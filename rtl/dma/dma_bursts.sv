// SPDX-License-Identifier: Apache-2.0
// Cuts a byte range into AXI4 INCR bursts of whole beats that end at multiples of BurstBytes, so
// that none crosses a 4 KiB boundary (AMBA AXI4, A3.4.1). A burst every 4 cycles; its outputs are
// there a cycle before valid_o, for a comparison with a credit.

module dma_bursts #(
    int unsigned DataBytes   = 16,
    int unsigned AddressBits = 32,
    int unsigned BurstBytes  = 1024  // power of two, 2 * DataBytes to 4096, at most 256 beats
) (
    input  logic                   clk_i,
    input  logic                   rst_i,          // also for a wipe
    // Byte range: length > 0, and it ends at most at 2^AddressBits
    input  logic                   job_valid_i,
    output logic                   job_ready_o,
    input  logic [AddressBits-1:0] job_address_i,
    input  logic [           31:0] job_length_i,
    input  logic                   job_mark_i,     // comes out with its bursts
    // Bursts of it
    output logic                   valid_o,
    input  logic                   ready_i,
    output logic [AddressBits-1:0] address_o,      // multiple of DataBytes
    output logic [            8:0] beats_o,        // 1 to BurstBytes / DataBytes
    output logic                   last_o,         // last burst of the range
    output logic                   mark_o
);

  localparam int unsigned ByteBits = $clog2(DataBytes);
  localparam int unsigned BurstBits = $clog2(BurstBytes);
  localparam int unsigned BeatBits = BurstBits - ByteBits;

  if (BurstBytes != 2 ** BurstBits || BurstBytes < 2 * DataBytes || BurstBytes > 4096
      || BurstBytes > 256 * DataBytes) begin : gen_bad_burst
    $fatal(1, "dma_bursts: BurstBytes must be a power of two, 2 to 256 beats and at most 4096");
  end

  // A burst's number is the upper part of its address. The range stops in the last burst, or where
  // the next one would begin: then the last is a whole one.
  typedef logic [AddressBits-BurstBits:0] number_t;  // one more bit: 2^AddressBits
  typedef logic [BeatBits:0] count_t;  // beats of a burst

  number_t number_q, next_q, stop_number;
  logic [BeatBits-1:0] first_q;  // beat of the burst that it begins with
  logic [AddressBits:0] stop_q;  // behind the last byte
  count_t stop_beat_q;  // behind the last beat, in its burst; 0: it is the burst before
  logic stops_here_q, stops_next_q, last;
  logic [1:0] step_q;
  logic active_q, mark_q, compared_q, full_q, load, pass;

  assign stop_number = stop_q[AddressBits:BurstBits];
  assign last = stops_here_q || (stops_next_q && stop_beat_q == '0);

  // A burst is worked on for 3 cycles, and passed to the outputs when they are free. The next one
  // is worked on meanwhile.
  assign job_ready_o = !active_q;
  assign load = job_valid_i && job_ready_o;
  assign pass = compared_q && !full_q;

  always_ff @(posedge clk_i) begin
    // One addition or comparison between two registers
    next_q       <= number_q + 1'b1;
    stop_beat_q  <= count_t'(stop_q[BurstBits-1:ByteBits]) + count_t'(|stop_q[ByteBits-1:0]);
    stops_here_q <= stop_number == number_q;
    stops_next_q <= stop_number == next_q;
    step_q       <= {step_q[0], load || (pass && !last)};
    compared_q   <= (step_q[1] || compared_q) && !pass;

    if (pass) begin
      full_q <= 1'b1;
      active_q <= !last;
      last_o <= last;
      mark_o <= mark_q;
      address_o <= {number_q[AddressBits-BurstBits-1:0], first_q, ByteBits'(0)};
      beats_o   <= 9'(count_t'((last && stop_beat_q != '0 ? stop_beat_q : count_t'(2 ** BeatBits))
          - count_t'(first_q)));
      number_q <= next_q;
      first_q <= '0;
    end
    valid_o <= full_q;
    if (valid_o && ready_i) {valid_o, full_q} <= '0;
    if (load) begin
      active_q <= 1'b1;
      mark_q   <= job_mark_i;
      number_q <= {1'b0, job_address_i[AddressBits-1:BurstBits]};
      first_q  <= job_address_i[BurstBits-1:ByteBits];
      stop_q   <= {1'b0, job_address_i} + (AddressBits + 1)'(job_length_i);
    end
    if (rst_i) {active_q, step_q, compared_q, full_q, valid_o} <= '0;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && valid_o) begin
      a_not_empty : assert (beats_o != 0);
      a_4k : assert ({20'd0, address_o[11:0]} + 32'(beats_o) * DataBytes <= 4096);
    end
  end
`endif

endmodule
