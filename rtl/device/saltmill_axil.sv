// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite slave in front of the registers: one access at a time, every output a register. An
// access takes 3 cycles from address to answer, plus those of the registers.
//
// Registers are written as whole words. A write of some bytes of a word ends with SLVERR; a write
// of none, as interconnects make them, ends with OKAY. Neither changes anything.
module saltmill_axil (
    input  logic        clk_i,
    input  logic        rst_i,
    // AXI4-Lite
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
    // Registers: address and data are held until the acknowledge
    output logic        req_o,           // pulse
    output logic        req_is_wr_o,
    output logic [11:2] addr_o,
    output logic [31:0] wr_data_o,
    input  logic        ack_i,
    input  logic        err_i,           // with ack_i
    input  logic [31:0] rd_data_i        // with ack_i
);

  typedef enum logic [1:0] {
    StIdle,     // wait for a whole write or for a read
    StRequest,  // the registers get it
    StWait,     // and answer
    StAnswer    // so do we
  } state_e;

  state_e state_q;
  logic write, refused_q;
  assign write = s_axil_awvalid && s_axil_wvalid;
  assign req_o = state_q == StRequest && !refused_q;
  assign s_axil_wready = s_axil_awready;
  assign s_axil_bresp[0] = 1'b0;
  assign s_axil_rresp = s_axil_bresp;

  always_ff @(posedge clk_i) begin
    {s_axil_awready, s_axil_arready} <= '0;
    unique case (state_q)
      StIdle: begin
        req_is_wr_o <= write;
        refused_q <= write && s_axil_wstrb != '1;
        s_axil_bresp[1] <= write && s_axil_wstrb != '0;  // SLVERR, if refused
        addr_o <= write ? s_axil_awaddr[11:2] : s_axil_araddr[11:2];
        if (write) wr_data_o <= s_axil_wdata;
        s_axil_awready <= write;
        s_axil_arready <= s_axil_arvalid && !write;
        if (write || s_axil_arvalid) state_q <= StRequest;
      end
      StRequest, StWait: begin
        state_q <= StWait;
        s_axil_rdata <= rd_data_i;
        if (ack_i) s_axil_bresp[1] <= err_i;
        if (ack_i || refused_q) begin
          state_q <= StAnswer;
          s_axil_rvalid <= !req_is_wr_o;
          s_axil_bvalid <= req_is_wr_o;
        end
      end
      StAnswer: begin
        wr_data_o <= '0;  // may have been a key
        if (s_axil_rvalid ? s_axil_rready : s_axil_bready) begin
          {s_axil_rvalid, s_axil_bvalid} <= '0;
          state_q <= StIdle;
        end
      end
      default: state_q <= StIdle;
    endcase
    if (rst_i) begin
      state_q <= StIdle;
      {s_axil_rvalid, s_axil_bvalid, s_axil_awready, s_axil_arready} <= '0;
      wr_data_o <= '0;
    end
  end

  logic unused;
  assign unused = ^{s_axil_awprot, s_axil_arprot, s_axil_awaddr[1:0], s_axil_araddr[1:0]};

endmodule
