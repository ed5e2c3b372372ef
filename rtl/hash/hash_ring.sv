// SPDX-License-Identifier: Apache-2.0
// What is around the steps of a ring of a hash core: Unroll units of three cycles each, and one
// cycle that adds the chaining value, make 3 * Unroll + 1 places for messages. Each goes around
// 64 / Unroll times per block, and unit j does steps j, j + Unroll and so on. What is here: params
// and streams, buffers, turns, constants, chaining values. A message's words come in one per cycle.

module hash_ring
  import hash_pkg::*;
#(
    bit BigEndian,  // as hash_pad; of the chaining value too
    int unsigned Unroll,  // 2 or 4
    int unsigned Depth,  // blocks of a message that wait, a power of two
    int unsigned DataBytes,  // 4, 8, 16, 32 or 64
    int unsigned Words,  // of a chaining value, 4 or 8
    logic [Words-1:0][31:0] Initial,
    constants_t Constants,
    int unsigned Banks,  // of the buffers: how the units' words differ
    localparam int unsigned PassWidth = $clog2(64 / Unroll),
    localparam int unsigned RowWidth = $clog2(16 / Banks)
) (
    // As the ports of the core, where they are described
    input logic aclk,
    input logic aresetn,
    input logic wipe_i,
    input logic param_valid_i,
    output logic param_ready_o,
    input param_t param_i,
    input logic s_axis_tvalid,
    output logic s_axis_tready,
    input logic [8*DataBytes-1:0] s_axis_tdata,
    input logic [DataBytes-1:0] s_axis_tkeep,
    input logic s_axis_tlast,
    input logic s_axis_tuser,
    output logic m_axis_tvalid,
    input logic m_axis_tready,
    output logic [8*DataBytes-1:0] m_axis_tdata,
    output logic [DataBytes-1:0] m_axis_tkeep,
    output logic m_axis_tlast,
    output logic m_axis_tuser,
    output logic busy_o,
    // Step j of a pass is prepared in the unit before: with its state comes the constant, a cycle
    // later the word, and in the cycle before the word whether it is the message's
    output logic [Unroll-1:0][PassWidth-1:0] pass_o,  // of the word that is asked for
    input logic [Unroll-1:0][RowWidth-1:0] row_i,  // at once: which one, as in hash_buffer
    output word_t [Unroll-1:0] word_o,  // 2 cycles later
    output logic [Unroll-1:0] message_o,  // with word_o: it is one of the first 16
    output word_t [Unroll-1:0] constant_o,  // with word_o
    // Unit j: its result is to be zero, so that only the chaining value is added to it
    output logic [Unroll-1:0] clear_o,
    output word_t [Words-1:0] value_o,  // with the last unit's result: to be added, or zero
    input word_t [Words-1:0] sum_i  // a cycle later
);

  localparam int unsigned Places = ring_places(Unroll);
  localparam int unsigned Passes = 64 / Unroll;
  localparam int unsigned BufferWidth = $clog2(RingBuffers);
  localparam int unsigned BlockWidth = $clog2(Depth);
  localparam int unsigned JobWidth = $clog2(RingJobs);
  logic clk_i, rst_i;
  assign clk_i = aclk;
  assign rst_i = !aresetn;

  // ---- messages come in -------------------------------------------------------------------------
  logic start, restored, core_busy, error, hold;
  logic
      value_valid,
      value_ready,
      value_free,
      value_write,
      word_valid,
      word_ready,
      word_final,
      word_write;
  word_t value, word;
  hash_in #(
      .BigEndian(BigEndian),
      .DataBytes(DataBytes)
  ) u_in (
      .valid_i      (s_axis_tvalid),
      .ready_o      (s_axis_tready),
      .data_i       (s_axis_tdata),
      .keep_i       (s_axis_tkeep),
      .last_i       (s_axis_tlast),
      .user_i       (s_axis_tuser),
      .start_o      (start),
      .restored_o   (restored),
      .core_busy_i  (core_busy),
      .value_valid_o(value_valid),
      .value_ready_i(value_ready),
      .value_o      (value),
      .word_valid_o (word_valid),
      .word_ready_i (word_ready),
      .word_o       (word),
      .word_final_o (word_final),
      .error_o      (error),
      .*
  );

  logic [BufferWidth-1:0] buffer, used_buffer;
  logic [BlockWidth-1:0] block;
  logic [3:0] index;
  logic whole, whole_first, whole_final, whole_restored, used, done;
  logic [BlockWidth:0] whole_block;
  logic [JobWidth:0] whole_job, begun, left;
  hash_fill #(
      .Buffers   (RingBuffers),
      .Depth     (Depth),
      .Jobs      (RingJobs),
      .ValueWords(Words)
  ) u_fill (
      .hold_i          (hold),
      .start_i         (start),
      .restored_i      (restored),
      .core_busy_o     (core_busy),
      .value_valid_i   (value_valid),
      .value_ready_o   (value_ready),
      .word_valid_i    (word_valid),
      .word_ready_o    (word_ready),
      .word_final_i    (word_final),
      .value_ready_i   (value_free),
      .value_write_o   (value_write),
      .word_write_o    (word_write),
      .buffer_o        (buffer),
      .block_o         (block),
      .index_o         (index),
      .whole_o         (whole),
      .whole_block_o   (whole_block),
      .whole_first_o   (whole_first),
      .whole_final_o   (whole_final),
      .whole_restored_o(whole_restored),
      .whole_job_o     (whole_job),
      .begun_o         (begun),
      .used_i          (used),
      .done_i          (done),
      .used_buffer_i   (used_buffer),
      .left_i          (left),
      .*
  );

  // ---- their turns ------------------------------------------------------------------------------
  logic [Places-1:0] active, was_active, message;
  logic [Places-1:0][PassWidth-1:0] pass;
  logic [Places-1:0][BufferWidth+BlockWidth-1:0] place;
  logic read, read_initial, write, write_digest, write_error;
  logic [BufferWidth-1:0] read_buffer, write_buffer;
  logic [JobWidth:0] write_job;
  hash_turns #(
      .Places       (Places),
      .Passes       (Passes),
      .MessagePasses(16 / Unroll),
      .BufferWidth  (BufferWidth),
      .BlockWidth   (BlockWidth),
      .JobWidth     (JobWidth)
  ) u_turns (
      .whole_i         (whole),
      .whole_buffer_i  (buffer),
      .whole_block_i   (whole_block),
      .whole_first_i   (whole_first),
      .whole_final_i   (whole_final),
      .whole_restored_i(whole_restored),
      .whole_error_i   (error),
      .whole_job_i     (whole_job),
      .used_o          (used),
      .done_o          (done),
      .used_buffer_o   (used_buffer),
      .active_o        (active),
      .was_active_o    (was_active),
      .message_o       (message),
      .pass_o          (pass),
      .block_o         (place),
      .read_o          (read),
      .read_initial_o  (read_initial),
      .read_buffer_o   (read_buffer),
      .write_o         (write),
      .write_digest_o  (write_digest),
      .write_error_o   (write_error),
      .write_buffer_o  (write_buffer),
      .write_job_o     (write_job),
      .*
  );

  // ---- words and constants ----------------------------------------------------------------------
  logic [Unroll-1:0][BufferWidth+BlockWidth-1:0] places;
  for (genvar j = 0; j < Unroll; j++) begin : gen_unit
    localparam int unsigned Asked = ring_word_age(j) - 3;
    localparam int unsigned Ends = 8 + 3 * j;
    assign pass_o[j] = pass[Asked];
    assign places[j] = place[Asked];
    assign message_o[j] = message[Asked+2];
    assign clear_o[j] = Ends < Places ? !active[Ends%Places] : !was_active[Ends%Places];
  end

  hash_buffer #(
      .Places (RingBuffers * Depth),
      .Readers(Unroll),
      .Banks  (Banks)
  ) u_buffer (
      .write_i      (word_write),
      .write_place_i({buffer, block}),
      .write_index_i(index),
      .word_i       (word),
      .place_i      (places),
      .row_i,
      .word_o,
      .*
  );

  // A memory for two units: both of its ports are clocked then, and can have their own register.
  for (genvar j = 0; j < Unroll; j += 2) begin : gen_constants
    (* rom_style = "block", ramstyle = "M10K" *)
    word_t constants[2*Passes];
    initial begin
      for (int unsigned i = 0; i < 2 * Passes; i++) begin
        constants[i] = Constants[63-i/2*Unroll-j-i%2];
      end
    end
    word_t even_q, odd_q;
    always_ff @(posedge clk_i) begin
      even_q <= constants[{pass_o[j], 1'b0}];
      odd_q <= constants[{pass_o[j+1], 1'b1}];
      constant_o[j] <= even_q;
      constant_o[j+1] <= odd_q;
    end
  end

  // ---- chaining values and digests --------------------------------------------------------------
  hash_values #(
      .Words      (Words),
      .Initial    (Initial),
      .BigEndian  (BigEndian),
      .DataBytes  (DataBytes),
      .BufferWidth(BufferWidth),
      .JobWidth   (JobWidth)
  ) u_values (
      .hold_o        (hold),
      .value_ready_o (value_free),
      .value_write_i (value_write),
      .value_buffer_i(buffer),
      .value_index_i (index),
      .value_i       (value),
      .read_i        (read),
      .read_initial_i(read_initial),
      .read_buffer_i (read_buffer),
      .value_o,
      .write_i       (write),
      .write_digest_i(write_digest),
      .write_error_i (write_error),
      .write_buffer_i(write_buffer),
      .write_job_i   (write_job),
      .sum_i,
      .left_o        (left),
      .*
  );
  assign busy_o = begun != left || m_axis_tvalid;

  stream_hold #(
      .Width(9 * DataBytes + 2)
  ) u_hold (
      .clk_i,
      .idle_i (rst_i || wipe_i),
      .valid_i(m_axis_tvalid),
      .ready_i(m_axis_tready),
      .data_i ({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser})
  );

endmodule
