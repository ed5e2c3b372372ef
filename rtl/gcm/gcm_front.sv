// SPDX-License-Identifier: Apache-2.0
// Makes of a message the blocks that go through the cipher. In GCM: zeros, for GHASH's key; the vector and its
// length, if it has not 12 bytes; the first counter block; additional data; data; lengths
// (SP 800-38D, 7.1). What no counter block is used for goes through the cipher all the same: so all
// is in order, and each block takes as long as any other.

module gcm_front
  import gcm_pkg::*;
(
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               wipe_i,
    // Message: at its start; the lengths are there two cycles before
    input  logic               start_i,
    input  operation_e         operation_i,
    input  logic       [ 31:0] iv_bytes_i,
    input  logic       [ 31:0] aad_bytes_i,
    input  logic       [ 31:0] data_bytes_i,
    input  logic               whole_i,          // only whole blocks
    // The first counter block, if it is a hash
    input  logic               counter_valid_i,
    // Vector, additional data, data
    input  logic               valid_i,
    output logic               ready_o,
    input  logic       [127:0] data_i,
    input  logic               user_i,
    // To the cipher
    output logic               valid_o,
    input  logic               ready_i,
    output logic               zero_o,           // the cipher takes zeros
    output logic               counts_o,         // it takes a counter block
    output logic       [127:0] data_o,
    output logic       [ 15:0] keep_o,           // of its result
    output logic               broken_o,         // part of a block in Ecb, Cbc: no result
    output logic               last_o,
    output way_t               way_o,
    output logic               busy_o
);

  typedef enum logic [2:0] {
    StIdle,
    StKey,
    StIv,
    StIvLength,
    StCounter,
    StAad,
    StData,
    StLengths
  } part_e;
  part_e part_q, part_d;

  logic aead_q, seal_q, short_iv_q;
  logic [31:0] iv_bytes_q, aad_bytes_q, data_bytes_q;
  logic move, part_end, last_q;

  function automatic logic [28:0] blocks(logic [31:0] bytes);
    return 29'(bytes[31:4]) + 29'(bytes[3:0] != '0);
  endfunction

  // What a message starts with, and what follows a part
  always_comb begin
    part_d = aead_q ? StLengths : StIdle;
    if (part_q < StData && (data_bytes_q != '0)) part_d = StData;
    if (part_q < StAad && aad_bytes_q != '0) part_d = StAad;
    if (part_q < StCounter) part_d = StCounter;
    if (part_q < StIvLength && !short_iv_q) part_d = StIvLength;
    if (part_q < StIv && !short_iv_q && iv_bytes_q != '0) part_d = StIv;
    if (part_q == StLengths) part_d = StIdle;
  end

  // Number of the next block of a part, from 1, or from 2 if the last one is whole: then the last block has the
  // number of all whole ones.
  logic [27:0] next_q, whole_blocks;
  logic [31:0] bytes, bytes_d;
  always_comb begin
    unique case (part_q)
      StIv: bytes = iv_bytes_q;
      StAad: bytes = aad_bytes_q;
      default: bytes = data_bytes_q;
    endcase
    unique case (part_d)
      StIv: bytes_d = iv_bytes_q;
      StAad: bytes_d = aad_bytes_q;
      default: bytes_d = data_bytes_q;
    endcase
    if (start_i) bytes_d = data_bytes_i;
  end
  assign whole_blocks = bytes[31:4];

  // Blocks that are hashed: those of the vector, then the rest
  logic [29:0] total_q, rest_total_q, start_total_q, start_iv_total_q;
  ghash_pkg::remaining_t remaining_q;
  function automatic ghash_pkg::remaining_t remaining(logic [29:0] total);
    return total[29:2] != '0 ? 3'd4 : 3'(total);
  endfunction

  logic has_data;
  assign part_end = move && last_q;
  always_ff @(posedge clk_i) begin
    start_total_q <= 30'(blocks(aad_bytes_i)) + 30'(blocks(data_bytes_i)) + 1'b1;
    start_iv_total_q <= 30'(blocks(iv_bytes_i)) + 1'b1;
    if (start_i) begin
      aead_q <= operation_i inside {Seal, Open};
      seal_q <= operation_i == Seal;
      short_iv_q <= iv_bytes_i == 32'd12;
      iv_bytes_q <= iv_bytes_i;
      aad_bytes_q <= aad_bytes_i;
      data_bytes_q <= data_bytes_i;
    end
    if (start_i) part_q <= operation_i inside {Seal, Open} ? StKey : StData;
    else if (part_end) part_q <= part_d;
    if (move) begin
      next_q <= next_q + 1'b1;
      last_q <= next_q == whole_blocks;
    end
    if (start_i || part_end) begin
      next_q <= bytes_d[3:0] == '0 ? 28'd2 : 28'd1;
      last_q <= bytes_d[31:5] == '0 && (!bytes_d[4] || bytes_d[3:0] == '0);
      if (!start_i && !(part_d inside {StIv, StAad, StData})) last_q <= 1'b1;
      if (start_i && operation_i inside {Seal, Open}) last_q <= 1'b1;
    end
    if (move && way_o.hash) begin
      total_q <= total_q - 1'b1;
      remaining_q <= total_q > 4 ? 3'd4 : 3'(total_q - 1'b1);
    end
    if (start_i) begin
      total_q <= start_iv_total_q;
      remaining_q <= remaining(start_iv_total_q);
      rest_total_q <= start_total_q;
    end
    if (move && part_q == StCounter) begin
      total_q <= rest_total_q;
      remaining_q <= remaining(rest_total_q);
    end
    if (rst_i || wipe_i) part_q <= StIdle;
  end

  // ---- a block -----------------------------------------------------------------------------------------------
  logic [15:0] keep;
  logic [127:0] masked, lengths;
  logic empty;
  assign has_data = part_q inside {StIv, StAad, StData};
  assign empty = bytes == '0;  // Encrypt and Decrypt with no data
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      keep[i] = has_data && !empty && (!last_q || bytes[3:0] == '0 || i < 32'(bytes[3:0]));
      masked[8*i+:8] = keep[i] ? data_i[8*i+:8] : '0;
    end
  end

  // Numbers of bits, big-endian
  function automatic logic [63:0] bits(logic [31:0] count);
    logic [63:0] value = {29'b0, count, 3'b0}, result;
    for (int unsigned i = 0; i < 8; i++) result[8*i+:8] = value[56-8*i+:8];
    return result;
  endfunction
  assign lengths = part_q == StIvLength ? {bits(
      iv_bytes_q
  ), 64'b0} : {bits(
      data_bytes_q
  ), bits(
      aad_bytes_q
  )};

  always_comb begin
    data_o = '0;
    if (has_data) data_o = masked;
    if (part_q inside {StIvLength, StLengths}) data_o = lengths;
  end

  assign valid_o = part_q != StIdle && (!has_data || empty || valid_i) &&
      (part_q != StCounter || short_iv_q || counter_valid_i) && !wipe_i;
  assign ready_o = has_data && !empty && ready_i && !wipe_i;
  assign move = valid_o && ready_i;
  assign zero_o = part_q == StKey;
  assign counts_o = part_q inside {StCounter, StData};
  assign last_o = part_q == StLengths || (part_q == StData && last_q && !aead_q);
  assign busy_o = part_q != StIdle;
  assign keep_o = has_data ? keep : '1;
  assign broken_o = whole_i && keep != '1 && keep[0];
  assign way_o = '{
          user: user_i && has_data && !empty,
          key: part_q == StKey,
          counter: part_q == StCounter,
          hash: aead_q && (has_data || part_q inside {StIvLength, StLengths}),
          plain: part_q != StKey && !(part_q == StData && seal_q),
          iv: part_q inside {StIv, StIvLength},
          remaining: remaining_q,
          out: part_q == StData && !empty,
          out_last: part_q == StData && last_q
      };

endmodule
