// SPDX-License-Identifier: Apache-2.0
// Makes the packet for the cipher from a message: zeros for block 0, the one-time key (RFC 8439,
// 2.6); additional data, for which no keystream is used; the data; the lengths (2.8). A beat is a
// block of Poly1305: each part starts with a new beat and is padded with zeros.

module chacha20_poly1305_front
  import chacha20_poly1305_pkg::*;
#(
    parameter int unsigned Messages,  // 1: the one in progress; more: that wait behind it
    parameter int unsigned Depth      // entries between what a beat is and its bytes: 0 or 2
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               wipe_i,
    // Next message
    input  logic               start_i,
    output logic               free_o,
    input  logic               subkey_i,      // only block 0, of HChaCha20
    input  operation_e         operation_i,
    input  logic       [ 31:0] aad_bytes_i,
    input  logic       [ 31:0] data_bytes_i,
    input  logic       [255:0] key_i,         // of a Mac
    output logic               key_taken_o,   // it was needed until the cycle before
    // Additional data, then data
    input  logic               valid_i,
    output logic               ready_o,
    input  logic       [127:0] data_i,
    input  logic               user_i,
    // To the cipher
    output logic               valid_o,
    input  logic               ready_i,
    output logic       [127:0] data_o,
    output logic       [ 15:0] keep_o,        // to be encrypted
    output logic               last_o,
    output route_t             route_o,
    output logic       [ 15:0] mac_keep_o,
    output logic               busy_o
);

  typedef struct packed {
    logic [31:0] bytes;
    logic        few;    // its beats have an index below 16
    logic        one;    // at most one beat
    logic        none;
  } length_t;
  typedef struct packed {
    logic lengths;
    logic data;
    logic aad;
    logic key;
  } parts_t;  // that a message has, the last one first
  typedef struct packed {
    logic       subkey;
    operation_e operation;
    parts_t     parts;
    length_t    aad;
    length_t    data;
  } message_t;

  // The type of a beat: bytes that are not used become zeros
  typedef struct packed {
    logic         last;
    route_t       route;
    logic [15:0]  keep;
    logic [15:0]  mac_keep;
    logic [15:0]  used;
    logic [127:0] data;
  } beat_t;

  typedef enum logic [2:0] {
    StIdle,
    StKey,
    StAad,
    StData,
    StLengths
  } part_e;

  // What the parts need to know of a length: worked out where a message comes, because here every
  // bit of a beat depends on it.
  function automatic length_t length(logic [31:0] bytes);
    logic one = bytes[31:5] == '0 && (!bytes[4] || bytes[3:0] == '0);
    return '{bytes, bytes[31:8] == '0, one, one && bytes[4:0] == '0};
  endfunction

  function automatic message_t arriving(logic subkey, operation_e operation, length_t aad,
                                        length_t data);
    logic   aead = operation inside {Seal, Open} && !subkey;
    parts_t parts;
    parts.key = subkey || operation != Cipher;
    parts.aad = aead && !aad.none;
    parts.data = !subkey && !(aead && data.none);
    parts.lengths = aead;
    return '{subkey, operation, parts, aad, data};
  endfunction

  // The message in progress is in a register behind those that wait: a small RAM is slow. A single
  // one is in a register anyway. Without entries behind a beat, the cipher's ready is late: it does
  // not reach the queue, and the next message comes a cycle later.
  localparam int unsigned Register = Messages > 1 ? 1 : 0;
  message_t waiting, message;
  logic waiting_valid, waiting_ready, message_valid, message_end;
  logic unused_ready, unused_level;
  logic [$clog2(Messages + 1)-1:0] level;
  logic [(Depth == 0 ? 1 : $clog2(Depth + 1))-1:0] beats;
  part_e part_q, part_d;

  stream_fifo #(
      .Width($bits(message_t)),
      .Depth(Messages),
      .CleanInput(1'b1)  // lengths are no secrets
  ) u_messages (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(start_i),
      .ready_o(unused_ready),
      .data_i (arriving(subkey_i, operation_i, length(aad_bytes_i), length(data_bytes_i))),
      .valid_o(waiting_valid),
      .ready_i(waiting_ready),
      .data_o (waiting),
      .level_o(level)
  );
  stream_fifo #(
      .Width($bits(message_t)),
      .Depth(Register),
      .HalfRate(Register == 1 && Depth == 0)
  ) u_message (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(waiting_valid),
      .ready_o(waiting_ready),
      .data_i (waiting),
      .valid_o(message_valid),
      .ready_i(message_end),
      .data_o (message),
      .level_o(unused_level)
  );

  // Once there is room, it stays until this takes it.
  assign free_o = 32'(level) < Messages;
  assign busy_o = level != '0 || message_valid || part_q != StIdle || beats != '0;

  // next_q counts a part's beats down, from its whole beats: the last beat is at 0, or at 1 if it
  // is whole itself. few_q: the upper bits are 0; a cycle late, when the lower ones are 15.
  logic [27:0] next_q;
  logic [ 1:0] index_q;  // index of the next beat of the key's part
  logic few_q, last_q, last_next, whole, whole_q;
  logic input_q;  // the part's beats come from the input
  logic [3:0] rest;  // bytes of the next part's last beat; 0 stands for 16
  logic [15:0] mask_q;  // those of this part
  logic move, start, message_last;

  assign message_end = move && message_last;
  assign start = part_q == StIdle ? message_valid : move && last_q;

  // The first part of a message, and the part after each part
  parts_t behind_q, left;  // parts behind this one, and with what begins now
  assign left = part_q == StIdle ? message.parts : behind_q;
  always_comb begin
    part_d = StIdle;
    if (left.lengths) part_d = StLengths;
    if (left.data) part_d = StData;
    if (left.aad) part_d = StAad;
    if (left.key) part_d = StKey;
  end
  assign message_last = last_q && behind_q == '0;

  assign rest = part_d == StAad ? message.aad.bytes[3:0] : message.data.bytes[3:0];
  assign whole = rest == '0;
  always_comb begin
    last_next = few_q && next_q[3:0] == (whole_q ? 4'd2 : 4'd1);
    if (part_q == StKey) last_next = index_q == (message.operation == Mac ? 2'd0 : 2'd2);
  end

  always_ff @(posedge clk_i) begin
    few_q <= next_q[27:4] == '0;
    if (move) begin
      next_q  <= next_q - 1'b1;
      index_q <= index_q + 1'b1;
      last_q  <= last_next;
    end
    if (start) begin
      part_q   <= part_d;
      behind_q <= left & (left - 1'b1);  // without the first
      next_q   <= part_d == StAad ? message.aad.bytes[31:4] : message.data.bytes[31:4];
      few_q    <= part_d == StAad ? message.aad.few : message.data.few;
      index_q  <= '0;
      whole_q  <= whole;
      input_q  <= part_d == StAad || (part_d == StData && !message.data.none);
      for (int unsigned i = 0; i < 16; i++) mask_q[i] <= whole || i < 32'(rest);
      unique case (part_d)
        StKey:   last_q <= 1'b0;  // block 0, or 32 bytes
        StAad:   last_q <= message.aad.one;
        StData:  last_q <= message.data.one;
        default: last_q <= 1'b1;
      endcase
    end
    if (rst_i || wipe_i) part_q <= StIdle;
  end

  // A beat. Behind a part's last byte there is padding.
  logic [15:0] keep;
  assign keep = {16{input_q}} & ({16{!last_q}} | mask_q);

  logic [127:0] lengths;
  logic mac_key;
  assign mac_key = part_q == StKey && message.operation == Mac;
  always_ff @(posedge clk_i) key_taken_o <= mac_key && last_q && move && !rst_i && !wipe_i;
  assign lengths = {32'b0, message.data.bytes, 32'b0, message.aad.bytes};

  beat_t beat, staged;

  // With buffer entries behind, only input_q, a register, drives all bytes in this cycle.
  always_comb begin
    beat.data = '0;
    beat.used = '1;
    for (int unsigned i = 0; i < 16; i++) begin
      if (Depth != 0 ? input_q : keep[i]) beat.data[8*i+:8] = data_i[8*i+:8];
      if (Depth != 0 && input_q) beat.used[i] = keep[i];
    end
    if (part_q == StLengths) beat.data |= lengths;
    if (mac_key && !last_q) beat.data |= key_i[127:0];
    if (mac_key && last_q) beat.data |= key_i[255:128];
  end

  // The one-time key is the first half of block 0; the result of HChaCha20 is the first and the
  // last quarter.
  logic key_beat;
  always_comb begin
    if (message.operation == Mac) key_beat = 1'b1;
    else if (message.subkey) key_beat = index_q inside {0, 3};
    else key_beat = !index_q[1];
  end

  always_comb begin
    beat.last = message_last;
    beat.keep = '0;
    beat.mac_keep = '1;
    beat.route = '0;
    beat.route.user = user_i && input_q;
    unique case (part_q)
      StKey: begin
        if (message.operation != Mac) beat.keep = '1;
        beat.route.key = key_beat;
        beat.route.key_end = last_q;
        if (message.operation != Mac && !message.subkey) beat.route.key_end = index_q == 2'd1;
        beat.route.subkey = message.subkey;
        beat.route.plain  = message.operation == Mac;
      end
      StData: begin
        if (message.operation != Mac) beat.keep = keep;
        beat.route.out = input_q && message.operation != Mac;
        beat.route.out_last = last_q;
        beat.route.mac = message.operation != Cipher;
        beat.route.mac_last = message.operation == Mac && last_q;
        beat.route.plain = message.operation != Seal;
        if (message.operation == Mac) beat.mac_keep = keep;
      end
      default: begin
        beat.route.mac = 1'b1;
        beat.route.mac_last = part_q == StLengths;
        beat.route.plain = 1'b1;
      end
    endcase
  end

  logic made_valid, made_ready;
  assign made_valid = part_q != StIdle && (valid_i || !input_q) && !wipe_i;
  assign ready_o = part_q != StIdle && input_q && made_ready && !wipe_i;
  assign move = made_valid && made_ready;

  stream_fifo #(
      .Width($bits(beat_t)),
      .Depth(Depth)
  ) u_beat (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(made_valid),
      .ready_o(made_ready),
      .data_i (beat),
      .valid_o,
      .ready_i,
      .data_o (staged),
      .level_o(beats)
  );

  assign {last_o, route_o, keep_o, mac_keep_o} = {
    staged.last, staged.route, staged.keep, staged.mac_keep
  };
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      data_o[8*i+:8] = staged.data[8*i+:8] & {8{staged.used[i]}};
    end
  end

endmodule
