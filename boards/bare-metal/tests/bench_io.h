// SPDX-License-Identifier: Apache-2.0
// Registers of the simulated device; `base` is the address of its bench.
#ifndef BENCH_IO_H
#define BENCH_IO_H

#include <stdint.h>

uint32_t saltmill_read32(uintptr_t base, uint32_t offset);
void saltmill_write32(uintptr_t base, uint32_t offset, uint32_t value);

static inline void saltmill_barrier(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

#endif  // BENCH_IO_H
