// SPDX-License-Identifier: Apache-2.0
// Proof of stream_buffer against the queue model. The invariants say where the queue is: in the small
// RAM, in the two registers behind the block RAM, in that, and in the register before it.

module stream_buffer_formal #(
    int unsigned Width = 2,
    int unsigned Depth = 4,
    int unsigned SliceBits = 1
) (
    input logic             clk_i,
    input logic             rst_i,
    input logic             wipe_i,
    input logic             valid_i,
    input logic [Width-1:0] data_i,
    input logic             ready_i
);

  logic valid_o, ready_o, on;
  logic [Width-1:0] data_o;
  logic [Width-1:0] queue  [Depth];
  int unsigned count, wiped;

  // The owner counts: never more than Depth. In a wipe its data is zero.
  assign ready_o = count < Depth && !wipe_i;
  always_comb assume (!wipe_i || data_i == '0);

  stream_buffer #(
      .Width(Width),
      .Depth(Depth),
      .SliceBits(SliceBits)
  ) u_buffer (
      .push_i(valid_i && ready_o),
      .*
  );

  stream_queue_model #(
      .Width  (Width),
      .Depth  (Depth),
      .Latency(5)
  ) u_model (
      .count_o(count),
      .queue_o(queue),
      .wiped_o(wiped),
      .on_o(on),
      .*
  );

  int unsigned held, late, read, ram, in, free;
  logic [3:0] front_head;
  assign held = 32'(u_buffer.held_q);
  assign late = 32'(u_buffer.late_valid_q);
  assign read = 32'(u_buffer.read_valid_q);
  assign ram = 32'($clog2(Depth)'(u_buffer.write_q - u_buffer.read_q));
  assign in = 32'(u_buffer.we_q && !u_buffer.wiping_q);
  assign free = 32'(u_buffer.free_q);
  assign front_head = u_buffer.front_read_q[0];

  always_ff @(posedge clk_i) begin
    if (on) begin
      if (!u_buffer.wiping_q && !u_buffer.catching_q) begin
        counted : assert (count == held + late + read + ram + in);
        front_span : assert (4'(u_buffer.front_write_q[0] - front_head) == 4'(held));
        credits : assert (free + held + late + read + 32'(u_buffer.pop_q) == 15);
        credit_known : assert (u_buffer.credit_q == (free != 0));
        valid_known : assert (u_buffer.valid_q == (held != 0));
        for (int unsigned i = 0; i < Depth; i++) begin
          if (i < ram)
            assert (u_buffer.memory[$clog2(Depth)'(u_buffer.read_q+i)] == queue[i+held+late+read]);
        end
        if (late > 0) late_data : assert (u_buffer.late_data_q == queue[held]);
        if (read > 0) read_data : assert (u_buffer.read_data_q == queue[held+late]);
        if (in > 0) in_data : assert (u_buffer.data_q == queue[count-1]);
      end else begin
        nothing : assert (held == 0 && late == 0 && read == 0 && !u_buffer.valid_q);
        all_free : assert (free == 15 && u_buffer.credit_q && !u_buffer.pop_q);
        if (u_buffer.wiping_q)
          walks :
          assert (u_buffer.we_q && count == 0);
          else begin
            entry : assert (count == 32'(u_buffer.we_q));
            if (u_buffer.we_q) entry_data : assert (u_buffer.data_q == queue[0]);
          end
      end
    end
  end

  for (genvar s = 0; s < (Width + SliceBits - 1) / SliceBits; s++) begin : gen_slice
    localparam int unsigned Low = s * SliceBits;
    always_ff @(posedge clk_i) begin
      if (on) begin
        same :
        assert (u_buffer.front_read_q[s] == front_head &&
                u_buffer.front_write_q[s] == u_buffer.front_write_q[0]);
        for (int unsigned i = 0; i < Depth; i++) begin
          if (i < held && !u_buffer.wiping_q && !u_buffer.catching_q)
            assert (u_buffer.gen_slice[s].front[4'(front_head+4'(i))] == queue[i][Low+:SliceBits]);
        end
      end
    end
  end

endmodule
