// SPDX-License-Identifier: Apache-2.0
// A short run of the usual work on the only variant in the build: the compiler lays out the model's
// code by what it sees here. Nothing depends on the results.
#include <cassert>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#include "saltmill.h"
#include "saltmill_descriptor.h"
#include "saltmill_sim.h"

namespace {

constexpr uint64_t kCycles = 40'000;
constexpr unsigned kJobs = 64;
constexpr unsigned kLog2Entries = 6;
// Operations by job, of a cipher alone and of an AEAD core
constexpr uint8_t kCipher[] = {1, 1, 1, 1, 1, 1, 1, 2};  // XOR, keystream
constexpr uint8_t kAead[] = {4, 5, 4, 1, 5, 4, 4, 5};    // seal, open, XOR

struct Work {
  uint32_t latency, bytes, step;  // step: between the jobs' places in memory
};

class Trainer {
 public:
  explicit Trainer(uint32_t latency) {
    const saltmill_sim_memory_profile memory{0x40000000, 1 << 22, latency, latency,
                                             16,         16,      0,       0};
    char error[256] = "";
    sim_ = saltmill_sim_create(saltmill_sim_variant(0), 1, &memory, nullptr, error, sizeof error);
    if (!sim_) fail(error);
    base_ = saltmill_sim_region(sim_, 0);
  }
  ~Trainer() { saltmill_sim_destroy(sim_); }

  void run(const Work &work) {
    uint32_t status = SALTMILL_REGISTERS__STATUS__WIPING_bm;
    while (status & SALTMILL_REGISTERS__STATUS__WIPING_bm)
      check(saltmill_sim_read(sim_, 0, offsetof(saltmill_registers_t, status), &status));
    for (uint32_t word = 0; word < 8; ++word)
      write(offsetof(saltmill_t, key_slots) + 4 * word, 0x01234567 * word);
    write(offsetof(saltmill_registers_t, ring_base_low), static_cast<uint32_t>(base_));
    write(offsetof(saltmill_registers_t, ring_base_high), static_cast<uint32_t>(base_ >> 32));
    write(offsetof(saltmill_registers_t, ring_size), kLog2Entries);
    uint32_t operations = 0;
    check(saltmill_sim_read(sim_, 0, offsetof(saltmill_registers_t, operations), &operations));
    operation_ = operations & 1u << kAead[0] ? kAead : kCipher;
    write(offsetof(saltmill_registers_t, interrupt_enable), SALTMILL_REGISTERS__INTERRUPT_ENABLE__DONE_bm);
    write(offsetof(saltmill_registers_t, interrupt_coalescing), kJobs);
    write(offsetof(saltmill_registers_t, control), SALTMILL_REGISTERS__CONTROL__ENABLE_bm);
    for (uint32_t job = 0; job < kJobs; ++job) put(job, work);
    write(offsetof(saltmill_registers_t, ring_head), kJobs);
    int interrupt = 0;
    check(saltmill_sim_run(sim_, 0, kCycles, &interrupt));
  }

 private:
  void put(uint32_t job, const Work &work) {
    const auto source = static_cast<uint32_t>(base_) + 0x10000 + job * work.step;
    saltmill_descriptor_t descriptor{};
    descriptor.control = operation_[job % 8];
    descriptor.length = work.bytes;
    descriptor.source_low = source;
    descriptor.destination_low = source + 0x200000;
    descriptor.nonce[0] = job;
    if (descriptor.control >= 4) {
      descriptor.aad_length = 13;
      descriptor.aad_low = source;
    }
    check(saltmill_sim_memory_write(sim_, base_ + job * sizeof descriptor, &descriptor,
                                    sizeof descriptor));
  }
  void write(size_t offset, uint32_t value) {
    check(saltmill_sim_write(sim_, 0, static_cast<uint32_t>(offset), value));
  }
  void check(int result) {
    if (result != SALTMILL_SIM_OK) fail(saltmill_sim_error(sim_));
  }
  [[noreturn]] static void fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(1);
  }

  saltmill_sim *sim_;
  uint64_t base_;
  const uint8_t *operation_ = kCipher;
};

}  // namespace

int main() {
  for (const Work &work : {Work{100, 16384, 16384}, Work{1, 16384, 16384}, Work{20, 1001, 1003}})
    Trainer(work.latency).run(work);
}
