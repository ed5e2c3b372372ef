// SPDX-License-Identifier: Apache-2.0
// Brings messages to the ring of a hash core, one after the other: each gets a buffer for its
// blocks and its chaining value, and a job number, in the order of messages, for its digest. A word
// per cycle, and one cycle more per message.

module hash_fill #(
    int unsigned Buffers,  // a power of two
    int unsigned Depth,  // blocks of a buffer, a power of two
    int unsigned Jobs,  // messages whose digests have not left, a power of two
    int unsigned ValueWords,  // of a chaining value
    localparam int unsigned BufferWidth = $clog2(Buffers),
    localparam int unsigned BlockWidth = $clog2(Depth),
    localparam int unsigned JobWidth = $clog2(Jobs)
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   wipe_i,
    input  logic                   hold_i,            // no message begins
    // As hash_in
    input  logic                   start_i,
    input  logic                   restored_i,
    output logic                   core_busy_o,
    input  logic                   value_valid_i,
    output logic                   value_ready_o,
    input  logic                   word_valid_i,
    output logic                   word_ready_o,
    input  logic                   word_final_i,
    // Where a word goes
    input  logic                   value_ready_i,
    output logic                   value_write_o,     // of a chaining value
    output logic                   word_write_o,      // of a block
    output logic [BufferWidth-1:0] buffer_o,          // the message's
    output logic [ BlockWidth-1:0] block_o,           // place in it
    output logic [            3:0] index_o,           // of the word, in block or value
    // A block of that buffer is whole, since the cycle before
    output logic                   whole_o,
    output logic [   BlockWidth:0] whole_block_o,     // count of the message's blocks before it
    output logic                   whole_first_o,     // of the message or part
    output logic                   whole_final_o,
    output logic                   whole_restored_o,  // the message began with a chaining value
    output logic [     JobWidth:0] whole_job_o,       // its top bit changes with each lap
    // A block whose words were used, and a message that is done: its buffer is free
    input  logic                   used_i,
    input  logic                   done_i,
    input  logic [BufferWidth-1:0] used_buffer_i,
    output logic [     JobWidth:0] begun_o,           // jobs
    input  logic [     JobWidth:0] left_i             // those whose digests have left
);

  // What comes next: a message's chaining value, or its words. Neither: no message is open.
  logic restores_q, words_q;
  logic closed, value, word, complete, restored;
  logic last_value_q;  // the next word of the chaining value is its last
  assign closed = !restores_q && !words_q;
  assign value_ready_o = restores_q && value_ready_i;
  assign value = value_ready_o && value_valid_i;
  assign restored = value && last_value_q;
  assign word = word_valid_i && word_ready_o;
  assign value_write_o = value;
  assign word_write_o = word;

  // ---- buffers and jobs -------------------------------------------------------------------------
  logic [Buffers-1:0] taken_q;
  logic [BufferWidth-1:0] buffer_q, next_q;
  logic found_q;  // next_q is free
  logic [JobWidth:0] job_q, next_job_q;
  logic jobs_full_q;
  // A register, because the start of a message reaches far.
  logic ready_q, closes;
  assign core_busy_o = !ready_q;
  assign closes = word && word_final_i;
  assign buffer_o = buffer_q;
  assign begun_o = next_job_q;

  always_ff @(posedge clk_i) begin
    if (!found_q) begin
      found_q <= !taken_q[next_q];
      if (taken_q[next_q]) next_q <= next_q + 1'b1;
    end
    ready_q <= (closed || closes) && !start_i && found_q && !jobs_full_q && !hold_i;
    jobs_full_q <= next_job_q == (left_i ^ {1'b1, JobWidth'(0)});
    if (done_i) taken_q[used_buffer_i] <= 1'b0;
    if (start_i) begin
      taken_q[next_q] <= 1'b1;
      found_q <= 1'b0;
      buffer_q <= next_q;
      next_q <= next_q + 1'b1;
      job_q <= next_job_q;
      next_job_q <= next_job_q + 1'b1;
    end
    if (rst_i || wipe_i) {taken_q, found_q, ready_q, next_q, next_job_q} <= '0;
  end

  // ---- words ------------------------------------------------------------------------------------
  logic [3:0] index_q;
  logic [BlockWidth:0] block_q;
  logic [BlockWidth:0] level_q;  // blocks in the buffer; one that is whole counts a cycle later
  logic first_q, restored_q;
  // A register, because it reaches through the padding to the source. It is late by a cycle behind
  // a message's last word, when no word is there.
  logic open_q;
  logic used;
  assign used = used_i && used_buffer_i == buffer_q;
  assign word_ready_o = open_q;
  assign complete = word && index_q == '1;
  assign index_o = index_q;
  assign block_o = block_q[BlockWidth-1:0];

  always_ff @(posedge clk_i) begin
    if (value || word) index_q <= index_q + 1'b1;
    last_value_q <= value ? index_q == 4'(ValueWords - 2) : index_q == 4'(ValueWords - 1);
    if (restored) begin
      index_q <= '0;
      {restores_q, words_q} <= 2'b01;
    end
    if (complete) block_q <= block_q + 1'b1;
    level_q <= level_q + (BlockWidth + 1)'(whole_o) - (BlockWidth + 1)'(used);
    if (complete) first_q <= 1'b0;
    if (!words_q) open_q <= restored;
    else open_q <= used || (open_q && !(complete && level_q == (BlockWidth + 1)'(Depth - 1)));
    if (closes) words_q <= 1'b0;
    if (start_i) begin
      {restores_q, words_q} <= {restored_i, !restored_i};
      open_q <= !restored_i;
      restored_q <= restored_i;
      first_q <= 1'b1;
      {block_q, level_q} <= '0;
    end
    if (rst_i || wipe_i) begin
      {restores_q, words_q, open_q} <= '0;
      {index_q, last_value_q} <= '0;
    end
  end

  logic [BlockWidth:0] level;
  assign level = level_q + (BlockWidth + 1)'(whole_o);
  always_ff @(posedge clk_i) begin
    if (!rst_i && !wipe_i) begin
      a_open : assert (!words_q || open_q == !level[BlockWidth]);
      a_closed : assert (!closed || !word_valid_i);
      a_restores : assert (!restores_q || !open_q);
      a_last : assert (!restores_q || last_value_q == (index_q == 4'(ValueWords - 1)));
      a_ready : assert (!ready_q || (closed && found_q && !jobs_full_q));
    end
  end

  always_ff @(posedge clk_i) begin
    whole_o <= complete && !rst_i && !wipe_i;
    whole_block_o <= block_q;
    whole_first_o <= first_q;
    whole_final_o <= word_final_i;
    whole_restored_o <= restored_q;
    whole_job_o <= job_q;
  end

endmodule
