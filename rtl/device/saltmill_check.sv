// SPDX-License-Identifier: Apache-2.0
// Checks a descriptor: whether its operation exists and may use the fields that are set, the ranges
// that it reads and writes, and its key. All flags are registers, so that no two carry chains
// follow each other: the verdict comes 3 cycles after the last word's mark.
module saltmill_check
  import saltmill_descriptor_pkg::*;
  import saltmill_socket_pkg::*;
  import saltmill_device_pkg::*;
#(
    parameter config_t Config
) (
    input logic clk_i,
    input words_t words_i,  // of the descriptor; held until the verdict is used
    input marks_t some_i,  // the word is not 0: with the word, or a cycle later
    input logic error_i,  // bus error while it was fetched
    input logic key_valid_i,  // a cycle before the verdict
    output job_status_e verdict_o,
    output logic good_o,  // it is JobStatusOk
    output does_t does_o,  // a cycle after the last word's mark
    // Lengths of the job's parts, less 1: valid a cycle after the word, for one cycle longer than
    // it
    output logic [31:0] data_m1_o,
    output logic [31:0] aad_m1_o,
    output logic [31:0] iv_m1_o,
    output logic [31:0] result_m1_o  // as does_o
);

  localparam facts_t Facts = facts(Config);
  localparam int unsigned AddressBits = Config.address_bits;
  localparam int unsigned ByteBits = $clog2(Config.data_bytes);
  localparam int unsigned BlockBits = $clog2(Facts.block_bytes);

  // ---- fields -----------------------------------------------------------------------------------
  /* verilator lint_off UNUSEDSIGNAL */
  descriptor_control_t control;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [31:0] length, aad_length, iv_length;
  logic [AddressBits-1:0] source, destination, aad, iv;
  logic has_iv, has_aad, has_data;
  assign control = words_i[ControlOffset/4];
  assign length = words_i[LengthOffset/4];
  assign aad_length = words_i[AadLengthOffset/4];
  assign iv_length = words_i[IvBytesOffset/4];
  assign source = AddressBits'(address(words_i, SourceLowOffset));
  assign destination = AddressBits'(address(words_i, DestinationLowOffset));
  assign aad = AddressBits'(address(words_i, AadLowOffset));
  assign iv = AddressBits'(address(words_i, IvAddressLowOffset));
  assign has_data = some_i[LengthOffset/4];
  assign has_aad = may(Facts.aad) && some_i[AadLengthOffset/4];
  assign has_iv = may(Facts.ivs) && some_i[IvBytesOffset/4];

  function automatic logic may(operations_t mask);
    return one_of(control.operation, mask);
  endfunction

  // ---- fields that the operation may use --------------------------------------------------------
  logic known_q, misused_q, unaligned_q, odd_q, keyless_q;
  logic tag_bytes_fit, iv_fits;
  assign iv_fits = Facts.iv_bytes == 0 ? iv_length != 32'd12 : iv_length == 32'(Facts.iv_bytes);
  assign tag_bytes_fit = control.tag_bytes inside {5'd0, 5'd4, 5'd8, [5'd12 : 5'd16]};

  function automatic logic odd(logic [ByteBits-1:0] low);
    return Config.alignment == dma_pkg::AlignedOnly && low != 0;
  endfunction

  always_ff @(posedge clk_i) begin
    known_q <= may(
        Facts.operations
    ) && (!control.extended_nonce || Facts.extended_nonces != 0) &&
        (Facts.key_sizes == 0 || (control.key_size != 2'd3 && Facts.key_sizes[control.key_size]));
    misused_q <= control.reserved != 0 || (some_i[CounterOffset/4] && !may(
        Facts.counters
    )) || (control.extended_nonce && !may(
        Facts.extended_nonces
    )) || (|some_i[NonceFirstOffset/4+:3] && !control.extended_nonce && !may(
        Facts.ivs
    )) || (some_i[AadLengthOffset/4] && !may(
        Facts.aad
    )) || (control.key_size != 0 && (Facts.key_sizes == 0 || may(
        Facts.keyless
    ))) || (control.key_slot != 0 && may(
        Facts.keyless
    )) || (control.tag_bytes != 0 && !may(
        Facts.tag_lengths
    )) || (control.short_counter && !may(
        Facts.short_counters
    ));
    odd_q <= (may(
        Facts.whole_blocks
    ) && length[BlockBits-1:0] != 0) || (may(
        Facts.some_blocks
    ) && !has_data) || (has_iv && !iv_fits) || (may(
        Facts.tag_lengths
    ) && !tag_bytes_fit);
    unaligned_q <= (!may(
        Facts.sinkless
    ) && odd(
        destination[ByteBits-1:0]
    )) || (!may(
        Facts.sourceless
    ) && odd(
        source[ByteBits-1:0]
    )) || (has_aad && odd(
        aad[ByteBits-1:0]
    )) || (has_iv && odd(
        iv[ByteBits-1:0]
    ));
    keyless_q <= may(Facts.keyless);

    does_o.data <= has_data;
    does_o.aad <= has_aad;
    does_o.iv <= has_iv;
    does_o.zeros <= may(Facts.sourceless);
    does_o.result <= !may(Facts.sinkless) && (has_data || may(Facts.digests));
    does_o.digest <= may(Facts.digests);
    does_o.tag <= may(Facts.tags);
    does_o.verifies <= may(Facts.verifies);
    does_o.one_time <= may(Facts.one_time);
  end

  // ---- ranges: the sum of start and length - 1, then whether it is below 2^AddressBits ----------
  logic [31:0] counter;
  logic iv_high_q, high_q;  // an address has bits that the bus has not
  logic reads_q;  // from its source
  logic counts_q;  // blocks are counted in 32 bits
  logic
      source_past_end_q, destination_past_end_q, aad_past_end_q, iv_past_end_q, counter_past_end_q;

  // The carry alone: a comparison would also need a test for zero.
  function automatic logic past_end(logic [AddressBits-1:0] address_i, logic [31:0] distance);
    /* verilator lint_off UNUSEDSIGNAL */
    logic [AddressBits:0] last = {1'b0, address_i} + (AddressBits + 1)'(distance);
    /* verilator lint_on UNUSEDSIGNAL */
    return last[AddressBits];
  endfunction

  // The last 32 bits of a counter block are big-endian (SP 800-38A, B.1).
  always_comb begin
    counter = words_i[CounterOffset/4];
    if (Facts.short_counters != 0) begin
      for (int unsigned i = 0; i < 4; i++) counter[8*i+:8] = words_i[NonceOffset/4+2][8*(3-i)+:8];
    end
  end
  /* verilator lint_off UNUSEDSIGNAL */
  logic [32:0] last_counter;
  /* verilator lint_on UNUSEDSIGNAL */
  assign last_counter = {1'b0, counter} + 33'(data_m1_o >> $clog2(Facts.block_bytes));
  assign result_m1_o = Facts.digests != 0 && does_o.digest ? 32'(Facts.digest_bytes) - 32'd1 :
      data_m1_o;

  always_ff @(posedge clk_i) begin
    data_m1_o <= length - 1'b1;
    aad_m1_o <= aad_length - 1'b1;
    iv_m1_o <= iv_length - 1'b1;
    // Checks only the bits above AddressBits; some_i covers the whole word, which may be nonce.
    iv_high_q <= (words_i[IvAddressHighOffset/4] & ~32'd0 << (AddressBits - 32)) != 0;
    counts_q <= has_data && (may(
        Facts.block_counters
    ) || (may(
        Facts.short_counters
    ) && control.short_counter));
    reads_q <= does_o.data && !does_o.zeros;
    high_q <= (does_o.data && !does_o.zeros && some_i[SourceHighOffset/4])
        || (does_o.result && some_i[DestinationHighOffset/4])
        || (does_o.aad && some_i[AadHighOffset/4]) || (does_o.iv && iv_high_q);
    source_past_end_q <= past_end(source, data_m1_o);
    destination_past_end_q <= past_end(destination, result_m1_o);
    aad_past_end_q <= past_end(aad, aad_m1_o);
    iv_past_end_q <= past_end(iv, iv_m1_o);
    counter_past_end_q <= last_counter[32];
  end

  // ---- verdict ----------------------------------------------------------------------------------
  logic off_range;
  job_status_e verdict;
  assign off_range = high_q || (reads_q && source_past_end_q)
      || (does_o.result && destination_past_end_q) || (does_o.aad && aad_past_end_q)
      || (does_o.iv && iv_past_end_q);
  always_comb begin
    verdict = JobStatusOk;
    if (error_i) verdict = JobStatusFetchError;
    else if (!known_q) verdict = JobStatusBadOperation;
    else if (misused_q) verdict = JobStatusBadDescriptor;
    else if (!keyless_q && !key_valid_i) verdict = JobStatusBadKeySlot;
    else if (unaligned_q) verdict = JobStatusBadAlignment;
    else if (counts_q && counter_past_end_q) verdict = JobStatusBadCounter;
    else if (odd_q) verdict = JobStatusBadLength;
    else if (off_range) verdict = JobStatusBadAddress;
  end
  always_ff @(posedge clk_i) begin
    verdict_o <= verdict;
    good_o <= verdict == JobStatusOk;
  end

endmodule
