// SPDX-License-Identifier: Apache-2.0
//! Addresses, fields and codes of the registers and of the descriptor.

pub const MAGIC: u32 = 0x000;
pub const MAGIC_VALUE: u32 = 0x544C_4153;
pub const VERSION: u32 = 0x004;
pub const VERSION_MAJOR: u16 = 0;
pub const CORE: u32 = 0x008;
pub const SHAPE: u32 = 0x00C;
pub const RATE: u32 = 0x010;
pub const CLOCK: u32 = 0x014;
pub const CAPABILITIES: u32 = 0x018;
pub const OPERATIONS: u32 = 0x01C;
pub const CONTROL: u32 = 0x040;
pub const CONTROL_ENABLE: u32 = 1;
pub const CONTROL_WIPE: u32 = 2;
pub const CONTROL_CLEAR: u32 = 4;
pub const STATUS: u32 = 0x044;
pub const STATUS_WIPING: u32 = 2;
pub const INTERRUPT_STATUS: u32 = 0x048;
pub const INTERRUPT_DONE: u32 = 1;
pub const INTERRUPT_ALL: u32 = 3;
pub const INTERRUPT_ENABLE: u32 = 0x04C;
pub const INTERRUPT_COALESCING: u32 = 0x050;
pub const RING_BASE_LOW: u32 = 0x060;
pub const RING_BASE_HIGH: u32 = 0x064;
pub const RING_SIZE: u32 = 0x068;
pub const RING_HEAD: u32 = 0x06C;
pub const RING_TAIL: u32 = 0x070;
pub const COUNTERS: u32 = 0x080;
pub const KEY_SLOTS: u32 = 0x400;
