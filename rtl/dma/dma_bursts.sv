// SPDX-License-Identifier: Apache-2.0
// Cuts a byte range into AXI4 INCR bursts of whole beats that end at multiples of BurstBytes, so
// that none crosses a 4 KiB boundary (AMBA AXI4, A3.4.1). A range's first burst comes 4 cycles
// after its job, then one every 4 cycles; its outputs are there a cycle before valid_o, for a
// comparison with a credit.

module dma_bursts #(
    int unsigned DataBytes   = 16,
    int unsigned AddressBits = 32,
    int unsigned BurstBytes  = 1024  // power of two, 4 to 256 beats, at most 4096
) (
    input  logic                   clk_i,
    input  logic                   rst_i,            // also for a wipe
    // Byte range: it ends at most at 2^AddressBits
    input  logic                   job_valid_i,
    output logic                   job_ready_o,
    input  logic [AddressBits-1:0] job_address_i,
    input  logic [           31:0] job_length_m1_i,  // bytes - 1
    input  logic                   job_mark_i,       // comes out with its bursts
    // Bursts of it
    output logic                   valid_o,
    input  logic                   ready_i,
    output logic [AddressBits-1:0] address_o,        // multiple of DataBytes
    output logic [            7:0] len_o,            // beats - 1, as AxLEN
    output logic                   last_o,           // last burst of the range
    output logic                   mark_o
);

  localparam int unsigned ByteBits = $clog2(DataBytes);
  localparam int unsigned BurstBits = $clog2(BurstBytes);
  localparam int unsigned BeatBits = BurstBits - ByteBits;

  if (BurstBytes != 2 ** BurstBits || BurstBytes < 4 * DataBytes || BurstBytes > 4096
      || BurstBytes > 256 * DataBytes) begin : gen_bad_burst
    $fatal(1, "dma_bursts: BurstBytes must be a power of two, 4 to 256 beats and at most 4096");
  end

  // A burst's number is the upper part of its address, a beat's the part below.
  typedef logic [AddressBits-BurstBits-1:0] number_t;
  typedef logic [BeatBits-1:0] beat_t;

  number_t number_q;
  beat_t first_q;  // beat that the burst begins with
  /* verilator lint_off UNUSEDSIGNAL */
  logic [AddressBits-1:0] end_q;  // the range's last byte
  /* verilator lint_on UNUSEDSIGNAL */
  beat_t last_beat;
  logic last_q, started_q, compared_q, active_q, mark_q, full_q, load, pass;

  // A burst is computed in 2 cycles, and moves to the outputs when they are free. The next one is
  // computed meanwhile.
  assign job_ready_o = !active_q;
  assign load = job_valid_i && job_ready_o;
  assign pass = compared_q && !full_q;
  assign last_beat = last_q ? end_q[BurstBits-1:ByteBits] : '1;

  always_ff @(posedge clk_i) begin
    // One addition or comparison between two registers
    last_q     <= end_q[AddressBits-1:BurstBits] == number_q;
    started_q  <= load || (pass && !last_q);
    compared_q <= (started_q || compared_q) && !pass;

    if (pass) begin
      full_q <= 1'b1;
      active_q <= !last_q;
      last_o <= last_q;
      mark_o <= mark_q;
      address_o <= {number_q, first_q, ByteBits'(0)};
      len_o <= 8'(beat_t'(last_beat - first_q));
      number_q <= number_q + 1'b1;
      first_q <= '0;
    end
    valid_o <= full_q;
    if (valid_o && ready_i) {valid_o, full_q} <= '0;
    if (load) begin
      active_q <= 1'b1;
      mark_q   <= job_mark_i;
      {number_q, first_q} <= job_address_i[AddressBits-1:ByteBits];
      end_q    <= job_address_i + AddressBits'(job_length_m1_i);
    end
    if (rst_i) {active_q, started_q, compared_q, full_q, valid_o} <= '0;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && valid_o)
      a_4k : assert ({20'd0, address_o[11:0]} + (32'(len_o) + 1) * DataBytes <= 4096);
  end
`endif

endmodule
