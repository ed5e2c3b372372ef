// SPDX-License-Identifier: Apache-2.0
// Proof, for any slot, any blocks and all time: each block that is there is hashed when its
// place comes by, if there is room for its digest; what padding has to know of the message is
// right; a lap later the sum goes to this place, from the message's own chaining value, and its
// digest leaves once, after its last block. With fewer places than the core has.

module hash_pipe_turns_formal
  import hash_pkg::*;
  import hash_pipe_pkg::*;
#(
    int unsigned Places = 8
) (
    input logic       clk_i,
    input logic       wipe_i,
    input logic       there_i,
    input logic       last_i,
    input logic       ends_i,
    input logic       error_i,
    input logic [6:0] bytes_i,
    input logic       room_i
);

  slot_t slot;  // any
  always_ff @(posedge clk_i) slot <= slot;
  logic rst_q = 1'b1;
  always_ff @(posedge clk_i) rst_q <= 1'b0;

  logic clearing, digest, used, one, first, read_initial, clear, write, write_digest, write_error;
  slot_t place, read_place, write_place;
  logic [ 6:0] from;
  logic [63:0] length;
  hash_pipe_turns #(
      .Places(Places)
  ) u_dut (
      .clk_i,
      .rst_i         (rst_q),
      .wipe_i,
      .clearing_o    (clearing),
      .place_o       (place),
      .there_i,
      .last_i,
      .ends_i,
      .error_i,
      .bytes_i,
      .room_i,
      .digest_o      (digest),
      .used_o        (used),
      .from_o        (from),
      .one_o         (one),
      .length_o      (length),
      .first_o       (first),
      .read_initial_o(read_initial),
      .read_place_o  (read_place),
      .clear_o       (clear),
      .write_o       (write),
      .write_digest_o(write_digest),
      .write_error_o (write_error),
      .write_place_o (write_place)
  );

  // The slot's place, by age
  logic [7:1] here_q;
  always_ff @(posedge clk_i) here_q <= {here_q[6:1], place == slot};

  // As hash_slots: no block in the cycle after one of clearing
  logic cleared_q;
  always_ff @(posedge clk_i) cleared_q <= clearing;

  always_comb begin
    assume (slot < slot_t'(Places));
    if (cleared_q) assume (!there_i);
    assume (ends_i == (last_i && bytes_i < 7'd56));
    if (there_i) assume (bytes_i == 7'd64 || (last_i && bytes_i < 7'd64));
  end

  // ---- its message ------------------------------------------------------------------------------
  // A block that only padding makes comes when a message's last bytes leave no room for the length.
  logic open_q, owed_q, full_q, marked_q;
  logic [60:0] total_q;
  logic block, ends;
  logic [60:0] total;
  assign block = owed_q || there_i;
  assign ends  = owed_q || (last_i && bytes_i < 7'd56);
  assign total = owed_q ? total_q : total_q + 61'(bytes_i);

  // What was decided, until the next lap
  logic went_q, went_first_q, went_last_q, went_marked_q, was_owed_q;
  logic before_q, before_first_q, before_last_q, before_marked_q;
  logic [60:0] total_then_q;
  logic [ 6:0] bytes_then_q;
  logic last_then_q, full_then_q;
  logic go;
  assign go = block && (room_i || !ends);
  always_ff @(posedge clk_i) begin
    if (here_q[3]) begin
      {before_q, before_first_q, before_last_q, before_marked_q} <= {
        went_q, went_first_q, went_last_q, went_marked_q
      };
      {went_q, went_first_q, went_last_q} <= {go, go && !open_q, go && ends};
      went_marked_q <= marked_q || (!owed_q && error_i);
      {total_then_q, bytes_then_q, last_then_q, full_then_q} <= {total, bytes_i, last_i, full_q};
      was_owed_q <= owed_q;
      if (go) begin
        open_q   <= !ends;
        owed_q   <= last_i && !ends;
        full_q   <= bytes_i == 7'd64;
        marked_q <= !ends && (marked_q || error_i);
        total_q  <= ends ? '0 : total;
      end
    end
    if (rst_q || wipe_i || clearing) begin
      {open_q, owed_q, marked_q, total_q} <= '0;
      {went_q, went_first_q, went_last_q} <= '0;
      {before_q, before_first_q, before_last_q} <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    clears : assert (rst_q || clearing == (u_dut.laps_q != '0));
    in_range : assert (rst_q || place < slot_t'(Places));
    lap : assert (rst_q || 32'(u_dut.u_lap.read_q) < Places - 5);
    no_block_without_message : assert (rst_q || !owed_q || open_q);
    if (!rst_q && !clearing && !wipe_i) begin
      if (here_q[3]) begin
        same_message :
        assert ({u_dut.now_q.open, u_dut.now_q.extra, u_dut.now_q.error} ==
                {open_q, owed_q, marked_q});
        same_bytes : assert (u_dut.now_q.bytes == total_q);
        same_one : assert (!owed_q || u_dut.now_q.one == full_q);
        no_starving : assert (u_dut.active == go);
        digest_has_room : assert (digest == (go && ends) && (!digest || room_i));
      end
      if (here_q[4]) begin
        its_place : assert (read_place == slot);
        its_value : assert (!before_q || read_initial == before_first_q);
        each_block_once : assert (used == (went_q && !was_owed_q));
        padding_begins : assert (!went_q || from == (was_owed_q ? 7'd0 : bytes_then_q));
        first_byte : assert (!went_q || one == (was_owed_q ? full_then_q : last_then_q));
      end
      if (here_q[5]) begin
        nothing_to_add_to : assert (clear == !before_q);
        its_length : assert (length == (went_last_q ? {total_then_q, 3'b0} : 64'd0));
      end
      if (here_q[7]) begin
        its_first : assert (!went_q || first == went_first_q);
        its_sum : assert (write == before_q && write_place == slot);
        its_digest : assert (!write || write_digest == before_last_q);
        its_error : assert (!write_digest || !write || write_error == before_marked_q);
      end
    end
  end

endmodule
