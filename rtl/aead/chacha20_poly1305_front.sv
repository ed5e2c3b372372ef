// SPDX-License-Identifier: Apache-2.0
// Makes of a message the packet that goes through the cipher: zeros for block 0, the one-time key
// (RFC 8439, 2.6); additional data, which no keystream is used for; the data; the lengths (2.8).
// Each part starts with a beat of its own and is padded to 16 bytes with beats of zeros.

module chacha20_poly1305_front
  import chacha20_poly1305_pkg::*;
#(
    parameter int unsigned DataBytes,  // 4 or 16
    parameter int unsigned Messages    // that can wait for the one that is under way
) (
    input  logic                     clk_i,
    input  logic                     rst_i,
    input  logic                     wipe_i,
    // Next message
    input  logic                     start_i,
    output logic                     free_o,
    input  logic                     subkey_i,     // only block 0, of HChaCha20
    input  param_t                   param_i,
    output logic                     key_taken_o,  // Mac: param_i.key was needed until now
    // Additional data, then data
    input  logic                     valid_i,
    output logic                     ready_o,
    input  logic   [8*DataBytes-1:0] data_i,
    input  logic                     user_i,
    // To the cipher
    output logic                     valid_o,
    input  logic                     ready_i,
    output logic   [8*DataBytes-1:0] data_o,
    output logic   [  DataBytes-1:0] keep_o,       // to be encrypted
    output logic                     last_o,
    output way_t                     way_o,
    output logic   [  DataBytes-1:0] mac_keep_o,
    output logic                     busy_o
);

  localparam int unsigned UnitBeats = 16 / DataBytes;  // a unit is a block of Poly1305
  localparam int unsigned IndexBits = UnitBeats == 1 ? 1 : $clog2(UnitBeats);
  typedef logic [IndexBits-1:0] index_t;

  typedef struct packed {
    logic       subkey;
    operation_e operation;

    logic [31:0] aad_bytes;
    logic [31:0] data_bytes;
  } message_t;

  typedef enum logic [2:0] {
    StIdle,
    StKey,
    StAad,
    StData,
    StLengths
  } part_e;

  // The next messages wait while this one goes
  message_t started, next, this_q;
  logic next_valid, next_free, take, message_end, unused;
  logic [$clog2(Messages + 1)-1:0] level;
  part_e part_q, part_d;

  assign started = '{
          subkey: subkey_i,
          operation: param_i.operation,

          aad_bytes: param_i.aad_bytes,
          data_bytes: param_i.data_bytes
      };

  stream_fifo #(
      .Width($bits(message_t)),
      .Depth(Messages),
      .CleanInput(1'b1)  // lengths are no secrets
  ) u_messages (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(start_i),
      .ready_o(next_free),
      .data_i (started),
      .valid_o(next_valid),
      .ready_i(take),
      .data_o (next),
      .level_o(level)
  );

  // Room that was there stays, whatever is taken meanwhile.
  assign free_o = 32'(level) < Messages;
  assign unused = next_free;
  assign busy_o = level != '0 || part_q != StIdle;

  assign take   = next_valid && (part_q == StIdle || message_end);

  always_ff @(posedge clk_i) begin
    if (take) this_q <= next;
    if (wipe_i) this_q <= '0;
  end

  // Units that follow in this part, and the beat of this one. The last unit of a part has rest bytes,
  // 0 for 16.
  logic [27:0] units_q;
  logic last_unit_q, unit_end;
  index_t index_q;
  logic [3:0] rest;
  logic [31:0] bytes;
  logic move, part_end;
  logic empty, last_beat;  // of the data

  // Only what the AEAD authenticates is padded.
  assign unit_end = UnitBeats == 1 || index_q == index_t'(UnitBeats - 1) ||
      (last_beat && !(this_q.operation inside {Seal, Open}));
  assign part_end = unit_end && last_unit_q;
  assign message_end = move && part_end && last_o;

  // The part that a message starts with, and what follows a part
  function automatic part_e after(part_e part, message_t message);
    logic aead = message.operation inside {Seal, Open} && !message.subkey;
    if (part < StKey && (aead || message.subkey || message.operation == Mac)) return StKey;
    if (part < StAad && aead && message.aad_bytes != '0) return StAad;
    if (part < StData && (message.data_bytes != '0 || !aead) && !message.subkey) return StData;
    if (part < StLengths && aead) return StLengths;
    return StIdle;
  endfunction

  always_comb begin
    part_d = take ? after(StIdle, next) : part_q;
    if (move && part_end && !last_o) part_d = after(part_q, this_q);
    if (message_end && !take) part_d = StIdle;
  end

  assign bytes = part_d == StAad ? this_q.aad_bytes : take ? next.data_bytes : this_q.data_bytes;
  assign rest  = part_q == StAad ? this_q.aad_bytes[3:0] : this_q.data_bytes[3:0];

  always_ff @(posedge clk_i) begin
    part_q <= part_d;
    if (move) index_q <= unit_end ? '0 : index_q + 1'b1;
    if (move && unit_end) begin
      units_q <= units_q - 1'b1;
      last_unit_q <= units_q == 28'd1;
    end
    if (take || (move && part_end)) begin
      unique case (part_d)
        StKey: begin  // block 0, or 32 bytes
          units_q <= next.operation == Mac ? 28'd1 : 28'd3;
          last_unit_q <= 1'b0;
        end
        StAad, StData: begin
          units_q <= bytes[31:4] - 28'(bytes[3:0] == '0);
          last_unit_q <= bytes <= 32'd16;
        end
        default: last_unit_q <= 1'b1;
      endcase
    end
    if (rst_i || wipe_i) begin
      part_q  <= StIdle;
      index_q <= '0;
    end
  end

  // A beat. Where a part has no more bytes it is padding.
  logic [DataBytes-1:0] keep;
  logic has_bytes, takes;
  assign empty = part_q == StData && this_q.data_bytes == '0;
  assign last_beat = part_q == StData && last_unit_q &&
      (empty || UnitBeats == 1 || 32'(index_q) == (32'(rest - 4'd1)) / DataBytes);

  always_comb begin
    for (int unsigned i = 0; i < DataBytes; i++) begin
      keep[i] = !empty && (!last_unit_q || rest == '0 ||
                           (UnitBeats == 1 ? i : 32'(index_q) * DataBytes + i) < 32'(rest));
    end
  end
  assign has_bytes = keep[0];
  assign takes = part_q inside {StAad, StData} && has_bytes;

  logic [255:0] key;
  logic [127:0] lengths;
  assign key = param_i.key;
  assign key_taken_o = part_q == StKey && this_q.operation == Mac && part_end && move;
  assign lengths = {32'b0, this_q.data_bytes, 32'b0, this_q.aad_bytes};

  always_comb begin
    data_o = '0;
    for (int unsigned i = 0; i < DataBytes; i++) begin
      if (takes && keep[i]) data_o[8*i+:8] = data_i[8*i+:8];
    end
    for (int unsigned i = 0; i < UnitBeats; i++) begin
      if (UnitBeats == 1 || index_q == index_t'(i)) begin
        if (part_q == StLengths) data_o |= lengths[8*DataBytes*i+:8*DataBytes];
        if (part_q == StKey && this_q.operation == Mac && !last_unit_q) begin
          data_o |= key[8*DataBytes*i+:8*DataBytes];
        end
        if (part_q == StKey && this_q.operation == Mac && last_unit_q) begin
          data_o |= key[128+8*DataBytes*i+:8*DataBytes];
        end
      end
    end
  end

  // Of block 0, the one-time key is the first half; HChaCha20's result is the first and last quarter.
  logic key_unit;
  always_comb begin
    if (this_q.operation == Mac) key_unit = 1'b1;
    else if (this_q.subkey) key_unit = units_q[1:0] inside {2'd3, 2'd0};
    else key_unit = units_q[1];
  end

  always_comb begin
    keep_o = '0;
    mac_keep_o = '1;
    way_o = '0;
    way_o.user = user_i && takes;
    unique case (part_q)
      StKey: begin
        if (this_q.operation != Mac) keep_o = '1;
        way_o.key = key_unit;
        way_o.key_end = unit_end && (this_q.operation == Mac || this_q.subkey ?
                                     units_q[1:0] == 2'd0 : units_q[1:0] == 2'd2);
        way_o.subkey = this_q.subkey;
        way_o.plain = this_q.operation == Mac;
      end
      StData: begin
        if (this_q.operation != Mac) keep_o = keep;
        way_o.out = has_bytes && this_q.operation != Mac;
        way_o.out_last = last_beat;
        way_o.mac = this_q.operation != Cipher;
        way_o.mac_last = this_q.operation == Mac && last_beat;
        way_o.plain = this_q.operation != Seal;
        if (this_q.operation == Mac) mac_keep_o = keep;
      end
      default: begin
        way_o.mac = 1'b1;
        way_o.mac_last = part_q == StLengths && unit_end;
        way_o.plain = 1'b1;
      end
    endcase
  end

  assign last_o = after(part_q, this_q) == StIdle && part_end;
  assign valid_o = part_q != StIdle && (valid_i || !takes) && !wipe_i;
  assign ready_o = takes && ready_i && !wipe_i;
  assign move = valid_o && ready_i;

endmodule
