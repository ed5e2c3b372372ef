// SPDX-License-Identifier: Apache-2.0
// Keys, the ring and its jobs.
#include "saltmill_internal.h"

static uint32_t read_register(const saltmill_device *device, uint32_t offset) {
  return saltmill_read32(device->base, offset);
}

static void write_register(const saltmill_device *device, uint32_t offset, uint32_t value) {
  saltmill_write32(device->base, offset, value);
}

// ---- waiting ------------------------------------------------------------------------------------

// How long the caller still waits.
typedef struct {
  uint32_t start, patience, looks;
} deadline;

static deadline from_now(const saltmill_device *device, uint32_t patience) {
  const saltmill_platform *platform = &device->platform;
  return (deadline){platform->ticks ? platform->ticks(platform->context) : 0, patience, 0};
}

static bool expired(const saltmill_device *device, deadline *until) {
  const saltmill_platform *platform = &device->platform;
  if (platform->ticks) {
    return platform->ticks(platform->context) - until->start >= until->patience;
  }
  return until->looks++ >= until->patience;
}

// ---- keys ---------------------------------------------------------------------------------------

static saltmill_result write_key(saltmill_device *device, unsigned slot, const uint8_t *key,
                                 size_t bytes, uint32_t use) {
  if (slot >= device->description.key_slots) {
    return SALTMILL_NO_KEY_SLOT;
  }
  write_register(device, SALTMILL_REGISTER(key_use), use);
  const uint32_t base = (uint32_t)(offsetof(saltmill_t, key_slots) +
                                   slot * sizeof(((saltmill_t *)0)->key_slots[0]));
  for (unsigned word = 0; word < 8; word++) {
    uint32_t value = 0;
    for (unsigned i = 0; i < 4 && 4 * word + i < bytes; i++) {
      value |= (uint32_t)key[4 * word + i] << 8 * i;
    }
    write_register(device, base + 4 * word, value);
  }
  return SALTMILL_DONE;
}

saltmill_result saltmill_set_key(saltmill_device *device, unsigned slot, const uint8_t *key,
                                 size_t bytes) {
  const saltmill_description *description = &device->description;
  unsigned size = 0;
  bool good = bytes == 32;
  if (saltmill_has(description->operations, SALTMILL_OPERATION_HMAC)) {
    good = bytes <= 32;
  } else if (description->algorithm == SALTMILL_ALGORITHM_AES) {
    size = (unsigned)(bytes / 8) - 2;  // 16, 24 and 32 bytes have the codes 0, 1 and 2
    good = bytes % 8 == 0 && size <= 2 && saltmill_has(description->key_sizes, size);
  }
  if (!good) {
    return SALTMILL_BAD_KEY_LENGTH;
  }
  const saltmill_result result = write_key(
      device, slot, key, bytes, SALTMILL_FIELD(SALTMILL_REGISTERS__KEY_USE__SIZE, size));
  if (result == SALTMILL_DONE) {
    device->slot_size[slot] = (uint8_t)size;
  }
  return result;
}

saltmill_result saltmill_set_one_time_key(saltmill_device *device, unsigned slot,
                                          const uint8_t key[32]) {
  const saltmill_result result =
      write_key(device, slot, key, 32, SALTMILL_REGISTERS__KEY_USE__ONE_TIME_bm);
  if (result == SALTMILL_DONE) {
    device->slot_size[slot] = 0;
  }
  return result;
}

// ---- jobs ---------------------------------------------------------------------------------------

static unsigned entries(const saltmill_device *device) { return 1U << device->log2_entries; }

static unsigned place(const saltmill_device *device, uint16_t number) {
  return number & (entries(device) - 1);
}

unsigned saltmill_outstanding(const saltmill_device *device) {
  return (uint16_t)(device->staged - device->returned);
}

