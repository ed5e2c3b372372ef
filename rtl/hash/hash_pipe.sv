// SPDX-License-Identifier: Apache-2.0
// What is around the 64 steps of a hash pipeline, a block per cycle. Each of its PipePlaces
// places has messages of its own, those of the slot with its number, one after the other: a
// message's next block follows a lap after the one before, the next message's first block too.
// What is here: slots, padding, turns, chaining values and digests.
//
// By the age of a place (hash_pipe_turns) the steps have: word i at 7 + 2 * i; at 7 the sum of
// the lap before, and at 8 the start, which is that sum or the first chaining value. What is
// added to a word, and the first addition of word 0, take a cycle each, a step two.

module hash_pipe
  import hash_pkg::*;
  import hash_pipe_pkg::*;
#(
    bit BigEndian,  // words, and the bytes of a digest
    int unsigned Depth,  // blocks of a slot, a power of two
    int unsigned Words,  // of a chaining value, 4 or 8
    logic [Words-1:0][31:0] Initial
) (
    // As the ports of the core, where they are described
    input  logic                 aclk,
    input  logic                 aresetn,
    input  logic                 wipe_i,
    input  logic                 s_axis_tvalid,
    output logic                 s_axis_tready,
    input  logic  [       511:0] s_axis_tdata,
    input  logic  [        63:0] s_axis_tkeep,
    input  logic                 s_axis_tlast,
    input  slot_t                s_axis_tid,
    input  logic                 s_axis_tuser,
    output logic                 m_axis_tvalid,
    input  logic                 m_axis_tready,
    output logic  [32*Words-1:0] m_axis_tdata,
    output slot_t                m_axis_tid,
    output logic                 m_axis_tuser,
    output logic                 busy_o,
    output word_t [        15:0] word_o,         // from 7 on
    output word_t [   Words-1:0] start_o,        // at 8
    output logic                 clear_o,        // at 5: the last step's result is zero at 6
    output word_t [   Words-1:0] value_o,        // at 6: to be added to it
    input  word_t [   Words-1:0] sum_i           // at 7
);

  logic clk_i, rst_i;
  assign clk_i = aclk;
  assign rst_i = !aresetn;

  // ---- messages and their turns -----------------------------------------------------------------
  logic clearing, begun, there, last, ends, error, used, one, room, digest, first;
  slot_t place;
  logic [6:0] bytes, from;
  logic [63:0] length;
  logic read_initial, write, write_digest, write_error;
  slot_t read_place, write_place;
  hash_slots #(
      .BigEndian(BigEndian),
      .Depth    (Depth)
  ) u_slots (
      .clearing_i(clearing),
      .valid_i   (s_axis_tvalid),
      .ready_o   (s_axis_tready),
      .data_i    (s_axis_tdata),
      .keep_i    (s_axis_tkeep),
      .last_i    (s_axis_tlast),
      .slot_i    (s_axis_tid),
      .user_i    (s_axis_tuser),
      .begun_o   (begun),
      .place_i   (place),
      .there_o   (there),
      .last_o    (last),
      .ends_o    (ends),
      .error_o   (error),
      .bytes_o   (bytes),
      .used_i    (used),
      .from_i    (from),
      .one_i     (one),
      .length_i  (length),
      .*
  );
  hash_pipe_turns u_turns (
      .clearing_o    (clearing),
      .place_o       (place),
      .there_i       (there),
      .last_i        (last),
      .ends_i        (ends),
      .error_i       (error),
      .bytes_i       (bytes),
      .room_i        (room),
      .digest_o      (digest),
      .used_o        (used),
      .from_o        (from),
      .one_o         (one),
      .length_o      (length),
      .first_o       (first),
      .read_initial_o(read_initial),
      .read_place_o  (read_place),
      .write_o       (write),
      .write_digest_o(write_digest),
      .write_error_o (write_error),
      .write_place_o (write_place),
      .*
  );

  // ---- chaining values --------------------------------------------------------------------------
  // The last word of the memory is the first value of all messages. A wipe writes zeros into the
  // others as their places come by.
  logic write_q;
  slot_t write_place_q;
  word_t [Words-1:0] write_value_q;
  always_ff @(posedge clk_i) begin
    write_q <= write || wipe_i;
    write_place_q <= write_place;
    write_value_q <= wipe_i ? '0 : sum_i;
    start_o <= first ? Initial : sum_i;
  end

  for (genvar i = 0; i < Words; i++) begin : gen_value
    (* no_rw_check, ramstyle = "no_rw_check", ram_style = "block" *)
    word_t memory[2**$bits(slot_t)];
    initial memory[255] = Initial[i];
    word_t read_q;
    always_ff @(posedge clk_i) begin
      if (write_q) memory[write_place_q] <= write_value_q[i];
      read_q <= memory[read_initial?slot_t'(255) : read_place];
      value_o[i] <= read_q;
    end
  end

  // ---- digests ----------------------------------------------------------------------------------
  logic digest_q, error_q, left;
  logic [32*Words-1:0] bytes_of;
  for (genvar i = 0; i < Words; i++) begin : gen_bytes
    assign bytes_of[32*i+:32] = BigEndian ? swapped(write_value_q[i]) : write_value_q[i];
  end
  always_ff @(posedge clk_i) begin
    digest_q <= write && write_digest && !wipe_i;
    error_q  <= write_error;
    if (rst_i) digest_q <= 1'b0;
  end

  // Each digest has its place before its last block is hashed.
  /* verilator lint_off PINCONNECTEMPTY */
  stream_count #(
      .Max  (PipeJobs),
      .Start(PipeJobs)
  ) u_room (
      .clk_i,
      .rst_i      (rst_i || wipe_i || clearing),
      .give_i     (left),
      .take_i     (digest),
      .some_o     (room),
      .some_next_o(),
      .full_o     ()
  );
  logic ready;
  stream_fifo #(
      .Width(32 * Words + $bits(slot_t) + 1),
      .Depth(PipeJobs)
  ) u_digests (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(digest_q),
      .ready_o(ready),
      .data_i ({error_q, write_place_q, bytes_of}),
      .valid_o(m_axis_tvalid),
      .ready_i(m_axis_tready),
      .data_o ({m_axis_tuser, m_axis_tid, m_axis_tdata}),
      .level_o()
  );
  /* verilator lint_on PINCONNECTEMPTY */
  assign left = m_axis_tvalid && m_axis_tready;

  // Messages that began and whose digests have not left
  logic [15:0] open_q;
  assign busy_o = open_q != '0;
  always_ff @(posedge clk_i) begin
    if (begun != left) open_q <= open_q + {{15{left}}, 1'b1};
    if (rst_i || wipe_i || clearing) open_q <= '0;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      a_room : assert (ready || !digest_q || wipe_i);
      a_slot : assert (!s_axis_tvalid || s_axis_tid < slot_t'(PipePlaces));
      a_full : assert (!s_axis_tvalid || s_axis_tlast || &s_axis_tkeep);
    end
  end
`endif

endmodule
