// SPDX-License-Identifier: Apache-2.0
// Driver of one Saltmill device, for processors without an operating system: no C library, no heap,
// 32 or 64 bits, little-endian.
//
// Jobs stand in a ring of descriptors in memory and end in the order in which they were submitted.
// A device is used by one thread at a time; only saltmill_interrupt may be called by an interrupt
// handler.
//
// Caches: memory that the device reads or writes is handed over by the platform's hooks. A
// destination, and the ring, must not share a cache line with anything that the processor writes
// meanwhile.
#ifndef SALTMILL_DRIVER_H
#define SALTMILL_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "saltmill_codes.h"

#ifdef __cplusplus
extern "C" {
#endif

// Entries of the largest ring that the driver makes; each takes some bytes of the driver's state.
#ifndef SALTMILL_MAX_LOG2_ENTRIES
#define SALTMILL_MAX_LOG2_ENTRIES 4
#endif
#define SALTMILL_DESCRIPTOR_BYTES 128
#define SALTMILL_MAX_KEY_SLOTS 32

// What a call came to. What became of a job is in its completion.
typedef enum {
  SALTMILL_DONE = 0,
  SALTMILL_NOT_SALTMILL,         // there is no such device at this address
  SALTMILL_UNKNOWN_VERSION,      // it has a register map of another major version
  SALTMILL_UNUSABLE,             // its description makes no sense to this driver
  SALTMILL_BAD_RING,             // the ring's memory is not a multiple of 128, or too large
  SALTMILL_UNREACHABLE,          // memory beyond the addresses of the device
  SALTMILL_RING_FULL,            // complete a job first
  SALTMILL_NOTHING_OUTSTANDING,  // no job was submitted
  SALTMILL_LATE,                 // the patience was not enough
  SALTMILL_BAD_TAIL,             // the device says that it has finished more than it was given
  SALTMILL_NO_KEY_SLOT,          // it has fewer
  SALTMILL_BAD_KEY_LENGTH,       // its cipher has no keys of this length
  SALTMILL_NO_OPERATION,         // the device does not have it
  SALTMILL_BAD_NONCE,            // of a length that the operation does not take, or two of them
  SALTMILL_BAD_TAG_LENGTH,       // 4, 8, or 12 to 16 bytes (SP 800-38D, 5.2.1.2); 0: all 16
  SALTMILL_COUNTER_WRAPS,        // the block counter would pass 2^32 blocks
  SALTMILL_BAD_BLOCKS_BEFORE,    // not the last part of a digest, or 2^55 blocks
  SALTMILL_JOB_FAILED,           // of saltmill_run and the self-test: see the completion's status
  SALTMILL_WRONG_ANSWER,         // of the self-test: the device computes something else
  SALTMILL_NO_VECTOR,            // of the self-test: no vector is for this device
} saltmill_result;

// What the driver needs of its surroundings. Hooks may be NULL.
typedef struct {
  void *context;        // given to each hook
  uint64_t bus_offset;  // what is added to an address of memory to make it one of the bus
  // Makes what the processor has written visible to the device (cleans the cache), and makes sure
  // that nothing of the cache is written over what the device will write. NULL: memory is coherent.
  void (*for_device)(void *context, const void *memory, size_t bytes);
  // Makes what the device has written visible to the processor (invalidates the cache).
  void (*for_cpu)(void *context, void *memory, size_t bytes);
  // Waits for the interrupt, but not for ever; true if it is up. NULL: the driver polls.
  bool (*wait)(void *context);
  // A counter that runs on by itself, in any unit: that of the patience. NULL: the patience is a
  // number of looks at the device.
  uint32_t (*ticks)(void *context);
} saltmill_platform;

// How the device was built (rtl/device/generated/saltmill.md says what the fields mean).
typedef struct {
  uint16_t major, minor;
  uint8_t algorithm;  // enum saltmill_algorithm
  uint8_t structure;  // enum saltmill_structure
  bool final_add, any_alignment, extended_nonce;
  uint8_t unroll, stages;
  uint16_t block_bytes, cycles_per_block, latency;
  uint32_t clock_hz;  // 0: not stated
  uint8_t data_bytes, address_bits, key_sizes, key_slots, max_log2_entries, digest_bytes;
  uint32_t operations, keyless;  // bit n: enum saltmill_operation
} saltmill_description;

// A job. What an operation does not use stays 0.
typedef struct {
  uint8_t operation;  // enum saltmill_operation
  uint8_t key_slot;
  // 12: ChaCha20, AES-GCM. 16: AES, first counter block or initialisation vector, byte 0 first.
  // 24: XChaCha20. 0: none.
  uint8_t nonce_bytes;
  uint8_t nonce[24];
  bool short_counter;  // AES-CTR: only the last 32 bits of the counter block count
  uint32_t counter;    // ChaCha20: of the first block
  // Last part of a digest: blocks of 64 bytes in the parts before; of HMAC one more.
  uint64_t blocks_before;
  const void *source;  // not of keystream
  void *destination;   // may be the source; not of mac; of digests DIGEST.bytes long
  uint32_t length;     // bytes of data
  const void *aad;     // additional data of seal and open
  uint32_t aad_length;
  // AES-GCM: an initialisation vector that has not 12 bytes, in place of the nonce. A later part of
  // a digest: the chaining value of the part before.
  const void *iv;
  uint32_t iv_length;
  uint8_t tag[16];    // open: the expected tag
  uint8_t tag_bytes;  // AES-GCM, open: how many bytes of it are compared; 0: all
} saltmill_request;

typedef struct {
  uint32_t job;     // the number that saltmill_stage gave it
  uint8_t status;   // enum saltmill_job_status; SALTMILL_JOB_STATUS_PENDING: the status was lost
  bool has_tag;
  uint8_t tag[16];  // that of mac and seal
} saltmill_completion;

// The driver's state; only `description` is for its users.
typedef struct {
  saltmill_description description;
  saltmill_platform platform;
  uintptr_t base;
  uint32_t *ring;
  uint8_t log2_entries;
  uint16_t staged, head, tail, returned;  // written, handed over, finished, given back; modulo 2^16
  uint32_t next_job;
  uint8_t slot_size[SALTMILL_MAX_KEY_SLOTS];
  struct {
    void *destination;
    uint32_t bytes;
    uint8_t operation;
  } entries[1 << SALTMILL_MAX_LOG2_ENTRIES];
} saltmill_device;

// ---- set-up -------------------------------------------------------------------------------------

// Checks that a device that this driver knows has its registers at `base`, wipes it and sets up its
// ring: 2^log2_entries entries of SALTMILL_DESCRIPTOR_BYTES in `ring`, which begins at a multiple
// of that.
saltmill_result saltmill_probe(saltmill_device *device, uintptr_t base,
                               const saltmill_platform *platform, void *ring, unsigned log2_entries,
                               uint32_t patience);
bool saltmill_supports(const saltmill_device *device, enum saltmill_operation operation);

// Aborts all jobs, clears keys, state and buffers, and what aborted open jobs had written.
saltmill_result saltmill_wipe(saltmill_device *device, uint32_t patience);

// ---- keys ---------------------------------------------------------------------------------------

// For every operation but mac: of ChaCha20 32 bytes, of AES 16, 24 or 32, of HMAC up to 32.
saltmill_result saltmill_set_key(saltmill_device *device, unsigned slot, const uint8_t *key,
                                 size_t bytes);
// Of Poly1305 (r, then s), for one mac.
saltmill_result saltmill_set_one_time_key(saltmill_device *device, unsigned slot,
                                          const uint8_t key[32]);

// ---- jobs ---------------------------------------------------------------------------------------

// Writes a job into the ring; *job, if not NULL, is its number. The device sees it at the doorbell.
saltmill_result saltmill_stage(saltmill_device *device, const saltmill_request *request,
                               uint32_t *job);
// Hands over all staged jobs with one register access.
void saltmill_doorbell(saltmill_device *device);
unsigned saltmill_outstanding(const saltmill_device *device);
// Waits for the oldest job. The destination is the processor's again; that of an open job that did
// not end well has been cleared.
saltmill_result saltmill_complete(saltmill_device *device, saltmill_completion *completion,
                                  uint32_t patience);
// One job from the beginning to the end; nothing else may be outstanding.
saltmill_result saltmill_run(saltmill_device *device, const saltmill_request *request,
                             saltmill_completion *completion, uint32_t patience);

// ---- interrupt ----------------------------------------------------------------------------------

// Off at first, and of no use without the hook `wait` or a handler.
void saltmill_enable_interrupt(saltmill_device *device, bool enable);
// For a handler: clears the interrupt; false if it was not this device's.
bool saltmill_interrupt(const saltmill_device *device);
// After how many jobs it comes, or how many cycles (24 bits) after the oldest that was not
// reported; 0: never.
void saltmill_set_coalescing(saltmill_device *device, uint8_t jobs, uint32_t cycles);

// ---- counters, names, self-test -----------------------------------------------------------------

uint64_t saltmill_counter_value(const saltmill_device *device, enum saltmill_counter counter);
void saltmill_clear_counters(saltmill_device *device);

const char *saltmill_result_name(saltmill_result result);
const char *saltmill_job_status_name(unsigned status);
const char *saltmill_algorithm_name(unsigned algorithm);
const char *saltmill_operation_name(unsigned operation);

#define SALTMILL_SELF_TEST_BYTES 2048
// Puts published vectors through the device, as far as it has their operations, and forged
// messages, which it must refuse. `memory`: SALTMILL_SELF_TEST_BYTES from a multiple of 64 on,
// which hold zeros afterwards. No job may be outstanding; afterwards no slot holds a key. *vectors:
// how many were right; *failed: where the first wrong one was published, or NULL. Both may be NULL.
saltmill_result saltmill_self_test(saltmill_device *device, uint8_t *memory, uint32_t patience,
                                   unsigned *vectors, const char **failed);

#ifdef __cplusplus
}
#endif
#endif  // SALTMILL_DRIVER_H