saltmill_result saltmill_stage(saltmill_device *device, const saltmill_request *request,
                               uint32_t *job) {
  if (saltmill_outstanding(device) == entries(device)) {
    return SALTMILL_RING_FULL;
  }
  const unsigned index = place(device, device->staged);
  uint32_t *words = device->ring + SALTMILL_DESCRIPTOR_WORDS * index;
  const saltmill_result result = saltmill_describe(device, request, words);
  if (result != SALTMILL_DONE) {
    return result;
  }
  const uint32_t written = saltmill_written(device, request);
  if (saltmill_reads(request)) {
    saltmill_for_device(device, request->source, request->length);
  }
  if (request->destination != request->source || request->length < written) {
    saltmill_for_device(device, request->destination, written);
  }
  saltmill_for_device(device, request->aad, request->aad_length);
  saltmill_for_device(device, request->iv, request->iv_length);
  saltmill_for_device(device, words, SALTMILL_DESCRIPTOR_BYTES);
  device->entries[index].destination = request->destination;
  device->entries[index].bytes = written;
  device->entries[index].operation = request->operation;
  device->staged++;
  if (job) {
    *job = device->next_job;
  }
  device->next_job++;
  return SALTMILL_DONE;
}

void saltmill_doorbell(saltmill_device *device) {
  if (device->head != device->staged) {
    saltmill_barrier();
    write_register(device, SALTMILL_REGISTER(ring_head), device->staged);
    device->head = device->staged;
  }
}

// Looks how far the device is.
static saltmill_result read_tail(saltmill_device *device) {
  const uint32_t found = read_register(device, SALTMILL_REGISTER(ring_tail));
  const uint16_t finished = (uint16_t)(found - device->returned);
  const uint16_t handed_over = (uint16_t)(device->head - device->returned);
  if (found > UINT16_MAX || finished > handed_over) {
    return SALTMILL_BAD_TAIL;
  }
  device->tail = (uint16_t)found;
  return SALTMILL_DONE;
}

// Until the oldest job has ended.
static saltmill_result await(saltmill_device *device, uint32_t patience) {
  const saltmill_platform *platform = &device->platform;
  deadline until = from_now(device, patience);
  while (device->tail == device->returned) {
    const saltmill_result result = read_tail(device);
    if (result != SALTMILL_DONE || device->tail != device->returned) {
      return result;
    }
    if (expired(device, &until)) {
      return SALTMILL_LATE;
    }
    if (platform->wait && platform->wait(platform->context)) {
      // Cleared before the tail is read: a job that ends in between raises it again.
      saltmill_interrupt(device);
    }
  }
  return SALTMILL_DONE;
}

static void clear(const saltmill_device *device, unsigned index) {
  volatile uint8_t *bytes = device->entries[index].destination;
  const uint32_t count = device->entries[index].bytes;
  saltmill_for_cpu(device, device->entries[index].destination, count);
  for (uint32_t i = 0; i < count; i++) {
    bytes[i] = 0;
  }
  saltmill_for_device(device, device->entries[index].destination, count);
}

saltmill_result saltmill_complete(saltmill_device *device, saltmill_completion *completion,
                                  uint32_t patience) {
  if (saltmill_outstanding(device) == 0) {
    return SALTMILL_NOTHING_OUTSTANDING;
  }
  saltmill_doorbell(device);
  const saltmill_result result = await(device, patience);
  if (result != SALTMILL_DONE) {
    return result;
  }
  saltmill_barrier();
  const unsigned index = place(device, device->returned);
  uint32_t *words = device->ring + SALTMILL_DESCRIPTOR_WORDS * index;
  saltmill_for_cpu(device, words, SALTMILL_DESCRIPTOR_BYTES);
  const volatile uint32_t *seen = words;
  const uint8_t operation = device->entries[index].operation;
  completion->job = device->next_job - saltmill_outstanding(device);
  completion->status = (uint8_t)SALTMILL_FIELD_OF(SALTMILL_DESCRIPTOR__STATUS__CODE,
                                                  seen[SALTMILL_WORD(status)]);
  const bool ok = completion->status == SALTMILL_JOB_STATUS_OK;
  completion->has_tag =
      ok && (operation == SALTMILL_OPERATION_MAC || operation == SALTMILL_OPERATION_SEAL);
  for (unsigned i = 0; i < 16; i++) {
    const uint32_t word = seen[SALTMILL_WORD(tag) + i / 4];
    completion->tag[i] = completion->has_tag ? (uint8_t)(word >> 8 * (i % 4)) : 0;
  }
  if (operation == SALTMILL_OPERATION_OPEN && !ok) {
    clear(device, index);
  } else {
    saltmill_for_cpu(device, device->entries[index].destination, device->entries[index].bytes);
  }
  device->returned++;
  return SALTMILL_DONE;
}

