// SPDX-License-Identifier: Apache-2.0
// Memories in all widths and modes of an ECP5's block RAM, and a bench that compares them with
// their netlist (test_block_ram.py). Nobody says what is read where the other port writes.

module one_port #(
    int unsigned Width,
    int unsigned AddressWidth,
    int unsigned Mode,  // what comes out in a write: 0 what came before, 1 it, 2 what was there
    int unsigned Bytes  // with an enable of their own
) (
    input  logic                    clk_i,
    input  logic                    enable_i,
    input  logic                    write_i,
    input  logic [       Bytes-1:0] bytes_i,
    input  logic [AddressWidth-1:0] address_i,
    input  logic [       Width-1:0] data_i,
    output logic [       Width-1:0] data_o
);

  localparam int unsigned ByteWidth = Width / Bytes;
  (* ram_style = "block" *)
  logic [Width-1:0] memory[2**AddressWidth];
  initial begin
    for (int unsigned i = 0; i < 256; i++)
    memory[i<<(AddressWidth-8)] = Width'(i * 32'h9E3779B9 >> 7);
    for (int unsigned i = 0; i < 16; i++) memory[i] = Width'(i * 32'h9E3779B9 >> 7);
    data_o = '0;
  end
  always_ff @(posedge clk_i) begin
    if (enable_i) begin
      for (int unsigned i = 0; i < Bytes; i++) begin
        if (write_i && bytes_i[i]) begin
          memory[address_i][ByteWidth*i+:ByteWidth] <= data_i[ByteWidth*i+:ByteWidth];
        end
      end
      if (Mode == 2 || !write_i) data_o <= memory[address_i];
      if (Mode == 1 && write_i) data_o <= data_i;
    end
  end

endmodule

module two_ports #(
    int unsigned Width,
    int unsigned AddressWidth
) (
    input  logic                         clk_i,
    input  logic [1:0]                   enable_i,
    input  logic [1:0]                   write_i,
    input  logic [1:0][AddressWidth-1:0] address_i,
    input  logic [1:0][       Width-1:0] data_i,
    output logic [1:0][       Width-1:0] data_o
);

  (* ram_style = "block", no_rw_check *)
  logic [Width-1:0] memory[2**AddressWidth];
  initial begin
    for (int unsigned i = 0; i < 256; i++)
    memory[i<<(AddressWidth-8)] = Width'(i * 32'h85EBCA6B >> 9);
    for (int unsigned i = 0; i < 16; i++) memory[i] = Width'(i * 32'h85EBCA6B >> 9);
    data_o = '0;
  end
  for (genvar i = 0; i < 2; i++) begin : gen_port
    always @(posedge clk_i) begin
      if (enable_i[i]) begin
        if (write_i[i]) memory[address_i[i]] <= data_i[i];
        else data_o[i] <= memory[address_i[i]];
      end
    end
  end

endmodule

