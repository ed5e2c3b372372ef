// SPDX-License-Identifier: Apache-2.0
// Proof of chacha20_combine: one beat out for each beat in, held until it is taken; a beat of data
// gets the next beat of its own packet's keystream, or zeros and a mark when there is none;
// keystream that a packet does not use is dropped, also if it uses none.

module chacha20_combine_formal #(
    int unsigned DataBytes = 4,
    bit MarksEnd = 1'b0,
    bit Decoupled = 1'b0,
    bit HalfRate = 1'b0
) (
    input logic                   clk_i,
    input logic                   rst_i,
    input logic                   wipe_i,
    input logic                   key_valid_i,
    input logic [8*DataBytes-1:0] key_data_i,
    input logic                   key_end_i,
    input logic                   key_last_i,
    input logic                   key_exhausted_i,
    input logic                   next_i,
    input logic                   next_keyed_i,
    input logic                   valid_i,
    input logic                   some_i,
    input logic [8*DataBytes-1:0] data_i,
    input logic [  DataBytes-1:0] keep_i,
    input logic                   last_i,
    input logic [            1:0] user_i,
    input logic                   ready_i
);

  localparam bit Wide = DataBytes > 16;  // its mask is behind the output's registers
  localparam bit Late = Wide && !HalfRate;  // data and keystream come a cycle later
  localparam int unsigned Depth = Late ? 7 : Decoupled && !HalfRate ? 2 : 1;
  localparam bit Through = Depth == 1 && !HalfRate;  // ready_i frees a place at once

  logic key_ready_o, key_skip_o, ready_o, valid_o, last_o, starved_o;
  logic [8*DataBytes-1:0] data_o;
  logic [DataBytes-1:0] keep_o;
  logic [2:0] user_o;

  // As in the queue: a packet is open until its last beat moves.
  logic open_i, keyed_i;
  always_ff @(posedge clk_i) begin
    if (!open_i || (valid_i && ready_o && last_i)) {open_i, keyed_i} <= {next_i, next_keyed_i};
    if (rst_i || wipe_i) open_i <= 1'b0;
  end

  chacha20_combine #(
      .DataBytes(DataBytes),
      .UserBits (2),
      .MarksEnd (MarksEnd),
      .Decoupled(Decoupled),
      .HalfRate (HalfRate),
      .LateDepth(8)
  ) u_combine (
      .*
  );

  logic started_q = 1'b0;
  logic clear;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || rst_i);
  assign clear = rst_i || wipe_i;

  // The packet that each side is at. The data can be one packet ahead: then its previous keystream
  // is not used up. Or the keystream is ahead: then the rest of the packet has none. gone_q: this
  // keystream is behind the counter's end.
  logic data_ahead_q, key_ahead_q, gone_q;
  logic move, take, finish, inside_q, keyed_q;  // inside: in a packet; keyed: it has keystream
  assign move   = valid_i && ready_o;
  assign take   = key_valid_i && key_ready_o;
  assign finish = take && key_last_i && (key_end_i || (key_skip_o && !Decoupled));
  always_comb assume (!inside_q || keyed_i == keyed_q);

  always_ff @(posedge clk_i) begin
    if (move) begin
      inside_q <= !last_i;
      keyed_q  <= keyed_i;
    end
    if (move && last_i) begin
      data_ahead_q <= keyed_i && !finish && !key_ahead_q;
      key_ahead_q  <= 1'b0;
    end else if (finish) begin
      data_ahead_q <= 1'b0;
      key_ahead_q  <= !data_ahead_q;
    end
    if (take) gone_q <= !finish && (gone_q || (key_exhausted_i && key_end_i));
    if (clear) {data_ahead_q, key_ahead_q, inside_q, gone_q} <= '0;
  end

  // A wide output goes on in the first cycle of a wipe, and takes nothing in the one behind it.
  // between_q: it takes nothing behind keystream that is dropped, or the last of a packet.
  // roomy_q: the output had room a cycle ago. fresh_q: at half rate, a packet's first cycle.
  logic behind_q, between_q, roomy_q, fresh_q;
  always_ff @(posedge clk_i) begin
    behind_q  <= clear && Late;
    roomy_q   <= u_combine.room && !clear;
    fresh_q   <= HalfRate && (!open_i || clear || (move && last_i));
    between_q <= Late && (data_ahead_q || (move && !last_i && !key_ahead_q && finish));
  end

  // The expected output; none: behind the packet's keystream or the counter's end
  typedef struct packed {
    logic [8*DataBytes-1:0] data;
    logic [DataBytes-1:0] keep;
    logic last;
    logic none;
    logic [1:0] user;
  } beat_t;
  beat_t now;
  logic  none;
  assign none = key_ahead_q || (some_i && (!keyed_i || (!MarksEnd && key_exhausted_i))) ||
      (MarksEnd && gone_q);

  // What is known with the handshake; Late: the data comes a cycle later.
  typedef struct packed {
    logic some, last, none;
    logic [1:0] user;
    logic move;
  } flags_t;
  flags_t flags, flags_q;
  always_ff @(posedge clk_i) begin
    flags_q <= {some_i, last_i, none, user_i, move};
    if (clear) flags_q.move <= 1'b0;
  end
  assign flags = Late ? flags_q : {some_i, last_i, none, user_i, move};
  always_comb assume (keep_i[0] == flags.some);

  always_comb begin
    now = '{data: '0, keep: keep_i, last: flags.last, none: flags.none, user: flags.user};
    for (int unsigned i = 0; i < DataBytes; i++) begin
      if (keep_i[i] && keep_i[0] && (Wide || !flags.none))
        now.data[8*i+:8] = data_i[8*i+:8] ^ key_data_i[8*i+:8];
    end
  end

  beat_t queue_q[Depth];
  int unsigned count_q;
  logic pop;
  assign pop = valid_o && ready_i;
  always_ff @(posedge clk_i) begin
    if (pop) for (int unsigned i = 1; i < Depth; i++) queue_q[i-1] <= queue_q[i];
    for (int unsigned i = 0; i < Depth; i++) begin
      if (flags.move && i == count_q - 32'(pop)) queue_q[i] <= now;
    end
    count_q <= count_q + 32'(flags.move) - 32'(pop);
    if (clear) count_q <= 0;
  end

  // The oldest stays until it is taken.
  always_ff @(posedge clk_i) begin
    if (started_q && !rst_i) begin
      beat_for_beat : assert (count_q <= Depth && valid_o == (count_q > 0 && (!wipe_i || Late)));
      if (count_q > 0) begin
        same_data : assert (data_o == (Wide && queue_q[0].none ? '0 : queue_q[0].data));
        same_rest :
        assert (keep_o == queue_q[0].keep && last_o == queue_q[0].last &&
                user_o == {queue_q[0].none, queue_q[0].user});
      end
      if (wipe_i && (!Late || behind_q)) still : assert (!move && !take);
      not_before : assert (!move || !data_ahead_q);
      own_keystream : assert (!take || data_ahead_q || (move && some_i && keyed_i && !key_ahead_q));
      all_keyed : assert (!(move && some_i) || take || key_ahead_q || !keyed_i);
      drops : assert (!data_ahead_q || wipe_i || key_ready_o);
      // Nothing waits without a reason
      if (valid_i && open_i && !data_ahead_q && !wipe_i && !behind_q && !between_q && !fresh_q &&
          (key_valid_i || !some_i || !keyed_i) && (Late ? roomy_q :
          count_q < Depth + 32'(Through && ready_i)))
        moves : assert (move);
      dropped : cover (finish && data_ahead_q);
      longer : cover (move && key_ahead_q && some_i && last_i && pop);
      ended : cover (move && none && !key_ahead_q && keyed_i);
      without_keystream : cover (move && some_i && !keyed_i && key_valid_i);
    end
  end

  // For the induction
  always_ff @(posedge clk_i) begin
    if (started_q) begin
      same_side :
      assert (u_combine.dropping_q == data_ahead_q && u_combine.beyond_q == key_ahead_q);
      if (behind_q) not_open : assert (!open_i);
      one_side : assert (!data_ahead_q || (!key_ahead_q && !inside_q));
      has_begun : assert (!key_ahead_q || (inside_q && keyed_q));
      if (Late) begin
        known :
        assert ({u_combine.keyed, u_combine.plain} ==
                (open_i && !data_ahead_q && !between_q && roomy_q ?
                 {keyed_i && !key_ahead_q, !(keyed_i && !key_ahead_q)} : 2'b00));
      end
      // At half rate it may be late where nothing moves.
      if (!HalfRate || (u_combine.room && !u_combine.dropping_q)) begin
        hidden : assert (u_combine.hidden_q == (u_combine.beyond_q || u_combine.exhausted_q));
      end
      same_end : assert (u_combine.exhausted_q == (MarksEnd && gone_q));
    end
  end

  if (HalfRate) begin : gen_half
    logic open, key, show;
    assign {open, key, show} = {
      u_combine.gen_in_order.gen_half.open_q,
      u_combine.gen_in_order.gen_half.keyed_q,
      u_combine.gen_in_order.gen_half.show_q
    };
    always_comb begin
      if (started_q) same_packet : assert (open == (open_i && !fresh_q));
      if (started_q && open && u_combine.room && !u_combine.dropping_q)
        same_key : assert ({key, show} == {keyed_i, keyed_i && !u_combine.hidden_q});
    end
  end

  localparam int unsigned Parts = (DataBytes + 15) / 16;
  localparam int unsigned PartBytes = DataBytes / Parts;
  typedef logic [9*DataBytes+Parts+2:0] stored_t;
  localparam int unsigned Slices = ($bits(stored_t) + 159) / 160;

  // As it is in the output
  function automatic stored_t stored(beat_t beat);
    stored = stored_t'({beat.last, beat.user});
    for (int unsigned i = Parts; i > 0; i--) begin
      stored = stored_t'({stored, beat.none, beat.keep[PartBytes*(i-1)+:PartBytes]});
      stored = stored_t'({stored, beat.data[8*PartBytes*(i-1)+:8*PartBytes]});
    end
  endfunction

  if (Late) begin : gen_late
    logic clear_q, wipe_q, wipe_before_q;
    logic [2:0] level, most;
    assign level = u_combine.u_output.gen_late.u_late.level_q;
    assign most  = u_combine.room ? 3'd4 : u_combine.keyed || u_combine.plain ? 3'd5 : 3'd6;
    always_ff @(posedge clk_i) begin
      clear_q <= wipe_i;
      {wipe_before_q, wipe_q} <= rst_i ? '0 : {wipe_q, wipe_i};
      if (started_q) begin
        clears : assert (u_combine.clear == {Parts{clear_q}});
        if (clear_q) none_moves : assert (behind_q);
        if (wipe_q) same_wipe : assert (clear_q);
        if (behind_q) empty : assert (count_q == 0 && !flags_q.move && !u_combine.room && !roomy_q);
        shows : assert (u_combine.show == {Parts{flags_q.some && !clear_q}});
        if (flags_q.move) masks : assert (u_combine.mask == {Parts{flags_q.none}});
        rest : assert ({u_combine.last, u_combine.user} == {flags_q.last, flags_q.user});
        counted : assert (32'(level) == count_q + 32'(flags_q.move));
        held : assert (32'(u_combine.u_output.gen_late.u_late.u_held.level_q) == count_q);
        pushed : assert (u_combine.u_output.gen_late.u_late.pushed_q == flags_q.move);
        below : assert (level <= most);
      end
    end
    for (genvar s = 0; s < Slices; s++) begin : gen_slice
      localparam int unsigned Low = 160 * s;
      localparam int unsigned Bits = $bits(stored_t) - Low < 160 ? $bits(stored_t) - Low : 160;
      logic [2:0] head, tail;
      logic still;
      assign head = u_combine.u_output.gen_late.u_late.gen_slice[s].read_q;
      assign tail = u_combine.u_output.gen_late.u_late.gen_slice[s].write_q;
      assign still = !u_combine.u_output.gen_late.u_late.gen_slice[s].wiping_q &&
          !u_combine.u_output.gen_late.u_late.gen_slice[s].catching_q;
      always_ff @(posedge clk_i) begin
        if (started_q && !rst_i) begin
          wiping : assert (u_combine.u_output.gen_late.u_late.gen_slice[s].wiping_q == wipe_q);
          catching :
          assert (u_combine.u_output.gen_late.u_late.gen_slice[s].catching_q == wipe_before_q);
          if (!wipe_q)
            pushes :
            assert (u_combine.u_output.gen_late.u_late.gen_slice[s].push_q == flags_q.move);
          if (still) span : assert (3'(tail - head) == 3'(count_q));
          if (!still) none_held : assert (count_q == 0 && !flags_q.move);
          for (int unsigned i = 0; i < Depth; i++) begin
            if (i < count_q && still)
              assert (u_combine.u_output.gen_late.u_late.gen_slice[s].memory[3'(head+3'(i))] ==
                      Bits'(stored(
                  queue_q[i]
              ) >> Low));
          end
        end
      end
    end
  end else if (Depth == 2) begin : gen_spill
    logic [1:0] held;
    logic read;
    stored_t [1:0] data;
    assign held = u_combine.u_output.gen_counted.gen_spill.u_spill.held_q[0];
    assign read = u_combine.u_output.gen_counted.gen_spill.u_spill.read_q[0];
    assign data = u_combine.u_output.gen_counted.gen_spill.u_spill.data_q;
    always_ff @(posedge clk_i) begin
      if (started_q) begin
        counted : assert (count_q == 32'(held[0]) + 32'(held[1]));
        spill_flags :
        assert (u_combine.u_output.gen_counted.gen_spill.u_spill.some == (count_q != 0) &&
                u_combine.u_output.gen_counted.gen_spill.u_spill.full == (count_q == 2));
        turns :
        assert ((u_combine.u_output.gen_counted.gen_spill.u_spill.write_q[0] == read) ==
                (count_q != 1));
        if (count_q > 0) first : assert (held[read] && data[read] == stored(queue_q[0]));
        if (count_q > 1) second : assert (data[!read] == stored(queue_q[1]));
      end
    end
  end

endmodule
