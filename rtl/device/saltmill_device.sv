// SPDX-License-Identifier: Apache-2.0
// The device: registers, descriptor ring, read and write DMA, key store and a core.
// AXI4-Lite slave for the registers, AXI4 master for descriptors and data, level interrupt.
// Registers, descriptor and status codes: saltmill.rdl. Data path: README.md.
module saltmill_device
  import saltmill_device_pkg::*;
#(
    // Core
    parameter core_e Core = CipherOnly,
    parameter int unsigned Structure = 1,  // structure_e of chacha20_pkg or aes_pkg
    parameter int unsigned Stages = 8,
    // Cores CipherOnly and Aead
    parameter int unsigned Unroll = 2,
    parameter chacha20_pkg::final_add_e FinalAdd = chacha20_pkg::HardwareAdd,
    parameter poly1305_pkg::structure_e MacStructure = poly1305_pkg::Lanes,
    parameter int unsigned MacInterval = 2,
    // Core Aes
    parameter aes_pkg::sbox_e SBox = aes_pkg::SBoxTower,
    parameter aes_pkg::key_sizes_e KeySizes = aes_pkg::AnySize,
    parameter aes_pkg::directions_e Directions = aes_pkg::BothWays,
    parameter aes_pkg::modes_e Modes = aes_pkg::AllModes,
    parameter int unsigned DigitBits = 16,
    parameter int unsigned PieceBits = 16,
    // Memory port
    parameter int unsigned DataBytes = 16,  // 8, 16, 32 or 64
    parameter alignment_e AnyAlignment = AnyByte,
    parameter int unsigned BurstBytes = 1024,
    parameter int unsigned ReadBufferBytes = DataBytes == 64 ? 16384 : 4096,
    // Jobs
    parameter int unsigned KeySlots = 8,  // 1 to 32
    parameter int unsigned MaxLog2Entries = 10,  // at most 15
    parameter int unsigned JobDepth = 16,  // jobs in flight
    // What the host is told
    parameter int unsigned ClockHz = 100_000_000
) (
    input  logic                   aclk,
    input  logic                   aresetn,
    // AXI4-Lite: registers
    input  logic [           11:0] s_axil_awaddr,
    input  logic [            2:0] s_axil_awprot,
    input  logic                   s_axil_awvalid,
    output logic                   s_axil_awready,
    input  logic [           31:0] s_axil_wdata,
    input  logic [            3:0] s_axil_wstrb,
    input  logic                   s_axil_wvalid,
    output logic                   s_axil_wready,
    output logic [            1:0] s_axil_bresp,
    output logic                   s_axil_bvalid,
    input  logic                   s_axil_bready,
    input  logic [           11:0] s_axil_araddr,
    input  logic [            2:0] s_axil_arprot,
    input  logic                   s_axil_arvalid,
    output logic                   s_axil_arready,
    output logic [           31:0] s_axil_rdata,
    output logic [            1:0] s_axil_rresp,
    output logic                   s_axil_rvalid,
    input  logic                   s_axil_rready,
    // AXI4: memory. ID 0: data, ID 1: descriptors and their status
    output logic [            0:0] m_axi_awid,
    output logic [           63:0] m_axi_awaddr,
    output logic [            7:0] m_axi_awlen,
    output logic [            2:0] m_axi_awsize,
    output logic [            1:0] m_axi_awburst,
    output logic                   m_axi_awlock,
    output logic [            3:0] m_axi_awcache,
    output logic [            2:0] m_axi_awprot,
    output logic [            3:0] m_axi_awqos,
    output logic                   m_axi_awvalid,
    input  logic                   m_axi_awready,
    output logic [8*DataBytes-1:0] m_axi_wdata,
    output logic [  DataBytes-1:0] m_axi_wstrb,
    output logic                   m_axi_wlast,
    output logic                   m_axi_wvalid,
    input  logic                   m_axi_wready,
    input  logic [            0:0] m_axi_bid,
    input  logic [            1:0] m_axi_bresp,
    input  logic                   m_axi_bvalid,
    output logic                   m_axi_bready,
    output logic [            0:0] m_axi_arid,
    output logic [           63:0] m_axi_araddr,
    output logic [            7:0] m_axi_arlen,
    output logic [            2:0] m_axi_arsize,
    output logic [            1:0] m_axi_arburst,
    output logic                   m_axi_arlock,
    output logic [            3:0] m_axi_arcache,
    output logic [            2:0] m_axi_arprot,
    output logic [            3:0] m_axi_arqos,
    output logic                   m_axi_arvalid,
    input  logic                   m_axi_arready,
    input  logic [            0:0] m_axi_rid,
    input  logic [8*DataBytes-1:0] m_axi_rdata,
    input  logic [            1:0] m_axi_rresp,
    input  logic                   m_axi_rlast,
    input  logic                   m_axi_rvalid,
    output logic                   m_axi_rready,
    // Interrupt, active high, level
    output logic                   irq_o
);

  // ---- the core: what the host is told of it -------------------------------------------------------
  localparam core_facts_t Facts = core_facts(
      Core,
      Structure,
      Unroll,
      Stages,
      FinalAdd,
      MacStructure,
      MacInterval,
      KeySizes,
      Directions,
      Modes,
      DigitBits,
      DataBytes
  );

  localparam int unsigned WipeCycles = maximum(
      maximum(
          Facts.wipe_cycles, KeySlots
      ),
      maximum(
          maximum(ReadBufferBytes, 2 * BurstBytes) / DataBytes, 2 * JobDepth)
  ) + 2;

  if (DataBytes != 8 && DataBytes != 16 && DataBytes != 32 && DataBytes != 64) begin : gen_bad_data
    $fatal(1, "DataBytes must be 8, 16, 32 or 64.");
  end
  if (Core == Aead && (DataBytes != 16 || FinalAdd != chacha20_pkg::HardwareAdd))
  begin : gen_bad_aead
    $fatal(1, "Core Aead needs DataBytes 16 and FinalAdd HardwareAdd.");
  end
  if (Core == Aes && DataBytes != 16) begin : gen_bad_aes
    $fatal(1, "Core Aes needs DataBytes 16.");
  end
  if (MaxLog2Entries > 15) begin : gen_bad_ring
    $fatal(1, "MaxLog2Entries must be at most 15.");
  end

  logic clk_i, rst_i;
  assign clk_i = aclk;
  assign rst_i = !aresetn;

  // ---- control -----------------------------------------------------------------------------------
  logic enable, wipe_request, wipe;
  logic [63:0] base;
  logic [15:0] mask, head, tail;
  logic active;
  logic key_write, key_write_one_time;
  logic [ 7:0] key_write_word;
  logic [31:0] key_write_data;
  logic core_busy, core_stalled_input, core_stalled_output, core_block;
  logic passed, passed_error, ended;
  logic [31:0] ended_length;
  logic finished, finished_interrupt, status_done, status_error;

  saltmill_control #(
      .Algorithm     (Facts.algorithm),
      .Structure     (4'(Structure)),
      .FinalAdd      (FinalAdd == chacha20_pkg::HardwareAdd),
      .Unroll        (Facts.unroll),
      .Stages        (Stages),
      .BlockBytes    (Facts.block_bytes),
      .CyclesPerBlock(Facts.cycles_per_block),
      .Latency       (Facts.latency),
      .ClockHz       (ClockHz),
      .DataBytes     (DataBytes),
      .AnyAlignment  (AnyAlignment == AnyByte),
      .ExtendedNonce (Core == Aead),
      .KeySizes      (Facts.key_sizes),
      .KeySlots      (KeySlots),
      .MaxLog2Entries(MaxLog2Entries),
      .Operations    (Facts.operations)
  ) u_control (
      .enable_o            (enable),
      .wipe_request_o      (wipe_request),
      .wipe_i              (wipe),
      .base_o              (base),
      .mask_o              (mask),
      .head_o              (head),
      .tail_i              (tail),
      .key_write_o         (key_write),
      .key_write_one_time_o(key_write_one_time),
      .key_write_word_o    (key_write_word),
      .key_write_data_o    (key_write_data),
      .active_i            (active),
      .busy_i              (core_busy),
      .stalled_input_i     (core_stalled_input),
      .stalled_output_i    (core_stalled_output),
      .block_i             (core_block),
      .ended_i             (ended),
      .ended_length_i      (ended_length),
      .finished_i          (finished),
      .finished_interrupt_i(finished_interrupt),
      .status_lost_i       (status_done && status_error),
      .*
  );

  logic read_idle, write_idle;
  saltmill_wipe #(
      .Cycles(WipeCycles)
  ) u_wipe (
      .clk_i,
      .rst_i,
      .request_i (wipe_request),
      .bus_idle_i(read_idle && write_idle),
      .wipe_o    (wipe)
  );

  // ---- jobs --------------------------------------------------------------------------------------
  logic fetch_request, fetch_request_ready;
  logic [63:0] fetch_address;
  logic fetch_beat, data_beat;
  logic [8*DataBytes-1:0] beat_data;
  logic beat_error, beat_last;
  logic read_valid, read_ready, param_valid, param_ready, write_valid, write_ready;
  read_job_t  read_job;
  write_job_t write_job;
  core_job_t  param;
  logic written, written_error;
  logic tag_valid, tag_ready;
  tag_t tag;
  logic status_request, status_request_ready;
  logic [63:0] status_entry;
  logic status_has_tag;
  logic [127:0] status_tag;
  job_status_e status;
  saltmill_jobs #(
      .Core        (Core),
      .DataBytes   (DataBytes),
      .AnyAlignment(AnyAlignment),
      .KeySlots    (KeySlots),
      .JobDepth    (JobDepth),
      .Operations  (Facts.operations),
      .KeySizes    (Facts.key_sizes)
  ) u_jobs (
      .clk_i,
      .rst_i,
      .wipe_i                (wipe),
      .enable_i              (enable),
      .base_i                (base),
      .mask_i                (mask),
      .head_i                (head),
      .tail_o                (tail),
      .active_o              (active),
      .key_write_i           (key_write),
      .key_write_one_time_i  (key_write_one_time),
      .key_write_word_i      (key_write_word),
      .key_write_data_i      (key_write_data),
      .fetch_request_o       (fetch_request),
      .fetch_request_ready_i (fetch_request_ready),
      .fetch_address_o       (fetch_address),
      .fetch_beat_i          (fetch_beat),
      .beat_data_i           (beat_data),
      .beat_error_i          (beat_error),
      .beat_last_i           (beat_last),
      .read_valid_o          (read_valid),
      .read_ready_i          (read_ready),
      .read_job_o            (read_job),
      .param_valid_o         (param_valid),
      .param_ready_i         (param_ready),
      .param_o               (param),
      .write_valid_o         (write_valid),
      .write_ready_i         (write_ready),
      .write_job_o           (write_job),
      .passed_i              (passed),
      .passed_error_i        (passed_error),
      .written_i             (written),
      .written_error_i       (written_error),
      .tag_valid_i           (tag_valid),
      .tag_ready_o           (tag_ready),
      .tag_i                 (tag),
      .status_request_o      (status_request),
      .status_request_ready_i(status_request_ready),
      .status_entry_o        (status_entry),
      .status_has_tag_o      (status_has_tag),
      .status_tag_o          (status_tag),
      .status_o              (status),
      .status_done_i         (status_done),
      .ended_o               (ended),
      .ended_length_o        (ended_length),
      .finished_o            (finished),
      .finished_interrupt_o  (finished_interrupt)
  );

  // ---- data --------------------------------------------------------------------------------------
  logic data_request, data_request_ready;
  logic [63:0] data_address;
  logic [ 8:0] data_beats;
  logic write_request, write_request_ready, write_request_last;
  logic [63:0] write_address;
  logic [ 8:0] write_beats;
  logic write_beat, write_beat_ready;
  logic [8*DataBytes-1:0] write_data;
  logic [  DataBytes-1:0] write_strobe;
  saltmill_datapath #(
      .Core           (Core),
      .Structure      (Structure),
      .Unroll         (Unroll),
      .Stages         (Stages),
      .FinalAdd       (FinalAdd),
      .MacStructure   (MacStructure),
      .MacInterval    (MacInterval),
      .SBox           (SBox),
      .KeySizes       (KeySizes),
      .Directions     (Directions),
      .Modes          (Modes),
      .DigitBits      (DigitBits),
      .PieceBits      (PieceBits),
      .DataBytes      (DataBytes),
      .AnyAlignment   (AnyAlignment),
      .BurstBytes     (BurstBytes),
      .ReadBufferBytes(ReadBufferBytes),
      .JobDepth       (JobDepth)
  ) u_datapath (
      .clk_i,
      .rst_i,
      .wipe_i               (wipe),
      .read_valid_i         (read_valid),
      .read_ready_o         (read_ready),
      .read_job_i           (read_job),
      .param_valid_i        (param_valid),
      .param_ready_o        (param_ready),
      .param_i              (param),
      .write_valid_i        (write_valid),
      .write_ready_o        (write_ready),
      .write_job_i          (write_job),
      .read_request_o       (data_request),
      .read_request_ready_i (data_request_ready),
      .read_address_o       (data_address),
      .read_beats_o         (data_beats),
      .read_beat_i          (data_beat),
      .read_data_i          (beat_data),
      .read_error_i         (beat_error),
      .write_request_o      (write_request),
      .write_request_ready_i(write_request_ready),
      .write_request_last_o (write_request_last),
      .write_address_o      (write_address),
      .write_beats_o        (write_beats),
      .write_beat_o         (write_beat),
      .write_beat_ready_i   (write_beat_ready),
      .write_data_o         (write_data),
      .write_strobe_o       (write_strobe),
      .tag_valid_o          (tag_valid),
      .tag_ready_i          (tag_ready),
      .tag_o                (tag),
      .busy_o               (core_busy),
      .stalled_input_o      (core_stalled_input),
      .stalled_output_o     (core_stalled_output),
      .block_o              (core_block),
      .passed_o             (passed),
      .passed_error_o       (passed_error)
  );

  // ---- AXI4 master -------------------------------------------------------------------------------
  saltmill_read_channel #(
      .DataBytes(DataBytes)
  ) u_read_channel (
      .clk_i,
      .rst_i,
      .abort_i        (wipe),
      .idle_o         (read_idle),
      .fetch_valid_i  (fetch_request),
      .fetch_ready_o  (fetch_request_ready),
      .fetch_address_i(fetch_address),
      .fetch_beat_o   (fetch_beat),
      .data_valid_i   (data_request),
      .data_ready_o   (data_request_ready),
      .data_address_i (data_address),
      .data_beats_i   (data_beats),
      .data_beat_o    (data_beat),
      .beat_data_o    (beat_data),
      .beat_error_o   (beat_error),
      .beat_last_o    (beat_last),
      .arvalid_o      (m_axi_arvalid),
      .arready_i      (m_axi_arready),
      .arid_o         (m_axi_arid),
      .araddr_o       (m_axi_araddr),
      .arlen_o        (m_axi_arlen),
      .rvalid_i       (m_axi_rvalid),
      .rready_o       (m_axi_rready),
      .rid_i          (m_axi_rid),
      .rdata_i        (m_axi_rdata),
      .rresp_i        (m_axi_rresp),
      .rlast_i        (m_axi_rlast)
  );

  saltmill_write_channel #(
      .HasTags  (Core != CipherOnly),
      .DataBytes(DataBytes)
  ) u_write_channel (
      .clk_i,
      .rst_i,
      .abort_i         (wipe),
      .idle_o          (write_idle),
      .status_valid_i  (status_request),
      .status_ready_o  (status_request_ready),
      .status_entry_i  (status_entry),
      .status_has_tag_i(status_has_tag),
      .status_tag_i    (status_tag),
      .status_i        (status),
      .status_done_o   (status_done),
      .status_error_o  (status_error),
      .data_valid_i    (write_request),
      .data_ready_o    (write_request_ready),
      .data_address_i  (write_address),
      .data_beats_i    (write_beats),
      .data_last_i     (write_request_last),
      .beat_valid_i    (write_beat),
      .beat_ready_o    (write_beat_ready),
      .beat_data_i     (write_data),
      .beat_strobe_i   (write_strobe),
      .data_done_o     (written),
      .data_error_o    (written_error),
      .awvalid_o       (m_axi_awvalid),
      .awready_i       (m_axi_awready),
      .awid_o          (m_axi_awid),
      .awaddr_o        (m_axi_awaddr),
      .awlen_o         (m_axi_awlen),
      .wvalid_o        (m_axi_wvalid),
      .wready_i        (m_axi_wready),
      .wdata_o         (m_axi_wdata),
      .wstrb_o         (m_axi_wstrb),
      .wlast_o         (m_axi_wlast),
      .bvalid_i        (m_axi_bvalid),
      .bready_o        (m_axi_bready),
      .bid_i           (m_axi_bid),
      .bresp_i         (m_axi_bresp)
  );

  // Full-width incrementing bursts; normal, non-cacheable, bufferable memory (AMBA AXI4, A4.4).
  assign m_axi_awsize  = 3'($clog2(DataBytes));
  assign m_axi_awburst = 2'b01;
  assign m_axi_awlock  = 1'b0;
  assign m_axi_awcache = 4'b0011;
  assign m_axi_awprot  = 3'b000;
  assign m_axi_awqos   = 4'd0;
  assign m_axi_arsize  = 3'($clog2(DataBytes));
  assign m_axi_arburst = 2'b01;
  assign m_axi_arlock  = 1'b0;
  assign m_axi_arcache = 4'b0011;
  assign m_axi_arprot  = 3'b000;
  assign m_axi_arqos   = 4'd0;

endmodule
