// SPDX-License-Identifier: Apache-2.0
// What a device says of itself, and names for what it can do.
#include "saltmill_internal.h"

#define OF(register_, field, word) \
  SALTMILL_FIELD_OF(SALTMILL_REGISTERS__##register_##__##field, word)

static uint32_t read_register(const saltmill_device *device, uint32_t offset) {
  return saltmill_read32(device->base, offset);
}

static void describe(saltmill_device *device) {
  saltmill_description *description = &device->description;
  const uint32_t core = read_register(device, SALTMILL_REGISTER(core));
  const uint32_t shape = read_register(device, SALTMILL_REGISTER(shape));
  const uint32_t rate = read_register(device, SALTMILL_REGISTER(rate));
  const uint32_t can = read_register(device, SALTMILL_REGISTER(capabilities));
  description->algorithm = (uint8_t)OF(CORE, ALGORITHM, core);
  description->structure = (uint8_t)OF(CORE, STRUCTURE, core);
  description->final_add = OF(CORE, FINAL_ADD, core) != 0;
  description->unroll = (uint8_t)OF(SHAPE, UNROLL, shape);
  description->stages = (uint8_t)OF(SHAPE, STAGES, shape);
  description->block_bytes = (uint16_t)OF(SHAPE, BLOCK_BYTES, shape);
  description->cycles_per_block = (uint16_t)OF(RATE, CYCLES_PER_BLOCK, rate);
  description->latency = (uint16_t)OF(RATE, LATENCY, rate);
  description->clock_hz = read_register(device, SALTMILL_REGISTER(clock));
  description->data_bytes = (uint8_t)OF(CAPABILITIES, DATA_BYTES, can);
  description->any_alignment = OF(CAPABILITIES, ANY_ALIGNMENT, can) != 0;
  description->extended_nonce = OF(CAPABILITIES, EXTENDED_NONCE, can) != 0;
  description->key_sizes = (uint8_t)OF(CAPABILITIES, KEY_SIZES, can);
  description->key_slots = (uint8_t)OF(CAPABILITIES, KEY_SLOTS, can);
  description->max_log2_entries = (uint8_t)OF(CAPABILITIES, MAX_LOG2_ENTRIES, can);
  description->operations = read_register(device, SALTMILL_REGISTER(operations));
  description->keyless = read_register(device, SALTMILL_REGISTER(keyless));
  description->address_bits =
      (uint8_t)OF(PORT, ADDRESS_BITS, read_register(device, SALTMILL_REGISTER(port)));
  description->digest_bytes =
      (uint8_t)OF(DIGEST, BYTES, read_register(device, SALTMILL_REGISTER(digest)));
}

static bool usable(const saltmill_description *description) {
  const unsigned width = description->data_bytes, slots = description->key_slots;
  const bool digest = saltmill_has(description->operations, SALTMILL_OPERATION_DIGEST);
  return (width == 8 || width == 16 || width == 32 || width == 64) && slots >= 1 &&
         slots <= SALTMILL_MAX_KEY_SLOTS && description->address_bits >= 32 &&
         description->address_bits <= 64 && digest == (description->digest_bytes != 0) &&
         description->digest_bytes <= 64;
}

saltmill_result saltmill_probe(saltmill_device *device, uintptr_t base,
                               const saltmill_platform *platform, void *ring, unsigned log2_entries,
                               uint32_t patience) {
  *device = (saltmill_device){.base = base, .platform = *platform, .ring = ring};
  if (read_register(device, SALTMILL_REGISTER(magic)) != SALTMILL_REGISTERS__MAGIC__VALUE_reset) {
    return SALTMILL_NOT_SALTMILL;
  }
  const uint32_t version = read_register(device, SALTMILL_REGISTER(version));
  device->description.major = (uint16_t)OF(VERSION, MAJOR, version);
  device->description.minor = (uint16_t)OF(VERSION, MINOR, version);
  if (device->description.major != SALTMILL_REGISTERS__VERSION__MAJOR_reset) {
    return SALTMILL_UNKNOWN_VERSION;
  }
  describe(device);
  if (!usable(&device->description)) {
    return SALTMILL_UNUSABLE;
  }
  if (log2_entries > SALTMILL_MAX_LOG2_ENTRIES ||
      log2_entries > device->description.max_log2_entries ||
      saltmill_bus(device, ring) % SALTMILL_DESCRIPTOR_BYTES || (uintptr_t)ring % 4) {
    return SALTMILL_BAD_RING;
  }
  device->log2_entries = (uint8_t)log2_entries;
  if (!saltmill_reaches(device, ring, (size_t)SALTMILL_DESCRIPTOR_BYTES << log2_entries)) {
    return SALTMILL_UNREACHABLE;
  }
  saltmill_enable_interrupt(device, false);
  return saltmill_wipe(device, patience);
}

bool saltmill_supports(const saltmill_device *device, enum saltmill_operation operation) {
  return saltmill_has(device->description.operations, operation);
}

// ---- names --------------------------------------------------------------------------------------

#define CASE(code, name) \
  case code:             \
    return name;

const char *saltmill_job_status_name(unsigned status) {
  switch (status) {
    SALTMILL_JOB_STATUS_NAMES(CASE)
    default:
      return "Unknown status";
  }
}

const char *saltmill_algorithm_name(unsigned algorithm) {
  switch (algorithm) {
    SALTMILL_ALGORITHM_NAMES(CASE)
    default:
      return "Unknown algorithm";
  }
}

const char *saltmill_operation_name(unsigned operation) {
  switch (operation) {
    SALTMILL_OPERATION_NAMES(CASE)
    default:
      return "Unknown operation";
  }
}

const char *saltmill_result_name(saltmill_result result) {
  switch (result) {
    CASE(SALTMILL_DONE, "Done")
    CASE(SALTMILL_NOT_SALTMILL, "Not a Saltmill device")
    CASE(SALTMILL_UNKNOWN_VERSION, "Unknown version of the registers")
    CASE(SALTMILL_UNUSABLE, "A description that makes no sense")
    CASE(SALTMILL_BAD_RING, "Bad ring: alignment or size")
    CASE(SALTMILL_UNREACHABLE, "Memory beyond the device's addresses")
    CASE(SALTMILL_RING_FULL, "The ring is full")
    CASE(SALTMILL_NOTHING_OUTSTANDING, "No job is outstanding")
    CASE(SALTMILL_LATE, "The device did not answer in time")
    CASE(SALTMILL_BAD_TAIL, "The device finished jobs that it was not given")
    CASE(SALTMILL_NO_KEY_SLOT, "No such key slot")
    CASE(SALTMILL_BAD_KEY_LENGTH, "No key of this length")
    CASE(SALTMILL_NO_OPERATION, "The device does not have this operation")
    CASE(SALTMILL_BAD_NONCE, "No nonce of this length")
    CASE(SALTMILL_BAD_TAG_LENGTH, "No tag of this length")
    CASE(SALTMILL_COUNTER_WRAPS, "The block counter would wrap")
    CASE(SALTMILL_BAD_BLOCKS_BEFORE, "Blocks before a part that is not the last")
    CASE(SALTMILL_JOB_FAILED, "The job failed")
    CASE(SALTMILL_WRONG_ANSWER, "Wrong answer")
    CASE(SALTMILL_NO_VECTOR, "No vector for this device")
  }
  return "Unknown result";
}
