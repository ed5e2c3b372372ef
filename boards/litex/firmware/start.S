# SPDX-License-Identifier: Apache-2.0
# From reset to main: stack, initialised data, zeros. The ROM is at address 0.
.section .text.start
.global _start
_start:
  la sp, _stack
  la a0, _data
  la a1, _data_end
  la a2, _data_rom
1:
  bgeu a0, a1, 2f
  lw a3, 0(a2)
  sw a3, 0(a0)
  addi a0, a0, 4
  addi a2, a2, 4
  j 1b
2:
  la a0, _bss
  la a1, _bss_end
3:
  bgeu a0, a1, 4f
  sw zero, 0(a0)
  addi a0, a0, 4
  j 3b
4:
  call main
5:
  j 5b
