// SPDX-License-Identifier: Apache-2.0
// The SoC around the driver: console, cycle counter, caches, interrupt.
#ifndef BOARD_H
#define BOARD_H

#include "saltmill_driver.h"

void say(const char *text);
void say_number(uint32_t number);

// Clock cycles, modulo 2^32.
uint32_t cycles(void *context);

// The platform of the driver, polling; with `interrupt` it waits for that.
saltmill_platform board_platform(bool interrupt);
// Interrupts of the device go to its driver from now on.
void board_enable_interrupt(saltmill_device *device);
uint32_t board_interrupts(void);

#endif  // BOARD_H
