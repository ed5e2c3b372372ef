// SPDX-License-Identifier: Apache-2.0
// ChaCha20-Poly1305 (RFC 8439, 2.8), XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03), and either
// part alone: a message's additional data and data in; data and tag out. A message with a new key
// needs no pause: its block 0 is computed while the message before is in progress.
//
// Opened data comes out before its tag is compared: the owner keeps it until the tag has matched.

module chacha20_poly1305
  import chacha20_poly1305_pkg::*;
#(
    parameter chacha20_pkg::structure_e Structure = chacha20_pkg::Ring,
    parameter int unsigned Unroll = chacha20_pkg::default_unroll(Structure),  // as chacha20
    parameter int unsigned Stages = chacha20_pkg::default_stages(Structure, Unroll),
    parameter poly1305_pkg::structure_e MacStructure = mac_of(Structure),  // no other
    parameter int unsigned MacInterval = 2,  // Lanes: cycles of a block, 1, 2 or 4
    parameter int unsigned DataBytes = 16  // of both streams
) (
    input logic aclk,
    input logic aresetn,  // synchronous: control only
    input logic wipe_i,  // held for WipeCycles: clears everything, from the next cycle on
    // One param per message; may run ahead of the data
    input logic param_valid_i,  // stays until it is ready
    output logic param_ready_o,
    input param_t param_i,
    // Additional data, then data, each from byte 0 of a beat and as many beats as the param says
    input logic s_axis_tvalid,
    output logic s_axis_tready,
    input logic [8*DataBytes-1:0] s_axis_tdata,
    input logic s_axis_tuser,  // marks a beat: passed on with data, and with the tag
    // Data out, beat for beat; none for no data
    output logic m_axis_tvalid,
    input logic m_axis_tready,
    output logic [8*DataBytes-1:0] m_axis_tdata,
    output logic [DataBytes-1:0] m_axis_tkeep,
    output logic m_axis_tlast,
    output logic [1:0] m_axis_tuser,  // {no keystream: data is 0, s_axis_tuser}
    // One for each message but those of Cipher, in their order
    output logic tag_valid_o,
    input logic tag_ready_i,
    output logic [127:0] tag_o,
    output logic tag_match_o,  // it matches; 1 if no tag is expected
    output logic tag_user_o,  // s_axis_tuser of any beat, additional data or data
    output logic busy_o
);

  if (DataBytes != 16) begin : gen_bad_data_bytes
    $fatal(1, "chacha20_poly1305: DataBytes must be 16");
  end

  localparam bit Parallel = MacStructure == poly1305_pkg::Lanes;
  if (MacStructure != mac_of(Structure)) begin : gen_bad_structures
    $fatal(1, "chacha20_poly1305: a ring goes with lanes, a serial cipher with a serial Poly1305");
  end

  // At full rate, two-entry buffers cut the ready path that would otherwise run in one cycle from
  // Poly1305 and the output through the cipher to the front, and keep the type of a beat from
  // driving all of its bits in the cycle that decides it.
  localparam bit Full = Parallel && MacInterval == 1;

  // For the benches and the lab
  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned CipherCycles = chacha20_pkg::cycles_per_block(
      Structure, Unroll, Stages, DataBytes
  );
  localparam int unsigned CyclesPerBlock = cycles_per_block(
      MacStructure, CipherCycles, MacInterval
  );
  localparam int unsigned Cycles64 = message_cycles(MacStructure, CipherCycles, MacInterval, 64);
  localparam int unsigned Cycles1500 = message_cycles(
      MacStructure, CipherCycles, MacInterval, 1500
  );
  localparam int unsigned Cycles65536 = message_cycles(
      MacStructure, CipherCycles, MacInterval, 65536
  );
  localparam int unsigned WipeCycles = wipe_cycles(
      Structure, Unroll, Stages, MacStructure, DataBytes
  );
  /* verilator lint_on UNUSEDPARAM */

  logic rst;
  assign rst = !aresetn;

  // A wipe begins a cycle later, from a register for each part: one does not reach all in a cycle.
  logic params_wipe, front_wipe, back_wipe, mac_wipe;
  flag_copies #(
      .Copies(4)
  ) u_wipe (
      .clk_i   (aclk),
      .flag_i  (wipe_i),
      .copies_o({params_wipe, front_wipe, back_wipe, mac_wipe})
  );

  logic cipher_param_valid, cipher_param_ready, start, subkey, has_tag;
  chacha20_pkg::param_t cipher_param;
  logic subkey_valid, subkey_ready, front_free, key_taken, expected_ready;
  logic [255:0] key;

  chacha20_poly1305_params u_params (
      .clk_i         (aclk),
      .rst_i         (rst),
      .wipe_i        (params_wipe),
      .valid_i       (param_valid_i),
      .ready_o       (param_ready_o),
      .operation_i   (param_i.operation),
      .extended_i    (param_i.extended),
      .data_bytes_i  (param_i.data_bytes),
      .counter_i     (param_i.counter),
      .nonce_i       (param_i.nonce),
      .key_i         (param_i.key),
      .subkey_valid_i(subkey_valid),
      .subkey_ready_o(subkey_ready),
      .subkey_i      (key),
      .free_i        (front_free && expected_ready),
      .key_taken_i   (key_taken),
      .start_o       (start),
      .subkey_o      (subkey),
      .tag_o         (has_tag),
      .valid_o       (cipher_param_valid),
      .ready_i       (cipher_param_ready),
      .param_o       (cipher_param)
  );

  // From the front through the cipher to the back
  logic made_valid, made_ready, made_last, result_valid, result_ready, no_keystream;
  logic [8*DataBytes-1:0] made_data, result_data, plain;
  logic [DataBytes-1:0] made_keep, made_mac_keep, result_keep, result_mac_keep;
  route_t made_route, result_route;
  logic front_busy, back_busy, cipher_busy, mac_busy;

  // A ring can hold many messages; their expected tags are in block RAM
  chacha20_poly1305_front #(
      .Messages(Parallel ? 16 : 1),
      .Depth   (Full ? 2 : 0)
  ) u_front (
      .clk_i       (aclk),
      .rst_i       (rst),
      .wipe_i      (front_wipe),
      .start_i     (start),
      .free_o      (front_free),
      .subkey_i    (subkey),
      .operation_i (param_i.operation),
      .aad_bytes_i (param_i.aad_bytes),
      .data_bytes_i(param_i.data_bytes),
      .key_i       (param_i.key),
      .key_taken_o (key_taken),
      .valid_i     (s_axis_tvalid),
      .ready_o     (s_axis_tready),
      .data_i      (s_axis_tdata),
      .user_i      (s_axis_tuser),
      .valid_o     (made_valid),
      .ready_i     (made_ready),
      .data_o      (made_data),
      .keep_o      (made_keep),
      .last_o      (made_last),
      .route_o     (made_route),
      .mac_keep_o  (made_mac_keep),
      .busy_o      (front_busy)
  );

  chacha20_poly1305_cipher #(
      .Structure(Structure),
      .Unroll   (Unroll),
      .Stages   (Stages),
      .DataBytes(DataBytes),
      .Full     (Full)
  ) u_cipher (
      .clk_i         (aclk),
      .rst_i         (rst),
      .wipe_i,
      .param_valid_i (cipher_param_valid),
      .param_ready_o (cipher_param_ready),
      .param_i       (cipher_param),
      .valid_i       (made_valid),
      .ready_o       (made_ready),
      .data_i        (made_data),
      .keep_i        (made_keep),
      .last_i        (made_last),
      .mac_keep_i    (made_mac_keep),
      .route_i       (made_route),
      .valid_o       (result_valid),
      .ready_i       (result_ready),
      .data_o        (result_data),
      .plain_o       (plain),
      .keep_o        (result_keep),
      .mac_keep_o    (result_mac_keep),
      .route_o       (result_route),
      .no_keystream_o(no_keystream),
      .busy_o        (cipher_busy)
  );

  logic key_valid, key_ready, mac_valid, mac_ready, mac_last, tag_valid, tag_ready;
  logic [8*DataBytes-1:0] mac_data;
  logic [DataBytes-1:0] mac_keep;
  logic [127:0] tag;

  chacha20_poly1305_back #(
      .DataBytes(DataBytes),
      .Tags     (Parallel ? 64 : 1)
  ) u_back (
      .clk_i(aclk),
      .rst_i(rst),
      .wipe_i(back_wipe),
      .valid_i(result_valid),
      .ready_o(result_ready),
      .data_i(result_data),
      .plain_i(plain),
      .keep_i(result_keep),
      .mac_keep_i(result_mac_keep),
      .route_i(result_route),
      .no_keystream_i(no_keystream),
      .valid_o(m_axis_tvalid),
      .ready_i(m_axis_tready),
      .data_o(m_axis_tdata),
      .keep_o(m_axis_tkeep),
      .last_o(m_axis_tlast),
      .user_o(m_axis_tuser),
      .subkey_valid_o(subkey_valid),
      .subkey_ready_i(subkey_ready),
      .key_valid_o(key_valid),
      .key_ready_i(key_ready),
      .key_o(key),
      .mac_valid_o(mac_valid),
      .mac_ready_i(mac_ready),
      .mac_data_o(mac_data),
      .mac_keep_o(mac_keep),
      .mac_last_o(mac_last),
      .made_valid_i(tag_valid),
      .made_ready_o(tag_ready),
      .made_i(tag),
      .expected_valid_i(start && has_tag),
      .expected_ready_o(expected_ready),
      .expected_i(param_i.operation == Open),
      .expected_tag_i(param_i.tag),
      .tag_valid_o,
      .tag_ready_i,
      .tag_o,
      .tag_match_o,
      .tag_user_o,
      .busy_o(back_busy)
  );

  chacha20_poly1305_mac #(
      .Structure(MacStructure),
      .Interval (MacInterval),
      .DataBytes(DataBytes),
      .Full     (Full)
  ) u_mac (
      .clk_i      (aclk),
      .rst_i      (rst),
      .wipe_i     (mac_wipe),
      .key_valid_i(key_valid),
      .key_ready_o(key_ready),
      .key_i      (key),
      .valid_i    (mac_valid),
      .ready_o    (mac_ready),
      .data_i     (mac_data),
      .keep_i     (mac_keep),
      .last_i     (mac_last),
      .tag_valid_o(tag_valid),
      .tag_ready_i(tag_ready),
      .tag_o      (tag),
      .busy_o     (mac_busy)
  );

  assign busy_o = front_busy || cipher_busy || back_busy || mac_busy;

endmodule
