// SPDX-License-Identifier: Apache-2.0
// From a request to a descriptor, with the checks that need no device.
#include "saltmill_internal.h"

static bool is_digest(unsigned operation) {
  return operation == SALTMILL_OPERATION_DIGEST || operation == SALTMILL_OPERATION_DIGEST_PART ||
         operation == SALTMILL_OPERATION_HMAC || operation == SALTMILL_OPERATION_HMAC_PART;
}

bool saltmill_reads(const saltmill_request *request) {
  return request->operation != SALTMILL_OPERATION_KEYSTREAM;
}

uint32_t saltmill_written(const saltmill_device *device, const saltmill_request *request) {
  if (request->operation == SALTMILL_OPERATION_MAC) {
    return 0;
  }
  return is_digest(request->operation) ? device->description.digest_bytes : request->length;
}

bool saltmill_reaches(const saltmill_device *device, const void *memory, size_t bytes) {
  const uint64_t start = saltmill_bus(device, memory);
  const unsigned bits = device->description.address_bits;
  const uint64_t last = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
  return bytes == 0 || (start <= last && bytes - 1 <= last - start);
}

static bool good_tag_bytes(unsigned bytes) {
  return bytes == 0 || bytes == 4 || bytes == 8 || (bytes >= 12 && bytes <= 16);
}

// The counter of 32 bits must not wrap: the keystream would repeat.
static bool wraps(const saltmill_request *request) {
  uint32_t first = request->counter;
  uint64_t blocks = ((uint64_t)request->length + 63) >> 6;
  if (is_digest(request->operation)) {
    return false;
  }
  if (request->nonce_bytes == 16) {
    const uint8_t *last = request->nonce + 12;
    first = (uint32_t)last[0] << 24 | (uint32_t)last[1] << 16 | (uint32_t)last[2] << 8 | last[3];
    blocks = ((uint64_t)request->length + 15) >> 4;
    if (!request->short_counter) {
      return false;
    }
  }
  return first + blocks > (uint64_t)1 << 32;
}

static saltmill_result check_nonce(const saltmill_request *request) {
  const unsigned bytes = request->nonce_bytes;
  if ((bytes != 0 && bytes != 12 && bytes != 16 && bytes != 24) ||
      (request->iv_length && bytes == 24) || (bytes == 16 && request->counter)) {
    return SALTMILL_BAD_NONCE;
  }
  if (request->blocks_before) {
    const bool last = request->operation == SALTMILL_OPERATION_DIGEST ||
                      request->operation == SALTMILL_OPERATION_HMAC;
    if (!last || request->blocks_before >> 55 || bytes || request->counter) {
      return SALTMILL_BAD_BLOCKS_BEFORE;
    }
  }
  return wraps(request) ? SALTMILL_COUNTER_WRAPS : SALTMILL_DONE;
}

static saltmill_result check(const saltmill_device *device, const saltmill_request *request) {
  const saltmill_description *description = &device->description;
  if (!saltmill_has(description->operations, request->operation)) {
    return SALTMILL_NO_OPERATION;
  }
  if (saltmill_has(~description->keyless, request->operation) &&
      request->key_slot >= description->key_slots) {
    return SALTMILL_NO_KEY_SLOT;
  }
  if (!good_tag_bytes(request->tag_bytes)) {
    return SALTMILL_BAD_TAG_LENGTH;
  }
  if ((saltmill_reads(request) && !saltmill_reaches(device, request->source, request->length)) ||
      !saltmill_reaches(device, request->destination, saltmill_written(device, request)) ||
      !saltmill_reaches(device, request->aad, request->aad_length) ||
      !saltmill_reaches(device, request->iv, request->iv_length)) {
    return SALTMILL_UNREACHABLE;
  }
  return check_nonce(request);
}

static void put_address(uint32_t *words, uint64_t address) {
  words[0] = (uint32_t)address;
  words[1] = (uint32_t)(address >> 32);
}

static void put_nonce(const saltmill_request *request, uint32_t *words) {
  // Where the bytes of a nonce begin: a block begins in the counter, a long nonce in its first
  // half.
  const unsigned bytes = request->nonce_bytes;
  uint32_t *to = words + (bytes == 16 ? SALTMILL_WORD(counter) : SALTMILL_WORD(nonce));
  words[SALTMILL_WORD(counter)] = request->counter;
  const unsigned first = bytes == 24 ? 12 : 0;
  for (unsigned i = 0; i < first; i += 4) {
    words[SALTMILL_WORD(nonce_first) + i / 4] = saltmill_load32(request->nonce + i);
  }
  for (unsigned i = first; i < bytes; i += 4) {
    to[(i - first) / 4] = saltmill_load32(request->nonce + i);
  }
  if (request->blocks_before) {
    put_address(words + SALTMILL_WORD(counter), request->blocks_before);
  }
}

static uint32_t control(const saltmill_device *device, const saltmill_request *request) {
  uint32_t word = SALTMILL_FIELD(SALTMILL_DESCRIPTOR__CONTROL__OPERATION, request->operation) |
                  SALTMILL_FIELD(SALTMILL_DESCRIPTOR__CONTROL__EXTENDED_NONCE,
                                 request->nonce_bytes == 24) |
                  SALTMILL_FIELD(SALTMILL_DESCRIPTOR__CONTROL__TAG_BYTES, request->tag_bytes) |
                  SALTMILL_FIELD(SALTMILL_DESCRIPTOR__CONTROL__SHORT_COUNTER,
                                 request->short_counter);
  if (!saltmill_has(device->description.keyless, request->operation)) {
    word |= SALTMILL_FIELD(SALTMILL_DESCRIPTOR__CONTROL__KEY_SLOT, request->key_slot) |
            SALTMILL_FIELD(SALTMILL_DESCRIPTOR__CONTROL__KEY_SIZE,
                           device->slot_size[request->key_slot]);
  }
  return word;
}

saltmill_result saltmill_describe(const saltmill_device *device, const saltmill_request *request,
                                  uint32_t words[SALTMILL_DESCRIPTOR_WORDS]) {
  const saltmill_result result = check(device, request);
  if (result != SALTMILL_DONE) {
    return result;
  }
  for (unsigned i = 0; i < SALTMILL_DESCRIPTOR_WORDS; i++) {
    words[i] = 0;
  }
  words[SALTMILL_WORD(control)] = control(device, request);
  words[SALTMILL_WORD(length)] = request->length;
  if (saltmill_reads(request)) {
    put_address(words + SALTMILL_WORD(source_low), saltmill_bus(device, request->source));
  }
  if (saltmill_written(device, request)) {
    put_address(words + SALTMILL_WORD(destination_low), saltmill_bus(device, request->destination));
  }
  put_nonce(request, words);
  if (request->iv_length) {
    words[SALTMILL_WORD(nonce_first)] = request->iv_length;
    put_address(words + SALTMILL_WORD(nonce_first) + 1, saltmill_bus(device, request->iv));
  }
  words[SALTMILL_WORD(aad_length)] = request->aad_length;
  if (request->aad_length) {
    put_address(words + SALTMILL_WORD(aad_low), saltmill_bus(device, request->aad));
  }
  for (unsigned i = 0; i < 4; i++) {
    words[SALTMILL_WORD(tag) + i] = saltmill_load32(request->tag + 4 * i);
  }
  return SALTMILL_DONE;
}
