// SPDX-License-Identifier: Apache-2.0
// Proof, from any state: 130 cycles of a wipe leave zeros in all chaining values and digests of a
// ring, and what the memory was made with in the place of the first value of all messages. From
// the second cycle on nothing but the first digest's place is read. And in a wipe or not, nothing
// leaves that was read while it was written.

module hash_values_wipe_formal
  import hash_pkg::*;
#(
    localparam int unsigned Words = 8,
    localparam int unsigned BufferWidth = $clog2(RingBuffers),
    localparam int unsigned JobWidth = $clog2(RingJobs)
) (
    input logic                    clk_i,
    input logic                    rst_i,
    input logic                    wipe_i,
    input logic                    value_write_i,
    input logic  [BufferWidth-1:0] value_buffer_i,
    input logic  [            3:0] value_index_i,
    input word_t                   value_i,
    input logic                    read_i,
    input logic                    read_initial_i,
    input logic  [BufferWidth-1:0] read_buffer_i,
    input logic                    write_i,
    input logic                    write_digest_i,
    input logic                    write_error_i,
    input logic  [BufferWidth-1:0] write_buffer_i,
    input logic  [     JobWidth:0] write_job_i,
    input word_t [      Words-1:0] sum_i,
    input logic                    m_axis_tready
);

  localparam int unsigned Rows = 2 ** (JobWidth + 1);
  typedef logic [JobWidth:0] address_t;
  localparam address_t InitialAddress = address_t'(2 ** (JobWidth - 1));

  /* verilator lint_off PINCONNECTEMPTY */
  hash_values #(
      .Words      (Words),
      .Initial    ('0),           // a proof may begin in any state: what is there is not looked at
      .BigEndian  (1'b1),
      .DataBytes  (16),
      .BufferWidth(BufferWidth),
      .JobWidth   (JobWidth)
  ) u_dut (
      .hold_o       (),
      .value_ready_o(),
      .value_o      (),
      .left_o       (),
      .m_axis_tvalid(),
      .m_axis_tdata (),
      .m_axis_tkeep (),
      .m_axis_tlast (),
      .m_axis_tuser (),
      .*
  );
  /* verilator lint_on PINCONNECTEMPTY */

  address_t address, behind;  // any, and how long ago it was walked over
  logic [JobWidth+2:0] wiped_q = '0;  // cycles
  assign behind = u_dut.write_address_q - address - 1'b1;
  always_ff @(posedge clk_i) begin
    address <= address;
    if (wiped_q <= (JobWidth + 3)'(Rows + 1)) wiped_q <= wiped_q + 1'b1;
    if (!wipe_i) wiped_q <= '0;
  end
  // As in the ring: a reset is before a wipe, in which nothing is restored or read
  always_comb begin
    assume (!wipe_i || !rst_i);
    assume (!wipe_i || !value_write_i);
    if (wiped_q != '0) assume (!read_i);
  end

  for (genvar i = 0; i < Words; i++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (wiped_q > (JobWidth + 3)'(Rows) && address != InitialAddress)
        wiped : assert (u_dut.gen_word[i].memory[address] == '0);
      if (wiped_q != '0) begin
        writes_zeros : assert (u_dut.sum_q[i] == '0 && !u_dut.lap_q && !u_dut.error_q);
        restores_nothing : assert (!u_dut.restore_q[i] && u_dut.restored_q == '0);
        all_but_one : assert (u_dut.write_q == (u_dut.write_address_q != InitialAddress));
        if ((JobWidth + 3)'(behind) + 1'b1 < wiped_q && address != InitialAddress)
          walked_over : assert (u_dut.gen_word[i].memory[address] == '0);
      end
      if (wiped_q > 1) reads_the_first_digest : assert (u_dut.address_q == {1'b1, JobWidth'(0)});
    end
  end

  // Wipe or not: a digest that leaves was not read in the cycle in which the other port wrote it.
  logic [1:0] undefined_q = '0;
  always_ff @(posedge clk_i) begin
    undefined_q <= {undefined_q[0], u_dut.write_q && u_dut.write_address_q == u_dut.address_q};
    if (u_dut.looking_q[1]) found_is_defined : assert (!undefined_q[0]);
    if (u_dut.out_valid) digest_is_defined : assert (!undefined_q[1]);
    if (u_dut.looking_q[2]) out_is_defined : assert (!undefined_q[1]);
  end

endmodule
