// SPDX-License-Identifier: Apache-2.0
// The driver on a simulated device. The processor and the device have a copy of the memory each,
// and the hooks copy: like a cache that nothing keeps coherent, a missing one gives a wrong answer.
#ifndef BENCH_H
#define BENCH_H

#include "saltmill_driver.h"
#include "saltmill_sim.h"

// Places for jobs in memory.
enum { BENCH_PLACES = 4, BENCH_PLACE_BYTES = 160 << 10 };

typedef struct {
  saltmill_sim *sim;
  saltmill_device device;
  uint8_t *memory;
  uint64_t region;  // its address on the bus
  uint32_t accesses, failures, waits;
  bool skip_for_device, skip_for_cpu;
} bench;

// A job, with pointers to the caller's bytes; src/lib.rs has the same.
typedef struct {
  const uint8_t *key, *aad, *iv, *input;
  uint8_t *output;
  uint64_t blocks_before;
  uint32_t key_bytes, aad_bytes, iv_bytes, input_bytes, output_bytes, counter;
  uint8_t nonce[24], tag[16];
  uint8_t operation, nonce_bytes, tag_bytes, short_counter, in_place, status, has_tag, unaligned;
} bench_job;

// `interrupt`: waits for it instead of polling. `bus`: address of the memory on the bus.
bench *bench_create(const char *variant, uint64_t bus, bool interrupt, saltmill_result *result);
void bench_destroy(bench *bench);
// Writes the key to the slot of the place, the job's bytes into memory, and the job into the ring.
saltmill_result bench_stage(bench *bench, const bench_job *job, uint32_t place);
// The oldest job, which was staged in this place.
saltmill_result bench_complete(bench *bench, bench_job *job, uint32_t place, uint32_t patience);
saltmill_result bench_wipe(bench *bench);
saltmill_result bench_self_test(bench *bench, uint32_t *vectors, const char **failed);
void bench_skip(bench *bench, bool for_device, bool for_cpu);
// Until the device stands still: a memory port that gives no answer.
void bench_hang(bench *bench);
uint32_t bench_accesses(const bench *bench);
uint32_t bench_waits(const bench *bench);
uint32_t bench_failures(const bench *bench);
uint64_t bench_counter(const bench *bench, uint32_t counter);
bool bench_supports(const bench *bench, uint32_t operation);
uint32_t bench_algorithm(const bench *bench);
uint32_t bench_key_sizes(const bench *bench);
bool bench_extended_nonce(const bench *bench);
size_t bench_job_size(void);

#endif  // BENCH_H
