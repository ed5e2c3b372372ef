// SPDX-License-Identifier: Apache-2.0
// Takes descriptors in order, checks them, fetches their key, and hands each job at once to the
// read DMA, the core, the write DMA and the completion. Three cycles per job.
module saltmill_decode
  import saltmill_device_pkg::*;
#(
    parameter int unsigned DataBytes = 16,
    parameter alignment_e Alignment = AnyByte,
    parameter logic [31:0] Operations = 32'h6  // bit n: operation n is available
) (
    input  logic                         clk_i,
    input  logic                         rst_i,
    // Descriptors
    input  logic                         valid_i,
    output logic                         ready_o,
    input  fetched_t                     fetched_i,
    // Key store
    output logic                         key_read_o,
    output logic                 [  7:0] key_slot_o,
    input  logic                         key_valid_i,
    input  logic                 [255:0] key_i,
    // Read DMA
    output logic                         read_valid_o,
    input  logic                         read_ready_i,
    output read_job_t                    read_o,
    // Core
    output logic                         param_valid_o,
    input  logic                         param_ready_i,
    output chacha20_pkg::param_t         param_o,
    // Write DMA
    output logic                         write_valid_o,
    input  logic                         write_ready_i,
    output write_job_t                   write_o,
    // Completion
    output logic                         ending_valid_o,
    input  logic                         ending_ready_i,
    output ending_t                      ending_o
);

  localparam int unsigned ByteBits = $clog2(DataBytes);

  typedef enum logic [1:0] {
    StIdle,     // wait for a descriptor; its key slot is at the key store
    StCheck,    // the key and its validity are there
    StDispatch  // the verdict is there; wait until all have room
  } state_e;

  state_e state_q;
  job_status_e verdict, verdict_q;
  logic [26:0] blocks_q;

  // ---- checks ------------------------------------------------------------------------------------
  logic known, keystream, aligned, counter_fits;
  logic [26:0] blocks;
  logic [32:0] counter_end;
  always_comb begin
    keystream = fetched_i.operation == OperationKeystream;
    known = fetched_i.operation < 8'd32 && Operations[fetched_i.operation[4:0]]
        && !fetched_i.extended_nonce;
    aligned = Alignment == AnyByte || (fetched_i.destination[ByteBits-1:0] == 0
        && (keystream || fetched_i.source[ByteBits-1:0] == 0));
    blocks = 27'(fetched_i.length[31:6]) + 27'(fetched_i.length[5:0] != 0);
    counter_end = 33'(fetched_i.counter) + 33'(blocks);
    counter_fits = !counter_end[32] || counter_end[31:0] == 0;

    verdict = StatusOk;
    if (fetched_i.fetch_error) verdict = StatusFetchError;
    else if (!known) verdict = StatusBadOperation;
    else if (fetched_i.reserved_used) verdict = StatusBadDescriptor;
    else if (!key_valid_i) verdict = StatusBadKeySlot;
    else if (!aligned) verdict = StatusBadAlignment;
    else if (!counter_fits) verdict = StatusBadCounter;
  end

  // ---- one job at a time -------------------------------------------------------------------------
  logic has_data, room, dispatch;
  assign has_data = verdict_q == StatusOk && fetched_i.length != 0;
  assign room = ending_ready_i && (!has_data || (read_ready_i && param_ready_i && write_ready_i));
  assign dispatch = state_q == StDispatch && room;
  assign ready_o = dispatch;

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: if (valid_i) state_q <= StCheck;
      StCheck: state_q <= StDispatch;
      StDispatch: if (dispatch) state_q <= StIdle;
      default: state_q <= StIdle;
    endcase
    verdict_q <= verdict;
    blocks_q  <= blocks;
    if (rst_i) state_q <= StIdle;
  end

  // Key and verdict are of one moment, whatever the host writes to the slot afterwards.
  assign key_read_o = state_q == StIdle && valid_i;
  assign key_slot_o = fetched_i.key_slot;

  // All four are handed their part in the same cycle. They are queues, whose ready does not wait for
  // valid, so this valid may wait for their ready.
  assign ending_valid_o = dispatch;
  assign read_valid_o = dispatch && has_data;
  assign param_valid_o = dispatch && has_data;
  assign write_valid_o = dispatch && has_data;

  always_comb begin
    read_o.zeros           = keystream;
    read_o.address         = fetched_i.source;
    read_o.length          = fetched_i.length;
    param_o.raw            = 1'b0;
    param_o.blocks         = blocks_q;
    param_o.counter        = fetched_i.counter;
    param_o.nonce          = fetched_i.nonce;
    param_o.key            = key_i;
    write_o.address        = fetched_i.destination;
    write_o.length         = fetched_i.length;
    ending_o.has_data      = has_data;
    ending_o.own_interrupt = fetched_i.own_interrupt;
    ending_o.status        = verdict_q;
  end

endmodule
