// SPDX-License-Identifier: Apache-2.0
// An AXI4 port of 128 bits on a Wishbone bus of 32 bits: each beat is four words, one behind the
// other, a word in as many cycles as the bus takes. After each beat the bus is free for one cycle,
// so that nobody waits for a whole burst. Reads and writes take turns by burst. INCR bursts of
// whole beats; an error of the bus marks the beat that is read, or the answer to the write.
module wishbone_port (
    input  logic         clk_i,
    input  logic         rst_i,
    // AXI4; bursts of 16-byte beats
    input  logic         s_axi_awid,
    input  logic [ 31:0] s_axi_awaddr,
    input  logic [  7:0] s_axi_awlen,
    input  logic         s_axi_awvalid,
    output logic         s_axi_awready,
    input  logic [127:0] s_axi_wdata,
    input  logic [ 15:0] s_axi_wstrb,
    input  logic         s_axi_wlast,
    input  logic         s_axi_wvalid,
    output logic         s_axi_wready,
    output logic         s_axi_bid,
    output logic [  1:0] s_axi_bresp,
    output logic         s_axi_bvalid,
    input  logic         s_axi_bready,
    input  logic         s_axi_arid,
    input  logic [ 31:0] s_axi_araddr,
    input  logic [  7:0] s_axi_arlen,
    input  logic         s_axi_arvalid,
    output logic         s_axi_arready,
    output logic         s_axi_rid,
    output logic [127:0] s_axi_rdata,
    output logic [  1:0] s_axi_rresp,
    output logic         s_axi_rlast,
    output logic         s_axi_rvalid,
    input  logic         s_axi_rready,
    // Wishbone, classic; addresses in words
    output logic [ 29:0] wb_adr_o,
    output logic [ 31:0] wb_dat_o,
    input  logic [ 31:0] wb_dat_i,
    output logic [  3:0] wb_sel_o,
    output logic         wb_cyc_o,
    output logic         wb_stb_o,
    output logic         wb_we_o,
    input  logic         wb_ack_i,
    input  logic         wb_err_i
);

  localparam logic [1:0] Okay = 2'b00, SlaveError = 2'b10;

  typedef enum logic [1:0] {
    StIdle,   // takes the address of a burst; reads and writes take turns
    StRead,   // until the last word has come
    StWrite,  // until the last word is written
    StAnswer  // waits until the answer to a write is taken
  } state_e;

  state_e state_q;
  logic [27:0] beat_q;  // of the address space
  logic [7:0] left_q;
  logic [1:0] word_q;
  logic write_next_q, id_q, failed_q, pause_q;
  logic word_done, beat_done, read_room, failed;

  assign s_axi_arready = state_q == StIdle && !(write_next_q && s_axi_awvalid);
  assign s_axi_awready = state_q == StIdle && (write_next_q || !s_axi_arvalid);
  assign s_axi_wready = state_q == StWrite && beat_done;
  assign s_axi_bvalid = state_q == StAnswer;
  assign s_axi_bid = id_q;
  assign s_axi_bresp = failed_q ? SlaveError : Okay;

  // ---- the bus: a word at a time ---------------------------------------------------------------
  // The last word of a beat is read when the beat before it has been taken.
  assign read_room = word_q != 2'd3 || !s_axi_rvalid;
  assign wb_we_o   = state_q == StWrite;
  assign wb_cyc_o  = !pause_q && (wb_we_o ? s_axi_wvalid : state_q == StRead && read_room);
  assign wb_stb_o  = wb_cyc_o;
  assign wb_adr_o  = {beat_q, word_q};
  assign wb_dat_o  = s_axi_wdata[32*word_q+:32];
  assign wb_sel_o  = wb_we_o ? s_axi_wstrb[4*word_q+:4] : '1;
  assign word_done = wb_cyc_o && (wb_ack_i || wb_err_i);
  assign beat_done = word_done && word_q == 2'd3;
  assign failed    = failed_q || wb_err_i;

  always_ff @(posedge clk_i) begin
    pause_q <= beat_done;
    if (word_done) begin
      word_q   <= word_q + 1'b1;
      failed_q <= failed;
    end
    if (beat_done) begin
      beat_q <= beat_q + 1'b1;
      left_q <= left_q - 1'b1;
    end
    unique case (state_q)
      StIdle:
      if (s_axi_arvalid && s_axi_arready) begin
        state_q <= StRead;
        {beat_q, left_q, id_q} <= {s_axi_araddr[31:4], s_axi_arlen, s_axi_arid};
        {write_next_q, failed_q} <= 2'b10;
      end else if (s_axi_awvalid && s_axi_awready) begin
        state_q <= StWrite;
        {beat_q, left_q, id_q} <= {s_axi_awaddr[31:4], s_axi_awlen, s_axi_awid};
        {write_next_q, failed_q} <= 2'b00;
      end
      StRead: begin
        if (beat_done) failed_q <= 1'b0;
        if (beat_done && left_q == '0) state_q <= StIdle;
      end
      StWrite:  if (beat_done && s_axi_wlast) state_q <= StAnswer;
      StAnswer: if (s_axi_bready) state_q <= StIdle;
    endcase
    if (rst_i) begin
      state_q <= StIdle;
      {word_q, write_next_q, pause_q} <= '0;
    end
  end

  // ---- the beat that is read -------------------------------------------------------------------
  logic [95:0] words_q;

  always_ff @(posedge clk_i) begin
    if (word_done) words_q <= {wb_dat_i, words_q[95:32]};
    if (s_axi_rready) s_axi_rvalid <= 1'b0;
    if (beat_done && state_q == StRead) begin
      s_axi_rvalid <= 1'b1;
      s_axi_rid    <= id_q;
      s_axi_rdata  <= {wb_dat_i, words_q};
      s_axi_rresp  <= failed ? SlaveError : Okay;
      s_axi_rlast  <= left_q == '0;
    end
    if (rst_i) s_axi_rvalid <= 1'b0;
  end

endmodule
