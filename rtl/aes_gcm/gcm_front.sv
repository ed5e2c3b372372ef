// SPDX-License-Identifier: Apache-2.0
// Makes the blocks for the cipher from a message. In GCM: zeros for GHASH's key; the IV and its
// length, unless it has 12 bytes; the first counter block; additional data; data; lengths (SP
// 800-38D, 7.1). Blocks that use no counter block pass the cipher too: so the order is kept, and
// all blocks take the same time.

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
    // The first counter block, if it is a hash
    input  logic               counter_valid_i,
    // IV, additional data, data
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
    output logic               last_o,
    output route_t             route_o,
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
  part_e part_q, after_q;  // and what follows it
  logic active_q;  // part_q is not StIdle

  // ---- a message: the properties of its parts, computed before they start -----------------------
  typedef struct packed {
    logic [28:0] blocks;
    logic        single;  // at most one block
    logic        some;
    logic [15:0] keep;    // of the last one
  } text_t;

  function automatic text_t text(logic [31:0] bytes);
    text_t result;
    result.blocks = 29'(bytes[31:4]) + 29'(bytes[3:0] != '0);
    result.single = bytes[31:5] == '0 && (!bytes[4] || bytes[3:0] == '0);
    result.some   = bytes != '0;
    for (int unsigned i = 0; i < 16; i++) begin
      result.keep[i] = result.some && (bytes[3:0] == '0 || i < 32'(bytes[3:0]));
    end
    return result;
  endfunction

  text_t start_iv_q, start_aad_q, start_data_q, iv_q, aad_q, data_q, next_text;
  logic start_short_iv_q, aead, aead_q, seal_q, short_iv_q;
  logic [31:0] iv_bytes_q, aad_bytes_q, data_bytes_q;
  assign aead = operation_i inside {Seal, Open};

  function automatic part_e following(part_e part, logic short_iv, logic iv, logic aad, logic data);
    unique case (part)
      StKey: return short_iv ? StCounter : iv ? StIv : StIvLength;
      StIv: return StIvLength;
      StIvLength: return StCounter;
      StCounter: return aad ? StAad : data ? StData : StLengths;
      StAad: return data ? StData : StLengths;
      StData: return StLengths;
      default: return StIdle;
    endcase
  endfunction

  // ---- the part, its blocks, and blocks still to be hashed: of the IV, then the others ----------
  logic [28:0] left_q;  // of the part, this one too
  logic last_q, move, part_end;
  logic input_q, hash_q;  // the part waits for input, or for the hash of the iv
  logic [15:0] keep_last_q, keep_q;  // of the part's last block, of this one
  logic [29:0] total_q, rest_total_q, start_total_q, start_iv_total_q;
  ghash_pkg::remaining_t remaining_q;
  function automatic ghash_pkg::remaining_t remaining(logic [29:0] total);
    return total[29:2] != '0 ? 3'd4 : 3'(total);
  endfunction

  always_comb begin
    unique case (after_q)
      StIv: next_text = iv_q;
      StAad: next_text = aad_q;
      StData: next_text = data_q;
      default: next_text = '{blocks: '0, single: 1'b1, some: 1'b1, keep: '1};
    endcase
  end

  logic unused;
  assign unused   = next_text.some;
  assign part_end = move && last_q;
  always_ff @(posedge clk_i) begin
    start_iv_q <= text(iv_bytes_i);
    start_aad_q <= text(aad_bytes_i);
    start_data_q <= text(data_bytes_i);
    start_short_iv_q <= iv_bytes_i == 32'd12;
    start_total_q <= 30'(start_aad_q.blocks) + 30'(start_data_q.blocks) + 1'b1;
    start_iv_total_q <= 30'(start_iv_q.blocks) + 1'b1;

    if (move) begin
      left_q <= left_q - 1'b1;
      last_q <= left_q == 29'd2;
      keep_q <= left_q == 29'd2 ? keep_last_q : '1;
    end
    if (part_end) begin
      part_q   <= after_q;
      active_q <= after_q != StIdle;
      after_q  <= following(after_q, short_iv_q, iv_q.some, aad_q.some, data_q.some);
      if (!aead_q) after_q <= StIdle;
      input_q <= after_q inside {StIv, StAad, StData};
      hash_q <= after_q == StCounter && !short_iv_q;
      left_q <= next_text.blocks;
      last_q <= next_text.single;
      keep_last_q <= next_text.keep;
      keep_q <= next_text.single ? next_text.keep : '1;
    end
    if (move && route_o.hash) begin
      total_q <= total_q - 1'b1;
      remaining_q <= total_q > 4 ? 3'd4 : 3'(total_q - 1'b1);
    end
    if (move && part_q == StCounter) begin
      total_q <= rest_total_q;
      remaining_q <= remaining(rest_total_q);
    end
    if (start_i) begin
      aead_q <= aead;
      seal_q <= operation_i == Seal;
      short_iv_q <= start_short_iv_q;
      {iv_q, aad_q, data_q} <= {start_iv_q, start_aad_q, start_data_q};
      iv_bytes_q <= iv_bytes_i;
      aad_bytes_q <= aad_bytes_i;
      data_bytes_q <= data_bytes_i;
      part_q <= aead ? StKey : StData;
      active_q <= 1'b1;
      after_q <= aead ? following(StKey, start_short_iv_q, start_iv_q.some, 1'b0, 1'b0) : StIdle;
      input_q <= !aead && start_data_q.some;
      hash_q <= 1'b0;
      left_q <= start_data_q.blocks;
      last_q <= aead || start_data_q.single;
      keep_last_q <= aead ? '1 : start_data_q.keep;
      keep_q <= aead || !start_data_q.single ? '1 : start_data_q.keep;
      total_q <= start_iv_total_q;
      remaining_q <= remaining(start_iv_total_q);
      rest_total_q <= start_total_q;
    end
    if (wipe_i) remaining_q <= '0;  // how long a message was
    if (rst_i || wipe_i) begin
      part_q   <= StIdle;
      active_q <= 1'b0;
    end
  end

  // ---- a block ----------------------------------------------------------------------------------
  logic [127:0] masked, lengths;
  logic has_data, empty;
  assign has_data = part_q inside {StIv, StAad, StData};
  assign empty = part_q == StData && !data_q.some;  // Encrypt and Decrypt
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) masked[8*i+:8] = keep_q[i] ? data_i[8*i+:8] : '0;
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
    if (input_q) data_o = masked;
    if (part_q inside {StIvLength, StLengths}) data_o = lengths;
  end

  // In a wipe, the engine is not ready.
  assign valid_o = active_q && (!input_q || valid_i) && (!hash_q || counter_valid_i);
  assign ready_o = active_q && input_q && ready_i;
  assign move = valid_o && ready_i;
  assign zero_o = part_q == StKey;
  assign counts_o = part_q inside {StCounter, StData};
  assign last_o = part_q == StLengths || (part_q == StData && last_q && !aead_q);
  assign busy_o = active_q;
  assign keep_o = keep_q;
  assign route_o = '{
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
