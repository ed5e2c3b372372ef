// SPDX-License-Identifier: Apache-2.0
// One step of the key expansion (FIPS 197, 5.2), as fast as a round: from the Nk words before a
// round key, the Nk words that end with it. The last four of them are the round key. Latency:
// Registers + 1 cycles, one step per cycle.

module aes_key_step
  import aes_pkg::*;
#(
    parameter sbox_e SBox,
    parameter int unsigned Registers,  // of the S-boxes
    parameter key_size_e KeySize,
    parameter int unsigned Round,  // 1 to Nr; what the key itself gives of it is not made again
    localparam int unsigned Words = key_words(KeySize)  // Nk
) (
    input  logic                   clk_i,
    input  logic [Words-1:0][31:0] words_i,  // to word 4 Round - 1, at least to Nk - 1
    output logic [Words-1:0][31:0] words_o   // to word 4 Round + 3
);

  // Words First to End - 1 are made. At most one of them uses the S-boxes.
  localparam int unsigned End = 4 * Round + 4;
  localparam int unsigned First = 4 * Round > Words ? 4 * Round : Words;

  function automatic int unsigned substituting();
    for (int unsigned i = First; i < End; i++) begin
      if (i % Words == 0 || (Words == 8 && i % 4 == 0)) return i;
    end
    return End;
  endfunction
  localparam int unsigned Sub = substituting();

  function automatic byte_t round_constant();
    byte_t result = 8'h01;
    for (int unsigned i = 1; i < Sub / Words; i++) result = doubled(result);
    return result;
  endfunction

  // The S-box output is XORed into its word and all later ones; everything else is summed
  // beforehand.
  typedef logic [End-First+Words-1:0][31:0] made_t;  // word First - Words first
  function automatic made_t without_sub(logic [Words-1:0][31:0] words);
    made_t result;
    result[Words-1:0] = words;
    for (int unsigned i = Words; i < End - First + Words; i++) begin
      result[i] = result[i-Words] ^ (First - Words + i == Sub ? '0 : result[i-1]);
    end
    return result;
  endfunction
  made_t made;
  assign made = without_sub(words_i);

  logic [Words-1:0][31:0] waited;
  if (Registers == 0) begin : gen_at_once
    assign waited = made[End-First+:Words];
  end else begin : gen_wait
    logic [Words-1:0][31:0] wait_q[Registers];
    assign waited = wait_q[Registers-1];
    always_ff @(posedge clk_i) begin
      wait_q[0] <= made[End-First+:Words];
      for (int unsigned i = 1; i < Registers; i++) wait_q[i] <= wait_q[i-1];
    end
  end

  word_t added;
  if (Sub < End) begin : gen_sub
    logic [3:0][7:0] bytes, unused_doubled;
    aes_sub_bytes #(
        .Bytes     (4),
        .SBox      (SBox == TBoxRam ? SBoxRam : SBox),
        .Registers (Registers),
        .Directions(EncryptOnly)
    ) u_sub (
        .clk_i,
        .bytes_i       (made[Sub-First+Words-1]),
        .inverse_i     (1'b0),
        .inverse_late_i(1'b0),
        .bytes_o       (bytes),
        .doubled_o     (unused_doubled)
    );
    assign added = Sub % Words != 0 ? bytes : {bytes[0], bytes[3:1]} ^ 32'(round_constant());
  end else begin : gen_no_sub
    assign added = '0;
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Words; i++) begin
      words_o[i] <= waited[i] ^ (End - Words + i >= Sub ? added : '0);
    end
  end

endmodule
