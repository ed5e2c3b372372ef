// SPDX-License-Identifier: Apache-2.0
// Ends the jobs in ring order: when a job's data is written and answered and its tag is there, its
// status is written into its descriptor, the tag with it, and when that is answered the tail moves.
// The next status can be asked for while answers to earlier ones are still to come.
module saltmill_completion
  import saltmill_descriptor_pkg::*;
  import saltmill_socket_pkg::*;
  import saltmill_device_pkg::*;
#(
    parameter config_t Config,
    localparam int unsigned AddressBits = Config.address_bits,
    localparam int unsigned DataBytes = Config.data_bytes,
    localparam int unsigned SlotBits = $clog2(Config.job_depth),
    localparam int unsigned BaseBits = AddressBits - DescriptorLog2
) (
    input  logic                      clk_i,
    input  logic                      rst_i,
    input  logic                      wipe_i,
    // Ring
    input  logic    [   BaseBits-1:0] base_i,
    input  logic    [           15:0] mask_i,
    // Jobs, in order
    input  logic                      ending_valid_i,
    input  logic    [   SlotBits-1:0] ending_slot_i,
    input  ending_t                   ending_i,
    output logic                      ended_o,              // one has left the queue
    // Jobs that write data: the last burst is answered
    input  logic                      written_i,
    input  logic                      read_error_i,
    input  logic                      write_error_i,
    // Jobs with a tag
    input  logic                      record_valid_i,
    output logic                      record_ready_o,
    input  record_t                   record_i,
    // Status writes
    output logic                      status_valid_o,
    input  logic                      status_ready_i,
    output logic    [AddressBits-1:0] status_address_o,
    output logic    [            7:0] status_len_o,         // beats - 1
    output logic                      beat_valid_o,
    input  logic                      beat_ready_i,
    output logic    [8*DataBytes-1:0] beat_data_o,
    output logic    [  DataBytes-1:0] beat_strobe_o,
    input  logic                      status_done_i,
    // Finished jobs
    output logic    [           15:0] tail_o,
    output logic                      finished_o,
    output logic                      finished_interrupt_o  // it asks for one at once
);

  localparam facts_t Facts = facts(Config);
  localparam int unsigned StatusesUnderWay = 1 + dma_pkg::BurstsUnderWay;

  // ---- jobs, and what is known of their data ----------------------------------------------------
  logic [15:0] next_q;  // the job whose status is written next
  logic ending_valid, written_valid, next;
  logic writes_q, has_tag_q, verifies_q, interrupt_q;  // of the job that is next
  ending_t ending;
  logic read_error, write_error;
  // The ending of each job is in a RAM, addressed by its place; it is there two cycles after
  // next_q.
  logic late_q;
  ending_t read_ending_q;
  (* no_rw_check, ram_style = "block" *)
  ending_t endings[Config.job_depth];
  always_ff @(posedge clk_i) begin
    if (ending_valid_i) endings[ending_slot_i] <= ending_i;
    read_ending_q <= endings[next_q[SlotBits-1:0]];
    ending <= read_ending_q;
    late_q <= ending_valid_i && !rst_i && !wipe_i;
  end

  stream_credit #(
      .Max    (Config.job_depth),
      .Start  (0),
      .WantMax(1)
  ) u_some (
      .clk_i,
      .rst_i   (rst_i || wipe_i),
      .give_i  (late_q),
      .want_m1_i(1'b0),
      .take_i  (next),
      .enough_o(ending_valid)
  );

  // How each write ended, in order. The count is later than the moment at which the queue shows an
  // entry.
  logic written_late_q;
  always_ff @(posedge clk_i) written_late_q <= written_i && !rst_i && !wipe_i;

  stream_credit #(
      .Max    (Config.job_depth),
      .Start  (0),
      .WantMax(1)
  ) u_written (
      .clk_i,
      .rst_i   (rst_i || wipe_i),
      .give_i  (written_late_q),
      .want_m1_i(1'b0),
      .take_i  (next && writes_q),
      .enough_o(written_valid)
  );

  dma_marks #(
      .Width(2),
      .Depth(Config.job_depth)
  ) u_errors (
      .clk_i,
      .rst_i (rst_i || wipe_i),
      .push_i(written_i),
      .data_i({read_error_i, write_error_i}),
      .pop_i (next && writes_q),
      .data_o({read_error, write_error})
  );

  // ---- one status at a time ---------------------------------------------------------------------
  // Tag and status begin a bus word, and the status is in the last of their words.
  localparam bit Tags = Facts.tags != 0;
  localparam int unsigned TagAndStatusBytes = ReservedOffset - TagOffset;
  localparam int unsigned TagBeats = (TagAndStatusBytes + DataBytes - 1) / DataBytes;
  localparam int unsigned StatusBeatOffset = TagOffset + (TagBeats - 1) * DataBytes;
  localparam int unsigned StatusLane = StatusOffset - StatusBeatOffset;
  localparam int unsigned Bits = 8 * (Tags ? TagBeats : 1) * DataBytes;

  typedef enum logic [1:0] {
    StIdle,     // wait until all of a job is there
    StStatus,   // decide the status; ask for the burst, which is not granted at once
    StRequest,  // until it is granted: put the status into its words
    StBeats     // its beats, when their turn comes
  } state_e;

  state_e state_q;
  logic complete, last_beat;
  logic read_error_q, write_error_q, mismatch_q;
  logic hides_q;  // the tag is not written
  job_status_e status_q, status;
  logic [BaseBits-1:0] entry_q;
  logic [maximum($clog2(TagBeats), 1)-1:0] left_q;  // beats behind the next
  logic [Bits-1:0] words_q;  // what is left of tag and status, the next beat lowest

  assign complete = ending_valid && (!ending.writes || written_valid)
      && (!ending.has_tag || record_valid_i);
  // It is taken a cycle after it was seen: the next one is not looked for before.
  assign next = state_q == StStatus;
  assign record_ready_o = next && has_tag_q;
  always_comb begin
    status = status_q;
    if (mismatch_q) status = JobStatusTagMismatch;
    if (write_error_q) status = JobStatusWriteError;
    if (read_error_q) status = JobStatusReadError;
  end

  assign last_beat = beat_ready_i && left_q == '0;
  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: begin
        entry_q <= base_i + BaseBits'(next_q & mask_i);
        writes_q <= ending.writes;
        has_tag_q <= ending.has_tag;
        verifies_q <= ending.verifies;
        interrupt_q <= ending.at_once;
        status_q <= ending.status;
        mismatch_q <= ending.has_tag && !record_i.match;
        write_error_q <= ending.writes && write_error;
        read_error_q <= (ending.writes && read_error) || (ending.has_tag && record_i.error);
        words_q <= Tags ? Bits'(record_i.tag) : '0;
        if (complete) state_q <= StStatus;
      end
      StStatus: begin
        // Whoever opens a message that is not genuine must not learn its right tag.
        hides_q  <= !Tags || !has_tag_q || status != JobStatusOk || verifies_q;
        status_q <= status;
        left_q   <= Tags && has_tag_q ? ($bits(left_q))'(TagBeats - 1) : '0;
        state_q  <= StRequest;
      end
      StRequest: begin
        if (hides_q) words_q <= '0;
        if (Tags && has_tag_q) words_q[Bits-8*DataBytes+8*StatusLane+:8] <= status_q;
        else words_q[8*StatusLane+:8] <= status_q;
        if (status_ready_i) state_q <= StBeats;
      end
      StBeats:
      if (beat_ready_i) begin
        words_q <= Bits'({Bits'(0), words_q} >> 8 * DataBytes);
        left_q  <= left_q - 1'b1;
        if (last_beat) state_q <= StIdle;
      end
      default: state_q <= StIdle;
    endcase
    ended_o <= next;
    if (next) next_q <= next_q + 1'b1;
    if (status_done_i) tail_o <= tail_o + 1'b1;
    if (wipe_i) words_q <= '0;
    if (rst_i || wipe_i) begin
      state_q <= StIdle;
      ended_o <= 1'b0;
      next_q  <= '0;
      tail_o  <= '0;
    end
  end

  assign status_valid_o = state_q == StStatus || state_q == StRequest;
  assign status_address_o = {
    entry_q, DescriptorLog2'(Tags && has_tag_q ? TagOffset : StatusBeatOffset)
  };
  assign status_len_o = 8'(left_q);
  assign beat_valid_o = state_q == StBeats;
  assign beat_data_o = words_q[8*DataBytes-1:0];
  // 16 bytes of the tag, then 8 of the status: those beats whose first byte is below 24
  always_comb begin
    beat_strobe_o = '1;
    if (left_q == '0) begin
      beat_strobe_o = DataBytes'(8'hFF) << StatusLane;
      if (Tags && has_tag_q && TagBeats == 1) beat_strobe_o = DataBytes'({TagAndStatusBytes{1'b1}});
    end
  end

  // ---- finished ---------------------------------------------------------------------------------
  // A job's place is free once its status is made, so more statuses than there are places may wait
  // for their answers.
  logic status_done_q;
  dma_marks #(
      .Width(1),
      .Depth(StatusesUnderWay)
  ) u_interrupts (
      .clk_i,
      .rst_i (rst_i || wipe_i),
      .push_i(next),
      .data_i(interrupt_q),
      .pop_i (status_done_i),
      .data_o(finished_interrupt_o)
  );
  always_ff @(posedge clk_i) begin
    status_done_q <= status_done_i;
    finished_o    <= status_done_q;
    if (rst_i || wipe_i) {status_done_q, finished_o} <= '0;
  end

endmodule
