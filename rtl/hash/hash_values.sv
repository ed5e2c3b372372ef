// SPDX-License-Identifier: Apache-2.0
// Chaining values and digests of the messages in a ring, in block RAM: a place for each buffer, one
// for the first chaining value of all messages, and one for the digest of each job. Digests leave
// in the order of jobs; each has a bit that tells this lap from the one before. A reset takes
// 2^(JobWidth + 1) cycles, and so does a wipe.

module hash_values
  import hash_pkg::*;
#(
    int unsigned Words,  // of a chaining value
    logic [Words-1:0][31:0] Initial,
    bit BigEndian,
    int unsigned DataBytes,
    int unsigned BufferWidth,
    int unsigned JobWidth  // more than BufferWidth
) (
    input  logic                    clk_i,
    input  logic                    rst_i,
    input  logic                    wipe_i,
    output logic                    hold_o,          // not ready yet, after a reset
    // A word of a restored value
    output logic                    value_ready_o,
    input  logic                    value_write_i,
    input  logic  [BufferWidth-1:0] value_buffer_i,
    input  logic  [            3:0] value_index_i,
    input  word_t                   value_i,
    // To be added
    input  logic                    read_i,
    input  logic                    read_initial_i,
    input  logic  [BufferWidth-1:0] read_buffer_i,
    output word_t [      Words-1:0] value_o,         // 4 cycles after read_i; otherwise 0
    // Sums
    input  logic                    write_i,
    input  logic                    write_digest_i,
    input  logic                    write_error_i,
    input  logic  [BufferWidth-1:0] write_buffer_i,
    input  logic  [     JobWidth:0] write_job_i,
    input  word_t [      Words-1:0] sum_i,
    // Digests
    output logic  [     JobWidth:0] left_o,          // jobs whose digests have left
    output logic                    m_axis_tvalid,
    input  logic                    m_axis_tready,
    output logic  [8*DataBytes-1:0] m_axis_tdata,
    output logic  [  DataBytes-1:0] m_axis_tkeep,
    output logic                    m_axis_tlast,
    output logic                    m_axis_tuser
);

  localparam int unsigned AddressWidth = JobWidth + 1;
  typedef logic [AddressWidth-1:0] address_t;
  // Digests are in the upper half; in the lower one the buffers, and in its middle:
  localparam address_t InitialAddress = address_t'(2 ** (JobWidth - 1));

  // ---- one port writes sums ---------------------------------------------------------------------
  logic ready_q, walk, write_q;
  address_t write_address_q;
  word_t [Words-1:0] sum_q;
  logic lap_q, error_q;
  assign walk   = wipe_i || !ready_q;
  assign hold_o = !ready_q;

  always_ff @(posedge clk_i) begin
    write_q <= walk ? write_address_q + 1'b1 != InitialAddress : write_i;
    if (walk) write_address_q <= write_address_q + 1'b1;
    else if (write_digest_i) write_address_q <= {1'b1, write_job_i[JobWidth-1:0]};
    else write_address_q <= address_t'(write_buffer_i);
    if (walk && write_address_q == '1) ready_q <= 1'b1;
    sum_q <= sum_i;
    {lap_q, error_q} <= {!write_job_i[JobWidth], write_error_i};
    if (walk) {sum_q, lap_q, error_q} <= '0;
    if (rst_i) begin
      write_address_q <= '0;
      write_q <= 1'b0;
      ready_q <= 1'b0;
    end
  end

  // ---- the other one reads for sums, writes what is restored, and in between reads digests ------
  logic look, collision, out_ready, out_valid, last_quad, unused;
  logic [2:0] looking_q;  // a digest is asked for; it is there with the last of these
  logic [2:0] reading_q;
  logic quad_q;  // four words of the digest
  logic [JobWidth:0] job_q;
  address_t address_q;
  logic [Words-1:0] restore_q;
  word_t restored_q;
  word_t [Words-1:0] word;
  logic lap, error;
  assign value_ready_o = !read_i;
  assign look = !read_i && !value_write_i && looking_q == '0 && out_ready && ready_q;
  // What is read while the other port writes it is not defined: it is read again.
  assign collision = write_q && write_address_q == address_q;
  assign last_quad = Words == 4 || quad_q;
  assign out_valid = looking_q[2] && lap != job_q[JobWidth];
  assign left_o = job_q;
  always_ff @(posedge clk_i) begin
    address_q <= {1'b1, job_q[JobWidth-1:0]};
    if (value_write_i) address_q <= address_t'(value_buffer_i);
    if (read_i) address_q <= read_initial_i ? InitialAddress : address_t'(read_buffer_i);
    for (int unsigned i = 0; i < Words; i++) begin
      restore_q[i] <= value_write_i && value_index_i == 4'(i);
    end
    restored_q <= value_i;
    looking_q  <= {looking_q[1], looking_q[0] && !collision, look};
    reading_q  <= {reading_q[1:0], read_i};
    value_o    <= word;
    if (!reading_q[2]) value_o <= '0;
    if (out_valid) quad_q <= !last_quad;
    if (out_valid && last_quad) job_q <= job_q + 1'b1;
    if (wipe_i) restored_q <= '0;
    if (rst_i || wipe_i) {restore_q, looking_q, reading_q, job_q, quad_q} <= '0;
  end

  // Two processes may write: always_ff is for one.
  /* verilator lint_off MULTIDRIVEN */
  for (genvar i = 0; i < Words; i++) begin : gen_word
    // The first one has the bits of a digest.
    localparam int unsigned Width = i == 0 ? 34 : 32;
    (* no_rw_check, ramstyle = "no_rw_check", ram_style = "block" *)
    logic [Width-1:0] memory[2**AddressWidth];
    initial memory[InitialAddress] = Width'(Initial[i]);
    logic [Width-1:0] found_q, out_q;
    assign word[i] = out_q[31:0];
    always @(posedge clk_i) begin
      if (write_q) memory[write_address_q] <= Width'({error_q, lap_q, sum_q[i]});
    end
    always @(posedge clk_i) begin
      if (restore_q[i]) memory[address_q] <= Width'(restored_q);
      else found_q <= memory[address_q];
      out_q <= found_q;
    end
    if (i == 0) begin : gen_first
      assign {error, lap} = out_q[33:32];
    end
  end
  /* verilator lint_on MULTIDRIVEN */

  // ---- digests ----------------------------------------------------------------------------------
  logic valid, ready, last, user;
  logic [127:0] digest;
  logic [8*DataBytes-1:0] data;
  logic [DataBytes-1:0] keep;
  for (genvar i = 0; i < 4; i++) begin : gen_digest
    word_t part;
    assign part = quad_q ? word[Words-4+i] : word[i];
    assign digest[32*i+:32] = BigEndian ? swapped(part) : part;
  end
  stream_width #(
      .InBytes (16),
      .OutBytes(DataBytes)
  ) u_out (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(out_valid),
      .ready_o(out_ready),
      .data_i (digest),
      .keep_i ('1),
      .last_i (last_quad),
      .user_i (error),
      .valid_o(valid),
      .ready_i(ready),
      .data_o (data),
      .keep_o (keep),
      .last_o (last),
      .user_o (user)
  );
  // Equal widths are wires, and what is asked for must have a place when it comes.
  stream_fifo #(
      .Width(9 * DataBytes + 2),
      .Depth(DataBytes == 16 ? 1 : 0)
  ) u_place (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(valid),
      .ready_o(ready),
      .data_i ({data, keep, last, user}),
      .valid_o(m_axis_tvalid),
      .ready_i(m_axis_tready),
      .data_o ({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser}),
      .level_o(unused)
  );

endmodule
