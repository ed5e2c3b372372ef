// SPDX-License-Identifier: Apache-2.0
// Which message is where in the ring of a hash core. The ring has Places, each of which goes around
// once in as many cycles; a block takes Passes of them. What a place does next is decided once per
// pass, at age 0:
//
// - its block is not at the end: the next pass;
// - the message has another block: that one's first pass, after the sum with the chaining value;
// - no block has come yet: the place waits for it with its message;
// - the message has ended: the sum is its digest, and the place is free. A pass later it takes the
//   next message.

module hash_turns #(
    int unsigned Places,
    int unsigned Passes,  // a power of two
    int unsigned MessagePasses,  // those with words of the message: the first ones
    int unsigned BufferWidth,
    int unsigned BlockWidth,
    int unsigned JobWidth,
    localparam int unsigned PassWidth = $clog2(Passes)
) (
    input logic clk_i,
    input logic rst_i,
    input logic wipe_i,
    // As hash_fill
    input logic whole_i,
    input logic [BufferWidth-1:0] whole_buffer_i,
    input logic [BlockWidth:0] whole_block_i,
    input logic whole_first_i,
    input logic whole_final_i,
    input logic whole_restored_i,
    input logic whole_error_i,
    input logic [JobWidth:0] whole_job_i,
    output logic used_o,
    output logic done_o,
    output logic [BufferWidth-1:0] used_buffer_o,
    // The place of each age, in cycles
    output logic [Places-1:0] active_o,
    output logic [Places-1:0] was_active_o,  // in the pass before
    output logic [Places-1:0] message_o,  // words are the message's
    output logic [Places-1:0][PassWidth-1:0] pass_o,
    output logic [Places-1:0][BufferWidth+BlockWidth-1:0] block_o,  // its place in the buffers
    // Chaining values: to be read, at age 1
    output logic read_o,
    output logic read_initial_o,
    output logic [BufferWidth-1:0] read_buffer_o,
    // The sum: to be written, at age 6
    output logic write_o,
    output logic write_digest_o,  // of the job
    output logic write_error_o,
    output logic [BufferWidth-1:0] write_buffer_o,
    output logic [JobWidth:0] write_job_o
);

  // A sum is written before a place that waits could read it again.
  localparam int unsigned WriteAge = 6;
  if (Places < WriteAge) begin : gen_bad_places
    $fatal(1, "hash_turns: Places must be 6 or more");
  end

  typedef struct packed {
    logic                   bound;       // it has a message
    logic                   active;      // with a block
    logic                   was_active;
    logic                   message;
    logic                   fresh;       // its chaining value is still the first of all messages
    logic [PassWidth-1:0]   pass;
    logic [BufferWidth-1:0] buffer;
    logic [BlockWidth:0]    block;       // number of the block in its message
    logic [JobWidth:0]      job;
  } place_t;
  typedef struct packed {
    logic add;  // the chaining value, to what is in the ring, or to zero
    logic initial_value;  // that of the standard, or the message's
    logic write;
    logic digest;
    logic error;
    logic [BufferWidth-1:0] buffer;
    logic [JobWidth:0] job;
  } sum_t;

  // ---- messages that wait for a place -----------------------------------------------------------
  typedef struct packed {
    logic restored;
    logic [BufferWidth-1:0] buffer;
    logic [JobWidth:0] job;
  } waiting_t;
  waiting_t waiting;
  logic waiting_valid, take, unused_ready;
  logic [BufferWidth:0] unused_level;
  stream_fifo #(
      .Width(1 + BufferWidth + JobWidth + 1),
      .Depth(2 ** BufferWidth)
  ) u_waiting (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(whole_i && whole_first_i),
      .ready_o(unused_ready),
      .data_i ({whole_restored_i, whole_buffer_i, whole_job_i}),
      .valid_o(waiting_valid),
      .ready_i(take),
      .data_o (waiting),
      .level_o(unused_level)
  );

  // ---- the newest block of each message, looked up two cycles before the decision ---------------
  place_t [Places-1:0] place_q;
  typedef struct packed {
    logic final_block;
    logic error;
    logic [BlockWidth:0] block;
  } newest_t;
  (* ram_style = "distributed" *)
  newest_t memory[2**BufferWidth];
  newest_t found;
  logic another_q, ended_q, error_q;
  logic [BufferWidth-1:0] asked;
  assign asked = place_q[Places-2].buffer;
  assign found = memory[asked];
  always_ff @(posedge clk_i) begin
    if (whole_i) memory[whole_buffer_i] <= {whole_final_i, whole_error_i, whole_block_i};
    another_q <= found.block != place_q[Places-2].block;
    ended_q   <= found.final_block && found.block == place_q[Places-2].block;
    error_q   <= found.error;
  end

  // ---- decision ---------------------------------------------------------------------------------
  place_t now, next;
  sum_t next_sum;
  logic block_ends;
  assign now = place_q[Places-1];
  assign block_ends = now.active && now.pass == PassWidth'(Passes - 1);
  assign take = !now.bound && waiting_valid;
  always_comb begin
    next = now;
    next.was_active = now.active;
    next.pass = now.pass + 1'b1;
    if (!now.active || block_ends) begin
      next.pass   = '0;
      next.active = now.bound ? another_q : waiting_valid;
      if (now.bound && another_q) next.block = now.block + 1'b1;
      if (now.bound && block_ends && ended_q) next.bound = 1'b0;
    end
    if (take) begin
      next.bound = 1'b1;
      next.block = '0;
      {next.buffer, next.job} = {waiting.buffer, waiting.job};
      next.fresh = !waiting.restored;
    end else if (block_ends) begin
      next.fresh = 1'b0;
    end
    next.message = next.pass < PassWidth'(MessagePasses);
    next_sum.add = block_ends || (!now.active && next.active);
    next_sum.initial_value = take ? !waiting.restored : now.fresh;
    next_sum.write = block_ends;
    next_sum.digest = ended_q;
    next_sum.error = error_q;
    next_sum.buffer = next.buffer;
    next_sum.job = now.job;
  end

  sum_t [WriteAge:0] sum_q;
  always_ff @(posedge clk_i) begin
    place_q <= {place_q[Places-2:0], next};
    sum_q <= {sum_q[WriteAge-1:0], next_sum};
    used_o <= block_ends;
    done_o <= block_ends && ended_q;
    used_buffer_o <= now.buffer;
    if (rst_i || wipe_i) begin
      {used_o, done_o} <= '0;
      {place_q, sum_q} <= '0;
    end
  end

  for (genvar i = 0; i < Places; i++) begin : gen_age
    assign active_o[i] = place_q[i].active;
    assign was_active_o[i] = place_q[i].was_active;
    assign message_o[i] = place_q[i].message;
    assign pass_o[i] = place_q[i].pass;
    assign block_o[i] = {place_q[i].buffer, place_q[i].block[BlockWidth-1:0]};
  end
  assign read_o = sum_q[1].add;
  assign read_initial_o = sum_q[1].initial_value;
  assign read_buffer_o = sum_q[1].buffer;
  assign write_o = sum_q[WriteAge].write;
  assign write_digest_o = sum_q[WriteAge].digest;
  assign write_error_o = sum_q[WriteAge].error;
  assign write_buffer_o = sum_q[WriteAge].buffer;
  assign write_job_o = sum_q[WriteAge].job;

endmodule
