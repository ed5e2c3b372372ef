// SPDX-License-Identifier: Apache-2.0
// Keystream from one quarter round with a register per step, reused: packets in, their blocks out,
// word by word. The rows of the state are four small RAMs; two blocks take turns round by round,
// because a block's next round needs what is still in the pipeline.

module chacha20_serial_core
  import chacha20_pkg::*;
#(
    parameter final_add_e FinalAdd
) (
    input  logic   clk_i,
    input  logic   rst_i,
    input  logic   wipe_i,
    input  logic   param_valid_i,
    output logic   param_ready_o,
    input  param_t param_i,
    output logic   valid_o,
    input  logic   ready_i,
    output word_t  data_o,
    output logic   end_o,          // last word of a block
    output logic   last_o,         // last word of a packet
    output logic   exhausted_o     // the counter was exhausted: not keystream
);

  typedef enum logic [2:0] {
    StIdle,     // waits for a packet, or is wiped
    StLoad,     // writes the initial state of two blocks, a column in a cycle
    StCounter,  // writes their counters
    StRounds,   // issues a column in a cycle: round, block, column
    StOutput    // reads the words out, while the second block's last columns are still on their way
  } step_e;

  // The count within a step. In StRounds {round, block, column}, in StOutput {block, row, column,
  // part}, where part 0 is the state after the rounds and part 1 the initial one.
  step_e step_q, step_d;
  logic [7:0] count_q, count_d;
  logic step_end, advance, two_q;

  localparam int unsigned OutputReads = FinalAdd == HardwareAdd ? 32 : 16;
  logic output_block, output_part;
  logic [3:0] output_word;
  if (FinalAdd == HardwareAdd) begin : gen_two_parts
    assign {output_block, output_word, output_part} = count_q[5:0];
  end else begin : gen_one_part
    assign {output_block, output_word, output_part} = {count_q[4:0], 1'b1};
  end

  // The current packet. Its counter has a bit 32: set when it is exhausted.
  logic [26:0] left_q;
  logic [32:0] counter_q;
  logic [1:0] exhausted_q;
  logic output_end;

  assign output_end = step_q == StOutput && advance &&
      32'(count_q) % OutputReads == OutputReads - 1;

  always_comb begin
    step_d   = step_q;
    step_end = 1'b0;
    unique case (step_q)
      StIdle: if (param_valid_i && param_i.blocks != '0) step_d = StLoad;
      StLoad: begin
        step_end = count_q == 8'd7;
        if (step_end) step_d = StCounter;
      end
      StCounter: begin
        step_end = count_q[0];
        if (step_end) step_d = StRounds;
      end
      StRounds: begin
        step_end = count_q == 8'(8 * Rounds - 1);
        if (step_end) step_d = StOutput;
      end
      default: begin
        step_end = output_end && (!two_q || output_block);
        if (step_end) step_d = left_q == 27'd1 ? StIdle : StCounter;
      end
    endcase
    count_d = step_end || step_q == StIdle ? '0 : count_q + 1'b1;
    if (step_q == StOutput && !advance) count_d = count_q;
    if (wipe_i) count_d = count_q + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    step_q  <= step_d;
    count_q <= count_d;
    if (rst_i) count_q <= '0;
    if (rst_i || wipe_i) step_q <= StIdle;
  end

  assign param_ready_o = !wipe_i && (step_q == StLoad ? step_end :
      step_q == StIdle && param_valid_i && param_i.blocks == '0);

  always_ff @(posedge clk_i) begin
    if (step_q == StLoad) begin
      left_q <= param_i.blocks;
      counter_q <= {1'b0, param_i.counter};
    end
    if (output_end) left_q <= left_q - 1'b1;
    if (step_q == StCounter) begin
      two_q <= left_q != 27'd1;
      exhausted_q[count_q[0]] <= counter_q[32];
      // The second counter is only used up if there is a second block.
      if (!counter_q[32]) counter_q <= counter_q + 1'b1;
    end
    if (wipe_i) counter_q <= '0;
  end

  // Where a column is: the initial state or the one under way, which block, which column of row a;
  // on a diagonal, each row is one further than the row above.
  typedef struct packed {
    logic       initial_i;
    logic       block;
    logic [1:0] column;
  } place_t;

  function automatic place_t turned(place_t place, logic diagonal, logic [1:0] row);
    place_t result = place;
    if (diagonal) result.column = place.column + row;
    return result;
  endfunction

  // Issue
  typedef struct packed {
    logic   valid;
    logic   diagonal;
    place_t place;
  } issue_t;
  issue_t issue;
  place_t read_place;

  always_comb begin
    issue.valid = step_q == StRounds && (two_q || !count_q[2]);
    issue.diagonal = count_q[3] && step_q == StRounds;
    issue.place = '{1'b0, count_q[2], count_q[1:0]};
    read_place = '{count_q[7:3] == '0, count_q[2], count_q[1:0]};
    if (step_q == StOutput) begin
      read_place = '{output_part && FinalAdd == HardwareAdd, output_block, output_word[1:0]};
    end
  end

  typedef struct packed {word_t a, b, c, d;} quarter_t;

  // The quarter round: a register behind the read, then one behind each step but the last, which
  // ends in the RAM. What is issued in a cycle can be read in the fifth one after it.
  quarter_t read, stage_q[4], stage_d[4];
  issue_t issue_q[4];

  for (genvar i = 0; i < 4; i++) begin : gen_step
    chacha20_quarter_step #(
        .Index(i)
    ) u_step (
        .a_i(stage_q[i].a),
        .b_i(stage_q[i].b),
        .c_i(stage_q[i].c),
        .d_i(stage_q[i].d),
        .a_o(stage_d[i].a),
        .b_o(stage_d[i].b),
        .c_o(stage_d[i].c),
        .d_o(stage_d[i].d)
    );
  end

  always_ff @(posedge clk_i) begin
    stage_q[0] <= read;
    for (int unsigned i = 1; i < 4; i++) stage_q[i] <= stage_d[i-1];
    issue_q[0] <= issue;
    for (int unsigned i = 1; i < 4; i++) issue_q[i] <= issue_q[i-1];
    if (rst_i || wipe_i) begin
      for (int unsigned i = 0; i < 4; i++) issue_q[i].valid <= 1'b0;
    end
  end

  // Writes: results, or a column of the param, or a counter, or zeros
  logic [3:0] write;
  place_t write_place;
  logic write_diagonal;
  quarter_t write_data, column;

  always_comb begin
    unique case (count_q[1:0])
      2'd0: column = {Constants[0+:32], param_i.key[0+:32], param_i.key[128+:32], 32'd0};
      2'd1:
      column = {Constants[32+:32], param_i.key[32+:32], param_i.key[160+:32], param_i.nonce[0+:32]};
      2'd2:
      column = {
        Constants[64+:32], param_i.key[64+:32], param_i.key[192+:32], param_i.nonce[32+:32]
      };
      2'd3:
      column = {
        Constants[96+:32], param_i.key[96+:32], param_i.key[224+:32], param_i.nonce[64+:32]
      };
    endcase
  end

  always_comb begin
    write = '0;
    write_place = '{1'b1, count_q[2], count_q[1:0]};
    write_diagonal = 1'b0;
    write_data = column;
    if (issue_q[3].valid) begin
      write = '1;
      write_place = issue_q[3].place;
      write_diagonal = issue_q[3].diagonal;
      write_data = stage_d[3];
    end else if (step_q == StLoad) begin
      write = '1;
    end else if (step_q == StCounter) begin
      write = 4'b1000;
      write_place = '{1'b1, count_q[0], 2'd0};
      write_data.d = counter_q[31:0];
    end
    if (wipe_i) begin
      write = '1;
      write_place = count_q[3:0];
      write_data = '0;
    end
  end

  // The rows
  logic [3:0][31:0] row_read, row_write;
  assign {row_write[0], row_write[1], row_write[2], row_write[3]} = write_data;
  assign read = {row_read[0], row_read[1], row_read[2], row_read[3]};

  for (genvar row = 0; row < 4; row++) begin : gen_row
    word_t memory[16];
    assign row_read[row] = memory[turned(read_place, issue.diagonal, 2'(row))];
    always_ff @(posedge clk_i) begin
      if (write[row]) memory[turned(write_place, write_diagonal, 2'(row))] <= row_write[row];
    end
  end

  // Output: a word is read, and with its initial value one cycle later; their sum is the keystream.
  typedef struct packed {logic valid, last, stop, exhausted;} flags_t;
  flags_t flags_q, out_q;
  word_t word_q, held_q, out_data_q;

  assign advance = ready_i || !out_q.valid;

  always_ff @(posedge clk_i) begin
    if (advance) begin
      flags_q <= '{
          valid: step_q == StOutput && output_part,
          last: output_end && left_q == 27'd1,
          stop: output_end,
          exhausted: exhausted_q[output_block]
      };
      out_q <= flags_q;
    end
    if (rst_i || wipe_i) {flags_q.valid, out_q.valid} <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (advance || wipe_i) begin
      word_q <= row_read[output_word[3:2]];
      held_q <= FinalAdd == HardwareAdd ? word_q : '0;
      out_data_q <= word_q + held_q;
    end
  end

  assign valid_o = out_q.valid && !wipe_i;
  assign data_o = out_data_q;
  assign end_o = out_q.stop;
  assign last_o = out_q.last;
  assign exhausted_o = out_q.exhausted;

endmodule
