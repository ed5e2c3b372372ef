// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include "saltmill_io.h"

// Of the C library, which the driver itself does without.
void *aligned_alloc(size_t alignment, size_t bytes);
void *calloc(size_t count, size_t bytes);
void free(void *memory);
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memset(void *to, int value, size_t bytes);

enum { LOG2_ENTRIES = 3, RING_BYTES = SALTMILL_DESCRIPTOR_BYTES << LOG2_ENTRIES };
enum { MEMORY_BYTES = RING_BYTES + BENCH_PLACES * BENCH_PLACE_BYTES + SALTMILL_SELF_TEST_BYTES };
// Parts of a place: source; destination, if it is another one; additional data; initialisation
// vector.
enum { OUT = 72 << 10, AAD = 144 << 10, IV = 152 << 10 };
// Cycles of one wait; waits, or looks, that a wipe or a vector may take.
enum { SLICE = 2000, PATIENCE = 20000 };

// ---- the platform -------------------------------------------------------------------------------

static void note(bench *self, int result) { self->failures += result != SALTMILL_SIM_OK; }

uint32_t saltmill_read32(uintptr_t base, uint32_t offset) {
  bench *self = (bench *)base;
  uint32_t value = 0;
  self->accesses++;
  note(self, saltmill_sim_read(self->sim, 0, offset, &value));
  return value;
}

void saltmill_write32(uintptr_t base, uint32_t offset, uint32_t value) {
  bench *self = (bench *)base;
  self->accesses++;
  note(self, saltmill_sim_write(self->sim, 0, offset, value));
}

static uint64_t bus_address(const bench *self, const void *memory) {
  return self->region + (uint64_t)((const uint8_t *)memory - self->memory);
}

static void for_device(void *context, const void *memory, size_t bytes) {
  bench *self = context;
  if (!self->skip_for_device) {
    note(self, saltmill_sim_memory_write(self->sim, bus_address(self, memory), memory, bytes));
  }
}

static void for_cpu(void *context, void *memory, size_t bytes) {
  bench *self = context;
  if (!self->skip_for_cpu) {
    note(self, saltmill_sim_memory_read(self->sim, bus_address(self, memory), memory, bytes));
  }
}

static bool wait(void *context) {
  bench *self = context;
  int interrupt = 0;
  self->waits++;
  note(self, saltmill_sim_run(self->sim, 0, SLICE, &interrupt));
  return interrupt != 0;
}

bench *bench_create(const char *variant, uint64_t bus, bool interrupt, saltmill_result *result) {
  const saltmill_sim_memory_profile profile = {bus, MEMORY_BYTES, 20, 10, 8, 8, 0, 0};
  char error[200];
  bench *self = calloc(1, sizeof *self);
  self->memory = aligned_alloc(4096, (MEMORY_BYTES + 4095) / 4096 * 4096);
  memset(self->memory, 0xA5, MEMORY_BYTES);
  self->sim = saltmill_sim_create(variant, 1, &profile, NULL, error, sizeof error);
  *result = SALTMILL_NOT_SALTMILL;
  if (self->sim) {
    self->region = saltmill_sim_region(self->sim, 0);
    const saltmill_platform platform = {
        .context = self,
        .bus_offset = self->region - (uint64_t)(uintptr_t)self->memory,
        .for_device = for_device,
        .for_cpu = for_cpu,
        .wait = interrupt ? wait : NULL,
    };
    *result = saltmill_probe(&self->device, (uintptr_t)self, &platform, self->memory, LOG2_ENTRIES,
                             PATIENCE);
  }
  if (*result == SALTMILL_DONE) {
    saltmill_enable_interrupt(&self->device, interrupt);
    return self;
  }
  bench_destroy(self);
  return NULL;
}

void bench_destroy(bench *self) {
  saltmill_sim_destroy(self->sim);
  free(self->memory);
  free(self);
}

// ---- jobs ---------------------------------------------------------------------------------------

static uint8_t *part(const bench *self, const bench_job *job, uint32_t place, uint32_t offset) {
  return self->memory + RING_BYTES + place * BENCH_PLACE_BYTES + offset + job->unaligned;
}

