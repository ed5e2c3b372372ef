// SPDX-License-Identifier: Apache-2.0
// The S-box of AES as arithmetic in GF((2^4)^2): an inverse of 8 bits becomes one of 4 bits, which is a
// LUT4 for each bit, and products. In three steps, between which a ring has registers.
//
// GF(2^4) is modulo w^4 + w + 1. An element of GF((2^4)^2) is {h, l} = h * Y + l modulo Y^2 + Y + Nu; the
// matrices between it and GF(2^8) of the standard are derived here from a root of that polynomial.
package aes_tower_pkg;
  import aes_pkg::*;

  localparam nibble_t Nu = 4'h8;  // Y^2 + Y + Nu is irreducible

  function automatic nibble_t multiply4(nibble_t a, nibble_t b);
    nibble_t sum = '0, power = a;
    for (int unsigned i = 0; i < 4; i++) begin
      if (b[i]) sum ^= power;
      power = {power[2:0], 1'b0} ^ (power[3] ? 4'h3 : 4'h0);
    end
    return sum;
  endfunction

  // The inverse, a^14; 0 for 0
  function automatic nibble_t inverse4(nibble_t a);
    nibble_t a2 = multiply4(a, a), a4 = multiply4(a2, a2);
    return multiply4(multiply4(a2, a4), multiply4(a4, a4));
  endfunction

  function automatic byte_t multiply_tower(byte_t a, byte_t b);
    nibble_t hh = multiply4(a[7:4], b[7:4]);
    return {
      hh ^ multiply4(a[7:4], b[3:0]) ^ multiply4(a[3:0], b[7:4]),
      multiply4(a[3:0], b[3:0]) ^ multiply4(hh, Nu)
    };
  endfunction

  typedef struct packed {nibble_t h, l;} tower_t;

  // Of {h, l} and its conjugate: the product is in GF(2^4)
  function automatic nibble_t norm(tower_t a);
    return multiply4(multiply4(a.h, a.h), Nu) ^ multiply4(a.h ^ a.l, a.l);
  endfunction

  // The conjugate times e: the inverse if e is that of the norm
  function automatic tower_t scaled(tower_t a, nibble_t e);
    return '{h: multiply4(a.h, e), l: multiply4(a.h ^ a.l, e)};
  endfunction

  typedef byte_t [7:0] matrix_t;  // images of the bits

  function automatic byte_t transform(matrix_t matrix, byte_t a);
    byte_t sum = '0;
    for (int unsigned i = 0; i < 8; i++) if (a[i]) sum ^= matrix[i];
    return sum;
  endfunction

  // Of GF(2^8): powers of a root of x^8 + x^4 + x^3 + x + 1
  function automatic matrix_t make_to_tower();
    for (int unsigned root = 2; root < 256; root++) begin
      matrix_t powers;
      powers[0] = 8'h01;
      for (int unsigned i = 1; i < 8; i++) powers[i] = multiply_tower(powers[i-1], byte_t'(root));
      if (multiply_tower(
              powers[7], byte_t'(root)
          ) == (powers[4] ^ powers[3] ^ powers[1] ^ powers[0])) begin
        return powers;
      end
    end
    return '0;
  endfunction

  localparam matrix_t ToTower = make_to_tower();

  function automatic matrix_t make_from_tower();
    matrix_t result;
    for (int unsigned i = 0; i < 8; i++) begin
      for (int unsigned a = 0; a < 256; a++) begin
        if (transform(ToTower, byte_t'(a)) == byte_t'(1) << i) result[i] = byte_t'(a);
      end
    end
    return result;
  endfunction

  localparam matrix_t FromTower = make_from_tower();

  function automatic tower_t into_tower(byte_t a);
    return tower_t'(transform(ToTower, a));
  endfunction

  function automatic byte_t out_of_tower(tower_t a);
    return transform(FromTower, byte_t'(a));
  endfunction
endpackage
