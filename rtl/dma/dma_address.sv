// SPDX-License-Identifier: Apache-2.0
// An AXI4 address channel (AR or AW) for two clients that take turns: bursts of client i have ID i.
// Each ready is a register that answers valid a cycle later. A burst is taken every 2 cycles, and
// is on the bus a cycle after that.

module dma_address #(
    int unsigned AddressBits = 32,
    int unsigned LengthBits  = 8    // of AxLEN
) (
    input logic clk_i,
    input logic rst_i,
    input logic open_i,  // bursts may be taken in the next cycle
    input logic [1:0] full_i,  // but none of this client
    // Clients
    input logic [1:0] valid_i,
    output logic [1:0] ready_o,
    input logic [1:0][AddressBits-1:0] address_i,
    input logic [1:0][7:0] len_i,  // beats - 1, as AxLEN
    output logic [1:0] take_o,  // a burst of the client is taken
    output logic [LengthBits-1:0] len_o,  // with it: its
    // AXI4
    output logic axvalid_o,
    input logic axready_i,
    output logic axid_o,
    output logic [AddressBits-1:0] axaddr_o,
    output logic [7:0] axlen_o
);

  logic free, last_q;
  logic [1:0] wanted;
  logic [LengthBits-1:0] len_q;

  assign take_o  = valid_i & ready_o;
  assign free    = (!axvalid_o || axready_i) && ready_o == '0 && open_i;
  assign wanted  = valid_i & ~full_i;
  assign len_o   = LengthBits'(len_i[ready_o[1]]);
  assign axlen_o = 8'(len_q);

  always_ff @(posedge clk_i) begin
    ready_o[0] <= free && wanted[0] && (last_q || !wanted[1]);
    ready_o[1] <= free && wanted[1] && (!last_q || !wanted[0]);
    if (ready_o != '0) last_q <= ready_o[1];
    if (!axvalid_o) begin
      axid_o   <= ready_o[1];
      axaddr_o <= address_i[ready_o[1]];
      len_q    <= len_o;
    end
    if (axready_i) axvalid_o <= 1'b0;
    if (take_o != '0) axvalid_o <= 1'b1;
    if (rst_i) {last_q, ready_o, axvalid_o} <= '0;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && take_o != '0) begin
      a_fits : assert (32'(len_i[ready_o[1]]) < 2 ** LengthBits);
      a_free : assert (!axvalid_o);
    end
  end
`endif

endmodule
