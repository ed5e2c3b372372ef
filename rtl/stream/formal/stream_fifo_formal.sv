// SPDX-License-Identifier: Apache-2.0
// Proof of stream_fifo against the queue model; depth 0 has to be wires. The invariants say where
// in the RAM the queue is, and how far a wipe has progressed.

module stream_fifo_formal #(
    int unsigned Width = 3,
    int unsigned Depth = 4,
    bit HalfRate = 1'b0
) (
    input logic             clk_i,
    input logic             rst_i,
    input logic             wipe_i,
    input logic             valid_i,
    input logic [Width-1:0] data_i,
    input logic             ready_i
);

  localparam int unsigned Latency = Depth > 16 ? 3 : Depth > 2 ? 2 : 1;
  localparam int unsigned Room = Depth == 0 ? 1 : Depth;

  logic ready_o, valid_o;
  logic [Width-1:0] data_o;
  logic [(Depth == 0 ? 1 : $clog2(Depth + 1))-1:0] level_o;

  stream_fifo #(
      .Width   (Width),
      .Depth   (Depth),
      .HalfRate(HalfRate)
  ) u_fifo (
      .*
  );

  if (Depth == 0) begin : gen_wires
    always_ff @(posedge clk_i) begin
      wires : assert (valid_o == (valid_i && !wipe_i) && ready_o == (ready_i && !wipe_i));
      same : assert (data_o == data_i && level_o == '0);
    end
  end else begin : gen_queue
    logic on;
    logic [Width-1:0] queue[Room];
    int unsigned count, wiped;

    stream_queue_model #(
        .Width    (Width),
        .Depth    (Room),
        .Latency  (Latency),
        .CutsReady(Room > 1 || HalfRate)
    ) u_model (
        .count_o(count),
        .queue_o(queue),
        .wiped_o(wiped),
        .on_o(on),
        .*
    );

    always_ff @(posedge clk_i) if (on && !wipe_i) level_counts : assert (32'(level_o) == count);

    if (Depth == 1) begin : gen_register
      always_ff @(posedge clk_i) begin
        if (on) begin
          counted : assert (count == 32'(u_fifo.gen_register.u_register.valid_q));
          if (count > 0) oldest : assert (u_fifo.gen_register.u_register.data_q == queue[0]);
          if (wiped >= 1) wiped_out : assert (data_o == '0);
        end
      end
    end

    if (Depth == 2) begin : gen_spill
      logic [1:0] held;
      logic [1:0][Width-1:0] data;
      logic read;
      assign held = u_fifo.gen_counted.gen_spill.u_spill.held_q[0];
      assign data = u_fifo.gen_counted.gen_spill.u_spill.data_q;
      assign read = u_fifo.gen_counted.gen_spill.u_spill.read_q[0];

      always_ff @(posedge clk_i) begin
        if (on) begin
          counted : assert (count == 32'(held[0]) + 32'(held[1]));
          turns :
          assert ((u_fifo.gen_counted.gen_spill.u_spill.write_q[0] == read) == (count != 1));
          if (count > 0) begin
            is_held : assert (held[read]);
            oldest : assert (data_o == queue[0]);
          end
          if (count > 1) second : assert (data[!read] == queue[1]);
          if (wiped >= 1) wiped_out : assert (data == '0);
        end
      end
    end

    if (Depth > 2) begin : gen_ram
      // From the oldest: the output register of a deep one, the read register, the RAM.
      localparam int unsigned OutputRegisters = Depth > 16 ? 1 : 0;
      int unsigned head, tail, out, read, first;
      logic [Width-1:0] read_data;
      assign head = 32'(u_fifo.gen_counted.gen_ram.u_ram.read_q);
      assign tail = 32'(u_fifo.gen_counted.gen_ram.u_ram.write_q);
      assign read = 32'(u_fifo.gen_counted.gen_ram.u_ram.valid_q);
      assign first = out + read;
      assign read_data = u_fifo.gen_counted.gen_ram.u_ram.data_q;

      if (Depth > 16) begin : gen_output
        assign out = 32'(u_fifo.gen_counted.gen_ram.gen_output.valid_q);
      end else begin : gen_direct
        assign out = 0;
      end

      always_ff @(posedge clk_i) begin
        if (on) begin
          counted : assert (first <= count);
          full_known : assert (u_fifo.gen_counted.gen_ram.full_q == (count == Depth));
          never_all_in_ram : assert (count - first < Depth);
          head_in_range : assert (head < Depth);
          if (u_fifo.gen_counted.gen_ram.u_ram.wiping_q)
            one_behind :
            assert (tail == (head + 1) % Depth && count == 0);
            else tail_follows : assert (tail == (head + count - first) % Depth);
          if (out > 0) oldest : assert (data_o == queue[0]);
          if (read > 0) next_oldest : assert (read_data == queue[out]);
          // The queue in the RAM; the words that a wipe has cleared.
          for (int unsigned i = 0; i < Depth; i++) begin
            if (i + first < count)
              assert (u_fifo.gen_counted.gen_ram.u_ram.memory[(head+i)%Depth] == queue[i+out+read]);
            if (i < wiped)
              assert (u_fifo.gen_counted.gen_ram.u_ram.memory[(tail+2*Depth-1-i)%Depth] == '0);
          end
          if (wiped >= 2) wiped_read : assert (read_data == '0);
          if (wiped >= 2 + OutputRegisters) wiped_out : assert (data_o == '0);
        end
      end
    end
  end

endmodule
