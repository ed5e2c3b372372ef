// SPDX-License-Identifier: Apache-2.0
// AES (FIPS 197): types, the choices, the S-box as arithmetic, and the steps of a round.
//
// Bytes to bits: byte 0 of a block or key is in bits [7:0]. The state of the standard is filled column
// by column, so s[row][column] is byte row + 4 * column and a column is 32 bits.

package aes_pkg;

  typedef enum logic [1:0] {
    Aes128 = 2'd0,
    Aes192 = 2'd1,
    Aes256 = 2'd2
  } key_size_e;

  typedef enum logic [1:0] {
    SBoxTable = 2'd0,  // logic from the table
    SBoxTower = 2'd1,  // arithmetic in GF((2^4)^2)
    SBoxRam   = 2'd2   // block RAM, read with a clock
  } sbox_e;

  typedef logic [7:0] byte_t;
  typedef logic [3:0] nibble_t;
  typedef logic [31:0] column_t;  // row 0 in [7:0]
  typedef logic [127:0] block_t;

  // Nr of the standard (figure 4)
  function automatic int unsigned rounds(key_size_e size);
    return size == Aes128 ? 10 : size == Aes192 ? 12 : 14;
  endfunction

  // Multiplication by x modulo x^8 + x^4 + x^3 + x + 1 (4.2.1)
  function automatic byte_t xtime(byte_t a);
    return {a[6:0], 1'b0} ^ (a[7] ? 8'h1b : 8'h00);
  endfunction

  function automatic byte_t multiply(byte_t a, byte_t b);
    byte_t sum = '0, power = a;
    for (int unsigned i = 0; i < 8; i++) begin
      if (b[i]) sum ^= power;
      power = xtime(power);
    end
    return sum;
  endfunction

  // The inverse, a^254; 0 for 0
  function automatic byte_t inverse(byte_t a);
    byte_t power = a, result = 8'h01;
    for (int unsigned i = 0; i < 7; i++) begin
      power  = multiply(power, power);
      result = multiply(result, power);
    end
    return result;
  endfunction

  // The affine part of SUBBYTES() without its constant, 5.1.1; and of its inverse, 5.3.2
  function automatic byte_t affine(byte_t b);
    return b ^ {b[6:0], b[7]} ^ {b[5:0], b[7:6]} ^ {b[4:0], b[7:5]} ^ {b[3:0], b[7:4]};
  endfunction

  function automatic byte_t inverse_affine(byte_t b);
    return {b[6:0], b[7]} ^ {b[4:0], b[7:5]} ^ {b[1:0], b[7:2]};
  endfunction

  localparam byte_t AffineConstant = 8'h63;

  typedef byte_t [255:0] table_t;

  function automatic table_t make_sbox();
    table_t result;
    for (int unsigned i = 0; i < 256; i++) result[i] = affine(inverse(byte_t'(i))) ^ AffineConstant;
    return result;
  endfunction

  function automatic table_t make_inverse_sbox();
    table_t result;
    for (int unsigned i = 0; i < 256; i++) begin
      result[i] = inverse(inverse_affine(byte_t'(i) ^ AffineConstant));
    end
    return result;
  endfunction

  // ---- steps of a round --------------------------------------------------------------------------

  // SHIFTROWS(), 5.1.2: row r moves left by r columns
  function automatic block_t shift_rows(block_t state);
    block_t result;
    for (int unsigned column = 0; column < 4; column++) begin
      for (int unsigned row = 0; row < 4; row++) begin
        result[8*(row+4*column)+:8] = state[8*(row+4*((column+row)%4))+:8];
      end
    end
    return result;
  endfunction

  function automatic block_t inverse_shift_rows(block_t state);
    block_t result;
    for (int unsigned column = 0; column < 4; column++) begin
      for (int unsigned row = 0; row < 4; row++) begin
        result[8*(row+4*((column+row)%4))+:8] = state[8*(row+4*column)+:8];
      end
    end
    return result;
  endfunction

  // MIXCOLUMNS(), 5.1.3, of one column: multiplication by {03}x^3 + {01}x^2 + {01}x + {02}
  function automatic column_t mix_column(column_t a);
    column_t result;
    for (int unsigned row = 0; row < 4; row++) begin
      byte_t a0 = a[8*row+:8], a1 = a[8*((row+1)%4)+:8];
      byte_t a2 = a[8*((row+2)%4)+:8], a3 = a[8*((row+3)%4)+:8];
      result[8*row+:8] = xtime(a0 ^ a1) ^ a1 ^ a2 ^ a3;
    end
    return result;
  endfunction

  // INVMIXCOLUMNS(), 5.3.3: the same after a multiplication by {04}x^2 + {05}
  function automatic column_t inverse_mix_column(column_t a);
    column_t result;
    for (int unsigned row = 0; row < 4; row++) begin
      byte_t x = a[8*row+:8] ^ a[8*((row+2)%4)+:8];
      result[8*row+:8] = a[8*row+:8] ^ xtime(xtime(x));
    end
    return mix_column(result);
  endfunction

endpackage
