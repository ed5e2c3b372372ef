// SPDX-License-Identifier: Apache-2.0
// Cuts a byte range into AXI4 INCR bursts of whole beats that end at multiples of BurstBytes, so
// that none crosses a 4 KiB boundary (AMBA AXI4, A3.4.1). One burst per cycle.
module saltmill_bursts #(
    parameter int unsigned DataBytes  = 16,
    parameter int unsigned BurstBytes = 1024  // power of two, 2*DataBytes..4096, at most 256 beats
) (
    input  logic        clk_i,
    input  logic        rst_i,
    // Byte range, length > 0
    input  logic        job_valid_i,
    output logic        job_ready_o,
    input  logic [63:0] job_address_i,
    input  logic [31:0] job_length_i,
    // Bursts of it
    output logic        valid_o,
    input  logic        ready_i,
    output logic [63:0] address_o,      // multiple of DataBytes
    output logic [ 8:0] beats_o,        // 1 to BurstBytes / DataBytes
    output logic        last_o          // last burst of the range
);

  localparam int unsigned ByteBits = $clog2(DataBytes);
  localparam int unsigned BurstBits = $clog2(BurstBytes);
  localparam int unsigned BeatBits = BurstBits - ByteBits;
  localparam int unsigned CountWidth = 33 - ByteBits;

  if (BurstBytes != 2 ** BurstBits || BurstBytes < 2 * DataBytes || BurstBytes > 4096
      || BurstBytes > 256 * DataBytes) begin : gen_bad_burst
    $fatal(1, "BurstBytes must be a power of two, 2 to 256 beats and at most 4096.");
  end

  logic                  active_q;
  logic [   63:ByteBits] address_q;
  logic [CountWidth-1:0] left_q;  // beats

  logic [CountWidth-1:0] job_beats;
  logic [          32:0] job_end;
  always_comb begin
    job_end   = 33'(job_address_i[ByteBits-1:0]) + 33'(job_length_i) + 33'(DataBytes - 1);
    job_beats = job_end[32:ByteBits];
  end
  logic unused;
  assign unused = ^job_end[ByteBits-1:0];

  logic [BeatBits:0] to_boundary;
  assign to_boundary = (BeatBits + 1)'(BurstBytes / DataBytes)
      - (BeatBits + 1)'(address_q[BurstBits-1:ByteBits]);

  assign last_o = left_q <= CountWidth'(to_boundary);
  assign beats_o = last_o ? 9'(left_q) : 9'(to_boundary);
  assign address_o = {address_q, ByteBits'(0)};
  assign valid_o = active_q;
  assign job_ready_o = !active_q || (ready_i && last_o);

  always_ff @(posedge clk_i) begin
    if (job_valid_i && job_ready_o) begin
      active_q  <= 1'b1;
      address_q <= job_address_i[63:ByteBits];
      left_q    <= job_beats;
    end else if (active_q && ready_i) begin
      active_q <= !last_o;
      address_q <= {address_q[63:BurstBits] + 1'b1, BeatBits'(0)};
      left_q <= left_q - CountWidth'(to_boundary);
    end
    if (rst_i) active_q <= 1'b0;
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
