// SPDX-License-Identifier: Apache-2.0
// Block RAM with two ports: 32 bits for a processor (Wishbone), 128 bits for a device (AXI4, INCR
// bursts). The processor's accesses take 2 cycles; the device's port moves a beat per cycle, reads
// and writes in turn by burst. Four banks of 32 bits. What one port reads while the other writes
// the same word is not defined.
module shared_memory #(
    parameter int unsigned Bytes = 65536  // a power of two
) (
    input  logic         clk_i,
    input  logic         rst_i,
    // Wishbone, classic; addresses in words
    input  logic [ 29:0] wb_adr_i,
    input  logic [ 31:0] wb_dat_i,
    output logic [ 31:0] wb_dat_o,
    input  logic [  3:0] wb_sel_i,
    input  logic         wb_cyc_i,
    input  logic         wb_stb_i,
    input  logic         wb_we_i,
    output logic         wb_ack_o,
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
    input  logic         s_axi_rready
);

  localparam int unsigned Rows = Bytes / 16;
  localparam int unsigned RowBits = $clog2(Rows);

  if (Bytes != 2 ** $clog2(Bytes) || Bytes < 32) begin : gen_bad_bytes
    $fatal(1, "Bytes is a power of two, at least 32");
  end

  // ---- the device's port: one burst at a time --------------------------------------------------
  typedef enum logic [1:0] {
    StIdle,   // takes the address of a burst; reads and writes take turns
    StRead,   // a beat per cycle, as fast as it is taken
    StWrite,  // a beat per cycle, as fast as it comes
    StAnswer  // waits until the answer to a write is taken
  } state_e;

  state_e state_q;
  logic [RowBits-1:0] row_q;
  logic [7:0] left_q;
  logic write_next_q, id_q;
  logic read_beat, write_beat;

  assign s_axi_arready = state_q == StIdle && !(write_next_q && s_axi_awvalid);
  assign s_axi_awready = state_q == StIdle && (write_next_q || !s_axi_arvalid);
  assign s_axi_wready = state_q == StWrite;
  assign s_axi_bvalid = state_q == StAnswer;
  assign {s_axi_bid, s_axi_rid} = {id_q, id_q};
  assign {s_axi_bresp, s_axi_rresp} = '0;
  assign write_beat = s_axi_wvalid && s_axi_wready;
  assign read_beat = state_q == StRead && (!s_axi_rvalid || (s_axi_rready && !s_axi_rlast));

  always_ff @(posedge clk_i) begin
    if (read_beat || write_beat) begin
      row_q  <= row_q + 1'b1;
      left_q <= left_q - 1'b1;
    end
    if (s_axi_rready) s_axi_rvalid <= 1'b0;
    if (read_beat) begin
      s_axi_rvalid <= 1'b1;
      s_axi_rlast  <= left_q == '0;
    end
    unique case (state_q)
      StIdle:
      if (s_axi_arvalid && s_axi_arready) begin
        state_q <= StRead;
        {row_q, left_q, id_q} <= {s_axi_araddr[4+:RowBits], s_axi_arlen, s_axi_arid};
        write_next_q <= 1'b1;
      end else if (s_axi_awvalid && s_axi_awready) begin
        state_q <= StWrite;
        {row_q, left_q, id_q} <= {s_axi_awaddr[4+:RowBits], s_axi_awlen, s_axi_awid};
        write_next_q <= 1'b0;
      end
      StRead:   if (s_axi_rvalid && s_axi_rready && s_axi_rlast) state_q <= StIdle;
      StWrite:  if (write_beat && s_axi_wlast) state_q <= StAnswer;
      StAnswer: if (s_axi_bready) state_q <= StIdle;
    endcase
    if (rst_i) begin
      state_q <= StIdle;
      {write_next_q, s_axi_rvalid} <= '0;
    end
  end

  // ---- banks -----------------------------------------------------------------------------------
  logic wb_take;
  logic [1:0] wb_bank_q;
  logic [31:0] wb_read[4];
  logic [3:0] device_write[4];

  assign wb_take  = wb_cyc_i && wb_stb_i && !wb_ack_o;
  assign wb_dat_o = wb_read[wb_bank_q];

  always_ff @(posedge clk_i) begin
    wb_ack_o  <= wb_take && !rst_i;
    wb_bank_q <= wb_adr_i[1:0];
  end

  for (genvar bank = 0; bank < 4; bank++) begin : gen_bank
    logic [31:0] memory[Rows];
    logic wb_here;

    assign wb_here = wb_take && wb_adr_i[1:0] == 2'(bank);
    assign device_write[bank] = write_beat ? s_axi_wstrb[4*bank+:4] : '0;

    always_ff @(posedge clk_i) begin
      for (int unsigned lane = 0; lane < 4; lane++) begin
        if (wb_here && wb_we_i && wb_sel_i[lane])
          memory[wb_adr_i[2+:RowBits]][8*lane+:8] <= wb_dat_i[8*lane+:8];
      end
      wb_read[bank] <= memory[wb_adr_i[2+:RowBits]];
    end

    always_ff @(posedge clk_i) begin
      for (int unsigned lane = 0; lane < 4; lane++) begin
        if (device_write[bank][lane]) memory[row_q][8*lane+:8] <= s_axi_wdata[32*bank+8*lane+:8];
      end
      if (read_beat) s_axi_rdata[32*bank+:32] <= memory[row_q];
    end
  end

endmodule
