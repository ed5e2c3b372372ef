// SPDX-License-Identifier: Apache-2.0
// Takes descriptors in order, checks them, copies their key, and hands each job to the read DMA,
// the write DMA, the feed of the core and the completion. A job takes a fixed number of steps and
// never waits in between: it starts when its descriptor is there and all queues have room for it.
//
// Steps: 0 requests the first row; at 3 its words arrive and the key is requested; at Verdict all
// is checked; from Verdict + 1 to Ends the job is handed over.
module saltmill_decode
  import saltmill_descriptor_pkg::*;
  import saltmill_socket_pkg::*;
  import saltmill_device_pkg::*;
#(
    parameter config_t Config,
    localparam int unsigned AddressBits = Config.address_bits,
    localparam int unsigned RowBits = 8 * row_bytes(Config.data_bytes),
    localparam int unsigned RowAddressBits = row_address_bits(Config),
    localparam int unsigned SlotBits = $clog2(Config.job_depth),
    localparam int unsigned KeyRowBits = $clog2(32 / key_row_bytes(Config.data_bytes))
) (
    input  logic                              clk_i,
    input  logic                              rst_i,               // also in a wipe
    // Descriptors
    input  logic                              fetched_one_i,       // one more is there
    output logic    [     RowAddressBits-1:0] row_o,
    input  logic    [            RowBits-1:0] row_data_i,          // two cycles later
    output logic                              started_o,           // a job, a cycle ago
    input  logic                              fetch_error_i,       // of it, a cycle later
    // Key store, and the RAM of keys in flight
    output logic    [                    7:0] key_slot_o,
    output logic    [                    2:0] key_use_o,
    input  logic                              key_valid_i,
    input  logic                              key_written_i,
    output logic                              key_spend_o,
    output logic                              key_row_o,
    output logic                              key_copy_o,          // 2 cycles later, whole keys 1
    output logic    [SlotBits+KeyRowBits-1:0] key_copy_row_o,
    // Read DMA: up to three jobs
    output logic                              source_valid_o,
    output logic                              source_zeros_o,
    output logic                              source_continues_o,
    output logic    [        AddressBits-1:0] source_address_o,
    output logic    [                   31:0] source_length_m1_o,  // bytes - 1
    // Write DMA
    output logic                              sink_valid_o,
    output logic    [        AddressBits-1:0] sink_address_o,
    output logic    [                   31:0] sink_length_m1_o,
    // Feed and completion
    output logic                              ending_valid_o,
    output logic    [           SlotBits-1:0] ending_slot_o,
    output logic                              works_o,             // the core has work
    output ending_t                           ending_o,
    input  logic                              ended_i              // one has been completed
);

  localparam facts_t Facts = facts(Config);
  localparam int unsigned RowBytes = RowBits / 8;
  localparam int unsigned Rows = TagOffset / RowBytes;
  localparam int unsigned Parts = Facts.aad != 0 || Facts.ivs != 0 ? 3 : 1;
  localparam int unsigned Verdict = Rows == 1 ? 6 : Rows + 4;
  localparam int unsigned Ends = Verdict + Parts;  // the data is handed over
  // The next job's first field may come in the cycle after that.
  localparam int unsigned Interval = Ends - 2;

  // ---- steps ------------------------------------------------------------------------------------
  logic some, room, start;
  logic [Ends:0] step_q;
  logic [SlotBits-1:0] slot_q, copied_q;

  // All queues can hold as many jobs as can be in flight between here and their end.
  assign start = some && room && step_q[Interval-2:0] == '0;
  assign started_o = step_q[0];
  always_ff @(posedge clk_i) begin
    step_q <= {step_q[Ends-1:0], start};
    // The next job may start before this one ends: each user keeps its own copy of slot_q.
    if (step_q[0]) copied_q <= slot_q;
    if (step_q[3]) ending_slot_o <= copied_q;
    if (step_q[Rows]) slot_q <= slot_q + 1'b1;
    if (rst_i) begin
      step_q <= '0;
      slot_q <= '0;
    end
  end

  stream_credit #(
      .Max    (Config.job_depth),
      .Start  (0),
      .WantMax(1)
  ) u_some (
      .clk_i,
      .rst_i,
      .give_i(fetched_one_i),
      .want_m1_i(1'b0),
      .take_i(start),
      .enough_o(some)
  );

  stream_credit #(
      .Max    (Config.job_depth),
      .Start  (Config.job_depth),
      .WantMax(1)
  ) u_room (
      .clk_i,
      .rst_i,
      .give_i(ended_i),
      .want_m1_i(1'b0),
      .take_i(start),
      .enough_o(room)
  );

  // ---- words of the descriptor: row r comes in step r + 2 ---------------------------------------
  localparam int unsigned StrideBits = $clog2(row_stride(Config));
  always_comb begin
    row_o = RowAddressBits'(slot_q) << StrideBits;
    for (int unsigned row = 1; row < Rows; row++) if (step_q[row]) row_o |= RowAddressBits'(row);
  end

  // In the upper half of a bus address, only the bits that the bus does not have must be 0.
  function automatic logic [31:0] checked(int unsigned index);
    logic is_high = 4 * index inside {SourceHighOffset, DestinationHighOffset, AadHighOffset};
    return is_high && AddressBits > 32 ? ~32'd0 << (AddressBits - 32) : '1;
  endfunction

  /* verilator lint_off UNUSEDSIGNAL */
  words_t word_q;
  marks_t low_q, high_q;  // its lower or upper half is not 0, where it is checked
  /* verilator lint_on UNUSEDSIGNAL */
  logic fetch_error_q, error_q;
  for (genvar index = 0; index < TagOffset / 4; index++) begin : gen_word
    logic [31:0] word;
    assign word = row_data_i[8*((4*index)%RowBytes)+:32];
    always_ff @(posedge clk_i) if (step_q[4*index/RowBytes+2]) word_q[index] <= word;
    // A descriptor in one row is there before its key: its marks may take a cycle more. Its RAM
    // is wide, and the wires are long.
    if (Rows == 1) begin : gen_marks_later
      always_ff @(posedge clk_i) begin
        low_q[index]  <= (word_q[index][15:0] & 16'(checked(index))) != 0;
        high_q[index] <= (word_q[index][31:16] & 16'(checked(index) >> 16)) != 0;
      end
    end else begin : gen_marks
      always_ff @(posedge clk_i) begin
        if (step_q[4*index/RowBytes+2]) begin
          low_q[index]  <= (word[15:0] & 16'(checked(index))) != 0;
          high_q[index] <= (word[31:16] & 16'(checked(index) >> 16)) != 0;
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    fetch_error_q <= fetch_error_i;
    if (step_q[2]) error_q <= fetch_error_q;
  end

  /* verilator lint_off UNUSEDSIGNAL */
  descriptor_control_t control;
  /* verilator lint_on UNUSEDSIGNAL */
  assign control = word_q[ControlOffset/4];

  // ---- checks -----------------------------------------------------------------------------------
  // The key is read in the two steps from 3 on: it is valid if it was valid before, and was not
  // written during these steps.
  logic key_found_q, key_written_q, good;
  job_status_e verdict;
  does_t does;
  logic [31:0] data_m1, aad_m1, iv_m1;
  always_ff @(posedge clk_i) begin
    if (step_q[4]) key_found_q <= key_valid_i;
    if (step_q[4]) key_written_q <= key_written_i;
    else if (step_q[5]) key_written_q <= key_written_q || key_written_i;
  end

  saltmill_check #(
      .Config(Config)
  ) u_check (
      .clk_i,
      .words_i    (word_q),
      .some_i     (low_q | high_q),
      .error_i    (error_q),
      .key_valid_i(key_found_q && !key_written_q),
      .verdict_o  (verdict),
      .good_o     (good),
      .does_o     (does),
      .data_m1_o  (data_m1),
      .aad_m1_o   (aad_m1),
      .iv_m1_o    (iv_m1),
      .result_m1_o(sink_length_m1_o)
  );

  // ---- key: its rows are copied to the RAM of keys in flight ------------------------------------
  assign key_slot_o = control.key_slot;
  assign key_use_o  = {one_of(control.operation, Facts.one_time), control.key_size};
  assign key_row_o  = step_q[4];
  if (KeyRowBits == 0) begin : gen_key_row
    assign key_copy_o = step_q[4];
    assign key_copy_row_o = copied_q;
  end else begin : gen_key_rows
    assign key_copy_o = step_q[5] || step_q[6];
    assign key_copy_row_o = {copied_q, step_q[6]};
  end
  // Two tags under one one-time key reveal it, so the first job consumes it.
  assign key_spend_o = step_q[Verdict+1] && good && does.one_time;

  // ---- hand over --------------------------------------------------------------------------------
  // Initialisation vector and additional data are separate jobs of the read DMA, before the data.
  // Whether a step has a part is known a cycle before the verdict.
  logic iv_step, aad_step, part_q;
  assign iv_step = Parts == 3 && step_q[Verdict+1];
  assign aad_step = Parts == 3 && step_q[Ends-1];
  assign source_valid_o = good && part_q;
  always_ff @(posedge clk_i) begin
    part_q <= step_q[Ends-1] && does.data;
    if (Parts == 3 && step_q[Verdict]) part_q <= does.iv;
    if (Parts == 3 && step_q[Ends-2]) part_q <= does.aad;
    if (rst_i) part_q <= 1'b0;
  end
  always_comb begin
    source_zeros_o     = does.zeros;
    source_continues_o = 1'b0;
    source_address_o   = AddressBits'(address(word_q, SourceLowOffset));
    source_length_m1_o = data_m1;
    if (iv_step) begin
      source_zeros_o     = 1'b0;
      source_continues_o = does.aad || does.data;
      source_address_o   = AddressBits'(address(word_q, IvAddressLowOffset));
      source_length_m1_o = iv_m1;
    end
    if (aad_step) begin
      source_zeros_o     = 1'b0;
      source_continues_o = does.data;
      source_address_o   = AddressBits'(address(word_q, AadLowOffset));
      source_length_m1_o = aad_m1;
    end
  end

  assign sink_valid_o = step_q[Ends] && good && does.result;
  assign sink_address_o = AddressBits'(address(word_q, DestinationLowOffset));

  assign ending_valid_o = step_q[Ends];
  assign works_o = good && (does.data || does.tag || does.digest);
  always_comb begin
    ending_o.writes   = good && does.result;
    ending_o.has_tag  = good && does.tag;
    ending_o.verifies = does.verifies;
    ending_o.at_once  = control.interrupt && !error_q;
    ending_o.status   = verdict;
  end

endmodule
