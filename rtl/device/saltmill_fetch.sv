// SPDX-License-Identifier: Apache-2.0
// Fetches the descriptors that the host has handed over (RING_HEAD), one burst each, several
// outstanding, as many as there is room for. Descriptors come out in ring order.
module saltmill_fetch
  import saltmill_device_pkg::*;
#(
    parameter core_e       Core      = CipherOnly,
    parameter int unsigned DataBytes = 16,
    parameter int unsigned Depth     = 16           // descriptors fetched ahead
) (
    input  logic                       clk_i,
    input  logic                       rst_i,
    input  logic                       wipe_i,
    input  logic                       enable_i,
    // Ring
    input  logic     [           63:0] base_i,
    input  logic     [           15:0] mask_i,               // entries - 1
    input  logic     [           15:0] head_i,
    output logic     [           15:0] fetched_o,            // descriptors asked for since the wipe
    // Burst requests: one descriptor each
    output logic                       request_valid_o,
    input  logic                       request_ready_i,
    output logic     [           63:0] request_address_o,
    // Beats read, in order; always taken
    input  logic                       beat_valid_i,
    input  logic     [8*DataBytes-1:0] beat_data_i,
    input  logic                       beat_error_i,
    input  logic                       beat_last_i,
    // Descriptors
    output logic                       valid_o,
    input  logic                       ready_i,
    output fetched_t                   fetched_descriptor_o
);

  localparam int unsigned Beats = DescriptorBytes / DataBytes;
  localparam int unsigned CreditWidth = $clog2(Depth + 1);

  logic rst;
  assign rst = rst_i || wipe_i;

  // ---- requests ----------------------------------------------------------------------------------
  logic [CreditWidth-1:0] credit_q;
  logic request, pop;
  assign request_valid_o = enable_i && fetched_o != head_i && credit_q != 0;
  assign request_address_o = base_i + (64'(fetched_o & mask_i) << DescriptorBits);
  assign request = request_valid_o && request_ready_i;
  assign pop = valid_o && ready_i;
  always_ff @(posedge clk_i) begin
    credit_q <= credit_q + CreditWidth'(pop) - CreditWidth'(request);
    if (request) fetched_o <= fetched_o + 1'b1;
    if (rst) begin
      credit_q  <= CreditWidth'(Depth);
      fetched_o <= '0;
    end
  end

  // ---- a descriptor from its beats ---------------------------------------------------------------
  logic [8*DescriptorBytes-1:0] bits;
  logic                         error_q;
  logic                         error;
  if (Beats == 1) begin : gen_one_beat
    assign bits = beat_data_i;
  end else begin : gen_beats
    logic [8*(DescriptorBytes-DataBytes)-1:0] earlier_q;
    assign bits = {beat_data_i, earlier_q};
    always_ff @(posedge clk_i) begin
      if (beat_valid_i) earlier_q <= bits[8*DescriptorBytes-1:8*DataBytes];
    end
  end

  assign error = beat_error_i || error_q;
  always_ff @(posedge clk_i) begin
    if (beat_valid_i) error_q <= error && !beat_last_i;
    if (rst) error_q <= 1'b0;
  end

  descriptor_t descriptor;
  assign descriptor = bits;

  logic mac, aead, ecb, stream, misused;
  assign mac = descriptor.operation == OperationMac;
  assign aead = descriptor.operation inside {OperationSeal, OperationOpen};
  assign ecb = Core == Aes
      && descriptor.operation inside {OperationEcbEncrypt, OperationEcbDecrypt};
  assign stream = descriptor.operation inside {OperationXor, OperationKeystream};
  assign misused = |{descriptor.reserved, descriptor.control_reserved}
      || (descriptor.counter != 0 && (mac || aead || ecb))
      || (descriptor.extended_nonce && mac)
      || (descriptor.nonce_first != 0 && !descriptor.extended_nonce
          && !(Core == Aes && aead))
      || (descriptor.aad_length != 0 && !aead)
      || (descriptor.tag != 0 && descriptor.operation != OperationOpen)
      || (descriptor.key_size != 0 && Core != Aes)
      || (descriptor.tag_bytes != 0 && !(Core == Aes && descriptor.operation == OperationOpen))
      || descriptor.tag_bytes > 5'd16
      || (descriptor.short_counter && !(Core == Aes && stream));

  fetched_t fetched;
  always_comb begin
    fetched.fetch_error    = error;
    fetched.misused        = misused;
    fetched.tag            = descriptor.tag;
    fetched.aad            = descriptor.aad;
    fetched.aad_length     = descriptor.aad_length;
    fetched.nonce          = {descriptor.nonce, descriptor.nonce_first};
    fetched.counter        = descriptor.counter;
    fetched.destination    = descriptor.destination;
    fetched.source         = descriptor.source;
    fetched.length         = descriptor.length;
    fetched.short_counter  = descriptor.short_counter;
    fetched.tag_bytes      = descriptor.tag_bytes;
    fetched.key_size       = descriptor.key_size;
    fetched.extended_nonce = descriptor.extended_nonce;
    fetched.own_interrupt  = descriptor.own_interrupt && !error;
    fetched.key_slot       = descriptor.key_slot;
    fetched.operation      = descriptor.operation;
    // No job that uses them is run:
    if (Core != Aes) begin
      fetched.short_counter = '0;
      fetched.tag_bytes     = '0;
      fetched.key_size      = '0;
    end
    if (Core == CipherOnly) begin
      fetched.tag         = '0;
      fetched.aad         = '0;
      fetched.aad_length  = '0;
      fetched.nonce[95:0] = '0;
    end
  end

  logic unused;  // the host's words in the status field
  assign unused = ^{descriptor.status_reserved, descriptor.status};

  logic space;
  stream_fifo #(
      .Width($bits(fetched_t)),
      .Depth(Depth)
  ) u_descriptors (
      .clk_i,
      .rst_i,
      .wipe_i,
      .valid_i(beat_valid_i && beat_last_i),
      .ready_o(space),
      .data_i (fetched),
      .valid_o,
      .ready_i,
      .data_o (fetched_descriptor_o),
      .level_o()
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst && beat_valid_i && beat_last_i) begin
      a_credit : assert (space);
    end
  end
`endif

endmodule
