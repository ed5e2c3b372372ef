// SPDX-License-Identifier: Apache-2.0
// Keystream from one quarter round, reused: params in, word by word; their blocks out, word by
// word. Two blocks alternate round by round, because the next round of a block needs what is still
// in the registers of the quarter round. Control of chacha20_serial_data.

module chacha20_serial_core
  import chacha20_pkg::*;
#(
    parameter final_add_e FinalAdd
) (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        wipe_i,
    // Word 2 is {hchacha, 4'b0, blocks}, words 4 to 15 are those of the first initial state
    input  logic        param_valid_i,
    output logic        param_ready_o,
    output logic  [3:0] param_word_o,   // the word that is wanted
    input  word_t       param_i,
    output logic        param_last_o,   // with param_ready_o: the last word
    output logic        known_o,        // one cycle for each param, in order
    output logic        keyed_o,        // with known_o: its packet has blocks
    output logic        valid_o,
    input  logic        ready_i,
    output word_t       data_o,
    output logic        end_o,          // last word of a block
    output logic        last_o,         // last word of a packet
    output logic        exhausted_o     // the counter was exhausted: not keystream
);

  typedef enum logic [2:0] {
    StIdle,    // waits for a param, or is wiped
    StLoad,    // takes the param
    StCount,   // sets the counters of two blocks, and sees how many are left
    StRounds,  // reads a column in a cycle: count_q is {round, block, column}
    StOutput   // reads words, and the initial ones: {block, row, column}, part_q
  } step_e;

  step_e step_q, step_d;
  logic [7:0] count_q, count_d;
  logic part_q, part_end;
  logic step_end, move, accept;

  // Of the current packet: its first two blocks are still to come; the pair has two blocks; another
  // pair follows; the counters of the two blocks are exhausted.
  logic first_q, two_q, more_q;
  logic [1:0] exhausted_q;
  logic carry_q;
  logic hchacha_q;  // no initial words are added

  // In StLoad, words 0, 1 and 3 are dummies: they clear the quarter round, and clear it again of
  // the inverted word.
  logic wants_word, takes_word, goes_on;
  assign wants_word = step_q == StLoad && !(count_q[3:0] inside {4'd0, 4'd1, 4'd3});

  assign part_end = part_q || FinalAdd == HostAdd;
  assign param_word_o = count_q[3:0];
  assign param_last_o = count_q[3:0] == 4'd15;
  assign param_ready_o = takes_word && !wipe_i;
  assign accept = param_valid_i && param_ready_o;
  assign known_o = step_q == StCount && first_q && count_q[2:0] == 3'd2 && move;
  assign keyed_o = !carry_q;

  always_comb begin
    step_d   = step_q;
    step_end = 1'b0;
    goes_on  = 1'b1;
    unique case (step_q)
      StIdle: begin
        step_end = !wipe_i;
        if (param_valid_i) step_d = StLoad;
      end
      StLoad: begin  // goes on with count_q[2:0] = 7
        goes_on = !wants_word || (takes_word && param_valid_i && !param_last_o);
        if (takes_word && param_valid_i && param_last_o) step_d = StCount;
      end
      StCount: begin
        step_end = count_q[2:0] == 3'd3;
        if (step_end) step_d = StRounds;
        if (known_o && !keyed_o) step_d = StIdle;
      end
      StRounds: begin
        step_end = count_q == 8'(8 * Rounds - 1);
        if (step_end) step_d = StOutput;
      end
      default: begin
        goes_on  = part_end;
        step_end = part_end && count_q[3:0] == '1 && (count_q[4] || !two_q);
        if (step_end) step_d = more_q ? StCount : StIdle;
      end
    endcase
    count_d = count_q + 8'(goes_on);
    if (step_end) count_d = '0;
  end

  always_ff @(posedge clk_i) begin
    if (move) begin
      step_q  <= step_d;
      count_q <= count_d;
      part_q  <= step_q == StOutput && !part_q;
    end
    if (rst_i) count_q <= '0;
    if (rst_i || wipe_i) begin
      step_q <= StIdle;
      part_q <= 1'b0;
    end
  end

  // Read
  serial_place_t place;
  logic [3:0] rows;

  always_comb begin
    place = '{1'b1, 1'b1, 1'b0, {count_q[1], 1'b0}};
    rows  = 4'b1000;
    if (step_q == StRounds) begin
      place = '{count_q[7:3] == '0, count_q[2], count_q[3], count_q[1:0]};
      rows  = '1;
    end else if (step_q == StOutput) begin
      place = '{part_q && FinalAdd == HardwareAdd, count_q[4], 1'b0, count_q[1:0]};
      rows  = place.initial_i && hchacha_q ? '0 : 4'b0001 << count_q[3:2];
    end else if (step_q != StCount) begin
      rows = '0;
    end
    if (step_q != StCount && place.initial_i && count_q[1:0] != '0) place.block = 1'b0;
  end

  // Counting. The last words of row d: {1, block, 0} are the counters; {1, 1, 2} is the number of
  // blocks that are left, inverted, so that a sum with 1, 2, 3 has a carry if 0, 1, 2 are left.
  //   count_q[2:0]  read      add             write     carry: seen 3 cycles later
  //   7             left      1               -         none is left; only with first_q
  //   0             counter1  1, first_q: 0   counter0  exhausted
  //   1             counter1  2, first_q: 1   counter1  exhausted
  //   2             left      2               left      at most one is left
  //   3             left      3               -         at most two are left
  logic counting_q, sum_to_d_q;
  logic [1:0] addend;
  logic [2:0] after_q;  // one of them in each of the cycles after StCount
  logic sum_enters;
  assign sum_enters = step_q == StCount && move && !count_q[2] && count_q[1:0] != '0;

  always_comb begin
    unique case (count_q[1:0])
      2'd0: addend = step_q == StCount ? 2'd1 : 2'd3;
      2'd1: addend = {1'b0, !first_q};
      2'd2: addend = {!first_q, first_q};
      default: addend = 2'd2;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (move) counting_q <= step_q == StCount;
    sum_to_d_q <= sum_enters;
    after_q <= {after_q[1:0], step_q == StCount && step_end};
    if (rst_i || wipe_i) begin
      counting_q <= 1'b0;
      sum_to_d_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept && count_q[3:0] == 4'd2) hchacha_q <= param_i[31];
    if (step_q == StLoad) first_q <= 1'b1;
    if (step_q == StRounds) first_q <= 1'b0;
    if (step_q == StCount && step_end) exhausted_q[0] <= exhausted_q[1] || carry_q;
    if (after_q[0] && carry_q) exhausted_q[1] <= 1'b1;
    if (step_q == StLoad) exhausted_q[1] <= 1'b0;
    if (after_q[1]) two_q <= !carry_q;
    if (after_q[2]) more_q <= !carry_q;
  end

  // The constants of row a go in beside words 3 to 6.
  logic constant_on, constant_q;
  assign constant_on = step_q == StLoad && count_q[3:0] inside {4'd3, 4'd4, 4'd5, 4'd6};
  always_ff @(posedge clk_i) constant_q <= constant_on && move && goes_on;

  // Write. Results come 4 cycles after the read; loaded words and sums enter on the way. A wipe
  // sends zeros to all addresses.
  typedef struct packed {
    logic valid;
    serial_place_t place;
  } slot_t;
  typedef struct packed {
    logic [3:0] rows;
    serial_place_t place;
  } write_t;
  slot_t slot_q[2];
  write_t entered, write_q[2];

  always_comb begin
    entered.rows  = {4{slot_q[1].valid}};
    entered.place = slot_q[1].place;
    if (step_q == StLoad) begin
      entered.place   = '{1'b1, count_q[3:0] inside {4'd2, 4'd12}, 1'b0, count_q[1:0]};
      entered.rows[0] = count_q[3:2] == 2'd1 && constant_q;
      entered.rows[1] = 1'b0;
      entered.rows[2] = count_q[3:2] == 2'd2 && accept;
      entered.rows[3] = count_q[3:2] inside {2'd0, 2'd3} && accept;
    end else if (step_q == StCount) begin
      entered.place = '{1'b1, count_q[1], 1'b0, {count_q[1] && count_q[0], 1'b0}};
      entered.rows  = {sum_enters, 3'b0};
    end
  end

  always_ff @(posedge clk_i) begin
    slot_q[0].valid <= (step_q == StRounds && (two_q || !count_q[2])) || wipe_i;
    slot_q[0].place <= '{wipe_i && count_q[3], count_q[2], count_q[3] && !wipe_i, count_q[1:0]};
    slot_q[1] <= slot_q[0];
    write_q[0] <= entered;
    write_q[1] <= write_q[0];
    if (rst_i) begin
      slot_q[0].valid <= 1'b0;
      slot_q[1].valid <= 1'b0;
      write_q[0].rows <= '0;
      write_q[1].rows <= '0;
    end
  end

  logic [32:0] sum;

  chacha20_serial_data #(
      .FinalAdd(FinalAdd)
  ) u_data (
      .clk_i,
      .move_i           (move),
      .read_place_i     (place),
      .read_rows_i      (rows),
      .write_place_i    (write_q[1].place),
      .write_rows_i     (write_q[1].rows),
      .word_i           ({param_i[31] && count_q[3:0] != 4'd2, param_i[30:0]}),
      .load_b_i         (step_q == StLoad && count_q[3:2] == 2'd1),
      .write_b_i        (accept && count_q[3:2] == 2'd1),
      .load_column_i    (count_q[1:0]),
      .load_cd_i        (step_q == StLoad && count_q[3:2] != 2'd1),
      .invert_i         (step_q == StLoad && count_q[3:0] inside {4'd0, 4'd1, 4'd2}),
      .constant_i       (constant_on),
      .constant_column_i(count_q[1:0] + 2'd1),
      .addend_on_i      (counting_q),
      .addend_i         (addend),
      .sum_o            (sum),
      .sum_to_d_i       (sum_to_d_q)
  );

  always_ff @(posedge clk_i) carry_q <= sum[32];

  // Output: a word's sum is ready 2 cycles after its initial value was read. It goes to a register,
  // which does not slow it down: a sum of two reads is there in every other cycle.
  typedef struct packed {logic valid, last, stop, exhausted;} flags_t;
  flags_t read_q, out_q;

  logic out_ready;
  assign move = out_ready || !out_q.valid;
  // move is 1 then. Only a register is asked, so ready_i and u_out do not reach param_ready_o.
  assign takes_word = wants_word && !out_q.valid;

  always_ff @(posedge clk_i) begin
    if (move) begin
      read_q <= '{
          valid: step_q == StOutput && part_end,
          last: count_q[3:0] == '1 && !more_q && (count_q[4] || !two_q),
          stop: count_q[3:0] == '1,
          exhausted: exhausted_q[count_q[4]]
      };
      out_q <= read_q;
    end
    if (rst_i || wipe_i) {read_q.valid, out_q.valid} <= '0;
  end

  stream_register #(
      .Width   (32 + 3),
      .HalfRate(FinalAdd == HardwareAdd)
  ) u_out (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(out_q.valid),
      .ready_o(out_ready),
      .data_i ({out_q.last, out_q.stop, out_q.exhausted, sum[31:0]}),
      .valid_o,
      .ready_i,
      .data_o ({last_o, end_o, exhausted_o, data_o})
  );

endmodule