// Words of 36 bits go in; words of 36 or 9 bits come out.
module write_read #(
    int unsigned Width
) (
    input  logic             clk_i,
    input  logic             write_i,
    input  logic [      3:0] bytes_i,
    input  logic [      8:0] write_address_i,
    input  logic [     35:0] data_i,
    input  logic             enable_i,
    input  logic [     10:0] address_i,
    output logic [Width-1:0] data_o
);

  (* ram_style = "block", no_rw_check *)
  logic [8:0] memory[2048];
  initial begin
    for (int unsigned i = 0; i < 2048; i++) memory[i] = 9'(i * 32'hC2B2AE35 >> 8);
    data_o = '0;
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 4; i++) begin
      if (write_i && bytes_i[i]) memory[{write_address_i, 2'(i)}] <= data_i[9*i+:9];
    end
  end
  if (Width == 9) begin : gen_byte
    always_ff @(posedge clk_i) if (enable_i) data_o <= memory[address_i];
  end else begin : gen_word
    always_ff @(posedge clk_i) begin
      for (int unsigned i = 0; i < 4; i++) begin
        if (enable_i) data_o[9*i+:9] <= memory[{address_i[10:2], 2'(i)}];
      end
    end
  end

endmodule

module block_rams (
    input  logic              clk_i,
    input  logic              enable_a_i,
    input  logic              enable_b_i,
    input  logic              write_a_i,
    input  logic              write_b_i,
    input  logic [ 3:0]       bytes_i,
    input  logic [13:0]       address_a_i,
    input  logic [13:0]       address_b_i,
    input  logic [35:0]       data_a_i,
    input  logic [35:0]       data_b_i,
    output logic [25:0][35:0] data_o
);

  for (genvar i = 0; i < 5; i++) begin : gen_width
    localparam int unsigned Width = i == 4 ? 18 : i == 3 ? 9 : 2 ** i;
    localparam int unsigned AddressWidth = 14 - i;
    for (genvar mode = 0; mode < 3; mode++) begin : gen_mode
      if (mode < 2 || Width >= 9) begin : gen_one
        localparam int unsigned Bytes = Width == 18 && mode != 1 ? 2 : 1;
        logic [Width-1:0] data;
        one_port #(
            .Width(Width),
            .AddressWidth(AddressWidth),
            .Mode(mode),
            .Bytes(Bytes)
        ) u_one (
            .clk_i,
            .enable_i (enable_a_i),
            .write_i  (write_a_i),
            .bytes_i  (bytes_i[Bytes-1:0] | Bytes'(Bytes == 1)),
            .address_i(address_a_i[AddressWidth-1:0]),
            .data_i   (data_a_i[Width-1:0]),
            .data_o   (data)
        );
        assign data_o[5*i+mode] = 36'(data);
      end else begin : gen_none
        assign data_o[5*i+mode] = '0;
      end
    end
    logic [1:0][Width-1:0] both;
    two_ports #(
        .Width(Width),
        .AddressWidth(AddressWidth)
    ) u_two (
        .clk_i,
        .enable_i ({enable_b_i, enable_a_i}),
        .write_i  ({write_b_i, write_a_i}),
        .address_i({address_b_i[AddressWidth-1:0], address_a_i[AddressWidth-1:0]}),
        .data_i   ({data_b_i[Width-1:0], data_a_i[Width-1:0]}),
        .data_o   (both)
    );
    assign {data_o[5*i+4], data_o[5*i+3]} = {36'(both[1]), 36'(both[0])};
  end

  logic [ 8:0] byte_out;
  logic [35:0] word_out;
  write_read #(
      .Width(9)
  ) u_byte (
      .clk_i,
      .write_i        (write_a_i),
      .bytes_i,
      .write_address_i(address_a_i[8:0]),
      .data_i         (data_a_i),
      .enable_i       (enable_b_i),
      .address_i      ({address_b_i[8:0], address_b_i[10:9]}),
      .data_o         (byte_out)
  );
  write_read #(
      .Width(36)
  ) u_word (
      .clk_i,
      .write_i        (write_a_i),
      .bytes_i,
      .write_address_i(address_a_i[8:0]),
      .data_i         (data_a_i),
      .enable_i       (enable_b_i),
      .address_i      ({address_b_i[8:0], 2'b00}),
      .data_o         (word_out)
  );
  assign data_o[25] = word_out ^ {4{byte_out}};

endmodule

`ifndef SYNTHESIS
module block_rams_bench (
    input  logic        clk_i,
    input  logic        enable_a_i,
    input  logic        enable_b_i,
    input  logic        write_a_i,
    input  logic        write_b_i,
    input  logic [ 3:0] bytes_i,
    input  logic [13:0] address_a_i,
    input  logic [13:0] address_b_i,
    input  logic [35:0] data_a_i,
    input  logic [35:0] data_b_i,
    output logic [25:0] different_o
);

  logic [25:0][35:0] sources, cells;
  block_rams u_sources (
      .data_o(sources),
      .*
  );
  block_rams_netlist u_netlist (
      .data_o(cells),
      .*
  );
  for (genvar i = 0; i < 26; i++) begin : gen_ram
    assign different_o[i] = sources[i] != cells[i];
  end

endmodule
`endif
