// SPDX-License-Identifier: Apache-2.0
// The device: registers, descriptor ring, read and write DMA, key store and a core.
// AXI4-Lite slave for the registers, AXI4 master for descriptors and data, level interrupt.
// Registers, descriptor, codes: saltmill.rdl. Data path: README.md.
module saltmill_device
  import saltmill_socket_pkg::*;
  import saltmill_device_pkg::*;
#(
    parameter core_e Core = ChaCha20,
    // Of the cores with ChaCha20
    parameter chacha20_pkg::structure_e ChaCha20Structure = chacha20_pkg::Ring,
    parameter int unsigned ChaCha20Unroll = chacha20_pkg::default_unroll(ChaCha20Structure),
    parameter int unsigned ChaCha20Stages = chacha20_pkg::default_stages(
        ChaCha20Structure, ChaCha20Unroll
    ),
    parameter chacha20_pkg::final_add_e ChaCha20FinalAdd = chacha20_pkg::HardwareAdd,
    parameter poly1305_pkg::structure_e Poly1305Structure = chacha20_poly1305_pkg::mac_of(
        ChaCha20Structure
    ),
    parameter int unsigned Poly1305Interval = 2,
    // Of AesGcm
    parameter aes_pkg::structure_e AesStructure = aes_pkg::Ring,
    parameter aes_pkg::sbox_e AesSBox = aes_pkg::SBoxTower,
    parameter int unsigned AesRoundStages = AesSBox == aes_pkg::SBoxTable ? 2 : 4,
    parameter aes_pkg::key_sizes_e AesKeySizes = default_key_sizes(AesStructure),
    parameter aes_pkg::directions_e AesDirections = default_directions(AesSBox),
    parameter aes_pkg::modes_e AesModes = aes_pkg::AllModes,
    parameter int unsigned GhashDigitBits = 16,
    parameter int unsigned GhashPieceBits = 16,
    // Of Sha256, HmacSha256 and Md5
    parameter hash_pkg::structure_e HashStructure = hash_pkg::Serial,
    parameter int unsigned HashUnroll = 4,  // not of Md5
    parameter int unsigned HashDepth = Core == Md5 ? 32 : 64,
    // Memory port
    parameter int unsigned DataBytes = 16,  // 8, 16, 32 or 64
    parameter int unsigned AddressBits = 32,  // 32 to 64
    parameter dma_pkg::alignment_e Alignment = dma_pkg::AnyByte,
    parameter int unsigned BurstBytes = 1024,
    parameter int unsigned ReadBufferBytes = default_read_buffer(DataBytes, BurstBytes),
    parameter logic [3:0] AxCache = 4'b0011,  // normal, non-cacheable, bufferable
    parameter logic [2:0] AxProt = 3'b000,  // unprivileged, secure, data
    // Jobs
    parameter int unsigned KeySlots = 8,  // 1 to 32
    parameter int unsigned MaxLog2Entries = 10,  // at most 15
    parameter int unsigned JobDepth = 64,  // jobs in flight, a power of two
    // Reported to the host
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
    output logic [AddressBits-1:0] m_axi_awaddr,
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
    output logic [AddressBits-1:0] m_axi_araddr,
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

  // verilog_format: off
  localparam config_t Config = '{
      core: Core,
      chacha20: '{ChaCha20Structure, ChaCha20Unroll, ChaCha20Stages, ChaCha20FinalAdd},
      chacha20_poly1305: '{'{ChaCha20Structure, ChaCha20Unroll, ChaCha20Stages, ChaCha20FinalAdd},
          Poly1305Structure, Poly1305Interval},
      aes_gcm: '{AesStructure, AesSBox, AesRoundStages, AesKeySizes, AesDirections, AesModes,
          GhashDigitBits, GhashPieceBits},
      hash: '{HashStructure, HashUnroll, HashDepth},
      data_bytes: DataBytes,
      address_bits: AddressBits,
      alignment: Alignment,
      burst_bytes: BurstBytes,
      read_buffer_bytes: ReadBufferBytes,
      key_slots: KeySlots,
      max_log2_entries: MaxLog2Entries,
      job_depth: JobDepth,
      clock_hz: ClockHz
  };
  // verilog_format: on
  saltmill_legal #(.Config(Config)) u_legal ();

  logic clk_i, rst_i, wipe;
  assign {clk_i, rst_i} = {aclk, !aresetn};

  // ---- control ----------------------------------------------------------------------------------
  logic enable, wipe_request, active, key_write;
  logic [AddressBits-saltmill_descriptor_pkg::DescriptorLog2-1:0] base;
  logic [15:0] mask, head, tail;
  logic [ 2:0] key_use;
  logic [ 7:0] key_word;
  logic [31:0] key_data;
  logic busy, stalled_input, stalled_output, block;
  logic finished, finished_interrupt, status_done, status_error, status_lost_q;
  logic job_valid, job_ready, begun_q;
  job_t job;
  always_ff @(posedge clk_i) begin
    begun_q       <= job_valid && job_ready;
    status_lost_q <= status_done && status_error;
  end
  saltmill_control #(
      .Description(description(Config)),
      .AddressBits(AddressBits)
  ) u_control (
      .enable_o            (enable),
      .wipe_request_o      (wipe_request),
      .wipe_i              (wipe),
      .base_o              (base),
      .mask_o              (mask),
      .head_o              (head),
      .tail_i              (tail),
      .key_write_o         (key_write),
      .key_use_o           (key_use),
      .key_write_word_o    (key_word),
      .key_write_data_o    (key_data),
      .active_i            (active),
      .busy_i              (busy),
      .stalled_input_i     (stalled_input),
      .stalled_output_i    (stalled_output),
      .block_i             (block),
      .begun_i             (begun_q),
      .begun_bytes_i       (job.data_bytes),      // it stays for a cycle
      .finished_i          (finished),
      .finished_interrupt_i(finished_interrupt),
      .status_lost_i       (status_lost_q),
      .*
  );

  // A wipe follows each reset and clears in the core everything that a reset would.
  logic bus_idle, stale, wipe_ring, wipe_keys, wipe_dma, wipe_core;
  saltmill_wipe #(
      .Cycles(wipe_cycles(Config)),
      .Parts (4)
  ) u_wipe (
      .request_i (wipe_request),
      .stale_i   (stale),
      .bus_idle_i(bus_idle),
      .wipe_o    (wipe),
      .parts_o   ({wipe_core, wipe_dma, wipe_keys, wipe_ring}),
      .*
  );

  // ---- ring -------------------------------------------------------------------------------------
  logic fetch_valid, fetch_ready, beat_valid, beat_error, beat_last;
  logic [AddressBits-1:0] fetch_address, status_address;
  logic [7:0] fetch_len, status_len;
  logic [8*DataBytes-1:0] beat_data, status_data;
  logic [DataBytes-1:0] status_strobe;
  logic status_valid, status_ready, status_beat_valid, status_beat_ready;
  logic source_job, source_zeros, source_continues, sink_job;
  logic [AddressBits-1:0] source_address, sink_address;
  logic [31:0] source_length_m1, sink_length_m1;
  logic written, read_error, write_error;
  logic record_valid, record_ready;
  record_t record;
  saltmill_ring #(
      .Config(Config)
  ) u_ring (
      // verilog_format: off
      .clk_i, .rst_i, .wipe_i(wipe_ring), .wipe_keys_i(wipe_keys),
      // Control
      .enable_i(enable), .base_i(base), .mask_i(mask), .head_i(head), .tail_o(tail),
      .active_o(active), .finished_o(finished), .finished_interrupt_o(finished_interrupt),
      .key_write_i(key_write), .key_use_i(key_use), .key_word_i(key_word), .key_data_i(key_data),
      // Descriptors
      .fetch_valid_o(fetch_valid), .fetch_ready_i(fetch_ready),
      .fetch_address_o(fetch_address), .fetch_len_o(fetch_len),
      .beat_valid_i(beat_valid), .beat_data_i(beat_data), .beat_error_i(beat_error),
      .beat_last_i(beat_last),
      // Statuses
      .status_valid_o(status_valid), .status_ready_i(status_ready),
      .status_address_o(status_address), .status_len_o(status_len),
      .status_beat_valid_o(status_beat_valid), .status_beat_ready_i(status_beat_ready),
      .status_data_o(status_data), .status_strobe_o(status_strobe), .status_done_i(status_done),
      // Jobs of the DMA
      .source_valid_o(source_job), .source_zeros_o(source_zeros),
      .source_continues_o(source_continues), .source_address_o(source_address),
      .source_length_m1_o(source_length_m1),
      .sink_valid_o(sink_job), .sink_address_o(sink_address), .sink_length_m1_o(sink_length_m1),
      .written_i(written), .read_error_i(read_error), .write_error_i(write_error),
      // Jobs of the core
      .job_valid_o(job_valid), .job_ready_i(job_ready), .job_o(job),
      .record_valid_i(record_valid), .record_ready_o(record_ready), .record_i(record)
      // verilog_format: on
  );

  // ---- data -------------------------------------------------------------------------------------
  logic source_valid, source_ready, source_last, source_error;
  logic result_valid, result_ready, result_last, result_error;
  logic [8*DataBytes-1:0] source_data, result_data;
  logic [DataBytes-1:0] source_keep, result_keep;
  dma #(
      .DataBytes  (DataBytes),
      .AddressBits(AddressBits),
      .Alignment  (Alignment),
      .BurstBytes (BurstBytes),
      .BufferBytes(ReadBufferBytes),
      .ReadDepth  (JobDepth * read_parts(Config)),
      .WriteDepth (JobDepth),
      .JobRoom    (dma_pkg::JobsFit),
      .LateData   (facts(Config).late_source),
      .AxCache    (AxCache),
      .AxProt     (AxProt)
  ) u_dma (
      // verilog_format: off
      .clk_i, .rst_i, .wipe_i(wipe_dma), .idle_o(bus_idle), .stale_o(stale),
      // Source
      .read_job_valid_i(source_job), .read_job_ready_o(), .read_job_address_i(source_address),
      .read_job_length_m1_i(source_length_m1), .read_job_zeros_i(source_zeros),
      .read_job_continues_i(source_continues),
      .source_valid_o(source_valid), .source_ready_i(source_ready), .source_data_o(source_data),
      .source_keep_o(source_keep), .source_last_o(source_last), .source_error_o(source_error),
      // Result
      .write_job_valid_i(sink_job), .write_job_ready_o(), .write_job_address_i(sink_address),
      .write_job_length_m1_i(sink_length_m1),
      .sink_valid_i(result_valid), .sink_ready_o(result_ready), .sink_data_i(result_data),
      .sink_keep_i(result_keep), .sink_last_i(result_last), .sink_error_i(result_error),
      .written_o(written), .read_error_o(read_error), .write_error_o(write_error),
      // Descriptors and statuses
      .fetch_valid_i(fetch_valid), .fetch_ready_o(fetch_ready), .fetch_address_i(fetch_address),
      .fetch_len_i(fetch_len), .fetch_beat_o(beat_valid), .fetch_data_o(beat_data),
      .fetch_error_o(beat_error), .fetch_last_o(beat_last),
      .post_valid_i(status_valid), .post_ready_o(status_ready), .post_address_i(status_address),
      .post_len_i(status_len), .post_beat_valid_i(status_beat_valid),
      .post_beat_ready_o(status_beat_ready), .post_data_i(status_data),
      .post_strobe_i(status_strobe), .post_done_o(status_done), .post_error_o(status_error),
      .*
      // verilog_format: on
  );

  saltmill_core #(
      .Config(Config)
  ) u_core (
      // verilog_format: off
      .clk_i, .rst_i(1'b0), .wipe_i(wipe_core),
      .job_valid_i(job_valid), .job_ready_o(job_ready), .job_i(job),
      .source_valid_i(source_valid), .source_ready_o(source_ready), .source_data_i(source_data),
      .source_keep_i(source_keep), .source_last_i(source_last), .source_error_i(source_error),
      .result_valid_o(result_valid), .result_ready_i(result_ready), .result_data_o(result_data),
      .result_keep_o(result_keep), .result_last_o(result_last), .result_error_o(result_error),
      .record_valid_o(record_valid), .record_ready_i(record_ready), .record_o(record),
      // Events
      .busy_o(busy), .stalled_input_o(stalled_input), .stalled_output_o(stalled_output),
      .block_o(block)
      // verilog_format: on
  );

endmodule
