// SPDX-License-Identifier: Apache-2.0
// As chacha20_poly1305, with the least area: streams and param of 32 bits, the serial structures,
// one message at a time. A small RAM keeps what a message needs more than once;
// chacha20_poly1305_steps says what happens when.
//
// Opened data comes out before its tag is compared: the owner keeps it until the tag has matched.

module chacha20_poly1305_small
  import chacha20_poly1305_pkg::*;
  import chacha20_poly1305_small_pkg::*;
(
    input  logic         aclk,
    input  logic         aresetn,        // synchronous: control only
    input  logic         wipe_i,         // held for WipeCycles: clears everything
    // Words of a message's param, those that it needs: {extended, operation}, aad_bytes,
    // data_bytes, 8 of the key, 4 of the nonce if extended, the counter of a Cipher, the last 2 or
    // 3 of the nonce, the tag that Open expects
    input  logic         param_valid_i,  // stays until it is ready
    output logic         param_ready_o,
    input  logic [ 31:0] param_i,
    // Additional data, then data, each from byte 0 of a beat and as many beats as the param says
    input  logic         s_axis_tvalid,
    output logic         s_axis_tready,
    input  logic [ 31:0] s_axis_tdata,
    input  logic         s_axis_tuser,   // marks a beat: passed on with data, and with the tag
    // Data out, beat for beat; none for no data
    output logic         m_axis_tvalid,
    input  logic         m_axis_tready,
    output logic [ 31:0] m_axis_tdata,
    output logic [  3:0] m_axis_tkeep,
    output logic         m_axis_tlast,
    output logic [  1:0] m_axis_tuser,   // {no keystream: data is 0, s_axis_tuser}
    // One for each message but those of Cipher; the next message waits until it is taken
    output logic         tag_valid_o,
    input  logic         tag_ready_i,
    output logic [127:0] tag_o,
    output logic         tag_match_o,    // it matches; 1 if no tag is expected
    output logic         tag_user_o,     // s_axis_tuser of any beat, additional data or data
    output logic         busy_o
);

  // For the benches and the lab
  /* verilator lint_off UNUSEDPARAM */
  localparam int unsigned DataBytes = 4;
  localparam int unsigned CyclesPerBlock = 135;  // as these three, simulated; asserted by the tests
  localparam int unsigned Cycles64 = 390;
  localparam int unsigned Cycles1500 = 3499;
  localparam int unsigned Cycles65536 = 138045;
  localparam int unsigned CipherWipe = chacha20_pkg::wipe_cycles(chacha20_pkg::Serial, 1, 1, 4);
  localparam int unsigned MacWipe = poly1305_pkg::wipe_cycles(poly1305_pkg::Serial);
  localparam int unsigned WipeCycles = CipherWipe > MacWipe ? CipherWipe : MacWipe;
  /* verilator lint_on UNUSEDPARAM */

  logic rst;
  assign rst = !aresetn;

  step_e step;
  operation_e operation;
  logic [3:0] count;
  logic part, hchacha, zero, takes, encrypts, move, offered;
  logic cipher_ready, cipher_last, stream_valid, stream_ready, stream_end, stream_last, exhausted;
  logic key_ready, mac_ready, mac_last, tag_word, out_ready, busy, out_valid;
  logic last_beat, no_beat;

  chacha20_poly1305_steps u_steps (
      .clk_i         (aclk),
      .rst_i         (rst),
      .wipe_i,
      .param_valid_i,
      .param_ready_o,
      .param_i       (param_i[2:0]),
      .load_ready_i  (cipher_ready),
      .load_last_i   (cipher_last),
      .stream_valid_i(stream_valid),
      .stream_ready_o(stream_ready),
      .stream_end_i  (stream_end),
      .stream_last_i (stream_last),
      .key_ready_i   (key_ready),
      .valid_i       (s_axis_tvalid),
      .ready_o       (s_axis_tready),
      .none_i        (no_beat),
      .last_i        (last_beat),
      .out_valid_o   (out_valid),
      .out_ready_i   (out_ready),
      .mac_valid_o   (offered),
      .mac_ready_i   (mac_ready),
      .mac_last_o    (mac_last),
      .tag_word_i    (tag_word),
      .tag_ready_i,
      .step_o        (step),
      .operation_o   (operation),
      .count_o       (count),
      .part_o        (part),
      .hchacha_o     (hchacha),
      .zero_o        (zero),
      .move_o        (move),
      .busy_o        (busy)
  );
  assign takes = step == StPart && move && !no_beat;
  assign encrypts = part && operation == Seal;

  // The RAM. 0 to 3: counter and nonce, or the words that HChaCha20 takes instead, then the
  // expected tag; 4 to 7: lengths, as Poly1305 takes them; 8 to 15: key, subkey, one-time key
  logic [31:0] memory[16];
  logic [31:0] word, word_q, stream;
  logic [3:0] address, write_address, wanted;
  logic [2:0] key_word;
  logic write;

  always_comb begin
    unique case (step[3:2])
      2'b00:   address = {2'b01, part, 1'b0};
      2'b01:   address = {1'b0, !step[1], count[1:0]};
      2'b10: begin
        address = {wanted[3:2] + 2'd1, wanted[1:0]};
        // Before these words, the number of blocks is computed: from a length, or from zero if it
        // is 1
        if (wanted[3:2] == '0) address[1:0] = {1'b1, hchacha};
      end
      default: address = {1'b1, key_word};
    endcase
    write_address = {count[3] || step == StKey, count[2:0]};
    write = step == StFetch && move;
    // The one-time key is the first half of block 0; HChaCha20's result, the first and last quarter
    if (step == StKey) write = move && (hchacha ? count[3] == count[2] : !count[3]);
  end

  assign word = memory[address];
  always_ff @(posedge aclk) begin
    word_q <= wipe_i ? '0 : word;
    if (write || wipe_i) begin
      memory[write_address] <= zero || wipe_i ? '0 : step == StKey ? stream : param_i;
    end
  end

  // Bytes left of a part, less 5: -4 to -1 at its last beat, -8 to -5 behind it. The same adder
  // computes the number of keystream blocks, plus one for block 0, the one-time key.
  logic [32:0] left_q, step_by;
  assign last_beat = left_q[32];
  assign no_beat   = left_q[32] && !left_q[2];
  always_comb begin
    step_by = -33'd5;
    if (step == StPart) step_by = -33'd4;
    if (step == StLoad) step_by = hchacha || operation inside {Seal, Open} ? 33'd127 : 33'd63;
  end

  always_ff @(posedge aclk) begin
    if (step inside {StLoad, StStart} || takes) begin
      left_q <= (step == StPart ? left_q : {1'b0, word_q}) + step_by;
    end
    if (wipe_i) left_q <= '0;
  end

  // Cipher
  logic unused_known, unused_keyed;
  chacha20_serial_core #(
      .FinalAdd(chacha20_pkg::HardwareAdd)
  ) u_cipher (
      .clk_i        (aclk),
      .rst_i        (rst),
      .wipe_i,
      .param_valid_i(step == StLoad),
      .param_ready_o(cipher_ready),
      .param_word_o (wanted),
      .param_i      (wanted[3:2] == '0 ? {hchacha, 4'b0, left_q[32:6]} : word),
      .param_last_o (cipher_last),
      .known_o      (unused_known),
      .keyed_o      (unused_keyed),
      .valid_o      (stream_valid),
      .ready_i      (stream_ready),
      .data_o       (stream),
      .end_o        (stream_end),
      .last_o       (stream_last),
      .exhausted_o  (exhausted)
  );

  // A beat; zeros behind a part's last byte. Only the counter of a Cipher can reach its end.
  logic [3:0] keep;
  logic [31:0] result, authentic;
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      keep[i] = !no_beat && (!last_beat || i <= 32'(left_q[1:0]));
      result[8*i+:8] = (s_axis_tdata[8*i+:8] ^ stream[8*i+:8]) & {8{keep[i] && !exhausted}};
      authentic[8*i+:8] = s_axis_tdata[8*i+:8] ^ (encrypts ? stream[8*i+:8] : '0);
      if (!keep[i]) authentic[8*i+:8] = '0;
    end
    if (step == StLengths) authentic = word;
  end

  stream_register #(
      .Width(39)
  ) u_out (
      .clk_i  (aclk),
      .rst_i  (rst),
      .wipe_i,
      .valid_i(out_valid),
      .ready_o(out_ready),
      .data_i ({result, keep, last_beat, exhausted, s_axis_tuser}),
      .valid_o(m_axis_tvalid),
      .ready_i(m_axis_tready),
      .data_o ({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser})
  );

  // Poly1305
  logic block_valid, block_ready, block_whole, block_last;
  logic [ 1:0] at;
  logic [31:0] block_word;
  logic unused_tag_valid, unused_empty;

  poly1305_collect u_collect (
      .clk_i  (aclk),
      .rst_i  (rst),
      .wipe_i,
      .valid_i(offered),
      .ready_o(mac_ready),
      .data_i (authentic),
      .keep_i (operation == Mac ? keep : '1),  // RFC 8439, 2.8: zeros up to a whole block
      .last_i (mac_last),
      .valid_o(block_valid),
      .ready_i(block_ready),
      .at_i   (at),
      .word_o (block_word),
      .whole_o(block_whole),
      .last_o (block_last)
  );

  poly1305_serial u_mac (
      .clk_i      (aclk),
      .rst_i      (rst),
      .wipe_i,
      .key_valid_i(step == StMacKey),
      .key_ready_o(key_ready),
      .key_word_o (key_word),
      .key_i      (word),
      .valid_i    (block_valid),
      .ready_o    (block_ready),
      .at_o       (at),
      .word_i     (block_word),
      .kept_i     (poly1305_pkg::CollectedKept),
      .whole_i    (block_whole),
      .last_i     (block_last),
      .tag_valid_o(unused_tag_valid),
      .tag_ready_i(step == StTag && tag_ready_i),
      .tag_o,
      .tag_word_o (tag_word),
      .empty_o    (unused_empty)
  );

  // Each word of the tag is compared in the cycle that makes it.
  logic match_q, marked_q, tag_word_q;
  assign tag_valid_o = step == StTag && !wipe_i;
  assign tag_match_o = match_q || operation != Open;
  assign tag_user_o = marked_q;
  assign busy_o = busy || m_axis_tvalid;

  always_ff @(posedge aclk) begin
    if (step == StIdle) {match_q, marked_q} <= 2'b10;
    tag_word_q <= tag_word;
    if (step == StCompare && tag_word_q) match_q <= match_q && tag_o[127:96] == word_q;
    if (takes && s_axis_tuser) marked_q <= 1'b1;
    if (wipe_i) {match_q, marked_q} <= '0;
  end

endmodule
