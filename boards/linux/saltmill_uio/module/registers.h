/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Where the registers are and what their bits mean: from the header that is
 * generated from rtl/device/saltmill.rdl, so that there is no second list.
 * Include this file first: the header and the kernel both define static_assert.
 */
#ifndef SALTMILL_UIO_REGISTERS_H
#define SALTMILL_UIO_REGISTERS_H

#include "saltmill.h"
#undef static_assert

#define REGISTER(name)		offsetof(saltmill_t, registers.name)

#define MAGIC			SALTMILL_REGISTERS__MAGIC__VALUE_reset
#define VERSION_MAJOR		SALTMILL_REGISTERS__VERSION__MAJOR_bm
#define KNOWN_MAJOR		SALTMILL_REGISTERS__VERSION__MAJOR_reset
#define ADDRESS_BITS		SALTMILL_REGISTERS__PORT__ADDRESS_BITS_bm
#define CONTROL_WIPE		SALTMILL_REGISTERS__CONTROL__WIPE_bm
#define STATUS_WIPING		SALTMILL_REGISTERS__STATUS__WIPING_bm
#define INTERRUPT_DONE		SALTMILL_REGISTERS__INTERRUPT_ENABLE__DONE_bm

#endif
