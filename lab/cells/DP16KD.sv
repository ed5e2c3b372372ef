// SPDX-License-Identifier: Apache-2.0
// The ECP5's block RAM as Yosys uses it for our memories: 512 words of 36 bits, port A writes,
// port B reads one cycle later, or two with the output register; or a ROM of 9 or 18 bits that both
// ports read. Yosys has no simulation model of it. Any other use stops the simulation. What the
// hardware leaves open comes out inverted: a word read while it is written.

module DP16KD #(
    parameter DATA_WIDTH_A = 18,
    parameter DATA_WIDTH_B = 18,
    parameter REGMODE_A = "NOREG",
    parameter REGMODE_B = "NOREG",
    parameter RESETMODE = "SYNC",
    parameter ASYNC_RESET_RELEASE = "SYNC",
    parameter CSDECODE_A = "0b000",
    parameter CSDECODE_B = "0b000",
    parameter WRITEMODE_A = "NORMAL",
    parameter WRITEMODE_B = "NORMAL",
    parameter CLKAMUX = "CLKA",
    parameter CLKBMUX = "CLKB",
    parameter GSR = "ENABLED",
    parameter WID = 0,
    // 16 words of 18 bits each, in 20 bits
    parameter logic [319:0] INITVAL_00 = 0, INITVAL_01 = 0, INITVAL_02 = 0, INITVAL_03 = 0,
    parameter logic [319:0] INITVAL_04 = 0, INITVAL_05 = 0, INITVAL_06 = 0, INITVAL_07 = 0,
    parameter logic [319:0] INITVAL_08 = 0, INITVAL_09 = 0, INITVAL_0A = 0, INITVAL_0B = 0,
    parameter logic [319:0] INITVAL_0C = 0, INITVAL_0D = 0, INITVAL_0E = 0, INITVAL_0F = 0,
    parameter logic [319:0] INITVAL_10 = 0, INITVAL_11 = 0, INITVAL_12 = 0, INITVAL_13 = 0,
    parameter logic [319:0] INITVAL_14 = 0, INITVAL_15 = 0, INITVAL_16 = 0, INITVAL_17 = 0,
    parameter logic [319:0] INITVAL_18 = 0, INITVAL_19 = 0, INITVAL_1A = 0, INITVAL_1B = 0,
    parameter logic [319:0] INITVAL_1C = 0, INITVAL_1D = 0, INITVAL_1E = 0, INITVAL_1F = 0,
    parameter logic [319:0] INITVAL_20 = 0, INITVAL_21 = 0, INITVAL_22 = 0, INITVAL_23 = 0,
    parameter logic [319:0] INITVAL_24 = 0, INITVAL_25 = 0, INITVAL_26 = 0, INITVAL_27 = 0,
    parameter logic [319:0] INITVAL_28 = 0, INITVAL_29 = 0, INITVAL_2A = 0, INITVAL_2B = 0,
    parameter logic [319:0] INITVAL_2C = 0, INITVAL_2D = 0, INITVAL_2E = 0, INITVAL_2F = 0,
    parameter logic [319:0] INITVAL_30 = 0, INITVAL_31 = 0, INITVAL_32 = 0, INITVAL_33 = 0,
    parameter logic [319:0] INITVAL_34 = 0, INITVAL_35 = 0, INITVAL_36 = 0, INITVAL_37 = 0,
    parameter logic [319:0] INITVAL_38 = 0, INITVAL_39 = 0, INITVAL_3A = 0, INITVAL_3B = 0,
    parameter logic [319:0] INITVAL_3C = 0, INITVAL_3D = 0, INITVAL_3E = 0, INITVAL_3F = 0
) (
    // Port A
    input logic DIA0, DIA1, DIA2, DIA3, DIA4, DIA5, DIA6, DIA7, DIA8,
    input logic DIA9, DIA10, DIA11, DIA12, DIA13, DIA14, DIA15, DIA16, DIA17,
    input logic ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6,
    input logic ADA7, ADA8, ADA9, ADA10, ADA11, ADA12, ADA13,
    input logic CEA, OCEA, CLKA, WEA, RSTA, CSA0, CSA1, CSA2,
    output logic DOA0, DOA1, DOA2, DOA3, DOA4, DOA5, DOA6, DOA7, DOA8,
    output logic DOA9, DOA10, DOA11, DOA12, DOA13, DOA14, DOA15, DOA16, DOA17,
    // Port B
    input logic DIB0, DIB1, DIB2, DIB3, DIB4, DIB5, DIB6, DIB7, DIB8,
    input logic DIB9, DIB10, DIB11, DIB12, DIB13, DIB14, DIB15, DIB16, DIB17,
    input logic ADB0, ADB1, ADB2, ADB3, ADB4, ADB5, ADB6,
    input logic ADB7, ADB8, ADB9, ADB10, ADB11, ADB12, ADB13,
    input logic CEB, OCEB, CLKB, WEB, RSTB, CSB0, CSB1, CSB2,
    output logic DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8,
    output logic DOB9, DOB10, DOB11, DOB12, DOB13, DOB14, DOB15, DOB16, DOB17
);

  localparam bit Rom = DATA_WIDTH_A != 36;
  if (!(DATA_WIDTH_A inside {9, 18, 36}) || DATA_WIDTH_A != DATA_WIDTH_B) begin : gen_bad_width
    $fatal(1, "DP16KD: only 9, 18 or 36 bits on both ports are modelled");
  end
  if (REGMODE_A != REGMODE_B || !(REGMODE_A == "NOREG" || REGMODE_A == "OUTREG"))
  begin : gen_bad_register
    $fatal(1, "DP16KD: only both halves with or without the output register are modelled");
  end
  if (CLKAMUX != "CLKA" || CLKBMUX != "CLKB") begin : gen_bad_clock
    $fatal(1, "DP16KD: inverted clocks are not modelled");
  end
  if (CSDECODE_A != "0b000" || CSDECODE_B != "0b000") begin : gen_bad_select
    $fatal(1, "DP16KD: only the chip select 0 is modelled");
  end

  // With 36 bits, the low half is on the pins A and the high half on the pins B, in both directions,
  // and the lowest address bits are the write enables of the four bytes of 9 bits.
  logic [35:0] data_in, data_out_q, late_data_q, rom_out;
  logic [8:0] write_address, read_address;
  logic [3:0] write_bytes;

  assign data_in = {
    DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9,
    DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0,
    DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9,
    DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0
  };
  assign write_address = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5};
  assign read_address = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5};
  assign write_bytes = CEA && WEA ? {ADA3, ADA2, ADA1, ADA0} : '0;
  assign {
    DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9,
    DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0,
    DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9,
    DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0
  } = Rom ? rom_out : REGMODE_B == "OUTREG" ? late_data_q : data_out_q;

  logic [35:0] memory [512];

  // For tests of a wipe: how many words are not zero, where their bits are in use
  logic [35:0] used = '1;
  int nonzero;
  localparam logic [64*320-1:0] Contents = {
    INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39,
    INITVAL_38, INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32,
    INITVAL_31, INITVAL_30, INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B,
    INITVAL_2A, INITVAL_29, INITVAL_28, INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24,
    INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20, INITVAL_1F, INITVAL_1E, INITVAL_1D,
    INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18, INITVAL_17, INITVAL_16,
    INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10, INITVAL_0F,
    INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08,
    INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01,
    INITVAL_00
  };

  initial begin
    for (int i = 0; i < 512; i++) memory[i] = {Contents[40*i+20+:18], Contents[40*i+:18]};
    data_out_q = '0;
    late_data_q = '0;
    nonzero = 0;
    for (int i = 0; i < 512; i++) if (!Rom && (memory[i] & used) != '0) nonzero++;
  end

  logic [35:0] written;
  always_comb begin
    written = memory[write_address];
    for (int i = 0; i < 4; i++) if (write_bytes[i]) written[9*i+:9] = data_in[9*i+:9];
  end

  always_ff @(posedge CLKA) begin
    memory[write_address] <= written;
    nonzero <= nonzero + int'((written & used) != '0) - int'((memory[write_address] & used) != '0);
    if (RSTA || WEB || (Rom && WEA) || RSTB || {CSA2, CSA1, CSA0, CSB2, CSB1, CSB0} != '0) begin
      $fatal(1, "DP16KD: an input that is not modelled is in use");
    end
  end

  always_ff @(posedge CLKB) begin
    if (OCEB) late_data_q <= data_out_q;
    if (CEB) begin
      data_out_q <= memory[read_address];
      if (write_bytes != '0 && write_address == read_address) data_out_q <= ~memory[read_address];
    end
  end

  // A ROM: both ports read words of their width.
  function automatic logic [17:0] rom_word(logic [10:0] address);
    if (DATA_WIDTH_A == 18) return Contents[20*address[9:0]+:18];
    return 18'(Contents[20*address[10:1]+(address[0]?9 : 0)+:9]);
  endfunction

  logic [10:0] address_a, address_b;
  logic [17:0] rom_a_q, rom_b_q, late_rom_a_q, late_rom_b_q;
  assign address_a = DATA_WIDTH_A == 18 ?
      {1'b0, ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4} :
      {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3};
  assign address_b = DATA_WIDTH_A == 18 ?
      {1'b0, ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4} :
      {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3};
  assign rom_out = REGMODE_B == "OUTREG" ? {late_rom_b_q, late_rom_a_q} : {rom_b_q, rom_a_q};

  always_ff @(posedge CLKA) begin
    if (CEA) rom_a_q <= rom_word(address_a);
    if (OCEA) late_rom_a_q <= rom_a_q;
  end
  always_ff @(posedge CLKB) begin
    if (CEB) rom_b_q <= rom_word(address_b);
    if (OCEB) late_rom_b_q <= rom_b_q;
  end

endmodule
