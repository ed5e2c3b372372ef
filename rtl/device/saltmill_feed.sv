// SPDX-License-Identifier: Apache-2.0
// Gives the core its jobs, in order: the fields of a job come from its rows, the key from the RAM
// of keys in flight. A job is offered max(rows, key rows) + 4 cycles after the previous job was
// taken.
module saltmill_feed
  import saltmill_descriptor_pkg::*;
  import saltmill_socket_pkg::*;
  import saltmill_device_pkg::*;
#(
    parameter config_t Config,
    localparam int unsigned RowBits = 8 * row_bytes(Config.data_bytes),
    localparam int unsigned RowAddressBits = row_address_bits(Config),
    localparam int unsigned SlotBits = $clog2(Config.job_depth),
    localparam int unsigned KeyBits = 8 * key_row_bytes(Config.data_bytes),
    localparam int unsigned KeyRows = 256 / KeyBits,
    localparam int unsigned KeyRowBits = $clog2(KeyRows)
) (
    input  logic                           clk_i,
    input  logic                           rst_i,
    input  logic                           wipe_i,
    // Checked jobs, in order
    input  logic                           valid_i,
    input  logic [           SlotBits-1:0] slot_i,
    input  logic                           works_i,      // the core has work
    output logic                           freed_o,      // its rows are free
    // Rows, two cycles later
    output logic [     RowAddressBits-1:0] row_o,
    input  logic [            RowBits-1:0] row_data_i,
    output logic [SlotBits+KeyRowBits-1:0] key_row_o,
    input  logic [            KeyBits-1:0] key_data_i,
    // To the core
    output logic                           job_valid_o,
    input  logic                           job_ready_i,
    output job_t                           job_o
);

  localparam facts_t Facts = facts(Config);
  localparam int unsigned RowBytes = RowBits / 8;
  localparam int unsigned Rows = rows(Config);
  localparam int unsigned StrideBits = $clog2(row_stride(Config));
  localparam int unsigned Reads = maximum(Rows, KeyRows);

  // ---- jobs -------------------------------------------------------------------------------------
  // Whether a job has work for the core is in a RAM, addressed by the job's place; it is there two
  // cycles after slot_q.
  logic some, take, start, works_q, read_works_q, late_q;
  logic [1:0] taken_q;
  logic [SlotBits-1:0] slot_q, read_slot_q;
  (* no_rw_check, ram_style = "block" *)
  logic works[Config.job_depth];
  always_ff @(posedge clk_i) begin
    if (valid_i) works[slot_i] <= works_i;
    read_works_q <= works[slot_q];
    works_q <= read_works_q;
  end

  stream_credit #(
      .Max    (Config.job_depth),
      .Start  (0),
      .WantMax(1)
  ) u_some (
      .clk_i,
      .rst_i   (rst_i || wipe_i),
      .give_i  (late_q),
      .want_m1_i(1'b0),
      .take_i  (take),
      .enough_o(some)
  );

  logic [Reads+2:0] step_q;
  // The core's ready reaches one flag and nothing else: a job is looked for once the port is free.
  assign take  = some && taken_q == '0 && step_q == '0 && !job_valid_o;
  assign start = take && works_q;
  always_ff @(posedge clk_i) begin
    late_q  <= valid_i;
    taken_q <= {taken_q[0], take};
    step_q  <= {step_q[Reads+1:0], start};
    if (step_q[Reads+2]) job_valid_o <= 1'b1;
    else if (job_ready_i) job_valid_o <= 1'b0;
    if (take) begin
      slot_q <= slot_q + 1'b1;
      read_slot_q <= slot_q;
    end
    freed_o <= step_q[Reads-1] || (take && !works_q);
    if (rst_i || wipe_i) begin
      late_q      <= 1'b0;
      taken_q     <= '0;
      step_q      <= '0;
      job_valid_o <= 1'b0;
      freed_o     <= 1'b0;
      slot_q      <= '0;
    end
  end

  // ---- rows: row r comes in step r + 2 ----------------------------------------------------------
  always_comb begin
    row_o = RowAddressBits'(read_slot_q) << StrideBits;
    for (int unsigned row = 1; row < Rows; row++) if (step_q[row]) row_o |= RowAddressBits'(row);
  end
  if (KeyRowBits == 0) begin : gen_key_row
    assign key_row_o = read_slot_q;
  end else begin : gen_key_rows
    assign key_row_o = {read_slot_q, step_q[1]};
  end

  /* verilator lint_off UNUSEDSIGNAL */
  localparam int unsigned Words = Rows * RowBytes / 4;
  logic [Words-1:0][31:0] word_q;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [255:0] key_q;
  // The enables are registers, because they are far from most of what they enable. In a wipe, the
  // RAMs give zeros.
  logic [Reads-1:0] load_q;
  always_ff @(posedge clk_i) load_q <= step_q[1+:Reads] | {Reads{wipe_i}};
  for (genvar index = 0; index < Words; index++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (load_q[4*index/RowBytes]) word_q[index] <= row_data_i[8*((4*index)%RowBytes)+:32];
    end
  end
  for (genvar row = 0; row < KeyRows; row++) begin : gen_key
    always_ff @(posedge clk_i) begin
      if (load_q[row]) key_q[KeyBits*row+:KeyBits] <= key_data_i;
    end
  end

  /* verilator lint_off UNUSEDSIGNAL */
  descriptor_control_t control;
  /* verilator lint_on UNUSEDSIGNAL */
  assign control = word_q[ControlOffset/4];

  // Made a cycle before the job is offered: no adder stands before the core, and no table of what
  // starts a message.
  localparam int unsigned BlockBytes = 32'(Facts.block_bytes);
  logic [31:0] blocks_q, iv_bytes_q;
  always_ff @(posedge clk_i) begin
    blocks_q   <= 32'((33'(word_q[LengthOffset/4]) + 33'(BlockBytes - 1)) >> $clog2(BlockBytes));
    iv_bytes_q <= one_of(control.operation, Facts.ivs) ? word_q[IvBytesOffset/4] : '0;
    if (wipe_i) {blocks_q, iv_bytes_q} <= '0;
  end

  always_comb begin
    job_o                = '0;
    job_o.operation      = operation_e'(control.operation);
    job_o.key_size       = key_size_e'(control.key_size);
    job_o.extended_nonce = control.extended_nonce;
    job_o.short_counter  = control.short_counter;
    job_o.tag_bytes      = control.tag_bytes;
    job_o.data_bytes     = word_q[LengthOffset/4];
    job_o.blocks         = blocks_q;
    job_o.aad_bytes      = word_q[AadLengthOffset/4];
    job_o.counter        = word_q[CounterOffset/4];
    job_o.nonce[191:96]  = word_q[NonceOffset/4+:3];
    job_o.nonce[95:0]    = word_q[NonceFirstOffset/4+:3];
    job_o.key            = key_q;
    job_o.iv_bytes       = iv_bytes_q;
    if (Facts.verifies != 0) job_o.tag = word_q[(Facts.verifies!=0?TagOffset : 0)/4+:4];
  end

endmodule
