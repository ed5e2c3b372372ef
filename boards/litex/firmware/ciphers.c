// SPDX-License-Identifier: Apache-2.0
#include "ciphers.h"

static uint32_t rotl(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }
static uint32_t rotr(uint32_t x, unsigned n) { return x >> n | x << (32 - n); }

static uint32_t little(const uint8_t *b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static uint32_t big(const uint8_t *b) {
  return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static void put_big(uint8_t *b, uint32_t x) {
  for (unsigned i = 0; i < 4; i++) b[i] = (uint8_t)(x >> (24 - 8 * i));
}

// ---- ChaCha20 -----------------------------------------------------------------------------------

#define QUARTER(a, b, c, d)                 \
  a += b, d = rotl(d ^ a, 16), c += d, b = rotl(b ^ c, 12), a += b, d = rotl(d ^ a, 8), c += d, \
                                           b = rotl(b ^ c, 7)

static void chacha20_block(const uint32_t in[16], uint32_t out[16]) {
  uint32_t x[16];
  for (unsigned i = 0; i < 16; i++) x[i] = in[i];
  for (unsigned i = 0; i < 10; i++) {
    QUARTER(x[0], x[4], x[8], x[12]);
    QUARTER(x[1], x[5], x[9], x[13]);
    QUARTER(x[2], x[6], x[10], x[14]);
    QUARTER(x[3], x[7], x[11], x[15]);
    QUARTER(x[0], x[5], x[10], x[15]);
    QUARTER(x[1], x[6], x[11], x[12]);
    QUARTER(x[2], x[7], x[8], x[13]);
    QUARTER(x[3], x[4], x[9], x[14]);
  }
  for (unsigned i = 0; i < 16; i++) out[i] = x[i] + in[i];
}

// Whole words where all addresses allow it.
static void xor_block(const uint8_t *from, uint8_t *to, const uint32_t *keystream, size_t bytes) {
  size_t i = 0;
  if ((((uintptr_t)from | (uintptr_t)to) & 3) == 0) {
    for (; i + 4 <= bytes; i += 4) {
      *(uint32_t *)(to + i) = *(const uint32_t *)(from + i) ^ keystream[i / 4];
    }
  }
  for (; i < bytes; i++) to[i] = from[i] ^ (uint8_t)(keystream[i / 4] >> 8 * (i % 4));
}

void chacha20_xor(const uint8_t key[32], const uint8_t nonce[12], uint32_t counter,
                  const uint8_t *from, uint8_t *to, size_t bytes) {
  uint32_t state[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, keystream[16];
  for (unsigned i = 0; i < 8; i++) state[4 + i] = little(key + 4 * i);
  for (unsigned i = 0; i < 3; i++) state[13 + i] = little(nonce + 4 * i);
  for (size_t at = 0; at < bytes; at += 64) {
    state[12] = counter++;
    chacha20_block(state, keystream);
    xor_block(from + at, to + at, keystream, bytes - at < 64 ? bytes - at : 64);
  }
}

// ---- AES-128 ------------------------------------------------------------------------------------

static uint8_t sbox[256];
static uint32_t table[256];  // of a byte in row 0: MixColumns of its S-box, row 0 in bits 31:24

static uint8_t times2(uint8_t x) { return (uint8_t)(x << 1 ^ (x >> 7) * 0x1B); }

// Once: S-box and table from the field's arithmetic (FIPS 197, 5.1.1).
static void make_tables(void) {
  uint8_t p = 1, q = 1;
  do {
    p = (uint8_t)(p ^ times2(p));  // times 3, a generator
    q ^= (uint8_t)(q << 1);        // divided by 3
    q ^= (uint8_t)(q << 2);
    q ^= (uint8_t)(q << 4);
    q ^= (q & 0x80) ? 0x09 : 0;
    const uint8_t s = (uint8_t)(q ^ (q << 1 | q >> 7) ^ (q << 2 | q >> 6) ^ (q << 3 | q >> 5) ^
                                (q << 4 | q >> 4) ^ 0x63);
    sbox[p] = s;
  } while (p != 1);
  sbox[0] = 0x63;
  for (unsigned i = 0; i < 256; i++) {
    const uint8_t s = sbox[i], s2 = times2(s);
    table[i] = (uint32_t)s2 << 24 | (uint32_t)s << 16 | (uint32_t)s << 8 | (uint32_t)(s2 ^ s);
  }
}

static void expand(const uint8_t key[16], uint32_t round_keys[44]) {
  uint8_t constant = 1;
  for (unsigned i = 0; i < 4; i++) round_keys[i] = big(key + 4 * i);
  for (unsigned i = 4; i < 44; i++) {
    uint32_t word = round_keys[i - 1];
    if (i % 4 == 0) {
      word = rotl(word, 8);
      word = (uint32_t)sbox[word >> 24] << 24 | (uint32_t)sbox[word >> 16 & 255] << 16 |
             (uint32_t)sbox[word >> 8 & 255] << 8 | sbox[word & 255];
      word ^= (uint32_t)constant << 24;
      constant = times2(constant);
    }
    round_keys[i] = round_keys[i - 4] ^ word;
  }
}

static void aes128_block(const uint32_t *k, const uint32_t in[4], uint32_t out[4]) {
  uint32_t s[4], t[4];
  for (unsigned i = 0; i < 4; i++) s[i] = in[i] ^ *k++;
  for (unsigned round = 1; round < 10; round++) {
    for (unsigned i = 0; i < 4; i++) {
      t[i] = table[s[i] >> 24] ^ rotr(table[s[(i + 1) % 4] >> 16 & 255], 8) ^
             rotr(table[s[(i + 2) % 4] >> 8 & 255], 16) ^ rotr(table[s[(i + 3) % 4] & 255], 24) ^
             *k++;
    }
    for (unsigned i = 0; i < 4; i++) s[i] = t[i];
  }
  for (unsigned i = 0; i < 4; i++) {
    out[i] = ((uint32_t)sbox[s[i] >> 24] << 24 | (uint32_t)sbox[s[(i + 1) % 4] >> 16 & 255] << 16 |
              (uint32_t)sbox[s[(i + 2) % 4] >> 8 & 255] << 8 | sbox[s[(i + 3) % 4] & 255]) ^
             *k++;
  }
}

void aes128_ctr_xor(const uint8_t key[16], const uint8_t counter_block[16], const uint8_t *from,
                    uint8_t *to, size_t bytes) {
  uint32_t round_keys[44], counter[4], keystream[4];
  if (!sbox[0]) make_tables();
  expand(key, round_keys);
  for (unsigned i = 0; i < 4; i++) counter[i] = big(counter_block + 4 * i);
  for (size_t at = 0; at < bytes; at += 16) {
    aes128_block(round_keys, counter, keystream);
    for (unsigned i = 0; i < 4; i++) keystream[i] = __builtin_bswap32(keystream[i]);
    xor_block(from + at, to + at, keystream, bytes - at < 16 ? bytes - at : 16);
    for (unsigned i = 4; i-- > 0 && ++counter[i] == 0;) {
    }
  }
}

// ---- SHA-256 ------------------------------------------------------------------------------------

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static void sha256_block(uint32_t value[8], const uint8_t *block) {
  uint32_t w[64], a = value[0], b = value[1], c = value[2], d = value[3];
  uint32_t e = value[4], f = value[5], g = value[6], h = value[7];
  for (unsigned i = 0; i < 16; i++) w[i] = big(block + 4 * i);
  for (unsigned i = 16; i < 64; i++) {
    const uint32_t x = w[i - 15], y = w[i - 2];
    w[i] = w[i - 16] + (rotr(x, 7) ^ rotr(x, 18) ^ x >> 3) + w[i - 7] +
           (rotr(y, 17) ^ rotr(y, 19) ^ y >> 10);
  }
  for (unsigned i = 0; i < 64; i++) {
    const uint32_t t = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) +
                       constants[i] + w[i];
    const uint32_t u = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t, d = c, c = b, b = a, a = t + u;
  }
  value[0] += a, value[1] += b, value[2] += c, value[3] += d;
  value[4] += e, value[5] += f, value[6] += g, value[7] += h;
}

void sha256(const uint8_t *message, size_t bytes, uint8_t digest[32]) {
  uint32_t value[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint8_t last[128] = {0};
  const size_t whole = bytes / 64 * 64, rest = bytes - whole, padded = rest < 56 ? 64 : 128;
  for (size_t at = 0; at < whole; at += 64) sha256_block(value, message + at);
  for (size_t i = 0; i < rest; i++) last[i] = message[whole + i];
  last[rest] = 0x80;
  put_big(last + padded - 8, (uint32_t)((uint64_t)bytes >> 29));
  put_big(last + padded - 4, (uint32_t)bytes << 3);
  for (size_t at = 0; at < padded; at += 64) sha256_block(value, last + at);
  for (unsigned i = 0; i < 8; i++) put_big(digest + 4 * i, value[i]);
}
