// SPDX-License-Identifier: Apache-2.0
// Proof of stream_buffer against the queue model. The invariants say where the queue is: in the
// spill register, the small RAM, the two registers behind the block RAM, the block RAM, and the
// register before it.

module stream_buffer_formal #(
    int unsigned Width = 2,
    int unsigned Depth = 4,
    bit Near = 1'b0,
    int unsigned Early = 0,
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
  logic [Width-1:0] data_o, seen;
  logic [Width-1:0] queue[Depth];
  int unsigned count, wiped;

  // With several slices a wipe comes a cycle later, to all of them, and without Near the output
  // falls one more cycle later.
  localparam bit Copies = Width > SliceBits || Early != 0;
  localparam bit Late = Copies && !Near;
  logic wipe, copy_q, wipe_q, wiped_before_q, late;
  always_ff @(posedge clk_i) copy_q <= wipe_i;
  assign wipe = Copies ? copy_q : wipe_i;
  assign late = Late ? wipe_q : wipe;

  // The owner counts: never more than Depth. In a wipe its data is zero. A wipe takes longer than a
  // cycle.
  always_ff @(posedge clk_i) {wiped_before_q, wipe_q} <= rst_i ? '0 : {wipe_q, wipe};
  assign ready_o = count < Depth && !late;
  always_comb assume (!wipe || data_i == '0);
  always_comb assume (!wipe_q || wiped_before_q || wipe);

  stream_buffer #(
      .Width(Width),
      .Depth(Depth),
      .Near(Near),
      .Early(Early),
      .SliceBits(SliceBits)
  ) u_buffer (
      .push_i (valid_i && ready_o),
      .offer_i('0),
      .*
  );

  stream_queue_model #(
      .Width  (Width),
      .Depth  (Depth),
      .Latency(6 + 32'(Near))
  ) u_model (
      .wipe_i(late),
      .data_o(seen),
      .count_o(count),
      .queue_o(queue),
      .wiped_o(wiped),
      .on_o(on),
      .*
  );

  // Early: the lower bits come a cycle behind the handshake, which the model does not know.
  localparam int unsigned LateBits = Early == 0 ? 1 : Width - Early;
  logic taken_q;
  logic [Width-1:0] taken_data_q;
  assign seen = Early == 0 ? data_o : {data_o[Width-1-:Early==0?1 : Early], queue[0][LateBits-1:0]};
  always_ff @(posedge clk_i) begin
    taken_q <= Early != 0 && valid_o && ready_i && !rst_i && !late;
    taken_data_q <= queue[0];
    if (on && taken_q && !late)
      a_cycle_later : assert (data_o[LateBits-1:0] == taken_data_q[LateBits-1:0]);
  end

  // Slices are equal except for their data.
  for (genvar s = 0; s < (Width + SliceBits - 1) / SliceBits; s++) begin : gen_slice
    localparam int unsigned Low = s * SliceBits;

    int unsigned near, held, late, read, issued, ram, in, free, back;
    logic [3:0] head;
    logic moves;
    always_ff @(posedge clk_i) if (on) wiped_together : assert (u_buffer.wipe[s] == wipe);
    assign held = 32'(u_buffer.gen_slice[s].u_slice.u_held.level_q);
    assign late = 32'(u_buffer.gen_slice[s].u_slice.late_valid_q);
    assign read = 32'(u_buffer.gen_slice[s].u_slice.read_valid_q);
    assign issued = 32'(u_buffer.gen_slice[s].u_slice.issue_q);
    assign ram = 32'($clog2(
        Depth
    )'(u_buffer.gen_slice[s].u_slice.write_q - u_buffer.gen_slice[s].u_slice.read_q));
    assign in = 32'(u_buffer.gen_slice[s].u_slice.we_q && !u_buffer.gen_slice[s].u_slice.wiping_q);
    assign free = 32'(u_buffer.gen_slice[s].u_slice.u_free.level_q);
    assign back = 32'(u_buffer.gen_slice[s].u_slice.pop_q);
    assign head = u_buffer.gen_slice[s].u_slice.front_read_q;
    assign moves = !u_buffer.gen_slice[s].u_slice.wiping_q &&
        !u_buffer.gen_slice[s].u_slice.catching_q;

    // This slice of the queue. The lower bits of an entry that has been taken are still in it.
    int unsigned total;
    logic [SliceBits-1:0] part[Depth+1];
    logic still;
    assign still = Early != 0 && Low < Width - Early && taken_q;
    assign total = count + 32'(still);
    for (genvar i = 0; i <= Depth; i++) begin : gen_part
      always_comb begin
        part[i] = i < Depth ? queue[i%Depth][Low+:SliceBits] : '0;
        if (still)
          part[i] = i == 0 ? taken_data_q[Low+:SliceBits] :
            queue[(i+Depth-1)%Depth][Low+:SliceBits];
      end
    end

    // The first entries of the queue are in the spill register.
    if (Near) begin : gen_near
      logic first;
      assign near  = 32'($countones(u_buffer.gen_slice[s].gen_near.u_near.held_q));
      assign first = u_buffer.gen_slice[s].gen_near.u_near.read_q;
      always_ff @(posedge clk_i) begin
        if (on) begin
          turns : assert ((u_buffer.gen_slice[s].gen_near.u_near.write_q == first) == (near != 1));
          if (near > 0)
            assert (u_buffer.gen_slice[s].gen_near.u_near.held_q[0][first] &&
                    u_buffer.gen_slice[s].gen_near.u_near.data_q[first] == part[0]);
          if (near > 1) assert (u_buffer.gen_slice[s].gen_near.u_near.data_q[!first] == part[1]);
          if (!moves) no_more : assert (near == 0);
        end
      end
    end else begin : gen_wires
      assign near = 0;
    end

    always_ff @(posedge clk_i) begin
      if (on) begin
        if (moves) begin
          counted : assert (total == near + held + late + read + ram + in);
          span : assert (4'(u_buffer.gen_slice[s].u_slice.front_write_q - head) == 4'(held));
          level : assert (32'(u_buffer.gen_slice[s].u_slice.u_stored.level_q) + issued == ram);
          stored : assert (u_buffer.gen_slice[s].u_slice.stored == (ram != issued));
          credits : assert (free + held + late + read + issued + back == 15);
          credit_known : assert (u_buffer.gen_slice[s].u_slice.credit == (free != 0));
          valid_known : assert (u_buffer.gen_slice[s].u_slice.held == (held != 0));
          for (int unsigned i = 0; i <= Depth; i++) begin
            if (i < held)
              assert (u_buffer.gen_slice[s].u_slice.front[4'(head+4'(i))] == part[near+i]);
            if (i < ram)
              assert (u_buffer.gen_slice[s].u_slice.memory[$clog2(
                  Depth
              )'(u_buffer.gen_slice[s].u_slice.read_q+i)] == part[near+i+held+late+read]);
          end
          if (late > 0) assert (u_buffer.gen_slice[s].u_slice.late_data_q == part[near+held]);
          if (read > 0) assert (u_buffer.gen_slice[s].u_slice.read_data_q == part[near+held+late]);
          if (in > 0) assert (u_buffer.gen_slice[s].u_slice.data_q == part[total-1]);
        end else begin
          if (u_buffer.gen_slice[s].u_slice.catching_q) begin  // from the second cycle on
            nothing :
            assert (held == 0 && late == 0 && read == 0 && issued == 0 &&
                  !u_buffer.gen_slice[s].u_slice.held);
            nothing_stored :
            assert (u_buffer.gen_slice[s].u_slice.u_stored.level_q == '0 &&
                  !u_buffer.gen_slice[s].u_slice.stored);
            all_free :
            assert (free == 15 && u_buffer.gen_slice[s].u_slice.credit &&
                  !u_buffer.gen_slice[s].u_slice.pop_q);
          end
          if (u_buffer.gen_slice[s].u_slice.wiping_q)
            walks :
            assert (u_buffer.gen_slice[s].u_slice.we_q && (count == 0 || (Late && wiped == 0)));
            else begin
              entry : assert (count == 32'(u_buffer.gen_slice[s].u_slice.we_q));
              if (u_buffer.gen_slice[s].u_slice.we_q)
                assert (u_buffer.gen_slice[s].u_slice.data_q == part[0]);
            end
        end
      end
    end
  end

endmodule
