// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite slave in front of the register block: one access at a time, every output a register.
// A write takes 4 cycles and a read 5, from the handshake of the address to the answer, and what the
// register block needs besides.
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
    // Register block
    output logic        req_o,           // pulse
    output logic        req_is_wr_o,
    output logic [11:0] addr_o,
    output logic [31:0] wr_data_o,
    output logic [31:0] wr_biten_o,
    input  logic        rd_ack_i,
    input  logic        rd_err_i,
    input  logic [31:0] rd_data_i,
    input  logic        wr_ack_i,
    input  logic        wr_err_i
);

  typedef enum logic [1:0] {
    StIdle,     // wait for a whole write or for a read
    StRequest,  // the register block gets it
    StWait,     // and answers
    StAnswer    // so do we
  } state_e;

  state_e state_q;
  logic [3:0] strobe_q;
  always_comb for (int unsigned i = 0; i < 4; i++) wr_biten_o[8*i+:8] = {8{strobe_q[i]}};
  assign req_o = state_q == StRequest;

  always_ff @(posedge clk_i) begin
    {s_axil_awready, s_axil_wready, s_axil_arready} <= '0;
    unique case (state_q)
      StIdle: begin
        req_is_wr_o <= s_axil_awvalid && s_axil_wvalid;
        addr_o <= s_axil_awvalid && s_axil_wvalid ? s_axil_awaddr : s_axil_araddr;
        wr_data_o <= s_axil_wdata;
        strobe_q <= s_axil_wstrb;
        if (s_axil_awvalid && s_axil_wvalid) begin
          {s_axil_awready, s_axil_wready} <= '1;
          state_q <= StRequest;
        end else if (s_axil_arvalid) begin
          s_axil_arready <= 1'b1;
          state_q <= StRequest;
        end
      end
      StRequest, StWait: begin
        state_q <= StWait;
        s_axil_rdata <= rd_data_i;
        s_axil_rresp <= {rd_err_i, 1'b0};  // SLVERR
        s_axil_bresp <= {wr_err_i, 1'b0};
        if (rd_ack_i || wr_ack_i) begin
          state_q <= StAnswer;
          s_axil_rvalid <= !req_is_wr_o;
          s_axil_bvalid <= req_is_wr_o;
        end
      end
      StAnswer:
      if ((s_axil_rvalid && s_axil_rready) || (s_axil_bvalid && s_axil_bready)) begin
        {s_axil_rvalid, s_axil_bvalid} <= '0;
        state_q <= StIdle;
      end
      default: state_q <= StIdle;
    endcase
    if (rst_i) begin
      state_q <= StIdle;
      {s_axil_rvalid, s_axil_bvalid} <= '0;
      {s_axil_awready, s_axil_wready, s_axil_arready} <= '0;
    end
  end

  logic unused;
  assign unused = ^{s_axil_awprot, s_axil_arprot};

endmodule
