// SPDX-License-Identifier: Apache-2.0
// How the driver reaches registers, and how it keeps accesses in order.
//
// Registers that are mapped into the processor's address space need nothing more. For others, name
// a header of your own with the same three functions:
//   -DSALTMILL_IO_HEADER='"my_io.h"'
#ifndef SALTMILL_IO_H
#define SALTMILL_IO_H

#include <stdint.h>

#ifdef SALTMILL_IO_HEADER
#include SALTMILL_IO_HEADER
#else

// `base` is where the device's registers begin, `offset` a multiple of 4.
static inline uint32_t saltmill_read32(uintptr_t base, uint32_t offset) {
  return *(const volatile uint32_t *)(base + offset);
}

static inline void saltmill_write32(uintptr_t base, uint32_t offset, uint32_t value) {
  *(volatile uint32_t *)(base + offset) = value;
}

// Accesses to memory and registers before it are done before those after it, also for the device.
static inline void saltmill_barrier(void) {
#if defined(__riscv)
  __asm__ volatile("fence iorw, iorw" ::: "memory");
#elif defined(__aarch64__) || (defined(__arm__) && __ARM_ARCH >= 7)
  __asm__ volatile("dsb sy" ::: "memory");
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

#endif  // SALTMILL_IO_HEADER
#endif  // SALTMILL_IO_H
