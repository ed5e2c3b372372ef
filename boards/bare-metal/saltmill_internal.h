// SPDX-License-Identifier: Apache-2.0
// What the driver's files share.
#ifndef SALTMILL_INTERNAL_H
#define SALTMILL_INTERNAL_H

#include "saltmill.h"
#include "saltmill_descriptor.h"
#include "saltmill_driver.h"
#include "saltmill_io.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "this driver is for little-endian processors"
#endif

// A field of a word, by the names of the generated headers.
#define SALTMILL_FIELD(name, value) (((uint32_t)(value) << name##_bp) & (uint32_t)name##_bm)
#define SALTMILL_FIELD_OF(name, word) (((word) & (uint32_t)name##_bm) >> name##_bp)

#define SALTMILL_REGISTER(name) ((uint32_t)offsetof(saltmill_t, registers.name))
// A word of a descriptor: its number.
#define SALTMILL_WORD(name) (offsetof(saltmill_descriptor_t, name) / 4)

enum { SALTMILL_DESCRIPTOR_WORDS = SALTMILL_DESCRIPTOR_BYTES / 4 };
_Static_assert(sizeof(saltmill_descriptor_t) == SALTMILL_DESCRIPTOR_BYTES, "size of a descriptor");

static inline uint32_t saltmill_load32(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

static inline uint64_t saltmill_bus(const saltmill_device *device, const void *memory) {
  return (uint64_t)(uintptr_t)memory + device->platform.bus_offset;
}

static inline void saltmill_for_device(const saltmill_device *device, const void *memory,
                                       size_t bytes) {
  if (device->platform.for_device && bytes) {
    device->platform.for_device(device->platform.context, memory, bytes);
  }
}

static inline void saltmill_for_cpu(const saltmill_device *device, void *memory, size_t bytes) {
  if (device->platform.for_cpu && bytes) {
    device->platform.for_cpu(device->platform.context, memory, bytes);
  }
}

static inline bool saltmill_has(uint32_t mask, unsigned operation) {
  return operation < 32 && (mask >> operation & 1) != 0;
}

// The device can address all of it.
bool saltmill_reaches(const saltmill_device *device, const void *memory, size_t bytes);
// Checks a request and writes it as a descriptor; `operation` and lengths are good afterwards.
saltmill_result saltmill_describe(const saltmill_device *device, const saltmill_request *request,
                                  uint32_t words[SALTMILL_DESCRIPTOR_WORDS]);
// What the request writes, in bytes.
uint32_t saltmill_written(const saltmill_device *device, const saltmill_request *request);
bool saltmill_reads(const saltmill_request *request);

#endif  // SALTMILL_INTERNAL_H
