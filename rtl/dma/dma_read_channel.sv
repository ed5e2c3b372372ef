// SPDX-License-Identifier: Apache-2.0
// The read half of an AXI4 master for two clients: client 0 has jobs of many bursts (ID 0), client
// 1 single bursts (ID 1). Beats are returned by their ID, a cycle after they were on the bus.
// Latencies of addresses: dma_address. One client alone gets a burst every 3 cycles.
//
// After abort_i nothing new is requested, beats are zeros, and idle_o says when everything
// outstanding has arrived. The clients still get those beats, and drop them themselves. A beat that
// nobody waits for is ignored.

module dma_read_channel #(
    int unsigned DataBytes   = 16,
    int unsigned AddressBits = 32,
    // Bursts of each client not yet come; a power of two
    int unsigned Outstanding = dma_pkg::BurstsUnderWay
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   abort_i,          // held until idle_o
    output logic                   idle_o,           // nothing is outstanding
    output logic                   stale_o,          // pulse: a beat was ignored
    // Client 0: bursts
    input  logic                   data_valid_i,
    output logic                   data_ready_o,
    input  logic [AddressBits-1:0] data_address_i,
    input  logic [            7:0] data_len_i,       // beats - 1
    output logic                   data_beat_o,
    // Client 1
    input  logic                   fetch_valid_i,
    output logic                   fetch_ready_o,
    input  logic [AddressBits-1:0] fetch_address_i,
    input  logic [            7:0] fetch_len_i,
    output logic                   fetch_beat_o,
    // Beats, for whom data_beat_o or fetch_beat_o says
    input  logic                   beat_open_i,      // client 0 can take one in the next cycle
    output logic [8*DataBytes-1:0] beat_data_o,
    output logic                   beat_error_o,
    output logic                   beat_last_o,      // of the burst
    // AXI4
    output logic                   arvalid_o,
    input  logic                   arready_i,
    output logic                   arid_o,
    output logic [AddressBits-1:0] araddr_o,
    output logic [            7:0] arlen_o,
    input  logic                   rvalid_i,
    output logic                   rready_o,
    input  logic                   rid_i,
    input  logic [8*DataBytes-1:0] rdata_i,
    input  logic [            1:0] rresp_i,
    input  logic                   rlast_i
);

  if (Outstanding < 4 || 2 ** $clog2(Outstanding) != Outstanding) begin : gen_bad_outstanding
    $fatal(1, "dma_read_channel: Outstanding must be a power of two, at least 4");
  end

  // Bursts of each client under way: some, or as many as may be
  logic [1:0] some, full;

  // ---- addresses --------------------------------------------------------------------------------
  // A burst is counted a cycle after it is taken, as it gets on the bus: early enough for its
  // beats, and nothing of its client is taken in that cycle.
  logic [1:0] take, taken_q, come;
  dma_address #(
      .AddressBits(AddressBits)
  ) u_address (
      .clk_i,
      .rst_i,
      .open_i   (!abort_i),
      .full_i   (full | taken_q),
      .valid_i  ({fetch_valid_i, data_valid_i}),
      .ready_o  ({fetch_ready_o, data_ready_o}),
      .address_i({fetch_address_i, data_address_i}),
      .len_i    ({fetch_len_i, data_len_i}),
      .take_o   (take),
      .len_o    (),
      .axvalid_o(arvalid_o),
      .axready_i(arready_i),
      .axid_o   (arid_o),
      .axaddr_o (araddr_o),
      .axlen_o  (arlen_o)
  );

  // ---- beats ------------------------------------------------------------------------------------
  // Whether its client waits for a beat is decided while it is on the bus.
  logic [1:0] some_next, wanted, beat_q, last_q;  // beats, and the last of a burst, by client
  logic accepted, unwanted_q;
  assign rready_o = beat_open_i;
  assign accepted = rvalid_i && rready_o;
  assign wanted = {2{accepted}} & {rid_i, !rid_i} & some_next;
  assign {fetch_beat_o, data_beat_o} = beat_q;
  assign come = last_q;

  always_ff @(posedge clk_i) begin
    beat_q       <= wanted;
    last_q       <= rlast_i ? wanted : '0;
    unwanted_q   <= accepted && wanted == '0;
    beat_data_o  <= rdata_i;
    beat_error_o <= rresp_i[1];  // SLVERR or DECERR; EXOKAY is OKAY
    beat_last_o  <= rlast_i;
    if (abort_i) beat_data_o <= '0;
    if (rst_i) {beat_q, last_q, unwanted_q} <= '0;
  end

  for (genvar i = 0; i < 2; i++) begin : gen_client
    stream_count #(
        .Max  (Outstanding),
        .Start(0)
    ) u_bursts (
        .clk_i,
        .rst_i,
        .give_i(taken_q[i]),
        .take_i(come[i]),
        .some_o(some[i]),
        .some_next_o(some_next[i]),
        .full_o(full[i])
    );
  end

  always_ff @(posedge clk_i) begin
    taken_q <= rst_i ? '0 : take;
    idle_o  <= some == '0 && take == '0 && !arvalid_o;
    stale_o <= unwanted_q;
    if (rst_i) begin
      idle_o  <= 1'b1;
      stale_o <= 1'b0;
    end
  end

  logic unused;
  assign unused = rresp_i[0];

endmodule
