// SPDX-License-Identifier: Apache-2.0
// The input of a cipher core that never stalls. Registered: a block moves into the core in the
// cycle after its handshake, so nothing in the core depends on a handshake; this needs a core that
// is ready from opens_i to the last block.

module aes_entry #(
    parameter bit          Registered,
    parameter int unsigned Width
) (
    input  logic             clk_i,
    input  logic             rst_i,
    input  logic             wipe_i,
    input  logic             opens_i,         // a packet is open from the next cycle on
    input  logic             cipher_ready_i,
    input  logic             room_i,          // for a result
    input  logic             wait_i,          // for the block before
    input  logic             valid_i,
    output logic             ready_o,
    input  logic             last_i,          // of the packet
    input  logic [Width-1:0] beat_i,
    output logic             take_o,
    output logic             move_o,
    output logic             last_o,
    output logic [Width-1:0] beat_o
);

  assign take_o = valid_i && ready_o;

  if (Registered) begin : gen_registered
    logic open_q, taken_q, last_q;
    logic [Width-1:0] beat_q;

    assign ready_o = open_q && room_i && !wait_i && !wipe_i;
    assign move_o  = taken_q && !wipe_i;
    assign last_o  = last_q;
    assign beat_o  = beat_q;

    always_ff @(posedge clk_i) begin
      if (take_o && last_i) open_q <= 1'b0;
      if (opens_i) open_q <= 1'b1;
      taken_q <= take_o;
      last_q  <= last_i;
      beat_q  <= wipe_i ? '0 : beat_i;
      if (rst_i || wipe_i) {open_q, taken_q} <= '0;
    end

    always_ff @(posedge clk_i) begin
      if (!rst_i && !wipe_i) cipher_is_ready : assert (!taken_q || cipher_ready_i);
    end
  end else begin : gen_direct
    logic unused;
    assign unused  = ^{clk_i, rst_i, opens_i};
    assign ready_o = cipher_ready_i && room_i && !wait_i && !wipe_i;
    assign move_o  = take_o;
    assign last_o  = last_i;
    assign beat_o  = beat_i;
  end

endmodule
