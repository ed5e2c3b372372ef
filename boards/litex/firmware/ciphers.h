// SPDX-License-Identifier: Apache-2.0
// Ciphers and a hash in plain C, for the processor alone: what the device is compared with, and
// what its results are checked against.
#ifndef CIPHERS_H
#define CIPHERS_H

#include <stddef.h>
#include <stdint.h>

// RFC 8439, 2.4.
void chacha20_xor(const uint8_t key[32], const uint8_t nonce[12], uint32_t counter,
                  const uint8_t *from, uint8_t *to, size_t bytes);

// AES-128 in CTR mode (SP 800-38A, 6.5), with one table of 1 KiB.
void aes128_ctr_xor(const uint8_t key[16], const uint8_t counter_block[16], const uint8_t *from,
                    uint8_t *to, size_t bytes);

// FIPS 180-4.
void sha256(const uint8_t *message, size_t bytes, uint8_t digest[32]);

#endif  // CIPHERS_H