static void *put(uint8_t *to, const uint8_t *from, uint32_t bytes) {
  return bytes ? memcpy(to, from, bytes) : to;
}

static uint8_t *destination(const bench *self, const bench_job *job, uint32_t place) {
  return job->in_place ? part(self, job, place, 0) : part(self, job, place, OUT) + job->unaligned;
}

static saltmill_result set_key(bench *self, const bench_job *job, uint32_t place) {
  if (job->operation == SALTMILL_OPERATION_MAC) {
    return saltmill_set_one_time_key(&self->device, place, job->key);
  }
  return job->key_bytes ? saltmill_set_key(&self->device, place, job->key, job->key_bytes)
                        : SALTMILL_DONE;
}

saltmill_result bench_stage(bench *self, const bench_job *job, uint32_t place) {
  saltmill_request request = {
      .operation = job->operation,
      .key_slot = (uint8_t)place,
      .nonce_bytes = job->nonce_bytes,
      .short_counter = job->short_counter,
      .counter = job->counter,
      .blocks_before = job->blocks_before,
      .source = put(part(self, job, place, 0), job->input, job->input_bytes),
      .destination = destination(self, job, place),
      .length = job->input_bytes,
      .aad = put(part(self, job, place, AAD), job->aad, job->aad_bytes),
      .aad_length = job->aad_bytes,
      .iv = put(part(self, job, place, IV), job->iv, job->iv_bytes),
      .iv_length = job->iv_bytes,
      .tag_bytes = job->tag_bytes,
  };
  memcpy(request.nonce, job->nonce, sizeof request.nonce);
  memcpy(request.tag, job->tag, sizeof request.tag);
  const saltmill_result result = set_key(self, job, place);
  return result == SALTMILL_DONE ? saltmill_stage(&self->device, &request, NULL) : result;
}

saltmill_result bench_complete(bench *self, bench_job *job, uint32_t place, uint32_t patience) {
  saltmill_completion completion = {0};
  const saltmill_result result = saltmill_complete(&self->device, &completion, patience);
  if (result == SALTMILL_DONE) {
    job->status = completion.status;
    job->has_tag = completion.has_tag;
    memcpy(job->tag, completion.tag, sizeof job->tag);
    put(job->output, destination(self, job, place), job->output_bytes);
  }
  return result;
}

saltmill_result bench_wipe(bench *self) {
  return saltmill_wipe(&self->device, PATIENCE);
}

saltmill_result bench_self_test(bench *self, uint32_t *vectors, const char **failed) {
  uint8_t *memory = self->memory + RING_BYTES + BENCH_PLACES * BENCH_PLACE_BYTES;
  const saltmill_result result =
      saltmill_self_test(&self->device, memory, PATIENCE, vectors, failed);
  for (uint32_t i = 0; i < SALTMILL_SELF_TEST_BYTES; i++) {
    self->failures += memory[i] != 0;
  }
  return result;
}

// ---- what a test looks at, and what goes wrong --------------------------------------------------

void bench_skip(bench *self, bool for_device_, bool for_cpu_) {
  self->skip_for_device = for_device_;
  self->skip_for_cpu = for_cpu_;
}

void bench_hang(bench *self) {
  const uint64_t now = saltmill_sim_cycles(self->sim);
  note(self, saltmill_sim_inject(self->sim, 0, SALTMILL_SIM_FAULT_HANG, now, 0));
}

uint32_t bench_accesses(const bench *self) { return self->accesses; }
uint32_t bench_waits(const bench *self) { return self->waits; }
uint32_t bench_failures(const bench *self) { return self->failures; }
uint64_t bench_counter(const bench *self, uint32_t counter) {
  return saltmill_counter_value(&self->device, counter);
}
bool bench_supports(const bench *self, uint32_t operation) {
  return saltmill_supports(&self->device, operation);
}
uint32_t bench_algorithm(const bench *self) { return self->device.description.algorithm; }
uint32_t bench_key_sizes(const bench *self) { return self->device.description.key_sizes; }
bool bench_extended_nonce(const bench *self) { return self->device.description.extended_nonce; }
size_t bench_job_size(void) { return sizeof(bench_job); }
