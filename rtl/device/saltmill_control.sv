// SPDX-License-Identifier: Apache-2.0
// The host's side of the device: register block (generated from saltmill.rdl), self-description,
// counters and interrupt.
module saltmill_control
  import saltmill_registers_pkg::*;
#(
    parameter logic        [ 7:0] Algorithm      = 8'd1,
    parameter logic        [ 3:0] Structure      = 4'd1,
    parameter bit                 FinalAdd       = 1'b1,
    parameter int unsigned        Unroll         = 2,
    parameter int unsigned        Stages         = 8,
    parameter int unsigned        BlockBytes     = 64,
    parameter int unsigned        CyclesPerBlock = 10,
    parameter int unsigned        Latency        = 90,
    parameter int unsigned        ClockHz        = 0,
    parameter int unsigned        DataBytes      = 16,
    parameter bit                 AnyAlignment   = 1'b1,
    parameter bit                 ExtendedNonce  = 1'b0,
    parameter logic        [ 2:0] KeySizes       = 3'b0,
    parameter int unsigned        KeySlots       = 8,
    parameter int unsigned        MaxLog2Entries = 10,
    parameter logic        [31:0] Operations     = 32'h6
) (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic [11:0] s_axil_awaddr,
    input  logic [ 2:0] s_axil_awprot,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [ 1:0] s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [11:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    // Control
    output logic        enable_o,
    output logic        wipe_request_o,
    input  logic        wipe_i,
    // Ring
    output logic [63:0] base_o,
    output logic [15:0] mask_o,                // entries - 1
    output logic [15:0] head_o,
    input  logic [15:0] tail_i,
    // Key store
    output logic        key_write_o,
    output logic        key_write_one_time_o,
    output logic [ 7:0] key_write_word_o,
    output logic [31:0] key_write_data_o,
    // Events
    input  logic        active_i,
    input  logic        busy_i,
    input  logic        stalled_input_i,
    input  logic        stalled_output_i,
    input  logic        block_i,
    input  logic        ended_i,
    input  logic [31:0] ended_length_i,
    input  logic        finished_i,
    input  logic        finished_interrupt_i,
    input  logic        status_lost_i,
    output logic        irq_o
);

  saltmill__in_t  to_host;
  saltmill__out_t from_host;

  saltmill_registers u_registers (
      .clk     (clk_i),
      .rst     (rst_i),
      .hwif_in (to_host),
      .hwif_out(from_host),
      .*
  );

  // ---- counters and interrupt --------------------------------------------------------------------
  logic [63:0] cycles, busy, stalled_input, stalled_output, blocks, bytes, jobs;
  saltmill_counters u_counters (
      .clk_i,
      .clear_i         (rst_i || from_host.control.clear_counters.value),
      .active_i,
      .busy_i,
      .stalled_input_i,
      .stalled_output_i,
      .block_i,
      .ended_i,
      .ended_length_i,
      .finished_i,
      .cycles_o        (cycles),
      .busy_o          (busy),
      .stalled_input_o (stalled_input),
      .stalled_output_o(stalled_output),
      .blocks_o        (blocks),
      .bytes_o         (bytes),
      .jobs_o          (jobs)
  );

  logic raise;
  saltmill_interrupt u_interrupt (
      .clk_i,
      .rst_i    (rst_i || wipe_i),
      .finished_i,
      .at_once_i(finished_interrupt_i),
      .count_i  (from_host.interrupt_coalescing.count.value),
      .timeout_i(from_host.interrupt_coalescing.timeout.value),
      .raise_o  (raise)
  );
  always_ff @(posedge clk_i) begin
    irq_o <= (from_host.interrupt_status.done.value && from_host.interrupt_enable.done.value)
        || (from_host.interrupt_status.status_lost.value
            && from_host.interrupt_enable.status_lost.value);
    if (rst_i) irq_o <= 1'b0;
  end

  logic key_write;  // of a cipher's key

  // ---- to the host -------------------------------------------------------------------------------
  always_comb begin
    to_host.core.algorithm.next = Algorithm;
    to_host.core.structure.next = Structure;
    to_host.core.final_add.next = FinalAdd;
    to_host.shape.unroll.next = 8'(Unroll);
    to_host.shape.stages.next = 8'(Stages);
    to_host.shape.block_bytes.next = 16'(BlockBytes);
    to_host.rate.cycles_per_block.next = 16'(CyclesPerBlock);
    to_host.rate.latency.next = 16'(Latency);
    to_host.clock.hz.next = ClockHz;
    to_host.capabilities.data_bytes.next = 8'(DataBytes);
    to_host.capabilities.any_alignment.next = AnyAlignment;
    to_host.capabilities.extended_nonce.next = ExtendedNonce;
    to_host.capabilities.key_sizes.next = KeySizes;
    to_host.capabilities.key_slots.next = 8'(KeySlots);
    to_host.capabilities.max_log2_entries.next = 4'(MaxLog2Entries);
    to_host.operations.mask.next = Operations;

    to_host.control.enable.hwclr = wipe_i;
    to_host.ring_head.index.hwclr = wipe_i;
    to_host.ring_tail.index.next = tail_i;
    to_host.status.busy.next = active_i;
    to_host.status.wiping.next = wipe_i;
    to_host.interrupt_status.done.hwset = raise;
    to_host.interrupt_status.status_lost.hwset = status_lost_i;

    {to_host.cycles.high.value.next, to_host.cycles.low.value.next} = cycles;
    {to_host.busy.high.value.next, to_host.busy.low.value.next} = busy;
    {to_host.stalled_input.high.value.next, to_host.stalled_input.low.value.next} = stalled_input;
    {to_host.stalled_output.high.value.next, to_host.stalled_output.low.value.next} =
        stalled_output;
    {to_host.blocks.high.value.next, to_host.blocks.low.value.next} = blocks;
    {to_host.bytes.high.value.next, to_host.bytes.low.value.next} = bytes;
    {to_host.jobs.high.value.next, to_host.jobs.low.value.next} = jobs;

    to_host.key_slots.rd_ack = 1'b0;
    to_host.key_slots.rd_data = '0;
    to_host.key_slots.wr_ack = key_write;
    to_host.one_time_key_slots.rd_ack = 1'b0;
    to_host.one_time_key_slots.rd_data = '0;
    to_host.one_time_key_slots.wr_ack = key_write_one_time_o;
  end

  // ---- from the host -----------------------------------------------------------------------------
  logic [3:0] log2_entries;
  assign log2_entries = from_host.ring_size.log2_entries.value > 4'(MaxLog2Entries)
      ? 4'(MaxLog2Entries) : from_host.ring_size.log2_entries.value;
  assign mask_o = (16'd1 << log2_entries) - 16'd1;
  assign base_o = {
    from_host.ring_base_high.address.value, from_host.ring_base_low.address.value, 7'd0
  };
  assign head_o = from_host.ring_head.index.value;
  assign enable_o = from_host.control.enable.value;
  assign wipe_request_o = from_host.control.wipe.value;

  assign key_write = from_host.key_slots.req && from_host.key_slots.req_is_wr;
  assign key_write_one_time_o = from_host.one_time_key_slots.req
      && from_host.one_time_key_slots.req_is_wr;
  assign key_write_o = key_write || key_write_one_time_o;
  assign key_write_word_o = key_write_one_time_o
      ? from_host.one_time_key_slots.addr[9:2] : from_host.key_slots.addr[9:2];
  assign key_write_data_o = key_write_one_time_o
      ? from_host.one_time_key_slots.wr_data : from_host.key_slots.wr_data;

endmodule
