// SPDX-License-Identifier: Apache-2.0
// A block of AES-128-CTR and of ChaCha20, for threads of a GPU, and for a host compiler, with which
// the tests compare them with OpenSSL where there is no GPU.
#ifndef SALTMILL_GPU_BLOCKS_H
#define SALTMILL_GPU_BLOCKS_H

#include <cstdint>

#ifdef __CUDACC__
#define SALTMILL_BOTH __host__ __device__ __forceinline__
#else
#define SALTMILL_BOTH inline
#endif

namespace saltmill {

constexpr unsigned kAesRounds = 10;
constexpr unsigned kTable = 256;

SALTMILL_BOTH uint32_t rotate_left(uint32_t value, unsigned bits) {
  return value << bits | value >> (32 - bits);
}

SALTMILL_BOTH uint32_t swap_bytes(uint32_t value) {
  return (rotate_left(value, 8) & 0x00FF00FFu) | (rotate_left(value, 24) & 0xFF00FF00u);
}

// ---- AES (FIPS 197). Words are big-endian: byte 0 of a column is bits 31:24.

struct AesKey {
  uint32_t words[4 * (kAesRounds + 1)];
  uint32_t counter[4];  // the initial counter block, big-endian
};

// S(x) times 2, 1, 1, 3: a column's share of SubBytes, ShiftRows and MixColumns. S(x) is bits 15:8.
struct AesTable {
  uint32_t words[kTable];
};

// On the host: S from inverses in GF(2^8) and the affine map (FIPS 197, 5.1.1).
inline AesTable make_table() {
  AesTable table{};
  uint8_t exp[255], log[256] = {};
  uint8_t power = 1;
  for (unsigned i = 0; i < 255; ++i) {
    exp[i] = power;
    log[power] = static_cast<uint8_t>(i);
    power = static_cast<uint8_t>(power ^ (power << 1) ^ (power & 0x80 ? 0x1B : 0));  // times 3
  }
  for (unsigned x = 0; x < kTable; ++x) {
    const unsigned inverse = x == 0 ? 0 : exp[(255 - log[x]) % 255];
    unsigned s = inverse;
    for (unsigned turn = 1; turn <= 4; ++turn) {
      s ^= (inverse << turn | inverse >> (8 - turn)) & 0xFF;
    }
    s ^= 0x63;
    const unsigned twice = (s << 1 ^ (s & 0x80 ? 0x1B : 0)) & 0xFF;
    table.words[x] = twice << 24 | s << 16 | s << 8 | (twice ^ s);
  }
  return table;
}

inline uint32_t load_big(const uint8_t *bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

// On the host (FIPS 197, 5.2).
inline AesKey expand(const uint8_t key[16], const uint8_t counter[16], const AesTable &table) {
  AesKey expanded{};
  const auto s = [&](uint32_t word, unsigned shift) {
    return table.words[word >> shift & 0xFF] >> 8 & 0xFF;
  };
  uint8_t round_constant = 1;
  for (unsigned i = 0; i < 4 * (kAesRounds + 1); ++i) {
    if (i < 4) {
      expanded.words[i] = load_big(key + 4 * i);
      expanded.counter[i] = load_big(counter + 4 * i);
      continue;
    }
    uint32_t word = expanded.words[i - 1];
    if (i % 4 == 0) {
      word = s(word, 16) << 24 | s(word, 8) << 16 | s(word, 0) << 8 | s(word, 24);
      word ^= uint32_t{round_constant} << 24;
      round_constant = static_cast<uint8_t>(round_constant << 1 ^ (round_constant & 0x80 ? 0x1B : 0));
    }
    expanded.words[i] = expanded.words[i - 4] ^ word;
  }
  return expanded;
}

// `Look` gives the table's word of a byte: on a GPU each thread of a warp has a copy in a memory
// bank of its own.
template <typename Look>
SALTMILL_BOTH void aes_ctr_block(const AesKey &key, uint64_t index, const Look &look, uint32_t out[4]) {
  uint32_t state[4];
  uint64_t sum = (uint64_t{key.counter[2]} << 32 | key.counter[3]) + index;
  uint64_t high = (uint64_t{key.counter[0]} << 32 | key.counter[1]) + (sum < index);
  state[0] = static_cast<uint32_t>(high >> 32) ^ key.words[0];
  state[1] = static_cast<uint32_t>(high) ^ key.words[1];
  state[2] = static_cast<uint32_t>(sum >> 32) ^ key.words[2];
  state[3] = static_cast<uint32_t>(sum) ^ key.words[3];
#pragma unroll
  for (unsigned round = 1; round < kAesRounds; ++round) {
    uint32_t next[4];
#pragma unroll
    for (unsigned c = 0; c < 4; ++c) {
      next[c] = look(state[c] >> 24) ^ rotate_left(look(state[(c + 1) % 4] >> 16 & 0xFF), 24) ^
                rotate_left(look(state[(c + 2) % 4] >> 8 & 0xFF), 16) ^
                rotate_left(look(state[(c + 3) % 4] & 0xFF), 8) ^ key.words[4 * round + c];
    }
#pragma unroll
    for (unsigned c = 0; c < 4; ++c) state[c] = next[c];
  }
#pragma unroll
  for (unsigned c = 0; c < 4; ++c) {
    const uint32_t last = (look(state[c] >> 24) & 0x0000FF00u) << 16 |
                          (look(state[(c + 1) % 4] >> 16 & 0xFF) & 0x0000FF00u) << 8 |
                          (look(state[(c + 2) % 4] >> 8 & 0xFF) & 0x0000FF00u) |
                          (look(state[(c + 3) % 4] & 0xFF) & 0x0000FF00u) >> 8;
    out[c] = swap_bytes(last ^ key.words[4 * kAesRounds + c]);
  }
}

// ---- ChaCha20 (RFC 8439, 2.3). Words are little-endian, as memory is.

struct ChaChaState {
  uint32_t words[16];
};

inline ChaChaState initial(const uint8_t key[32], const uint8_t nonce[12], uint32_t counter) {
  ChaChaState state = {{0x61707865, 0x3320646E, 0x79622D32, 0x6B206574}};
  for (unsigned i = 0; i < 8; ++i) state.words[4 + i] = swap_bytes(load_big(key + 4 * i));
  state.words[12] = counter;
  for (unsigned i = 0; i < 3; ++i) state.words[13 + i] = swap_bytes(load_big(nonce + 4 * i));
  return state;
}

SALTMILL_BOTH void quarter_round(uint32_t &a, uint32_t &b, uint32_t &c, uint32_t &d) {
  a += b, d = rotate_left(d ^ a, 16);
  c += d, b = rotate_left(b ^ c, 12);
  a += b, d = rotate_left(d ^ a, 8);
  c += d, b = rotate_left(b ^ c, 7);
}

SALTMILL_BOTH void chacha20_block(const ChaChaState &state, uint32_t index, uint32_t out[16]) {
#pragma unroll
  for (unsigned i = 0; i < 16; ++i) out[i] = state.words[i];
  out[12] += index;
#pragma unroll 2
  for (unsigned pair = 0; pair < 10; ++pair) {
    quarter_round(out[0], out[4], out[8], out[12]);
    quarter_round(out[1], out[5], out[9], out[13]);
    quarter_round(out[2], out[6], out[10], out[14]);
    quarter_round(out[3], out[7], out[11], out[15]);
    quarter_round(out[0], out[5], out[10], out[15]);
    quarter_round(out[1], out[6], out[11], out[12]);
    quarter_round(out[2], out[7], out[8], out[13]);
    quarter_round(out[3], out[4], out[9], out[14]);
  }
#pragma unroll
  for (unsigned i = 0; i < 16; ++i) out[i] += state.words[i];
  out[12] += index;
}

}  // namespace saltmill
#endif
