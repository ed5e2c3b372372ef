// SPDX-License-Identifier: Apache-2.0
// Published vectors for the self-test; saltmill_vectors.c is made from the project's vectors/.
#ifndef SALTMILL_VECTORS_H
#define SALTMILL_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  const uint8_t *data;
  uint16_t bytes;
} saltmill_bytes;

typedef struct {
  const char *source;  // where it was published
  uint8_t algorithm;   // enum saltmill_algorithm: a device with the same, or with more than it
  uint8_t operation, inverse;  // enum saltmill_operation; inverse: 0 if there is none
  bool valid;          // if not, open must refuse it
  uint32_t counter;
  saltmill_bytes key, nonce, aad, input, output;  // `output`: tag of mac; digest
  saltmill_bytes tag;  // of seal
} saltmill_vector;

extern const saltmill_vector saltmill_vectors[];
extern const unsigned saltmill_vector_count;

#endif  // SALTMILL_VECTORS_H
