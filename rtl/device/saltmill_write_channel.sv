// SPDX-License-Identifier: Apache-2.0
// The write half of the AXI4 master: statuses (ID 1) and data bursts (ID 0) share it, statuses
// first. After abort_i nothing new is asked for, the bursts under way are finished with zeros and
// without strobes, and idle_o tells when all are answered.
module saltmill_write_channel
  import saltmill_device_pkg::*;
#(
    parameter bit          HasTags     = 1'b0,
    parameter int unsigned DataBytes   = 16,
    parameter int unsigned Outstanding = 16     // data bursts not yet answered
) (
    input  logic                   clk_i,
    input  logic                   rst_i,
    input  logic                   abort_i,
    output logic                   idle_o,
    // Status: one burst, of the tag and the status or of the status alone
    input  logic                   status_valid_i,
    output logic                   status_ready_o,
    input  logic [           63:0] status_entry_i,    // address of the descriptor
    input  logic                   status_has_tag_i,
    input  logic [          127:0] status_tag_i,
    input  logic [            7:0] status_i,
    output logic                   status_done_o,
    output logic                   status_error_o,
    // Data bursts
    input  logic                   data_valid_i,
    output logic                   data_ready_o,
    input  logic [           63:0] data_address_i,
    input  logic [            8:0] data_beats_i,
    input  logic                   data_last_i,       // last burst of a job
    input  logic                   beat_valid_i,
    output logic                   beat_ready_o,
    input  logic [8*DataBytes-1:0] beat_data_i,
    input  logic [  DataBytes-1:0] beat_strobe_i,
    output logic                   data_done_o,       // a job's last burst is answered
    output logic                   data_error_o,      // an answer of that job was an error
    // AXI4
    output logic                   awvalid_o,
    input  logic                   awready_i,
    output logic                   awid_o,
    output logic [           63:0] awaddr_o,
    output logic [            7:0] awlen_o,
    output logic                   wvalid_o,
    input  logic                   wready_i,
    output logic [8*DataBytes-1:0] wdata_o,
    output logic [  DataBytes-1:0] wstrb_o,
    output logic                   wlast_o,
    input  logic                   bvalid_i,
    output logic                   bready_o,
    input  logic                   bid_i,
    input  logic [            1:0] bresp_i
);

  // ---- status ------------------------------------------------------------------------------------
  // Tag and status begin a bus word, and the status is in the last of their words.
  localparam int unsigned TagWords = (TagAndStatusBytes + DataBytes - 1) / DataBytes;
  localparam int unsigned TagWordsBytes = TagWords * DataBytes;
  localparam int unsigned StatusWordOffset = TagOffset + TagWordsBytes - DataBytes;
  localparam logic [TagWordsBytes-1:0] TagStrobes = TagWordsBytes'(24'hFFFFFF);
  localparam logic [TagWordsBytes-1:0] StatusStrobes = TagWordsBytes'(24'hFF0000);

  // ---- addresses ---------------------------------------------------------------------------------
  typedef struct packed {
    logic         is_status;
    logic         has_tag;
    logic [127:0] tag;
    logic [7:0]   status;
    logic [7:0]   last_beat;  // beats - 1
  } order_t;

  order_t order_in, order;
  logic order_space, answers_space;
  logic free, take, take_status;
  assign free = (!awvalid_o || awready_i) && order_space && answers_space && !abort_i;
  assign status_ready_o = free;
  assign data_ready_o = free && !status_valid_i;
  assign take = free && (status_valid_i || data_valid_i);
  assign take_status = status_valid_i;

  always_ff @(posedge clk_i) begin
    if (take) begin
      awvalid_o <= 1'b1;
      awid_o    <= take_status;
      awaddr_o  <= data_address_i;
      awlen_o   <= order_in.last_beat;
      if (take_status) begin
        awaddr_o <= {
          status_entry_i[63:DescriptorBits],
          DescriptorBits'(status_has_tag_i ? TagOffset : StatusWordOffset)
        };
      end
    end else if (awready_i) begin
      awvalid_o <= 1'b0;
    end
    if (rst_i) awvalid_o <= 1'b0;
  end

  // ---- data, in the order of the addresses -------------------------------------------------------
  logic order_valid, order_pop;
  always_comb begin
    order_in = '0;
    order_in.last_beat = 8'(data_beats_i - 9'd1);
    if (take_status) begin
      order_in.is_status = 1'b1;
      order_in.status = status_i;
      order_in.tag = status_tag_i;
      order_in.has_tag = HasTags && status_has_tag_i;
      order_in.last_beat = order_in.has_tag ? 8'(TagWords - 1) : 8'd0;
    end
  end
  stream_fifo #(
      .Width($bits(order_t)),
      .Depth(8)
  ) u_order (
      .clk_i,
      .rst_i,
      .wipe_i (1'b0),
      .valid_i(take),
      .ready_o(order_space),
      .data_i (order_in),
      .valid_o(order_valid),
      .ready_i(order_pop),
      .data_o (order),
      .level_o()
  );

  // Without tags, what stands for one in the queue is nothing.
  logic [8*TagWordsBytes-1:0] status_words;
  logic [  TagWordsBytes-1:0] status_strobes;
  assign status_words   = (8 * TagWordsBytes)'({order.status, HasTags ? order.tag : 128'd0});
  assign status_strobes = HasTags && order.has_tag ? TagStrobes : StatusStrobes;

  logic [7:0] beat_q;
  logic [1:0] status_word;
  logic load, last;
  assign status_word = HasTags && order.has_tag ? beat_q[1:0] : 2'(TagWords - 1);
  assign last = beat_q == order.last_beat;
  assign load = order_valid && (!wvalid_o || wready_i)
      && (order.is_status || beat_valid_i || abort_i);
  assign order_pop = load && last;
  assign beat_ready_o = load && !order.is_status;

  always_ff @(posedge clk_i) begin
    if (load) begin
      wvalid_o <= 1'b1;
      wlast_o  <= last;
      beat_q   <= last ? '0 : beat_q + 1'b1;
      if (abort_i) begin
        wdata_o <= '0;
        wstrb_o <= '0;
      end else if (order.is_status) begin
        wdata_o <= status_words[8*DataBytes*status_word+:8*DataBytes];
        wstrb_o <= status_strobes[DataBytes*status_word+:DataBytes];
      end else begin
        wdata_o <= beat_data_i;
        wstrb_o <= beat_strobe_i;
      end
    end else if (wready_i) begin
      wvalid_o <= 1'b0;
      if (abort_i) wdata_o <= '0;
    end
    if (rst_i) begin
      wvalid_o <= 1'b0;
      beat_q   <= '0;
    end
  end

  // ---- answers -----------------------------------------------------------------------------------
  // Data bursts are answered in order (one ID); a bit each tells which ends a job.
  logic answer_last;
  logic data_answer;
  assign data_answer = bvalid_i && !bid_i;
  stream_fifo #(
      .Width(1),
      .Depth(Outstanding)
  ) u_answers (
      .clk_i,
      .rst_i,
      .wipe_i (1'b0),
      .valid_i(take && !take_status),
      .ready_o(answers_space),
      .data_i (data_last_i),
      .valid_o(),
      .ready_i(data_answer),
      .data_o (answer_last),
      .level_o()
  );

  logic failed_q;  // an earlier answer of this job was an error
  always_ff @(posedge clk_i) begin
    if (data_answer) failed_q <= (failed_q || bresp_i[1]) && !answer_last;
    if (rst_i || abort_i) failed_q <= 1'b0;
  end

  assign bready_o = 1'b1;
  assign data_done_o = data_answer && answer_last && !abort_i;
  assign data_error_o = failed_q || bresp_i[1];
  assign status_done_o = bvalid_i && bid_i && !abort_i;
  assign status_error_o = bresp_i[1];

  logic [15:0] outstanding_q;
  always_ff @(posedge clk_i) begin
    outstanding_q <= outstanding_q + 16'(take) - 16'(bvalid_i);
    if (rst_i) outstanding_q <= '0;
  end
  assign idle_o = outstanding_q == 0;

  logic unused;  // EXOKAY is not told from OKAY; a descriptor is aligned
  assign unused = ^{bresp_i[0], status_entry_i[DescriptorBits-1:0]};

endmodule
