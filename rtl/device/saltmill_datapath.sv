// SPDX-License-Identifier: Apache-2.0
// The way of the data: read DMA, core, write DMA. Each job is given to all three at once; from there
// on they keep pace by back-pressure alone.
module saltmill_datapath
  import saltmill_device_pkg::*;
#(
    parameter core_e                    Core            = CipherOnly,
    parameter int unsigned              Structure       = 1,
    parameter int unsigned              Unroll          = 2,
    parameter int unsigned              Stages          = 8,
    parameter chacha20_pkg::final_add_e FinalAdd        = chacha20_pkg::HardwareAdd,
    parameter poly1305_pkg::structure_e MacStructure    = poly1305_pkg::Lanes,
    parameter int unsigned              MacInterval     = 2,
    parameter aes_pkg::sbox_e           SBox            = aes_pkg::SBoxTower,
    parameter aes_pkg::key_sizes_e      KeySizes        = aes_pkg::AnySize,
    parameter aes_pkg::directions_e     Directions      = aes_pkg::BothWays,
    parameter aes_pkg::modes_e          Modes           = aes_pkg::AllModes,
    parameter int unsigned              DigitBits       = 16,
    parameter int unsigned              PieceBits       = 16,
    parameter int unsigned              DataBytes       = 16,
    parameter alignment_e               AnyAlignment    = AnyByte,
    parameter int unsigned              BurstBytes      = 1024,
    parameter int unsigned              ReadBufferBytes = 4096,
    parameter int unsigned              JobDepth        = 16
) (
    input  logic                         clk_i,
    input  logic                         rst_i,
    input  logic                         wipe_i,
    // Jobs
    input  logic                         read_valid_i,
    output logic                         read_ready_o,
    input  read_job_t                    read_job_i,
    input  logic                         param_valid_i,
    output logic                         param_ready_o,
    input  core_job_t                    param_i,
    input  logic                         write_valid_i,
    output logic                         write_ready_o,
    input  write_job_t                   write_job_i,
    // Read bursts and their beats
    output logic                         read_request_o,
    input  logic                         read_request_ready_i,
    output logic       [           63:0] read_address_o,
    output logic       [            8:0] read_beats_o,
    input  logic                         read_beat_i,
    input  logic       [8*DataBytes-1:0] read_data_i,
    input  logic                         read_error_i,
    // Write bursts and their beats
    output logic                         write_request_o,
    input  logic                         write_request_ready_i,
    output logic                         write_request_last_o,
    output logic       [           63:0] write_address_o,
    output logic       [            8:0] write_beats_o,
    output logic                         write_beat_o,
    input  logic                         write_beat_ready_i,
    output logic       [8*DataBytes-1:0] write_data_o,
    output logic       [  DataBytes-1:0] write_strobe_o,
    // Tags
    output logic                         tag_valid_o,
    input  logic                         tag_ready_i,
    output tag_t                         tag_o,
    // Events
    output logic                         busy_o,
    output logic                         stalled_input_o,
    output logic                         stalled_output_o,
    output logic                         block_o,
    output logic                         passed_o,
    output logic                         passed_error_o
);

  logic source_valid, source_ready, source_last, source_error;
  logic [8*DataBytes-1:0] source_data;
  logic [  DataBytes-1:0] source_keep;
  saltmill_read_dma #(
      .DataBytes      (DataBytes),
      .Alignment      (AnyAlignment),
      .BurstBytes     (BurstBytes),
      .ReadBufferBytes(ReadBufferBytes),
      .JobDepth       (JobDepth)
  ) u_read_dma (
      .clk_i,
      .rst_i,
      .wipe_i           (wipe_i),
      .job_valid_i      (read_valid_i),
      .job_ready_o      (read_ready_o),
      .job_i            (read_job_i),
      .request_valid_o  (read_request_o),
      .request_ready_i  (read_request_ready_i),
      .request_address_o(read_address_o),
      .request_beats_o  (read_beats_o),
      .beat_valid_i     (read_beat_i),
      .beat_data_i      (read_data_i),
      .beat_error_i     (read_error_i),
      .valid_o          (source_valid),
      .ready_i          (source_ready),
      .data_o           (source_data),
      .keep_o           (source_keep),
      .last_o           (source_last),
      .error_o          (source_error)
  );

  logic result_valid, result_ready, result_last, result_error;
  logic [8*DataBytes-1:0] result_data;
  logic [  DataBytes-1:0] result_keep;
  if (Core == Aes) begin : gen_aes
    saltmill_aes_core #(
        .Structure(aes_pkg::structure_e'(Structure)),
        .SBox(SBox),
        .Stages(Stages),
        .KeySizes(KeySizes),
        .Directions(Directions),
        .Modes(Modes),
        .DigitBits(DigitBits),
        .PieceBits(PieceBits),
        .DataBytes(DataBytes),
        .JobDepth(JobDepth)
    ) u_core (
        .clk_i,
        .rst_i,
        .wipe_i,
        .job_valid_i   (param_valid_i),
        .job_ready_o   (param_ready_o),
        .job_i         (param_i),
        .source_valid_i(source_valid),
        .source_ready_o(source_ready),
        .source_data_i (source_data),
        .source_keep_i (source_keep),
        .source_last_i (source_last),
        .source_error_i(source_error),
        .result_valid_o(result_valid),
        .result_ready_i(result_ready),
        .result_data_o (result_data),
        .result_keep_o (result_keep),
        .result_last_o (result_last),
        .result_error_o(result_error),
        .tag_valid_o,
        .tag_ready_i,
        .tag_o,
        .busy_o,
        .stalled_input_o,
        .stalled_output_o,
        .block_o
    );
  end else if (Core == Aead) begin : gen_aead
    saltmill_aead_core #(
        .Structure(chacha20_pkg::structure_e'(Structure)),
        .Unroll(Unroll),
        .Stages(Stages),
        .MacStructure(MacStructure),
        .MacInterval(MacInterval),
        .DataBytes(DataBytes),
        .JobDepth(JobDepth)
    ) u_core (
        .clk_i,
        .rst_i,
        .wipe_i,
        .job_valid_i   (param_valid_i),
        .job_ready_o   (param_ready_o),
        .job_i         (param_i),
        .source_valid_i(source_valid),
        .source_ready_o(source_ready),
        .source_data_i (source_data),
        .source_keep_i (source_keep),
        .source_last_i (source_last),
        .source_error_i(source_error),
        .result_valid_o(result_valid),
        .result_ready_i(result_ready),
        .result_data_o (result_data),
        .result_keep_o (result_keep),
        .result_last_o (result_last),
        .result_error_o(result_error),
        .tag_valid_o,
        .tag_ready_i,
        .tag_o,
        .busy_o,
        .stalled_input_o,
        .stalled_output_o,
        .block_o
    );
  end else begin : gen_cipher
    saltmill_cipher_core #(
        .Structure(chacha20_pkg::structure_e'(Structure)),
        .Unroll(Unroll),
        .Stages(Stages),
        .FinalAdd(FinalAdd),
        .DataBytes(DataBytes),
        .JobDepth(JobDepth)
    ) u_core (
        .clk_i,
        .rst_i,
        .wipe_i,
        .job_valid_i   (param_valid_i),
        .job_ready_o   (param_ready_o),
        .job_i         (param_i),
        .source_valid_i(source_valid),
        .source_ready_o(source_ready),
        .source_data_i (source_data),
        .source_keep_i (source_keep),
        .source_last_i (source_last),
        .source_error_i(source_error),
        .result_valid_o(result_valid),
        .result_ready_i(result_ready),
        .result_data_o (result_data),
        .result_keep_o (result_keep),
        .result_last_o (result_last),
        .result_error_o(result_error),
        .tag_valid_o,
        .tag_ready_i,
        .tag_o,
        .busy_o,
        .stalled_input_o,
        .stalled_output_o,
        .block_o
    );
  end

  saltmill_write_dma #(
      .DataBytes (DataBytes),
      .Alignment (AnyAlignment),
      .BurstBytes(BurstBytes),
      .JobDepth  (JobDepth)
  ) u_write_dma (
      .clk_i,
      .rst_i,
      .wipe_i           (wipe_i),
      .job_valid_i      (write_valid_i),
      .job_ready_o      (write_ready_o),
      .job_i            (write_job_i),
      .valid_i          (result_valid),
      .ready_o          (result_ready),
      .data_i           (result_data),
      .keep_i           (result_keep),
      .last_i           (result_last),
      .error_i          (result_error),
      .request_valid_o  (write_request_o),
      .request_ready_i  (write_request_ready_i),
      .request_address_o(write_address_o),
      .request_beats_o  (write_beats_o),
      .request_last_o   (write_request_last_o),
      .beat_valid_o     (write_beat_o),
      .beat_ready_i     (write_beat_ready_i),
      .beat_data_o      (write_data_o),
      .beat_strobe_o    (write_strobe_o),
      .passed_o         (passed_o),
      .passed_error_o   (passed_error_o)
  );

endmodule
