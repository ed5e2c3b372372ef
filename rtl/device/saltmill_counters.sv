// SPDX-License-Identifier: Apache-2.0
// Performance counters of 64 bits, in a block RAM. One 32-bit adder visits them in pairs of words:
// the low half, then the high half with the carry. saltmill.rdl describes what they count.
//
// Six of them count events, in a few bits beside the RAM until the next visit, at most 28 cycles
// later. The byte counter is visited when bytes are reported. A read takes up to 32 cycles, and as
// many more while counters are cleared. If a host reads high, low, high and both highs are equal,
// all are of one moment.
module saltmill_counters
  import saltmill_map_pkg::*;
#(
    bit Far = 1'b0,  // the RAM may be far away: a register before its address, and after the sum
    localparam int unsigned Bits = $clog2(Counters)
) (
    input logic clk_i,
    input logic rst_i,
    input logic clear_i,  // pulse; of the 32 cycles after it not all is counted
    // Events
    input logic [Counters-1:0] event_i,  // by counter; the bit of the bytes is not used
    input logic begun_i,  // bytes; at most every fourth cycle
    input logic [31:0] begun_bytes_i,
    // Host: word 2n is the low half of counter n
    input logic read_i,  // pulse
    input logic [Bits:0] read_word_i,  // held until the answer
    output logic ack_o,  // pulse
    output logic [31:0] data_o
);

  localparam logic [Bits-1:0] Bytes = Bits'(CounterBytes);
  localparam logic [Bits-1:0] Last = Bits'(Counters - 1);

  // ---- arbitration ------------------------------------------------------------------------------
  // Bytes use the next pair of cycles when some are reported. So their own pair is free for the
  // host. It reads a low half while a high half is written, and the reverse: never the word that is
  // being written.
  //
  // Clearing takes the rest of a round and a whole round, in which all reads return zeros.
  logic [Bits-1:0] turn_q, counter;
  logic [1:0] clear_q;  // rounds to go
  logic high_q, some_bytes_q, bytes, bytes_q, last, clearing, wanted_q, answer;
  logic host_turn, for_host;
  assign bytes = high_q ? bytes_q : some_bytes_q;
  assign last = turn_q == Last && high_q && !bytes;
  assign clearing = clear_q[0];
  assign counter = bytes ? Bytes : turn_q;
  assign host_turn = turn_q == Bytes && !bytes;
  assign for_host = host_turn && !clearing;
  assign answer = for_host && wanted_q && (read_word_i[0] != high_q) != Far;
  always_ff @(posedge clk_i) begin
    high_q  <= !high_q;
    bytes_q <= bytes;
    if (high_q && !bytes) turn_q <= turn_q + 1'b1;
    if (last) turn_q <= '0;
    if (last) clear_q <= {1'b0, clear_q[1]};
    if (rst_i || clear_i) clear_q <= '1;
    if (bytes && !high_q) some_bytes_q <= 1'b0;
    if (begun_i) some_bytes_q <= 1'b1;
    if (answer) wanted_q <= 1'b0;
    if (read_i) wanted_q <= 1'b1;
    if (clearing) some_bytes_q <= 1'b0;
    if (rst_i) {turn_q, high_q, bytes_q, wanted_q} <= '0;
  end

  // ---- the turn, Far: a cycle later -------------------------------------------------------------
  typedef struct packed {
    logic [Bits:0] address;
    logic [Bits:0] visit;
    logic for_host;
    logic answer;
    logic clearing;
  } turn_t;
  turn_t now, turn;
  assign now = '{
          host_turn ? read_word_i : {counter, high_q},  // in a clear, any will do
          {counter, high_q},
          for_host,
          answer,
          clearing
      };
  if (Far) begin : gen_turn
    always_ff @(posedge clk_i) begin
      turn <= now;
      if (rst_i) {turn.for_host, turn.answer} <= 2'b10;
    end
  end else begin : gen_wires
    assign turn = now;
  end

  // ---- the words, two cycles after their turn, and the sum --------------------------------------
  logic [Bits:0] visit_q, write_address_q;  // {counter, high half}: a cycle after its turn, and two
  logic visit_for_host_q, write_q, answer_q;
  logic [31:0] read_q, word_q, addend_q, sum;
  logic carry, carried_q, unused;  // from a low half, to the high half a cycle later
  (* no_rw_check, ramstyle = "no_rw_check", ram_style = "block" *)
  logic [31:0] memory[2**(Bits+1)];
  // The first bit makes a carry if there was one and this is a high half: no gate is in front.
  assign {carry, sum, unused} = {1'b0, word_q, write_address_q[0]} + {1'b0, addend_q, carried_q};
  assign data_o = word_q;

  logic write;
  logic [Bits:0] write_address;
  logic [31:0] write_data;
  if (Far) begin : gen_late
    always_ff @(posedge clk_i) begin
      {write, write_address, write_data} <= {write_q && !rst_i, write_address_q, sum};
    end
  end else begin : gen_now
    assign {write, write_address, write_data} = {write_q, write_address_q, sum};
  end

  always_ff @(posedge clk_i) begin
    if (write) memory[write_address] <= write_data;
    read_q <= memory[turn.address];
    if (turn.clearing) read_q <= '0;
    word_q <= read_q;
    visit_q <= turn.visit;
    visit_for_host_q <= turn.for_host;
    write_address_q <= visit_q;
    write_q <= !visit_for_host_q;
    carried_q <= carry;
    answer_q <= turn.answer;
    ack_o <= answer_q;
    if (rst_i) {write_q, answer_q, ack_o} <= '0;
  end

  // ---- the increments ---------------------------------------------------------------------------
  logic [Counters-1:0] visited;
  logic [Counters-1:0][4:0] since_q;  // events since the last visit
  logic [31:0] begun_bytes_q, addend;
  always_comb begin
    addend = '0;
    if (visit_q[Bits:1] == Bytes) addend = begun_bytes_q;
    for (int unsigned i = 0; i < Counters; i++) begin
      visited[i] = visit_q == {Bits'(i), 1'b0};
      if (i != CounterBytes && visit_q[Bits:1] == Bits'(i)) addend[4:0] = since_q[i];
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Counters; i++) begin
      if (event_i[i]) since_q[i] <= one_more(since_q[i]);
      if (visited[i]) since_q[i] <= 5'(event_i[i]);
    end
    if (begun_i) begun_bytes_q <= begun_bytes_i;
    addend_q <= addend;
    if (visit_q[0] || turn.clearing) addend_q <= '0;
    if (turn.clearing) begun_bytes_q <= '0;
  end

  // In gates: a carry chain would take twice as many.
  function automatic logic [4:0] one_more(logic [4:0] count);
    logic carries = 1'b1;
    for (int unsigned i = 0; i < 5; i++) begin
      one_more[i] = count[i] ^ carries;
      carries &= count[i];
    end
  endfunction

`ifndef SYNTHESIS
  logic [2:0] begun_q;
  always_ff @(posedge clk_i) begin
    begun_q <= rst_i ? '0 : {begun_q[1:0], begun_i};
    if (!rst_i && begun_i) begin
      assert (begun_q == '0)
      else $error("saltmill_counters: bytes come more often than every fourth cycle");
    end
  end
`endif

endmodule
