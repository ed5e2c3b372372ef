// SPDX-License-Identifier: Apache-2.0
// DMA between an AXI4 memory port and two streams: ranges of memory, from any byte, become packets,
// and packets are written to ranges of memory. One beat per cycle each way. A second client has
// single bursts: descriptors and their statuses.
module dma
  import dma_pkg::*;
#(
    int unsigned DataBytes = 16,  // 8, 16, 32 or 64
    int unsigned AddressBits = 32,  // 32 to 64
    alignment_e Alignment = AnyByte,
    int unsigned BurstBytes = 1024,  // power of two, 4 to 256 beats, at most 4096
    // read ahead: power of two, at least two bursts, at most 1024 beats
    int unsigned BufferBytes = BurstBytes > 2048 ? 8192 : 4096,
    int unsigned ReadDepth = 64,  // jobs that wait; powers of two, 8 to 512
    int unsigned WriteDepth = 64,
    job_room_e JobRoom = JobsWait,
    bit LateData = 1'b0,  // 64 bytes: source_data_o and source_keep_o a cycle after their handshake
    logic [3:0] AxCache = 4'b0011,  // AMBA AXI4, A4.4: normal, non-cacheable, bufferable
    logic [2:0] AxProt = 3'b000  // A4.7: unprivileged, secure, data
) (
    input logic clk_i,
    input logic rst_i,
    input logic wipe_i,  // held until idle_o, and as README.md says
    output logic idle_o,  // no bus transaction is outstanding
    output logic stale_o,  // pulse: an unexpected beat or answer was dropped
    // Read jobs, and their packets
    input logic read_job_valid_i,
    output logic read_job_ready_o,
    input logic [AddressBits-1:0] read_job_address_i,
    input logic [31:0] read_job_length_m1_i,  // bytes - 1
    input logic read_job_zeros_i,
    input logic read_job_continues_i,
    output logic source_valid_o,
    input logic source_ready_i,
    output logic [8*DataBytes-1:0] source_data_o,
    output logic [DataBytes-1:0] source_keep_o,
    output logic source_last_o,
    output logic source_error_o,
    // Write jobs, their packets, and a pulse when the whole job is answered
    input logic write_job_valid_i,
    output logic write_job_ready_o,
    input logic [AddressBits-1:0] write_job_address_i,
    input logic [31:0] write_job_length_m1_i,
    input logic sink_valid_i,
    output logic sink_ready_o,
    input logic [8*DataBytes-1:0] sink_data_i,
    input logic [DataBytes-1:0] sink_keep_i,
    input logic sink_last_i,
    input logic sink_error_i,
    output logic written_o,
    output logic read_error_o,  // with it: sink_error_i of a beat
    output logic write_error_o,  // with it: an answer was an error
    // The second client: bursts read
    input logic fetch_valid_i,
    output logic fetch_ready_o,
    input logic [AddressBits-1:0] fetch_address_i,
    input logic [7:0] fetch_len_i,  // beats - 1
    output logic fetch_beat_o,  // also in a wipe, for what was asked before
    output logic [8*DataBytes-1:0] fetch_data_o,
    output logic fetch_error_o,
    output logic fetch_last_o,
    // And bursts written
    input logic post_valid_i,
    output logic post_ready_o,
    input logic [AddressBits-1:0] post_address_i,
    input logic [7:0] post_len_i,
    input logic post_beat_valid_i,
    output logic post_beat_ready_o,
    input logic [8*DataBytes-1:0] post_data_i,
    input logic [DataBytes-1:0] post_strobe_i,
    output logic post_done_o,
    output logic post_error_o,
    // AXI4. ID 0: jobs, ID 1: the second client
    output logic [0:0] m_axi_awid,
    output logic [AddressBits-1:0] m_axi_awaddr,
    output logic [7:0] m_axi_awlen,
    output logic [2:0] m_axi_awsize,
    output logic [1:0] m_axi_awburst,
    output logic m_axi_awlock,
    output logic [3:0] m_axi_awcache,
    output logic [2:0] m_axi_awprot,
    output logic [3:0] m_axi_awqos,
    output logic m_axi_awvalid,
    input logic m_axi_awready,
    output logic [8*DataBytes-1:0] m_axi_wdata,
    output logic [DataBytes-1:0] m_axi_wstrb,
    output logic m_axi_wlast,
    output logic m_axi_wvalid,
    input logic m_axi_wready,
    input logic [0:0] m_axi_bid,
    input logic [1:0] m_axi_bresp,
    input logic m_axi_bvalid,
    output logic m_axi_bready,
    output logic [0:0] m_axi_arid,
    output logic [AddressBits-1:0] m_axi_araddr,
    output logic [7:0] m_axi_arlen,
    output logic [2:0] m_axi_arsize,
    output logic [1:0] m_axi_arburst,
    output logic m_axi_arlock,
    output logic [3:0] m_axi_arcache,
    output logic [2:0] m_axi_arprot,
    output logic [3:0] m_axi_arqos,
    output logic m_axi_arvalid,
    input logic m_axi_arready,
    input logic [0:0] m_axi_rid,
    input logic [8*DataBytes-1:0] m_axi_rdata,
    input logic [1:0] m_axi_rresp,
    input logic m_axi_rlast,
    input logic m_axi_rvalid,
    output logic m_axi_rready
);

  if (Alignment > AnyByte || JobRoom > JobsFit) begin : gen_bad_choice
    $fatal(1, "dma: Alignment and JobRoom must be 0 or 1");
  end
  if ((BurstBytes & (BurstBytes - 1)) != 0 || BurstBytes < 4 * DataBytes ||
      BurstBytes > 256 * DataBytes || BurstBytes > 4096) begin : gen_bad_burst
    $fatal(1, "dma: BurstBytes must be a power of two, 4 to 256 beats and at most 4096");
  end
  if ((BufferBytes & (BufferBytes - 1)) != 0 || BufferBytes < 2 * BurstBytes ||
      BufferBytes > 1024 * DataBytes) begin : gen_bad_buffer
    $fatal(1, "dma: BufferBytes must be a power of two, at least two bursts, at most 1024 beats");
  end

  if (LateData && !wide_beat(9 * DataBytes + 1)) begin : gen_bad_late_data
    $fatal(1, "dma: LateData needs DataBytes = 64");
  end

  // Full-width incrementing bursts
  assign m_axi_awsize = 3'($clog2(DataBytes));
  assign m_axi_arsize = 3'($clog2(DataBytes));
  assign {m_axi_awburst, m_axi_arburst} = {2{2'b01}};
  assign {m_axi_awlock, m_axi_arlock, m_axi_awqos, m_axi_arqos} = '0;
  assign {m_axi_awcache, m_axi_arcache} = {2{AxCache}};
  assign {m_axi_awprot, m_axi_arprot} = {2{AxProt}};

  logic read_idle, write_idle, read_stale, write_stale;
  assign idle_o  = read_idle && write_idle;
  assign stale_o = read_stale || write_stale;

  // A wipe begins a cycle later, from a register for each part: one does not reach all in a cycle.
  logic read_wipe, read_abort, write_wipe, write_abort;
  flag_copies #(
      .Copies(4)
  ) u_wipe (
      .clk_i,
      .flag_i  (wipe_i),
      .copies_o({read_wipe, read_abort, write_wipe, write_abort})
  );

  // ---- read -------------------------------------------------------------------------------------
  logic read_valid, read_ready, beat, beat_open;
  logic [AddressBits-1:0] read_address;
  logic [7:0] read_len;
  dma_read #(
      .DataBytes  (DataBytes),
      .AddressBits(AddressBits),
      .Alignment  (Alignment),
      .BurstBytes (BurstBytes),
      .BufferBytes(BufferBytes),
      .JobDepth   (ReadDepth),
      .JobRoom    (JobRoom),
      .LateData   (LateData)
  ) u_read (
      // verilog_format: off
      .clk_i, .rst_i, .wipe_i (read_wipe), .job_valid_i (read_job_valid_i),
      .job_ready_o (read_job_ready_o), .job_address_i (read_job_address_i),
      .job_length_m1_i (read_job_length_m1_i), .job_zeros_i (read_job_zeros_i),
      .job_continues_i (read_job_continues_i), .request_valid_o (read_valid),
      .request_ready_i (read_ready), .request_address_o(read_address), .request_len_o (read_len),
      .beat_open_o (beat_open), .beat_valid_i (beat), .beat_data_i (fetch_data_o),
      .beat_error_i (fetch_error_o), .valid_o (source_valid_o), .ready_i (source_ready_i),
      .data_o (source_data_o), .keep_o (source_keep_o), .last_o (source_last_o),
      .error_o (source_error_o)
      // verilog_format: on
  );

  dma_read_channel #(
      .DataBytes  (DataBytes),
      .AddressBits(AddressBits)
  ) u_read_channel (
      .abort_i       (read_abort),
      .idle_o        (read_idle),
      .stale_o       (read_stale),
      .data_valid_i  (read_valid),
      .data_ready_o  (read_ready),
      .data_address_i(read_address),
      .data_len_i    (read_len),
      .data_beat_o   (beat),
      .beat_open_i   (beat_open),
      .beat_data_o   (fetch_data_o),
      .beat_error_o  (fetch_error_o),
      .beat_last_o   (fetch_last_o),
      // verilog_format: off
      .arvalid_o (m_axi_arvalid), .arready_i (m_axi_arready), .arid_o (m_axi_arid),
      .araddr_o (m_axi_araddr), .arlen_o (m_axi_arlen), .rvalid_i (m_axi_rvalid),
      .rready_o (m_axi_rready), .rid_i (m_axi_rid), .rdata_i (m_axi_rdata),
      .rresp_i (m_axi_rresp), .rlast_i (m_axi_rlast), .*
      // verilog_format: on
  );

  // ---- write ------------------------------------------------------------------------------------
  logic write_valid, write_ready, write_last, write_failed;
  logic [beat_parts(9 * DataBytes)-1:0][1:0] write_offer;
  logic write_beat, write_beat_ready;
  logic [AddressBits-1:0] write_address;
  logic [7:0] write_len;
  logic [8*DataBytes-1:0] write_data;
  logic [DataBytes-1:0] write_strobe;
  dma_write #(
      .DataBytes  (DataBytes),
      .AddressBits(AddressBits),
      .Alignment  (Alignment),
      .BurstBytes (BurstBytes),
      .JobDepth   (WriteDepth),
      .JobRoom    (JobRoom)
  ) u_write (
      .clk_i,
      .rst_i,
      .wipe_i           (write_wipe),
      .job_valid_i      (write_job_valid_i),
      .job_ready_o      (write_job_ready_o),
      .job_address_i    (write_job_address_i),
      .job_length_m1_i  (write_job_length_m1_i),
      .valid_i          (sink_valid_i),
      .ready_o          (sink_ready_o),
      .data_i           (sink_data_i),
      .keep_i           (sink_keep_i),
      .last_i           (sink_last_i),
      .error_i          (sink_error_i),
      .request_valid_o  (write_valid),
      .request_ready_i  (write_ready),
      .request_address_o(write_address),
      .request_len_o    (write_len),
      .request_last_o   (write_last),
      .request_error_o  (write_failed),
      .beat_offer_i     (write_offer),
      .beat_valid_o     (write_beat),
      .beat_ready_i     (write_beat_ready),
      .beat_data_o      (write_data),
      .beat_strobe_o    (write_strobe)
  );

  dma_write_channel #(
      .DataBytes  (DataBytes),
      .AddressBits(AddressBits),
      .BurstBytes (BurstBytes)
  ) u_write_channel (
      .clk_i,
      .rst_i,
      .abort_i           (write_abort),
      .idle_o            (write_idle),
      .stale_o           (write_stale),
      .data_valid_i      (write_valid),
      .data_ready_o      (write_ready),
      .data_address_i    (write_address),
      .data_len_i        (write_len),
      .data_last_i       (write_last),
      .data_error_i      (write_failed),
      .data_beat_offer_o (write_offer),
      .data_beat_valid_i (write_beat),
      .data_beat_ready_o (write_beat_ready),
      .data_beat_i       (write_data),
      .data_strobe_i     (write_strobe),
      .data_done_o       (written_o),
      .data_read_error_o (read_error_o),
      .data_write_error_o(write_error_o),
      .post_valid_i,
      .post_ready_o,
      .post_address_i,
      .post_len_i,
      .post_beat_valid_i,
      .post_beat_ready_o,
      .post_beat_i       (post_data_i),
      .post_strobe_i,
      .post_done_o,
      .post_error_o,
      // verilog_format: off
      .awvalid_o (m_axi_awvalid), .awready_i (m_axi_awready), .awid_o (m_axi_awid),
      .awaddr_o (m_axi_awaddr), .awlen_o (m_axi_awlen), .wvalid_o (m_axi_wvalid),
      .wready_i (m_axi_wready), .wdata_o (m_axi_wdata), .wstrb_o (m_axi_wstrb),
      .wlast_o (m_axi_wlast), .bvalid_i (m_axi_bvalid), .bready_o (m_axi_bready),
      .bid_i (m_axi_bid), .bresp_i (m_axi_bresp)
      // verilog_format: on
  );

`ifndef SYNTHESIS
  // Reset and wipe end a few cycles later in here.
  logic [2:0] settled_q;
  logic job_taken;
  assign job_taken = (read_job_valid_i && read_job_ready_o) ||
                     (write_job_valid_i && write_job_ready_o);
  always_ff @(posedge clk_i) begin
    settled_q <= rst_i || wipe_i ? '0 : {settled_q[1:0], 1'b1};
    if (!rst_i && !wipe_i) a_not_lost : assert (settled_q == '1 || !job_taken);
  end
`endif

endmodule
