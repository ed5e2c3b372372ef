// SPDX-License-Identifier: Apache-2.0
// The ECP5's block RAM, of which Yosys has no simulation model: 512 rows of 36 bits, and two ports of
// 1, 2, 4, 9 or 18 bits; or port A writes words of 36 bits, and port B reads. Data come one cycle
// later, or two with the output register. Inverted clocks, resets and chip selects stop the
// simulation. What the hardware leaves open comes out inverted: a word that one port reads while the
// other one writes a bit of it, bits that both write, and what a narrow port reads of a word that it
// writes in the mode READBEFOREWRITE, which is for ports of 9 and 18 bits.

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

  localparam bit Wide = DATA_WIDTH_A == 36;
  if (!(DATA_WIDTH_A inside {1, 2, 4, 9, 18, 36}) || !(DATA_WIDTH_B inside {1, 2, 4, 9, 18, 36}))
  begin : gen_bad_width
    $fatal(1, "DP16KD: a port has 1, 2, 4, 9, 18 or 36 bits");
  end
  if (DATA_WIDTH_B == 36 && !Wide) begin : gen_bad_wide
    $fatal(1, "DP16KD: port B has 36 bits only if port A has them");
  end
  if (!(REGMODE_A inside {"NOREG", "OUTREG"}) || !(REGMODE_B inside {"NOREG", "OUTREG"}))
  begin : gen_bad_register
    $fatal(1, "DP16KD: REGMODE is NOREG or OUTREG");
  end
  if (DATA_WIDTH_B == 36 && REGMODE_A != REGMODE_B) begin : gen_bad_registers
    $fatal(1, "DP16KD: both halves of a word have the output register, or none");
  end
  if (!(WRITEMODE_A inside {"NORMAL", "WRITETHROUGH", "READBEFOREWRITE"}) ||
      !(WRITEMODE_B inside {"NORMAL", "WRITETHROUGH", "READBEFOREWRITE"})) begin : gen_bad_mode
    $fatal(1, "DP16KD: WRITEMODE is NORMAL, WRITETHROUGH or READBEFOREWRITE");
  end
  if (CLKAMUX != "CLKA" || CLKBMUX != "CLKB") begin : gen_bad_clock
    $fatal(1, "DP16KD: inverted clocks are not modelled");
  end
  if (CSDECODE_A != "0b000" || CSDECODE_B != "0b000") begin : gen_bad_select
    $fatal(1, "DP16KD: only the chip select 0 is modelled");
  end

  // ---- what a port asks for, as a part of a row -------------------------------------------------
  // A row has four bytes of 9 bits; the narrow ports don't see the highest bit of a byte. With 36
  // bits, the low half of a word is on the pins A and the high half on the pins B.
  typedef logic [35:0] row_t;
  logic [13:0] address_a, address_b;
  logic [17:0] data_a, data_b;
  assign address_a = {
    ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0
  };
  assign address_b = {
    ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0
  };
  assign data_a = {
    DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9,
    DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0
  };
  assign data_b = {
    DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9,
    DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0
  };

  function automatic int unsigned place(int unsigned width, logic [4:0] address);
    case (width)
      36: return 0;
      18: return address[4] ? 18 : 0;
      9: return 9 * int'(address[4:3]);
      4: return 9 * int'(address[4:3]) + 4 * int'(address[2]);
      2: return 9 * int'(address[4:3]) + 2 * int'(address[2:1]);
      default: return 9 * int'(address[4:3]) + int'(address[2:0]);
    endcase
  endfunction

  function automatic row_t word(int unsigned width);
    return '1 >> (36 - width);
  endfunction

  // The lowest address bits of wide ports enable the bytes.
  function automatic row_t written(int unsigned width, logic [3:0] bytes);
    if (width < 18) return word(width);
    return word(width) & {{9{bytes[3]}}, {9{bytes[2]}}, {9{bytes[1]}}, {9{bytes[0]}}};
  endfunction

  int unsigned place_a, place_b;
  row_t mask_a, mask_b, bits_a, bits_b;  // written
  always_comb begin
    place_a = place(DATA_WIDTH_A, address_a[4:0]);
    place_b = place(DATA_WIDTH_B, address_b[4:0]);
    mask_a  = CEA && WEA ? written(DATA_WIDTH_A, address_a[3:0]) << place_a : '0;
    mask_b  = CEB && WEB ? written(DATA_WIDTH_B, address_b[3:0]) << place_b : '0;
    bits_a  = (Wide ? {data_b, data_a} : 36'(data_a)) << place_a;
    bits_b  = 36'(data_b) << place_b;
  end

  // ---- contents ---------------------------------------------------------------------------------
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
  function automatic row_t first(logic [8:0] row);
    if (!(|Contents)) return '0;
    return {Contents[40*int'(row)+20+:18], Contents[40*int'(row)+:18]};
  endfunction

  row_t memory[512];
  logic [17:0] read_a_q, late_a_q;
  row_t read_b_q, late_b_q;
  initial begin
    for (int i = 0; i < 512; i++) memory[i] = first(9'(i));
    {read_a_q, late_a_q} = '0;
    {read_b_q, late_b_q} = '0;
    {changed_a, changed_b} = '0;
  end

  // For tests of a wipe: bits in use that are not what they were in the beginning
  row_t used = '1;
  int changed_a, changed_b, changed;
  assign changed = changed_a + changed_b;

  // One more or less for each bit of a mask that changes
  function automatic int more(row_t held, row_t after, logic [8:0] row, row_t mask);
    return $countones((after ^ first(row)) & mask) - $countones((held ^ first(row)) & mask);
  endfunction

  // ---- the ports --------------------------------------------------------------------------------
  // Both clocks rise together where the other one is high already: then both write the same row.
  function automatic row_t both(row_t held, row_t mask, row_t bits, row_t mask_2, row_t bits_2);
    return ((held & ~mask & ~mask_2) | (bits & mask) | (bits_2 & mask_2)) ^ (mask & mask_2);
  endfunction

  function automatic row_t seen(row_t row, int unsigned at, int unsigned width, bit open);
    return ((row >> at) ^ {36{open}}) & word(width);
  endfunction

  localparam bit KeepsA = WRITEMODE_A == "NORMAL";
  localparam bit KeepsB = WRITEMODE_B == "NORMAL";
  localparam bit ThroughA = WRITEMODE_A == "WRITETHROUGH";
  localparam bit ThroughB = WRITEMODE_B == "WRITETHROUGH";

  always @(posedge CLKA) begin : port_a
    automatic row_t held, other;
    automatic bit   open;
    held = memory[address_a[13:5]];
    other  = CLKB && address_a[13:5] == address_b[13:5] ? mask_b : '0;
    if (mask_a != '0) begin
      memory[address_a[13:5]] <= both(held, mask_a, bits_a, other, bits_b);
      changed_a <= changed_a +
          more(held, both(held, mask_a, bits_a, other, bits_b), address_a[13:5], mask_a & used);
    end
    open = ((other >> place_a) & word(DATA_WIDTH_A)) != '0 ||
        (WEA && !KeepsA && !ThroughA && DATA_WIDTH_A < 9);
    if (CEA && !(WEA && KeepsA)) begin
      if (ThroughA) held = (held & ~mask_a) | (bits_a & mask_a);
      read_a_q <= 18'(seen(held, place_a, DATA_WIDTH_A, open));
    end
    if (OCEA) late_a_q <= read_a_q;
    if (RSTA || {CSA2, CSA1, CSA0} != '0) begin
      $fatal(1, "DP16KD: an input of port A that is not modelled is in use");
    end
  end

  always @(posedge CLKB) begin : port_b
    automatic row_t held, other;
    automatic bit   open;
    held = memory[address_b[13:5]];
    other  = CLKA && address_a[13:5] == address_b[13:5] ? mask_a : '0;
    if (mask_b != '0) begin
      memory[address_b[13:5]] <= both(held, mask_b, bits_b, other, bits_a);
      changed_b <= changed_b + more(
          held, both(held, mask_b, bits_b, other, bits_a), address_b[13:5],
          mask_b & ~other & used
      );
    end
    open = ((other >> place_b) & word(DATA_WIDTH_B)) != '0 ||
        (WEB && !KeepsB && !ThroughB && DATA_WIDTH_B < 9);
    if (CEB && !(WEB && KeepsB)) begin
      if (ThroughB) held = (held & ~mask_b) | (bits_b & mask_b);
      read_b_q <= seen(held, place_b, DATA_WIDTH_B, open);
    end
    if (OCEB) late_b_q <= read_b_q;
    if (RSTB || (Wide && WEB) || {CSB2, CSB1, CSB0} != '0) begin
      $fatal(1, "DP16KD: an input of port B that is not modelled is in use");
    end
  end

  row_t out_b;
  assign out_b = REGMODE_B == "OUTREG" ? late_b_q : read_b_q;
  assign {
    DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9,
    DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0
  } = DATA_WIDTH_B == 36 ? out_b[17:0] : REGMODE_A == "OUTREG" ? late_a_q : read_a_q;
  assign {
    DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9,
    DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0
  } = DATA_WIDTH_B == 36 ? out_b[35:18] : out_b[17:0];

endmodule
