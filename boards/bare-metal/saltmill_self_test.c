// SPDX-License-Identifier: Apache-2.0
// Published vectors through the device, in both directions where there are two.
#include "saltmill_internal.h"
#include "saltmill_vectors.h"

// Places in the caller's memory: data (in place), additional data, initialisation vector, digest.
enum { DATA = 0, AAD = 1024, IV = 1408, DIGEST = 1856 };
_Static_assert(DIGEST + 64 <= SALTMILL_SELF_TEST_BYTES, "the places fit into the memory");

typedef struct {
  saltmill_device *device;
  uint8_t *memory;
  uint32_t patience;
} workbench;

static void *put(const workbench *bench, unsigned place, saltmill_bytes bytes) {
  for (unsigned i = 0; i < bytes.bytes; i++) {
    bench->memory[place + i] = bytes.data[i];
  }
  return bench->memory + place;
}

static bool same(const volatile uint8_t *found, saltmill_bytes expected) {
  unsigned differences = 0;
  for (unsigned i = 0; i < expected.bytes; i++) {
    differences |= found[i] ^ expected.data[i];
  }
  return differences == 0;
}

static bool is_zero(const volatile uint8_t *found, unsigned bytes) {
  unsigned any = 0;
  for (unsigned i = 0; i < bytes; i++) {
    any |= found[i];
  }
  return any == 0;
}

static bool is_digest(unsigned operation) {
  return operation == SALTMILL_OPERATION_DIGEST || operation == SALTMILL_OPERATION_HMAC;
}

// The device has what the vector is for. One with Poly1305 also has ChaCha20.
static bool applies(const saltmill_device *device, const saltmill_vector *vector) {
  const saltmill_description *description = &device->description;
  const unsigned algorithm = description->algorithm;
  const bool chacha20 = vector->algorithm == SALTMILL_ALGORITHM_CHACHA20 &&
                        algorithm == SALTMILL_ALGORITHM_CHACHA20_POLY1305;
  if ((algorithm != vector->algorithm && !chacha20) ||
      !saltmill_has(description->operations, vector->operation) ||
      (vector->inverse && !saltmill_has(description->operations, vector->inverse)) ||
      (vector->nonce.bytes == 24 && !description->extended_nonce)) {
    return false;
  }
  if (algorithm != SALTMILL_ALGORITHM_AES) {
    return true;
  }
  return saltmill_has(description->key_sizes, vector->key.bytes / 8U - 2);
}

static saltmill_result set_key(const workbench *bench, const saltmill_vector *vector) {
  if (vector->operation == SALTMILL_OPERATION_MAC) {
    return saltmill_set_one_time_key(bench->device, 0, vector->key.data);
  }
  if (vector->operation == SALTMILL_OPERATION_DIGEST) {
    return SALTMILL_DONE;
  }
  return saltmill_set_key(bench->device, 0, vector->key.data, vector->key.bytes);
}

// One job, on `data` in place.
static saltmill_result run(const workbench *bench, const saltmill_vector *vector,
                           unsigned operation, saltmill_bytes data,
                           saltmill_completion *completion) {
  saltmill_request request = {.operation = (uint8_t)operation, .counter = vector->counter};
  request.source = put(bench, DATA, data);
  request.destination = bench->memory + (is_digest(operation) ? DIGEST : DATA);
  request.length = data.bytes;
  request.aad = put(bench, AAD, vector->aad);
  request.aad_length = vector->aad.bytes;
  const unsigned nonce = vector->nonce.bytes;
  const bool message = operation == SALTMILL_OPERATION_SEAL || operation == SALTMILL_OPERATION_OPEN;
  if (message && nonce != 12 && nonce != 24) {
    request.iv = put(bench, IV, vector->nonce);
    request.iv_length = nonce;
  } else {
    request.nonce_bytes = (uint8_t)nonce;
    for (unsigned i = 0; i < nonce; i++) {
      request.nonce[i] = vector->nonce.data[i];
    }
  }
  if (operation == SALTMILL_OPERATION_OPEN) {
    for (unsigned i = 0; i < vector->tag.bytes; i++) {
      request.tag[i] = vector->tag.data[i];
    }
  }
  return saltmill_run(bench->device, &request, completion, bench->patience);
}

static saltmill_result refuses(const workbench *bench, const saltmill_vector *vector) {
  saltmill_completion completion;
  const saltmill_result result =
      run(bench, vector, SALTMILL_OPERATION_OPEN, vector->output, &completion);
  if (result == SALTMILL_DONE) {
    return SALTMILL_WRONG_ANSWER;
  }
  if (result != SALTMILL_JOB_FAILED || completion.status != SALTMILL_JOB_STATUS_TAG_MISMATCH) {
    return result;
  }
  const bool cleared = is_zero(bench->memory + DATA, vector->output.bytes);
  return cleared ? SALTMILL_DONE : SALTMILL_WRONG_ANSWER;
}

static saltmill_result one(const workbench *bench, const saltmill_vector *vector) {
  saltmill_completion completion;
  saltmill_result result = set_key(bench, vector);
  if (result == SALTMILL_DONE && !vector->valid) {
    return refuses(bench, vector);
  }
  if (result == SALTMILL_DONE) {
    result = run(bench, vector, vector->operation, vector->input, &completion);
  }
  if (result != SALTMILL_DONE) {
    return result;
  }
  bool right = completion.has_tag == (vector->tag.bytes != 0 ||
                                      vector->operation == SALTMILL_OPERATION_MAC);
  if (vector->operation == SALTMILL_OPERATION_MAC) {
    right = right && same(completion.tag, vector->output);
  } else {
    const unsigned place = is_digest(vector->operation) ? DIGEST : DATA;
    right = right && same(bench->memory + place, vector->output) &&
            same(completion.tag, vector->tag);
  }
  if (right && vector->inverse) {
    result = run(bench, vector, vector->inverse, vector->output, &completion);
    right = same(bench->memory + DATA, vector->input);
  }
  return result == SALTMILL_DONE && !right ? SALTMILL_WRONG_ANSWER : result;
}

saltmill_result saltmill_self_test(saltmill_device *device, uint8_t *memory, uint32_t patience,
                                   unsigned *vectors, const char **failed) {
  const workbench bench = {device, memory, patience};
  saltmill_result result = SALTMILL_DONE;
  const char *source = NULL;
  unsigned right = 0;
  for (unsigned i = 0; i < saltmill_vector_count && result == SALTMILL_DONE; i++) {
    const saltmill_vector *vector = &saltmill_vectors[i];
    if (applies(device, vector)) {
      result = one(&bench, vector);
      source = vector->source;
      right += result == SALTMILL_DONE;
    }
  }
  if (vectors) {
    *vectors = right;
  }
  if (failed) {
    *failed = result == SALTMILL_DONE ? NULL : source;
  }
  volatile uint8_t *bytes = memory;
  for (unsigned i = 0; i < SALTMILL_SELF_TEST_BYTES; i++) {
    bytes[i] = 0;
  }
  saltmill_for_device(device, memory, SALTMILL_SELF_TEST_BYTES);
  const saltmill_result wiped = saltmill_wipe(device, patience);
  if (result == SALTMILL_DONE && right == 0) {
    result = SALTMILL_NO_VECTOR;
  }
  return result == SALTMILL_DONE ? wiped : result;
}
