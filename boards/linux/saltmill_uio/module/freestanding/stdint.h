/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* What the generated header of the registers includes; the kernel has no C library. */
#include <linux/types.h>