saltmill_result saltmill_run(saltmill_device *device, const saltmill_request *request,
                             saltmill_completion *completion, uint32_t patience) {
  saltmill_result result = saltmill_stage(device, request, NULL);
  if (result == SALTMILL_DONE) {
    result = saltmill_complete(device, completion, patience);
  }
  if (result == SALTMILL_DONE && completion->status != SALTMILL_JOB_STATUS_OK) {
    result = SALTMILL_JOB_FAILED;
  }
  return result;
}

// ---- set-up -------------------------------------------------------------------------------------

static void set_up_ring(const saltmill_device *device) {
  const uint64_t base = saltmill_bus(device, device->ring);
  write_register(device, SALTMILL_REGISTER(ring_base_low), (uint32_t)base);
  write_register(device, SALTMILL_REGISTER(ring_base_high), (uint32_t)(base >> 32));
  write_register(device, SALTMILL_REGISTER(ring_size), device->log2_entries);
  saltmill_interrupt(device);
  saltmill_barrier();
  write_register(device, SALTMILL_REGISTER(control), SALTMILL_REGISTERS__CONTROL__ENABLE_bm);
}

saltmill_result saltmill_wipe(saltmill_device *device, uint32_t patience) {
  const unsigned aborted = saltmill_outstanding(device);
  deadline until = from_now(device, patience);
  write_register(device, SALTMILL_REGISTER(control), SALTMILL_REGISTERS__CONTROL__WIPE_bm);
  while (read_register(device, SALTMILL_REGISTER(status)) & SALTMILL_REGISTERS__STATUS__WIPING_bm) {
    if (expired(device, &until)) {
      return SALTMILL_LATE;
    }
  }
  for (unsigned i = 0; i < aborted; i++) {
    const unsigned index = place(device, (uint16_t)(device->returned + i));
    if (device->entries[index].operation == SALTMILL_OPERATION_OPEN) {
      clear(device, index);
    }
  }
  device->staged = device->head = device->tail = device->returned = 0;
  set_up_ring(device);
  return SALTMILL_DONE;
}

// ---- interrupt and counters ---------------------------------------------------------------------

void saltmill_enable_interrupt(saltmill_device *device, bool enable) {
  write_register(device, SALTMILL_REGISTER(interrupt_enable),
                 SALTMILL_FIELD(SALTMILL_REGISTERS__INTERRUPT_ENABLE__DONE, enable));
}

bool saltmill_interrupt(const saltmill_device *device) {
  const uint32_t found = read_register(device, SALTMILL_REGISTER(interrupt_status));
  if (found) {
    write_register(device, SALTMILL_REGISTER(interrupt_status), found);
  }
  return found != 0;
}

void saltmill_set_coalescing(saltmill_device *device, uint8_t jobs, uint32_t cycles) {
  write_register(device, SALTMILL_REGISTER(interrupt_coalescing),
                 SALTMILL_FIELD(SALTMILL_REGISTERS__INTERRUPT_COALESCING__COUNT, jobs) |
                     SALTMILL_FIELD(SALTMILL_REGISTERS__INTERRUPT_COALESCING__TIMEOUT, cycles));
}

uint64_t saltmill_counter_value(const saltmill_device *device, enum saltmill_counter counter) {
  const uint32_t low = (uint32_t)offsetof(saltmill_t, counters) + 8 * (uint32_t)counter;
  uint32_t high = read_register(device, low + 4), before, value;
  do {
    before = high;
    value = read_register(device, low);
    high = read_register(device, low + 4);
  } while (high != before);
  return (uint64_t)high << 32 | value;
}

void saltmill_clear_counters(saltmill_device *device) {
  write_register(device, SALTMILL_REGISTER(control),
                 SALTMILL_REGISTERS__CONTROL__ENABLE_bm |
                     SALTMILL_REGISTERS__CONTROL__CLEAR_COUNTERS_bm);
}
