// SPDX-License-Identifier: Apache-2.0
// Blocks from beats of 4 bytes, as poly1305_serial reads them: word by word, already padded (RFC
// 8439, 2.5.1). A message's last block is filled up with zeros. Holds 4 blocks; a block is there a
// cycle after its last beat. A wipe takes 17 cycles.

module poly1305_collect (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        wipe_i,
    input  logic        valid_i,
    output logic        ready_o,
    input  logic [31:0] data_i,
    input  logic [ 3:0] keep_i,
    input  logic        last_i,
    // The oldest block
    output logic        valid_o,
    input  logic        ready_i,
    input  logic [ 1:0] at_i,
    output logic [31:0] word_o,
    output logic        whole_o,  // has 16 bytes
    output logic        last_o
);

  typedef struct packed {logic last, whole;} flags_t;
  logic [31:0] words[16];
  flags_t flags[4];

  // Block counters have one bit more than an address. In a wipe the writes continue, with zeros.
  logic [2:0] write_q, read_q;
  logic [1:0] index_q;
  logic full, move, block_end, wiping_q;
  logic filling_q;  // behind the last beat
  logic before_q;  // the word before, of the same block, has 4 bytes
  assign full = write_q == {!read_q[2], read_q[1:0]};
  assign valid_o = write_q != read_q && !wipe_i && !wiping_q;
  assign ready_o = !full && !filling_q && !wipe_i && !wiping_q;
  assign move = (valid_i && ready_o) || (filling_q && !full);
  assign block_end = index_q == '1;

  // Behind the last byte there is a one; bytes that are not kept are zeros.
  logic [ 3:0] keep;
  logic [31:0] padded;
  assign keep = filling_q || wipe_i ? '0 : keep_i;
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      padded[8*i+:8] = {7'd0, i == 0 ? before_q : keep[i-1]};
      if (keep[i]) padded[8*i+:8] = data_i[8*i+:8];
    end
  end

  always_ff @(posedge clk_i) begin
    if (move || wipe_i) {write_q, index_q} <= {write_q, index_q} + 1'b1;
    if (move) begin
      filling_q <= !block_end && (filling_q || last_i);
      before_q  <= !block_end && keep[3];
    end
    if (valid_o && ready_i) read_q <= read_q + 1'b1;
    wiping_q <= wipe_i;
    if (rst_i || wipe_i) {filling_q, before_q, read_q} <= '0;
    if (rst_i || (wiping_q && !wipe_i)) {write_q, index_q} <= '0;
    if (rst_i) wiping_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (move || wipe_i) words[{write_q[1:0], index_q}] <= padded;
    if ((move && block_end) || wipe_i) begin
      flags[write_q[1:0]] <= '{last: (filling_q || last_i) && !wipe_i, whole: keep[3]};
    end
  end
  assign word_o = words[{read_q[1:0], at_i}];
  assign {last_o, whole_o} = flags[read_q[1:0]];

endmodule
