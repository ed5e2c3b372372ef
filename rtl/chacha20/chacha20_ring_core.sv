// SPDX-License-Identifier: Apache-2.0
// Keystream from a ring of Stages registers that holds Unroll rounds: packets in, their blocks out,
// in beats of Bytes. Starts from the param alone and runs ahead as far as its output FIFO has room.

module chacha20_ring_core
  import chacha20_pkg::*;
#(
    parameter int unsigned Unroll,    // rounds in the ring: divides 20
    parameter int unsigned Stages,    // registers in the ring: divides 4 * Unroll
    parameter int unsigned Bytes,     // of a beat: keystream_bytes()
    parameter final_add_e  FinalAdd,
    parameter bit          Late       // data_o comes a cycle after its handshake; whole blocks
) (
    input logic clk_i,
    input logic rst_i,
    input logic wipe_i,
    input logic finish_wipe_i,  // the same, for what is behind the ring
    input logic param_valid_i,  // stays until it is ready, with its param
    output logic param_ready_o,
    input param_t param_i,
    output logic known_o,  // one cycle for each param, in order
    output logic keyed_o,  // with known_o: its packet has blocks
    output logic valid_o,
    input logic ready_i,
    output logic [8*Bytes-1:0] data_o,
    output logic end_o,  // last beat of a block
    output logic last_o,  // last beat of a packet
    output logic ends_o  // the counter ends with this beat: what follows is none
);

  localparam int unsigned Passes = Rounds / Unroll;
  localparam int unsigned Beats = BlockBytes / Bytes;
  localparam int unsigned Credits = ring_credits(Unroll, Stages);

  // The next packet, at most one every other cycle. The handshake is decided one cycle early, when
  // the param is already there: load_q drives so many registers that the cycle has no time for
  // anything else.
  param_t next_q;
  logic load_q, next_valid_q, next_empty_q, next_single_q;
  logic take;

  assign param_ready_o = load_q && !wipe_i;
  assign keyed_o = !next_empty_q;

  always_ff @(posedge clk_i) begin
    load_q  <= param_valid_i && !load_q && (!next_valid_q || take);
    known_o <= load_q;
    if (take) next_valid_q <= 1'b0;
    if (load_q) begin
      next_valid_q <= 1'b1;
      next_q <= param_i;
      next_empty_q <= param_i.blocks == '0;
      next_single_q <= param_i.blocks == 27'd1;
    end
    if (wipe_i) next_q <= '0;
    if (rst_i || wipe_i) {load_q, known_o, next_valid_q} <= '0;
  end

  // The current packet
  logic busy_q, last_q;
  logic hchacha_q;
  logic [26:0] left_q;
  logic [255:0] key_q;
  logic [95:0] nonce_q;
  logic [31:0] counter_q;
  logic start, start_ready, issue, enter;
  logic take_q, start_q;  // the wide registers follow a cycle later: a block enters two after take

  // Where two blocks never enter in consecutive cycles, they are counted a cycle later, so that the
  // decision to issue one reaches few registers.
  logic enter_q, enter_last_q, counted, ends;
  assign counted = Beats > 1 ? enter_q : issue;
  assign ends = Beats > 1 ? enter_q && enter_last_q : Passes == 1 && issue && last_q;
  assign take = next_valid_q && start_ready && (!busy_q || ends);
  assign start = take && !next_empty_q;

  always_ff @(posedge clk_i) begin
    if (counted) begin
      left_q <= left_q - 1'b1;
      last_q <= left_q == 27'd2;
      if (Beats > 1 ? enter_last_q : last_q) busy_q <= 1'b0;
    end
    if (take) begin
      left_q <= next_q.blocks;
      last_q <= next_single_q;
      busy_q <= !next_empty_q;
    end
    take_q  <= take;
    start_q <= start;
    if (rst_i || wipe_i) {busy_q, take_q, start_q} <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (enter) counter_q <= counter_q + 1'b1;
    if (take_q) begin
      hchacha_q <= next_q.hchacha;
      key_q <= next_q.key;
      nonce_q <= next_q.nonce;
      counter_q <= next_q.counter;
    end
    if (wipe_i) begin
      hchacha_q <= 1'b0;
      key_q <= '0;
      nonce_q <= '0;
      counter_q <= '0;
    end
  end

  // A credit is room for one block in the output FIFO, from its issue until it is used up.
  logic credit, used_q, credit_back_q, unused_next, unused_full;

  always_ff @(posedge clk_i) begin
    used_q <= valid_o && ready_i && end_o;
    credit_back_q <= used_q;  // on its way from the output to the entry
    if (rst_i || wipe_i) {used_q, credit_back_q} <= '0;
  end

  stream_count #(
      .Max  (Credits),
      .Start(Credits)
  ) u_credits (
      .clk_i,
      .rst_i(rst_i || wipe_i),
      .give_i(credit_back_q),
      .take_i(counted),
      .some_o(credit),
      .some_next_o(unused_next),
      .full_o(unused_full)
  );

  // Slots are decided one cycle before the data moves, so that the choice at the ring's entry is a
  // register.
  logic slot_leave;
  logic [2:0] leave_q;  // the last one: a block leaves in the next cycle

  chacha20_slots #(
      .Stages(Stages),
      .Passes(Passes),
      .Spacing(Beats),
      .Ahead(3)  // of the slot; 4 of the data
  ) u_slots (
      .clk_i,
      .rst_i  (rst_i || wipe_i),
      .want_i (busy_q && credit),
      .enter_o(issue),
      .leave_o(slot_leave)
  );

  always_ff @(posedge clk_i) begin
    enter_q <= issue;
    enter_last_q <= last_q;
    leave_q <= {leave_q[1:0], slot_leave};
    if (rst_i || wipe_i) {enter_q, leave_q} <= '0;
  end
  assign enter = enter_q;

  // During a wipe, blocks with zero key, counter and nonce enter until every stage holds one. Each
  // column of the state has a register of its own for the choice.
  logic [3:0] choose;
  state_t ring_state;
  flag_copies #(
      .Copies(4)
  ) u_choose (
      .clk_i,
      .flag_i  (issue || wipe_i),
      .copies_o(choose)
  );

  chacha20_ring #(
      .Unroll(Unroll),
      .Stages(Stages)
  ) u_ring (
      .clk_i,
      .enter_i(choose),
      .state_i(initial_state(key_q, counter_q, nonce_q)),
      .state_o(ring_state)
  );

  // What differs between the blocks in the ring waits beside it: blocks leave in order. It is read
  // 3 cycles early, and its last register is where it is needed.
  typedef struct packed {
    logic  hchacha;
    logic  last;
    word_t counter;
  } block_t;
  block_t block, block_q;

  stream_aside #(
      .Width($bits(block_t)),
      .Depth(2 ** $clog2(Stages))
  ) u_blocks (
      .clk_i,
      .rst_i,
      .wipe_i,
      .push_i(enter),
      .data_i({hchacha_q, enter_last_q && !wipe_i, counter_q}),
      .pop_i (slot_leave),
      .data_o(block)
  );
  always_ff @(posedge clk_i) block_q <= block;

  typedef struct packed {
    logic               ends;
    logic               last;
    logic               stop;
    logic [8*Bytes-1:0] data;
  } beat_t;
  beat_t made, beat;
  logic made_valid;

  chacha20_finish #(
      .Packets (ring_packets(Stages)),
      .Beats   (Beats),
      .FinalAdd(FinalAdd)
  ) u_finish (
      .clk_i,
      .rst_i,
      .wipe_i       (finish_wipe_i),
      .start_i      (start_q),
      .hchacha_i    (next_q.hchacha),
      .start_ready_o(start_ready),
      .key_i        (key_q),
      .nonce_i      (nonce_q),
      .leave_i      (leave_q[2]),
      .counter_i    (block_q.counter),

      .leave_hchacha_i(block_q.hchacha),
      .last_i         (block_q.last),
      .state_i        (ring_state),
      .valid_o        (made_valid),
      .data_o         (made.data),
      .end_o          (made.stop),
      .last_o         (made.last),
      .ends_o         (made.ends)
  );

  // A credit is room in here for all beats of a block.
  stream_buffer #(
      .Width($bits(beat_t)),
      .Depth(Credits * Beats),
      .Near (output_depth(Bytes, Passes) != 0),
      .Early(Late ? $bits(beat_t) - 8 * Bytes : 0)
  ) u_output (
      .clk_i,
      .rst_i,
      .wipe_i (finish_wipe_i),
      .push_i (made_valid),
      .data_i (made),
      .offer_i('0),
      .valid_o,
      .ready_i,
      .data_o (beat)
  );

  assign data_o = beat.data;
  assign end_o  = Beats == 1 || beat.stop;
  assign last_o = beat.last;
  assign ends_o = beat.ends;

endmodule
