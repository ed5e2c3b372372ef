// SPDX-License-Identifier: Apache-2.0
// The blocks on the host, for the tests: keystream of a whole number of blocks.
#include <cstring>

#include "blocks.h"

extern "C" void saltmill_aes_128_ctr(const uint8_t key[16], const uint8_t counter[16],
                                     uint64_t blocks, uint8_t *out) {
  const saltmill::AesTable table = saltmill::make_table();
  const saltmill::AesKey expanded = saltmill::expand(key, counter, table);
  const auto look = [&](uint32_t byte) { return table.words[byte]; };
  for (uint64_t i = 0; i < blocks; ++i) {
    uint32_t block[4];
    saltmill::aes_ctr_block(expanded, i, look, block);
    std::memcpy(out + 16 * i, block, sizeof block);
  }
}

extern "C" void saltmill_chacha20(const uint8_t key[32], const uint8_t nonce[12], uint32_t counter,
                                  uint64_t blocks, uint8_t *out) {
  const saltmill::ChaChaState state = saltmill::initial(key, nonce, counter);
  for (uint64_t i = 0; i < blocks; ++i) {
    uint32_t block[16];
    saltmill::chacha20_block(state, static_cast<uint32_t>(i), block);
    std::memcpy(out + 64 * i, block, sizeof block);
  }
}
