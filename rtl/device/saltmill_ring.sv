// SPDX-License-Identifier: Apache-2.0
// The descriptor ring: fetches descriptors into block RAM, checks them, hands their parts to the
// DMA and the core, and writes their statuses. A job in flight is a number: its place in the RAMs.
module saltmill_ring
  import saltmill_descriptor_pkg::*;
  import saltmill_socket_pkg::*;
  import saltmill_device_pkg::*;
#(
    parameter config_t Config,
    localparam int unsigned AddressBits = Config.address_bits,
    localparam int unsigned DataBytes = Config.data_bytes,
    localparam int unsigned BaseBits = AddressBits - DescriptorLog2
) (
    input  logic                      clk_i,
    input  logic                      rst_i,
    input  logic                      wipe_i,
    input  logic                      wipe_keys_i,           // the same, for the memories of keys
    // Host
    input  logic                      enable_i,
    input  logic    [   BaseBits-1:0] base_i,
    input  logic    [           15:0] mask_i,                // entries - 1
    input  logic    [           15:0] head_i,
    output logic    [           15:0] tail_o,
    output logic                      active_o,              // jobs in flight
    input  logic                      key_write_i,
    input  logic    [            2:0] key_use_i,             // {one-time, size}
    input  logic    [            7:0] key_word_i,
    input  logic    [           31:0] key_data_i,
    output logic                      finished_o,
    output logic                      finished_interrupt_o,
    // Descriptors
    output logic                      fetch_valid_o,
    input  logic                      fetch_ready_i,
    output logic    [AddressBits-1:0] fetch_address_o,
    output logic    [            7:0] fetch_len_o,
    input  logic                      beat_valid_i,
    input  logic    [8*DataBytes-1:0] beat_data_i,
    input  logic                      beat_error_i,
    input  logic                      beat_last_i,
    // Statuses
    output logic                      status_valid_o,
    input  logic                      status_ready_i,
    output logic    [AddressBits-1:0] status_address_o,
    output logic    [            7:0] status_len_o,
    output logic                      status_beat_valid_o,
    input  logic                      status_beat_ready_i,
    output logic    [8*DataBytes-1:0] status_data_o,
    output logic    [  DataBytes-1:0] status_strobe_o,
    input  logic                      status_done_i,
    // Jobs of the DMA
    output logic                      source_valid_o,
    output logic                      source_zeros_o,
    output logic                      source_continues_o,
    output logic    [AddressBits-1:0] source_address_o,
    output logic    [           31:0] source_length_m1_o,
    output logic                      sink_valid_o,
    output logic    [AddressBits-1:0] sink_address_o,
    output logic    [           31:0] sink_length_m1_o,
    input  logic                      written_i,
    input  logic                      read_error_i,
    input  logic                      write_error_i,
    // Core
    output logic                      job_valid_o,
    input  logic                      job_ready_i,
    output job_t                      job_o,
    input  logic                      record_valid_i,
    output logic                      record_ready_o,
    input  record_t                   record_i
);

  localparam int unsigned RowBits = 8 * row_bytes(DataBytes);
  localparam int unsigned Columns = RowBits / (8 * DataBytes);
  localparam int unsigned RowAddressBits = row_address_bits(Config);
  localparam int unsigned SlotBits = $clog2(Config.job_depth);
  localparam int unsigned KeyBytes = key_row_bytes(DataBytes);
  localparam int unsigned KeyAddressBits = $clog2(Config.job_depth * (32 / KeyBytes));

  logic rst;
  assign rst = rst_i || wipe_i;

  // ---- descriptors ------------------------------------------------------------------------------
  logic [15:0] fetched;
  logic fetched_one, freed, started, fetch_error;
  logic [Columns-1:0] write;
  logic [RowAddressBits-1:0] write_row;
  always_ff @(posedge clk_i) active_o <= fetched != tail_o;

  saltmill_fetch #(
      .Config(Config)
  ) u_fetch (
      .clk_i,
      .rst_i            (rst),
      .enable_i,
      .base_i,
      .mask_i,
      .head_i,
      .fetched_o        (fetched),
      .request_valid_o  (fetch_valid_o),
      .request_ready_i  (fetch_ready_i),
      .request_address_o(fetch_address_o),
      .request_len_o    (fetch_len_o),
      .beat_valid_i,
      .beat_error_i,
      .beat_last_i,
      .write_o          (write),
      .write_row_o      (write_row),
      .fetched_one_o    (fetched_one),
      .started_i        (started),
      .error_o          (fetch_error),
      .freed_i          (freed)
  );

  // A copy for each reader, so that neither waits for the other
  logic [RowAddressBits-1:0] decode_row, feed_row;
  logic [RowBits-1:0] decode_data, feed_data;
  saltmill_rows #(
      .Config(Config)
  ) u_decode_rows (
      .clk_i,
      .write_i     (write),
      .write_row_i (write_row),
      .write_data_i(beat_data_i),
      .read_row_i  (decode_row),
      .data_o      (decode_data)
  );
  saltmill_rows #(
      .Config(Config)
  ) u_feed_rows (
      .clk_i,
      .write_i     (write),
      .write_row_i (write_row),
      .write_data_i(beat_data_i),
      .read_row_i  (feed_row),
      .data_o      (feed_data)
  );

  // ---- keys -------------------------------------------------------------------------------------
  logic [7:0] key_slot;
  logic [2:0] key_use;
  logic key_valid, key_written, key_spend, key_row, key_copy;
  logic [8*KeyBytes-1:0] stored_key, flying_key;
  logic [KeyAddressBits-1:0] key_copy_row, key_feed_row;
  saltmill_key_store #(
      .Slots   (Config.key_slots),
      .RowBytes(KeyBytes)
  ) u_key_store (
      .clk_i,
      .rst_i,
      .wipe_i      (wipe_keys_i),
      .write_i     (key_write_i),
      .write_use_i (key_use_i),
      .write_word_i(key_word_i),
      .write_data_i(key_data_i),
      .slot_i      (key_slot),
      .use_i       (key_use),
      .valid_o     (key_valid),
      .written_o   (key_written),
      .spend_i     (key_spend),
      .row_i       (key_row),
      .key_o       (stored_key)
  );
  wiped_ram #(
      .Width       (8 * KeyBytes),
      .Depth       (2 ** KeyAddressBits),
      .CleanInput  (1'b1),
      .EarlyAddress(KeyBytes == 32),
      .EarlyWrite  (KeyBytes == 32)
  ) u_flying_keys (
      .clk_i,
      .rst_i,
      .wipe_i         (wipe_keys_i),
      .we_i           (key_copy),
      .write_address_i(key_copy_row),
      .write_data_i   (stored_key),
      .read_address_i (key_feed_row),
      .data_o         (flying_key)
  );

  // ---- from descriptor to status ----------------------------------------------------------------
  logic ending_valid, ended, works;
  logic [SlotBits-1:0] ending_slot;
  ending_t ending;
  saltmill_decode #(
      .Config(Config)
  ) u_decode (
      .clk_i,
      .rst_i         (rst),
      .fetched_one_i (fetched_one),
      .row_o         (decode_row),
      .row_data_i    (decode_data),
      .fetch_error_i (fetch_error),
      .started_o     (started),
      .key_slot_o    (key_slot),
      .key_use_o     (key_use),
      .key_valid_i   (key_valid),
      .key_written_i (key_written),
      .key_spend_o   (key_spend),
      .key_row_o     (key_row),
      .key_copy_o    (key_copy),
      .key_copy_row_o(key_copy_row),
      .ending_valid_o(ending_valid),
      .ending_slot_o (ending_slot),
      .works_o       (works),
      .ending_o      (ending),
      .ended_i       (ended),
      .*
  );

  saltmill_feed #(
      .Config(Config)
  ) u_feed (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i   (ending_valid),
      .slot_i    (ending_slot),
      .works_i   (works),
      .freed_o   (freed),
      .row_o     (feed_row),
      .row_data_i(feed_data),
      .key_row_o (key_feed_row),
      .key_data_i(flying_key),
      .job_valid_o,
      .job_ready_i,
      .job_o
  );

  saltmill_completion #(
      .Config(Config)
  ) u_completion (
      .ending_valid_i(ending_valid),
      .ending_slot_i (ending_slot),
      .ending_i      (ending),
      .ended_o       (ended),
      .beat_valid_o  (status_beat_valid_o),
      .beat_ready_i  (status_beat_ready_i),
      .beat_data_o   (status_data_o),
      .beat_strobe_o (status_strobe_o),
      .*
  );

endmodule
