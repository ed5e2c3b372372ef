// SPDX-License-Identifier: Apache-2.0
// Proof, for any slot, any beats and all time: the beats of a slot become its blocks, each once and
// in order, whatever comes in the other slots, and a message begins where the one before it ended.
// Of any one beat, its bytes, length and marks are what its place sees when it is the slot's oldest
// one, and each of its words leaves as it came, padded. With Takes, where a place takes each block
// that is there, a beat whose slot is full waits one lap and a bit at most.
//
// Assumed: places come by in turn, as hash_pipe_turns has it, and what is taken was there. The
// tables are cleared for two laps; this is proved too.

module hash_slots_formal
  import hash_pkg::*;
  import hash_pipe_pkg::*;
#(
    int unsigned Word = 3,  // of the block, that is followed
    bit BigEndian = 1'b1,
    bit Takes = 1'b0
) (
    input logic          clk_i,
    input logic          finish_i,  // the clearing
    input logic          valid_i,
    input logic  [511:0] data_i,
    input logic  [ 63:0] keep_i,
    input logic  [  6:0] count_i,   // of its bytes
    input logic          last_i,
    input slot_t         slot_i,
    input logic          user_i,
    input logic          watch_i,   // follow the beat that goes in
    input logic          used_i,
    input logic  [  6:0] from_i,
    input logic          one_i
);

  localparam int unsigned Depth = 2;
  localparam int unsigned FreeAge = 4 + 2 * 15;
  localparam int unsigned WordAge = 3 + 2 * Word;  // when it is read
  localparam int unsigned MostWait = PipePlaces + FreeAge + 2;
  typedef logic [3:0] count_t;  // modulo 16: more than there can be between two of them

  slot_t slot;  // any
  always_ff @(posedge clk_i) slot <= slot;
  logic rst_q = 1'b1;
  always_ff @(posedge clk_i) rst_q <= 1'b0;

  // ---- places come by; clearing -----------------------------------------------------------------
  slot_t place_q, age;  // the age of the slot's place
  logic on_q = 1'b0;
  logic [8:0] cleared_q;  // cycles of clearing
  assign age = place_q >= slot ? place_q - slot : place_q + slot_t'(PipePlaces) - slot;
  always_ff @(posedge clk_i) begin
    place_q <= place_q == slot_t'(PipePlaces - 1) ? '0 : place_q + 1'b1;
    if (cleared_q < 9'(2 * PipePlaces)) cleared_q <= cleared_q + 1'b1;
    if (finish_i) on_q <= 1'b1;
    if (rst_q) {on_q, cleared_q} <= '0;
  end

  logic ready, begun, there, last, ends, error;
  logic  [ 6:0] bytes;
  word_t [15:0] word;
  hash_slots #(
      .BigEndian(BigEndian),
      .Depth    (Depth)
  ) u_dut (
      .clk_i,
      .rst_i     (rst_q),
      .wipe_i    (1'b0),
      .clearing_i(!on_q),
      .valid_i,
      .ready_o   (ready),
      .data_i,
      .keep_i,
      .last_i,
      .slot_i,
      .user_i,
      .begun_o   (begun),
      .place_i   (place_q),
      .there_o   (there),
      .last_o    (last),
      .ends_o    (ends),
      .error_o   (error),
      .bytes_o   (bytes),
      .used_i,
      .from_i,
      .one_i,
      .length_i  ('0),
      .word_o    (word)
  );

  // ---- the slot's beats -------------------------------------------------------------------------
  count_t in_q, stored_q, freed_q;
  logic fresh_q;  // one was stored in the cycle before: it is on its way to the RAM
  logic inside_q;  // the last one that was stored has not ended its message
  logic there_q;  // at 4: the place found a block
  logic used, accepted, stored, freed;
  logic [2:0] here;  // in the registers of beats
  for (genvar i = 0; i < 3; i++) begin : gen_here
    assign here[i] = u_dut.valid_q[i] && u_dut.beat_q[i].slot == slot;
  end
  logic [34:5] used_ages;
  assign used_ages = u_dut.used_q;
  assign used = age >= 8'd5 && age <= 8'(FreeAge) && used_ages[age[5:0]];
  assign accepted = valid_i && ready && slot_i == slot;
  assign stored = here[2] && !u_dut.waits_q && on_q;
  assign freed = age == 8'(FreeAge) && used;
  always_ff @(posedge clk_i) begin
    in_q <= in_q + count_t'(accepted);
    stored_q <= stored_q + count_t'(stored);
    freed_q <= freed_q + count_t'(freed);
    fresh_q <= stored;
    there_q <= there;
    if (stored) inside_q <= !u_dut.beat_q[2].last;
    if (rst_q || !on_q) {in_q, stored_q, freed_q, fresh_q, inside_q, there_q} <= '0;
  end

  always_comb begin
    assume (slot < slot_t'(PipePlaces) && place_q < slot_t'(PipePlaces));
    assume (!valid_i || slot_i < slot_t'(PipePlaces));
    assume (!finish_i || cleared_q == 9'(2 * PipePlaces));
    if (age == 8'd4) assume (!used_i || there_q);
    if (age == 8'd4 && Takes) assume (used_i == there_q);
  end

  // ---- one of them ------------------------------------------------------------------------------
  logic watched_q;
  count_t number_q;
  word_t word_q;
  logic [9:0] kind_q;
  logic oldest;  // it is the next one for its place
  assign oldest = watched_q && number_q == freed_q;
  always_ff @(posedge clk_i) begin
    if (accepted && watch_i && !watched_q) begin
      watched_q <= 1'b1;
      number_q <= in_q;
      word_q <= data_i[32*Word+:32];
      kind_q <= {last_i, last_i && count_i < 7'd56, user_i, count_i};
    end
    if (oldest && freed) watched_q <= 1'b0;
    if (rst_q || !on_q) watched_q <= 1'b0;
  end
  function automatic logic [63:0] first_bytes(logic [6:0] count);
    return count[6] ? '1 : (64'd1 << count[5:0]) - 64'd1;
  endfunction
  always_comb if (accepted && watch_i) assume (count_i <= 7'd64 && keep_i == first_bytes(count_i));

  // Where it is: behind so many others in the registers, or stored
  count_t [2:0] number;
  assign number[2] = stored_q;
  assign number[1] = number[2] + count_t'(here[2]);
  assign number[0] = number[1] + count_t'(here[1]);
  logic is_stored, is_fresh;
  logic [8:0] address;
  assign is_stored = watched_q && count_t'(stored_q - number_q - 1'b1) < count_t'(Depth);
  assign is_fresh  = is_stored && fresh_q && count_t'(number_q + 1'b1) == stored_q;
  assign address   = {slot, number_q[0]};

  // What the padding makes of it
  logic [7:0] from_q;
  logic one_q, read_q, made_q, out_q;
  word_t raw_q, padded, padded_q, out_word_q;
  always_comb begin
    for (int unsigned j = 0; j < 4; j++) begin
      padded[8*j+:8] = raw_q[8*j+:8];
      if (8'(4 * Word + j) >= from_q) padded[8*j+:8] = '0;
      if (8'(4 * Word + j) == from_q && one_q) padded[8*j+:8] = 8'h80;
    end
    if (BigEndian) padded = swapped(padded);
  end
  logic goes_on;  // the block that is read is taken
  assign goes_on = age == 8'd3 ? there : age == 8'd4 ? there_q : used;
  always_ff @(posedge clk_i) begin
    if (age == 8'd4) {from_q, one_q} <= {1'b0, from_i, one_i};
    read_q <= age == 8'(WordAge + 1) && oldest && goes_on && on_q && !rst_q;
    raw_q <= word_q;
    made_q <= read_q && on_q && !rst_q;
    padded_q <= padded;
    out_q <= made_q && on_q && !rst_q;
    out_word_q <= padded_q;
    if (rst_q) {read_q, made_q, out_q} <= '0;
  end

  // ---- waiting ----------------------------------------------------------------------------------
  logic [8:0] waited_q, left;
  logic seen;  // the place goes by with a block
  assign seen = (age == 8'd1 && u_dut.end_there_q != u_dut.at_q[1].start) ||
      (age == 8'd2 && u_dut.some_q) || (age == 8'd3 && there) || (age == 8'd4 && there_q) || used;
  assign left = (age == '0 || seen ? 9'(FreeAge + 1) : 9'(PipePlaces + FreeAge + 1)) - 9'(age);
  always_ff @(posedge clk_i) begin
    waited_q <= u_dut.waits_q && here[2] ? waited_q + 1'b1 : '0;
    if (rst_q || !on_q) waited_q <= '0;
  end

  slot_t since_freeing;  // cycles since the place was at the age at which blocks are freed
  assign since_freeing = age > 8'(FreeAge) ? age - 8'(FreeAge + 1) :
      age + slot_t'(PipePlaces - FreeAge - 1);

  // ---- what holds -------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_q && on_q) begin
      // The statements
      if (there && age == 8'd3 && oldest) its_kind : assert ({last, ends, error, bytes} == kind_q);
      if (there && age == 8'd3) there_is_one : assert (stored_q != freed_q);
      if (read_q) its_word : assert (u_dut.gen_word[Word].raw_q == raw_q);
      if (out_q && Word < 14) padded_word : assert (word[Word] == out_word_q);
      if (stored) room : assert (count_t'(stored_q - freed_q) < count_t'(Depth));
      if (stored) begins : assert (begun == !inside_q);
      if (Takes && u_dut.waits_q && here[2])
        bounded_wait : assert (waited_q + left <= 9'(MostWait));
      // What they follow from
      counted :
      assert (in_q == count_t'(stored_q + count_t'(here[0]) + count_t'(here[1]) +
          count_t'(here[2])));
      never_more : assert (count_t'(stored_q - freed_q) <= count_t'(Depth));
      if (used) used_is_there : assert (stored_q != freed_q);
      if (fresh_q) fresh : assert (stored_q != freed_q);
      end_known :
      assert (u_dut.ends[slot] == {inside_q, stored_q[1:0]} && u_dut.starts[slot] == freed_q[1:0]);
      if (here[1]) begin
        end_looked_up : assert (u_dut.end_q.next == number[1][1:0]);
        inside_looked_up :
        assert (u_dut.end_q.inside_message == (here[2] ? !u_dut.beat_q[2].last : inside_q));
        start_looked_up : assert (u_dut.start_q == freed_q[1:0]);
      end
      if (here[2]) begin
        next : assert (u_dut.next_q == stored_q[0]);
        after : assert (u_dut.after_q == {!u_dut.beat_q[2].last, stored_q[1:0] + 2'd1});
        goes_on_known : assert (u_dut.inside_message_q == inside_q);
        waits : assert (u_dut.waits_q == (count_t'(stored_q - freed_q) == count_t'(Depth)));
      end
      if (u_dut.waits_q) waits_with_beat : assert (u_dut.valid_q[2]);
      if (age >= 8'd1 && age <= 8'(FreeAge))
        start_read : assert (u_dut.at_q[age[5:0]].start == freed_q[1:0]);
      if (age == 8'd1) end_read : assert (u_dut.end_there_q == stored_q[1:0] - 2'(fresh_q));
      if (age == 8'd2 && u_dut.some_q)
        some : assert (stored_q != freed_q && !(fresh_q && count_t'(freed_q + 1'b1) == stored_q));
      if (age == 8'd3 && there) still : assert (!(fresh_q && count_t'(freed_q + 1'b1) == stored_q));
      if (age == 8'd4 && there_q)
        still_4 :
        assert (stored_q != freed_q && !(fresh_q && count_t'(freed_q + 1'b1) == stored_q));
      if (used) still_used : assert (!(fresh_q && count_t'(freed_q + 1'b1) == stored_q));
      // The beat that is followed
      if (watched_q) begin
        somewhere :
        assert (is_stored ? count_t'(number_q - freed_q) < count_t'(Depth) :
                count_t'(number_q - stored_q) < count_t'(in_q - stored_q));
        for (int unsigned i = 0; i < 3; i++) begin
          if (here[i] && number[i] == number_q) begin
            assert (u_dut.beat_q[i].data[32*Word+:32] == word_q);
            assert (u_dut.beat_q[i].last == kind_q[9] && u_dut.beat_q[i].user == kind_q[7]);
            assert (u_dut.beat_q[i].keep == first_bytes(kind_q[6:0]));
          end
        end
        kind_makes_sense :
        assert (kind_q[8] == (kind_q[9] && kind_q[6:0] < 7'd56) && kind_q[6:0] <= 7'd64);
      end
      if (is_fresh) begin
        to_the_ram : assert (u_dut.write_q && u_dut.address_q == address);
        as_it_came :
        assert (u_dut.write_data_q[32*Word+:32] == word_q && u_dut.write_kind_q == kind_q);
      end else if (is_stored) begin
        not_overwritten : assert (!(u_dut.write_q && u_dut.address_q == address));
        in_the_ram :
        assert (u_dut.gen_word[Word].memory[address] == word_q && u_dut.kinds[address] == kind_q);
      end
      if (age == 8'd2 && u_dut.some_q && oldest) kind_read : assert (u_dut.kind_q == kind_q);
      if (age == 8'(WordAge + 1) && oldest && goes_on)
        word_read : assert (u_dut.gen_word[Word].read_q == word_q);
      if (read_q) read_then : assert (age == 8'(WordAge + 2));
      if (made_q && Word < 14) made : assert (u_dut.gen_word[Word].padded_q == padded_q);
    end
    // In the clearing, and in any case
    if (!rst_q) begin
      if (age >= 8'd5 && age <= 8'd35 && (on_q || cleared_q >= 9'(age)))
        padding_there : assert (u_dut.padding_q[age[5:0]] == {from_q[6:0], one_q} && !from_q[7]);
      in_range : assert (on_q || cleared_q <= 9'(2 * PipePlaces));
      for (int unsigned i = 1; i <= FreeAge; i++) begin
        if (on_q || cleared_q >= 9'(i))
          assert (u_dut.at_q[i].place ==
                  (place_q >= slot_t'(i) ? place_q - slot_t'(i) :
                   place_q + slot_t'(PipePlaces - i)));
      end
      if (!on_q && cleared_q != '0) begin
        nothing_in : assert (u_dut.valid_q == '0 && !u_dut.waits_q && used_ages == '0);
        nothing_there : assert (!there && !fresh_q && !watched_q && in_q == '0);
        no_counts : assert (stored_q == '0 && freed_q == '0 && !inside_q && !there_q);
        none_out : assert (!read_q && !made_q && !out_q && waited_q == '0);
      end
      if (!on_q && cleared_q >= 9'(PipePlaces)) no_end : assert (u_dut.ends[slot] == '0);
      if (!on_q && age != '0 && cleared_q >= 9'(age)) this_end : assert (u_dut.ends[slot] == '0);
      if (!on_q && age == 8'd1 && cleared_q > 9'(PipePlaces))
        no_end_read : assert (u_dut.end_there_q == '0);
      if (!on_q && cleared_q > 9'(FreeAge) + 9'(since_freeing))
        no_start : assert (u_dut.starts[slot] == '0);
      if (!on_q && age != '0 && age <= 8'(FreeAge) && cleared_q >= 9'(FreeAge + PipePlaces + age))
        no_start_read : assert (u_dut.at_q[age[5:0]].start == '0);
      if (!on_q && age == 8'd2 && cleared_q >= 9'(FreeAge + PipePlaces + 2))
        none_seen : assert (!u_dut.some_q);
    end
  end

endmodule
