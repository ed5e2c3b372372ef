// SPDX-License-Identifier: Apache-2.0
#include "board.h"

#include <generated/csr.h>
#include <irq.h>
#include <system.h>

// What GCC takes for granted also without a C library.
void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
  uint8_t *t = to;
  const uint8_t *f = from;
  while (bytes--) *t++ = *f++;
  return to;
}

void *memset(void *to, int value, size_t bytes) {
  volatile uint8_t *t = to;
  while (bytes--) *t++ = (uint8_t)value;
  return to;
}

void say(const char *text) {
  for (; *text; text++) {
    while (uart_txfull_read()) {
    }
    uart_rxtx_write((uint8_t)*text);
  }
}

void say_number(uint32_t number) {
  char digits[11];
  char *at = digits + sizeof digits - 1;
  *at = 0;
  do {
    *--at = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  say(at);
}

uint32_t cycles(void *context) {
  (void)context;
  timer0_uptime_latch_write(1);
  return (uint32_t)timer0_uptime_cycles_read();
}

// ---- caches -------------------------------------------------------------------------------------
// The data cache writes through: what the processor has written is in memory as soon as the write
// has left it, which the driver's barrier waits for. It does not see what the device writes: the
// whole cache is invalidated, it can't do less.

static void for_cpu(void *context, void *memory, size_t bytes) {
  (void)context, (void)memory, (void)bytes;
#ifndef WITHOUT_INVALIDATION
  flush_cpu_dcache();
#endif
}

// ---- waiting ------------------------------------------------------------------------------------

// Between two looks at the device: its registers are on the bus that the device may be using.
static bool rest(void *context) {
  (void)context;
  for (unsigned i = 0; i < 32; i++) __asm__ volatile("nop");
  return false;  // there is no interrupt to clear
}

// ---- interrupt ----------------------------------------------------------------------------------

static saltmill_device *listener;
static volatile uint32_t interrupts, seen;

__attribute__((interrupt, aligned(4))) static void handler(void) {
  if (irq_pending() & 1U << SALTMILL_INTERRUPT) {
    // Clears it in the device, whose level LiteX passes on.
    interrupts += saltmill_interrupt(listener);
  }
}

static bool wait(void *context) {
  (void)context;
  for (uint32_t i = 0; i < 1000 && seen == interrupts; i++) {
  }
  seen = interrupts;
  return false;  // the handler has already cleared it
}

void board_enable_interrupt(saltmill_device *device) {
  listener = device;
  seen = interrupts;
  csrw(mtvec, (uintptr_t)handler);
  csrw(mie, 0x800);  // external
  saltmill_ev_enable_write(1);
  saltmill_enable_interrupt(device, true);
  irq_setmask(irq_getmask() | 1U << SALTMILL_INTERRUPT);
  irq_setie(1);
}

uint32_t board_interrupts(void) { return interrupts; }

saltmill_platform board_platform(bool interrupt) {
  return (saltmill_platform){
      .for_cpu = for_cpu,
      .wait = interrupt ? wait : rest,
      .ticks = cycles,
  };
}
