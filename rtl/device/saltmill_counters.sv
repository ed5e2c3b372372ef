// SPDX-License-Identifier: Apache-2.0
// Performance counters, 64 bits each, in a small RAM that one adder of 32 bits visits word by word:
// low half, then high half, every 16 cycles. What they count is described in saltmill.rdl.
//
// Events are counted beside it until the next visit. A read waits for the visit of its word, at most
// 18 cycles; both halves are of one moment as long as the high half did not change between.
module saltmill_counters (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        clear_i,        // pulse; what happens in the 24 cycles after it is not counted
    // Events
    input  logic [ 4:0] event_i,        // {blocks, stalled_output, stalled_input, busy, cycles}
    input  logic        finished_i,     // jobs
    input  logic        begun_i,        // bytes; at most every other cycle
    input  logic [31:0] begun_bytes_i,
    // Host: word 2n is the low half of counter n
    input  logic        read_i,         // pulse
    input  logic [ 3:0] read_word_i,
    output logic        ack_o,          // pulse
    output logic [31:0] data_o
);

  localparam int unsigned Bytes = 5;  // counter
  localparam int unsigned Counters = 7;

  // ---- clear: longer than a round of visits ------------------------------------------------------
  logic [4:0] clear_q;
  logic clearing;
  assign clearing = clear_q != '0;
  always_ff @(posedge clk_i) begin
    if (clearing) clear_q <= clear_q + 1'b1;
    if (rst_i || clear_i) clear_q <= 5'd8;
  end

  // ---- visits: a word is read, then the sum goes back --------------------------------------------
  logic [3:0] read_q, write_q;
  logic [31:0] word_q, addend_q, sum;
  logic carry, bytes_low_q;
  (* no_rw_check, ram_style = "distributed" *)
  logic [31:0] memory[16];
  assign {carry, sum} = {1'b0, word_q} + {1'b0, addend_q};
  always_ff @(posedge clk_i) begin
    read_q  <= read_q + 1'b1;
    write_q <= read_q;
    word_q  <= memory[read_q];
    if (clearing) word_q <= '0;
    if (!bytes_low_q || clearing) memory[write_q] <= sum;
    if (rst_i) read_q <= '0;
  end

  // ---- events since the last visit ---------------------------------------------------------------
  // The low half of the bytes is here: lengths come too often for the visits. Its carries are events.
  logic [Counters-1:0] happened;
  logic [Counters-1:0][4:0] since_q;
  logic [4:0] since, bytes_since_q;
  logic [31:0] bytes_q;
  logic bytes_carry_q, bytes_here;
  assign happened = {finished_i, bytes_carry_q, event_i};
  assign bytes_here = read_q == 4'(2 * Bytes);
  always_comb begin
    since = '0;
    for (int unsigned i = 0; i < Counters; i++) if (read_q[3:1] == 3'(i)) since |= since_q[i];
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Counters; i++) begin
      since_q[i] <= since_q[i] + 5'(happened[i]);
      // A carry of the bytes belongs to the low half that is read with it.
      if (!read_q[0] && read_q[3:1] == 3'(i)) since_q[i] <= i == Bytes ? '0 : 5'(happened[i]);
    end
    if (bytes_here) bytes_since_q <= since + 5'(bytes_carry_q);
    bytes_carry_q <= 1'b0;
    if (begun_i) {bytes_carry_q, bytes_q} <= {1'b0, bytes_q} + {1'b0, begun_bytes_i};
    // To a low half, what happened; to a high half, the carry of the low one
    addend_q <= bytes_q;
    if (!bytes_here) begin
      addend_q <= 32'(since);
      if (read_q[0]) addend_q <= bytes_low_q ? 32'(bytes_since_q) : 32'(carry);
    end
    bytes_low_q <= bytes_here;
    if (clearing || rst_i) begin
      since_q <= '0;
      addend_q <= '0;
      {bytes_carry_q, bytes_q} <= '0;
    end
  end

  // ---- host --------------------------------------------------------------------------------------
  logic wanted_q;
  logic [3:0] wanted_word_q;
  always_ff @(posedge clk_i) begin
    data_o <= sum;
    ack_o  <= wanted_q && wanted_word_q == write_q;
    if (wanted_q && wanted_word_q == write_q) wanted_q <= 1'b0;
    if (read_i) begin
      wanted_q <= 1'b1;
      wanted_word_q <= read_word_i;
    end
    if (rst_i) {wanted_q, ack_o} <= '0;
  end

endmodule
