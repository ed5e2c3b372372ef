// SPDX-License-Identifier: Apache-2.0
// The life of a job but for its data: descriptors are fetched and decoded, each job is handed to the
// data path, and ended when that reports it done. The key store belongs here: only the decoder reads it.
module saltmill_jobs
  import saltmill_device_pkg::*;
#(
    parameter core_e              Core         = CipherOnly,
    parameter int unsigned        DataBytes    = 16,
    parameter alignment_e         AnyAlignment = AnyByte,
    parameter int unsigned        KeySlots     = 8,
    parameter int unsigned        JobDepth     = 16,
    parameter logic        [31:0] Operations   = 32'h6,
    parameter logic        [ 2:0] KeySizes     = 3'b0
) (
    input  logic                          clk_i,
    input  logic                          rst_i,
    input  logic                          wipe_i,
    input  logic                          enable_i,
    // Ring
    input  logic        [           63:0] base_i,
    input  logic        [           15:0] mask_i,
    input  logic        [           15:0] head_i,
    output logic        [           15:0] tail_o,
    output logic                          active_o,                // jobs in flight
    // Keys from the host
    input  logic                          key_write_i,
    input  logic                          key_write_one_time_i,
    input  logic        [            7:0] key_write_word_i,
    input  logic        [           31:0] key_write_data_i,
    // Descriptor bursts and their beats
    output logic                          fetch_request_o,
    input  logic                          fetch_request_ready_i,
    output logic        [           63:0] fetch_address_o,
    input  logic                          fetch_beat_i,
    input  logic        [8*DataBytes-1:0] beat_data_i,
    input  logic                          beat_error_i,
    input  logic                          beat_last_i,
    // Jobs for the data path
    output logic                          read_valid_o,
    input  logic                          read_ready_i,
    output read_job_t                     read_job_o,
    output logic                          param_valid_o,
    input  logic                          param_ready_i,
    output core_job_t                     param_o,
    output logic                          write_valid_o,
    input  logic                          write_ready_i,
    output write_job_t                    write_job_o,
    // Its reports
    input  logic                          passed_i,
    input  logic                          passed_error_i,
    input  logic                          written_i,
    input  logic                          written_error_i,
    input  logic                          tag_valid_i,
    output logic                          tag_ready_o,
    input  tag_t                          tag_i,
    // Status writes
    output logic                          status_request_o,
    input  logic                          status_request_ready_i,
    output logic        [           63:0] status_entry_o,
    output logic                          status_has_tag_o,
    output logic        [          127:0] status_tag_o,
    output job_status_e                   status_o,
    input  logic                          status_done_i,
    // Finished jobs
    output logic                          ended_o,
    output logic        [           31:0] ended_length_o,
    output logic                          finished_o,
    output logic                          finished_interrupt_o
);

  logic [15:0] fetched_count;
  always_ff @(posedge clk_i) active_o <= fetched_count != tail_o;

  // ---- keys --------------------------------------------------------------------------------------
  logic [7:0] key_slot;
  logic key_read, key_one_time, key_spend, key_valid;
  logic [255:0] key;
  saltmill_key_store #(
      .Slots(KeySlots)
  ) u_keys (
      .clk_i,
      .rst_i,
      .wipe_i          (wipe_i),
      .write_i         (key_write_i),
      .write_one_time_i(key_write_one_time_i),
      .write_word_i    (key_write_word_i),
      .write_data_i    (key_write_data_i),
      .read_i          (key_read),
      .slot_i          (key_slot),
      .one_time_i      (key_one_time),
      .spend_i         (key_spend),
      .valid_o         (key_valid),
      .key_o           (key)
  );

  // ---- descriptors -------------------------------------------------------------------------------
  logic fetched_valid, fetched_ready;
  fetched_t fetched;
  saltmill_fetch #(
      .Core     (Core),
      .DataBytes(DataBytes),
      .Depth    (JobDepth)
  ) u_fetch (
      .clk_i,
      .rst_i,
      .wipe_i              (wipe_i),
      .enable_i            (enable_i),
      .base_i              (base_i),
      .mask_i              (mask_i),
      .head_i              (head_i),
      .fetched_o           (fetched_count),
      .request_valid_o     (fetch_request_o),
      .request_ready_i     (fetch_request_ready_i),
      .request_address_o   (fetch_address_o),
      .beat_valid_i        (fetch_beat_i),
      .beat_data_i         (beat_data_i),
      .beat_error_i        (beat_error_i),
      .beat_last_i         (beat_last_i),
      .valid_o             (fetched_valid),
      .ready_i             (fetched_ready),
      .fetched_descriptor_o(fetched)
  );

  logic ending_valid, ending_ready;
  ending_t ending;
  saltmill_decode #(
      .Core      (Core),
      .DataBytes (DataBytes),
      .Alignment (AnyAlignment),
      .Operations(Operations),
      .KeySizes  (KeySizes)
  ) u_decode (
      .clk_i,
      .rst_i         (rst_i || wipe_i),
      .valid_i       (fetched_valid),
      .ready_o       (fetched_ready),
      .fetched_i     (fetched),
      .key_read_o    (key_read),
      .key_slot_o    (key_slot),
      .key_one_time_o(key_one_time),
      .key_spend_o   (key_spend),
      .key_valid_i   (key_valid),
      .key_i         (key),
      .read_valid_o  (read_valid_o),
      .read_ready_i  (read_ready_i),
      .read_o        (read_job_o),
      .param_valid_o (param_valid_o),
      .param_ready_i (param_ready_i),
      .param_o       (param_o),
      .write_valid_o (write_valid_o),
      .write_ready_i (write_ready_i),
      .write_o       (write_job_o),
      .ending_valid_o(ending_valid),
      .ending_ready_i(ending_ready),
      .ending_o      (ending)
  );

  saltmill_completion #(
      .JobDepth(JobDepth)
  ) u_completion (
      .clk_i,
      .rst_i,
      .wipe_i              (wipe_i),
      .base_i              (base_i),
      .mask_i              (mask_i),
      .ending_valid_i      (ending_valid),
      .ending_ready_o      (ending_ready),
      .ending_i            (ending),
      .passed_i            (passed_i),
      .passed_error_i      (passed_error_i),
      .written_i           (written_i),
      .written_error_i     (written_error_i),
      .tag_valid_i         (tag_valid_i),
      .tag_ready_o         (tag_ready_o),
      .tag_i               (tag_i),
      .status_valid_o      (status_request_o),
      .status_ready_i      (status_request_ready_i),
      .status_entry_o      (status_entry_o),
      .status_has_tag_o    (status_has_tag_o),
      .status_tag_o        (status_tag_o),
      .status_o            (status_o),
      .status_done_i       (status_done_i),
      .tail_o              (tail_o),
      .ended_o             (ended_o),
      .ended_length_o      (ended_length_o),
      .finished_o          (finished_o),
      .finished_interrupt_o(finished_interrupt_o)
  );

endmodule
