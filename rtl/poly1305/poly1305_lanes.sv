// SPDX-License-Identifier: Apache-2.0
// Poly1305, one block per Interval cycles. One multiplier array interleaves powers, accumulators
// and final products of two messages, and never stalls.

module poly1305_lanes
  import poly1305_pkg::*;
#(
    int unsigned Interval
) (
    input  logic         clk_i,
    input  logic         rst_i,
    input  logic         wipe_i,
    input  logic         key_valid_i,  // held until taken
    output logic         key_ready_o,
    input  logic [255:0] key_i,
    input  logic         valid_i,
    output logic         ready_o,
    input  logic [127:0] data_i,
    input  logic [ 15:0] keep_i,
    input  logic         last_i,
    output logic         tag_valid_o,
    input  logic         tag_ready_i,
    output logic [127:0] tag_o,
    output logic         empty_o       // no key is set up
);

  localparam int unsigned Width = Segments / Interval;
  localparam int unsigned SumBits = SegmentBits + 4;
  localparam logic [1:0] LastStep = 2'(Interval - 1);

  // Turns
  logic turn_valid, take, sum_taken, idle;
  turn_t turn;
  assign take = valid_i && ready_o;
  assign empty_o = idle;

  poly1305_schedule #(
      .Interval(Interval)
  ) u_schedule (
      .clk_i,
      .rst_i,
      .wipe_i,
      .key_valid_i,
      .valid_i,
      .ready_o,
      .last_i,
      .sum_free_i(sum_taken),
      .valid_o   (turn_valid),
      .turn_o    (turn),
      .idle_o    (idle)
  );

  // use_q[i]: the use of the data that is i registers behind the first register of A and B
  localparam int unsigned Adds = 4;  // C is chosen
  localparam int unsigned Result = 6 + carry_registers(Interval);
  typedef struct packed {
    logic       valid;
    logic [1:0] step;
    logic       load;
    logic       power;
    logic       ends;
    logic       last;
    logic [4:0] to;
  } use_t;
  use_t [Result+Interval:0] use_q;

  always_ff @(posedge clk_i) begin
    use_q <= {use_q[Result+Interval-1:0], use_q[0]};
    use_q[0].step <= Interval == 1 || use_q[0].step == LastStep ? '0 : use_q[0].step + 1'b1;
    if (use_q[0].step == LastStep) use_q[0].valid <= 1'b0;
    if (turn_valid) begin
      use_q[0] <= '{
          valid: 1'b1,
          step: '0,
          load: turn.load,
          power: turn.power,
          ends: turn.ends,
          last: turn.last,
          to: turn.to
      };
    end
    if (rst_i || wipe_i)
      for (int unsigned i = 0; i <= Result + Interval; i++) use_q[i].valid <= 1'b0;
  end

  logic [Width-1:0][SegmentBits-1:0] c;

  poly1305_addend #(
      .Interval(Interval),
      .Delay   (Adds + 2)
  ) u_addend (
      .clk_i,
      .rst_i,
      .wipe_i,
      .take_i(take),
      .data_i,
      .keep_i,
      .load_i(use_q[Adds-1].valid && use_q[Adds-1].load),
      .step_i(use_q[Adds-1].step),
      .r_i   (key_i[127:0]),
      .c_o   (c)
  );

  // The array
  limbs_t a, b;
  number_t result;
  logic write;
  logic [4:0] to;

  poly1305_operands #(
      .Interval(Interval)
  ) u_operands (
      .clk_i,
      .wipe_i,
      .valid_i (turn_valid),
      .zero_i  (turn.zero),
      .a_i     (turn.a),
      .b_i     (turn.b),
      .a_o     (a),
      .b_o     (b),
      .write_i (write),
      .power_i (use_q[Result].power),
      .to_i    (to),
      .number_i(result)
  );

  poly1305_multiply #(
      .Interval(Interval)
  ) u_multiply (
      .clk_i,
      .wipe_i,
      .a_i     (a),
      .b_i     (b),
      .step_i  (use_q[0].step),
      .c_i     (c),
      .result_o(result)
  );

  assign write = use_q[Result].valid && use_q[Result].step == LastStep && !use_q[Result].ends;

  // In a wipe zeros are written to all addresses, once they have passed the array.
  logic [4:0] wiped_q;
  always_ff @(posedge clk_i) wiped_q <= wipe_i ? wiped_q + 1'b1 : '0;
  assign to = wipe_i ? wiped_q : use_q[Result].to;

  // The sum of a message's last results, segments by step: those of the next step are the lowest
  localparam int unsigned Sums = Result + Interval;
  logic [Width-1:0][SegmentBits:0] result_q;
  logic [Segments-1:0][SumBits-1:0] sum_q;
  logic [Width-1:0][SumBits-1:0] next_sum;
  logic sums, sum_turns, sum_valid_q;
  assign sums = use_q[Sums].valid && use_q[Sums].ends;

  always_comb begin
    for (int unsigned s = 0; s < Width; s++) next_sum[s] = sum_q[s] + SumBits'(result_q[s]);
  end

  always_ff @(posedge clk_i) begin
    result_q <= result[Width-1:0];
    if (!use_q[Sums-1].valid || !use_q[Sums-1].ends) result_q <= '0;
    if (sums || sum_turns) begin
      sum_q <= (SumBits * Segments)'({next_sum, sum_q} >> (SumBits * Width));
    end
    if (sum_taken || rst_i || wipe_i) sum_q <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (sums && use_q[Sums].last && use_q[Sums].step == LastStep) sum_valid_q <= 1'b1;
    if (sum_taken || rst_i || wipe_i) sum_valid_q <= 1'b0;
  end

  // s of the keys in use: two whose powers are kept, one that waits for its sum, one in
  // poly1305_finish
  logic [SegmentBits-1:0] s_memory[4*Segments];
  logic [3:0] s_write_q;
  logic [1:0] s_step_q, s_read_q, s_step;
  segments_t s;
  logic s_writes, s_writes_q, s_end;
  logic [SegmentBits-1:0] s_q;

  assign s = segments_t'(key_i[255:128]);
  assign s_writes = (use_q[0].valid && use_q[0].load && use_q[0].step == '0) || s_step_q != '0;
  assign key_ready_o = use_q[Adds].valid && use_q[Adds].load && use_q[Adds].step == LastStep &&
      !wipe_i;

  always_ff @(posedge clk_i) begin
    s_q <= wipe_i ? '0 : s[s_step_q];
    if (s_writes_q || wipe_i) s_memory[wipe_i?wiped_q[3:0] : s_write_q] <= s_q;
  end
  always_ff @(posedge clk_i) begin
    if (s_writes) s_step_q <= s_step_q + 1'b1;
    s_writes_q <= s_writes;
    if (s_writes_q) s_write_q <= s_write_q + 1'b1;
    if (s_end) s_read_q <= s_read_q + 1'b1;
    if (rst_i || wipe_i) begin
      s_step_q   <= '0;
      s_writes_q <= 1'b0;
      s_write_q  <= '0;
      s_read_q   <= '0;
    end
  end

  poly1305_finish #(
      .SumBits(SumBits),
      .Width  (Width)
  ) u_finish (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i (sum_valid_q),
      .sum_i   (sum_q[Width-1:0]),
      .turn_o  (sum_turns),
      .taken_o (sum_taken),
      .s_end_o (s_end),
      .s_step_o(s_step),
      .s_i     (s_memory[{s_read_q, s_step}]),
      .valid_o (tag_valid_o),
      .ready_i (tag_ready_i),
      .tag_o
  );

endmodule
