// SPDX-License-Identifier: Apache-2.0
// Takes descriptors in order, checks them, fetches their key, and hands each job at once to the
// read DMA, the core, the write DMA and the completion. Three cycles per job, one more for additional
// data and for a vector in memory.
module saltmill_decode
  import saltmill_device_pkg::*;
#(
    parameter core_e Core = CipherOnly,
    parameter int unsigned DataBytes = 16,
    parameter alignment_e Alignment = AnyByte,
    parameter logic [31:0] Operations = 32'h6,  // bit n: operation n is available
    parameter logic [2:0] KeySizes = 3'b0  // Aes: bit n: key_size n is available
) (
    input  logic               clk_i,
    input  logic               rst_i,
    // Descriptors
    input  logic               valid_i,
    output logic               ready_o,
    input  fetched_t           fetched_i,
    // Key store
    output logic               key_read_o,
    output logic       [  7:0] key_slot_o,
    output logic               key_one_time_o,  // what the operation uses it for
    output logic               key_spend_o,
    input  logic               key_valid_i,
    input  logic       [255:0] key_i,
    // Read DMA
    output logic               read_valid_o,
    input  logic               read_ready_i,
    output read_job_t          read_o,
    // Core
    output logic               param_valid_o,
    input  logic               param_ready_i,
    output core_job_t          param_o,
    // Write DMA
    output logic               write_valid_o,
    input  logic               write_ready_i,
    output write_job_t         write_o,
    // Completion
    output logic               ending_valid_o,
    input  logic               ending_ready_i,
    output ending_t            ending_o
);

  localparam logic [3:0] KeySizeKnown = {1'b0, KeySizes};
  localparam int unsigned ByteBits = $clog2(DataBytes);

  typedef enum logic [1:0] {
    StIdle,     // wait for a descriptor; its key slot is at the key store
    StCheck,    // the key and its validity are there
    StParts,    // the verdict is good; the read DMA gets the vector, then the additional data
    StDispatch  // the verdict is there; wait until all have room
  } state_e;

  state_e state_q;
  logic   checked_q;  // StCheck is just over
  logic   vector_q;  // the vector is still to be read
  job_status_e verdict, verdict_q;
  logic [26:0] blocks_q;

  // ---- checks ------------------------------------------------------------------------------------
  logic known, keystream, has_tag, to_memory, aligned, counter_fits, whole, length_fits;
  logic [31:0] iv_bytes;
  logic [63:0] iv_address;
  logic [26:0] blocks;
  logic [32:0] counter_end;
  always_comb begin
    keystream = fetched_i.operation == OperationKeystream;
    has_tag = fetched_i.operation inside {OperationMac, OperationSeal, OperationOpen};
    to_memory = fetched_i.operation != OperationMac;
    known = fetched_i.operation < 8'd32 && Operations[fetched_i.operation[4:0]]
        && (Core == Aead || !fetched_i.extended_nonce)
        && (Core != Aes || KeySizeKnown[fetched_i.key_size]);
    // GCM has its vector in the nonce, or here.
    {iv_address, iv_bytes} = '0;
    if (Core == Aes && has_tag) {iv_address, iv_bytes} = fetched_i.nonce[95:0];
    whole = Core == Aes && fetched_i.operation inside {
        OperationEcbEncrypt, OperationEcbDecrypt, OperationCbcEncrypt, OperationCbcDecrypt
    };
    length_fits = (!whole || fetched_i.length[3:0] == 0) && iv_bytes != 32'd12;
    aligned = Alignment == AnyByte
        || ((!to_memory || fetched_i.destination[ByteBits-1:0] == 0)
        && (keystream || fetched_i.source[ByteBits-1:0] == 0)
        && (fetched_i.aad_length == 0 || fetched_i.aad[ByteBits-1:0] == 0)
        && (iv_bytes == 0 || iv_address[ByteBits-1:0] == 0));
    blocks = 27'(fetched_i.length[31:6]) + 27'(fetched_i.length[5:0] != 0);
    counter_end = 33'(fetched_i.counter) + 33'(blocks);
    counter_fits = Core == Aes || !counter_end[32] || counter_end[31:0] == 0;

    verdict = StatusOk;
    if (fetched_i.fetch_error) verdict = StatusFetchError;
    else if (!known) verdict = StatusBadOperation;
    else if (fetched_i.misused) verdict = StatusBadDescriptor;
    else if (!key_valid_i) verdict = StatusBadKeySlot;
    else if (!aligned) verdict = StatusBadAlignment;
    else if (!counter_fits) verdict = StatusBadCounter;
    else if (!length_fits) verdict = StatusBadLength;
  end

  // ---- one job at a time -------------------------------------------------------------------------
  logic good, reads, works, writes, room, dispatch, parts;
  assign parts = fetched_i.aad_length != 0 || iv_bytes != 0;
  assign good = verdict_q == StatusOk;
  assign reads = good && fetched_i.length != 0;
  assign works = reads || (good && has_tag);
  assign writes = reads && to_memory;
  assign room = ending_ready_i && (!reads || read_ready_i) && (!works || param_ready_i)
      && (!writes || write_ready_i);
  assign dispatch = state_q == StDispatch && room;
  assign ready_o = dispatch;

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: if (valid_i) state_q <= StCheck;
      StCheck: begin
        state_q  <= verdict == StatusOk && parts ? StParts : StDispatch;
        vector_q <= iv_bytes != 0;
      end
      StParts:
      if (read_ready_i) begin
        if (!vector_q || fetched_i.aad_length == 0) state_q <= StDispatch;
        vector_q <= 1'b0;
      end
      StDispatch: if (dispatch) state_q <= StIdle;
      default: state_q <= StIdle;
    endcase
    checked_q <= state_q == StCheck;
    verdict_q <= verdict;
    blocks_q  <= blocks;
    if (rst_i) begin
      state_q   <= StIdle;
      checked_q <= 1'b0;
    end
  end

  // Key and verdict are of one moment, whatever the host writes to the slot afterwards. Tags of
  // messages of one's choice tell the key: so a mac takes only what was written as a one-time key, and
  // uses it up.
  assign key_read_o = state_q == StIdle && valid_i;
  assign key_slot_o = fetched_i.key_slot;
  assign key_one_time_o = fetched_i.operation == OperationMac;
  assign key_spend_o = checked_q && good && key_one_time_o;

  // All four are handed their part in the same cycle. They are queues, whose ready does not wait for
  // valid, so this valid may wait for their ready.
  assign ending_valid_o = dispatch;
  assign read_valid_o = (dispatch && reads) || state_q == StParts;
  assign param_valid_o = dispatch && works;
  assign write_valid_o = dispatch && writes;

  always_comb begin
    read_o.zeros = keystream;
    read_o.continues = 1'b0;
    read_o.address = fetched_i.source;
    read_o.length = fetched_i.length;
    if (state_q == StParts) begin
      read_o.continues = fetched_i.length != 0 || (vector_q && fetched_i.aad_length != 0);
      read_o.address = vector_q ? iv_address : fetched_i.aad;
      read_o.length = vector_q ? iv_bytes : fetched_i.aad_length;
    end
  end

  assign param_o = '{
          operation: fetched_i.operation,
          extended_nonce: fetched_i.extended_nonce,
          key_size: fetched_i.key_size,
          tag_bytes: fetched_i.tag_bytes,
          short_counter: fetched_i.short_counter,
          blocks: blocks_q,
          tag: fetched_i.tag,
          iv_bytes: iv_bytes,
          aad_bytes: fetched_i.aad_length,
          data_bytes: fetched_i.length,
          counter: fetched_i.counter,
          nonce: fetched_i.nonce,
          key: key_i
      };

  always_comb begin
    write_o.address        = fetched_i.destination;
    write_o.length         = fetched_i.length;
    ending_o.writes        = writes;
    ending_o.has_tag       = good && has_tag;
    ending_o.opens         = fetched_i.operation == OperationOpen;
    ending_o.own_interrupt = fetched_i.own_interrupt;
    ending_o.length        = good ? fetched_i.length : '0;
    ending_o.status        = verdict_q;
  end

endmodule
