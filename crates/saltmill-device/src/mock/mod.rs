// SPDX-License-Identifier: Apache-2.0
//! A scripted device in software: behaves as the register description says, and fails on demand.
//!
//! It is strict where hardware is: what the host did not sync the device does not see, and the
//! other way round; keys can't be read; a job runs only while somebody waits.

mod aes;
mod chacha20;
mod check;
mod core;
mod job;

use std::{ops::Range, thread, time::Instant};

use zeroize::Zeroize;

pub use self::core::MockCore;
use crate::{
    Device, DeviceError, DmaRegion,
    registers::{self, Structure, capabilities},
};

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MockFault {
    /// The magic register holds this.
    Magic(u32),
    /// The version register holds this.
    Version(u32),
    /// After this many jobs none finishes any more.
    HangAfter(u64),
    /// After this many jobs the device is gone: reads give all ones, writes have no effect.
    GoneAfter(u64),
    /// After this many register reads they are refused.
    RefuseReadsAfter(u64),
    /// The interrupt never comes.
    LostInterrupts,
    /// Job number `job` ends with this status and no output.
    Status {
        /// Number of the job, from 0.
        job: u64,
        /// The status.
        status: u32,
    },
    /// Every tag that the device makes is wrong.
    WrongTags,
    /// Every tag that the device compares is right to it.
    AnyTag,
    /// A wipe never ends.
    EndlessWipe,
}

/// How the mock is built.
#[derive(Clone, Debug)]
pub struct MockConfig {
    /// What it computes.
    pub core: MockCore,
    /// Sources and destinations may start at any byte.
    pub any_alignment: bool,
    /// Number of key slots.
    pub key_slots: u8,
    /// The largest ring has `1 << max_log2_entries` entries.
    pub max_log2_entries: u8,
    /// Bytes of memory.
    pub memory: usize,
    /// Where its memory is on its bus; a multiple of 128.
    pub bus_address: u64,
    /// Bits of an address on its bus; 32 to 64.
    pub address_bits: u8,
    /// What goes wrong.
    pub faults: Vec<MockFault>,
}

impl Default for MockConfig {
    fn default() -> Self {
        Self {
            core: MockCore::ChaCha20Poly1305,
            any_alignment: true,
            key_slots: 4,
            max_log2_entries: 4,
            memory: 4 << 20,
            bus_address: 0x2000_0000,
            address_bits: 32,
            faults: Vec::new(),
        }
    }
}

/// Width of the mock's memory port.
const DATA_BYTES: u8 = 16;
/// Version of the register map that the mock has.
const VERSION: u32 = registers::version::MAJOR.with(registers::version::MAJOR.reset())
    | registers::version::MINOR.reset();
/// Where the register map ends.
const MAP_END: u32 =
    registers::KEY_SLOTS + registers::KEY_SLOTS_STRIDE * registers::KEY_SLOTS_COUNT;
/// Counters of 64 bits.
const COUNTERS: usize = registers::COUNTERS_COUNT as usize;
/// What the mock says a block costs.
const CYCLES_PER_BLOCK: u32 = 10;

/// A key slot: its words so far, how many were written in order, and what for, as `KEY_USE` has it.
#[derive(Clone, Default)]
struct KeySlot {
    key: [u8; 32],
    words: usize,
    key_use: u32,
}

/// The scripted device.
pub struct MockDevice {
    name: String,
    config: MockConfig,
    /// Memory as the host sees it, and as the device sees it: equal only where synced.
    host_view: Vec<u8>,
    bus_view: Vec<u8>,
    keys: Vec<KeySlot>,
    control: u32,
    ring_base: u64,
    log2_entries: u8,
    head: u16,
    tail: u16,
    interrupt_status: u32,
    interrupt_enable: u32,
    coalescing: u32,
    /// `KEY_USE`: what the keys written next are for.
    key_use: u32,
    unreported: u32,
    counters: [u64; COUNTERS],
    jobs_ever: u64,
    reads_ever: u64,
}

impl MockDevice {
    /// A device as `config` says.
    pub fn new(name: impl Into<String>, config: MockConfig) -> Self {
        Self {
            name: name.into(),
            host_view: vec![0; config.memory],
            bus_view: vec![0; config.memory],
            keys: vec![KeySlot::default(); config.key_slots.into()],
            config,
            control: 0,
            ring_base: 0,
            log2_entries: 0,
            head: 0,
            tail: 0,
            interrupt_status: 0,
            interrupt_enable: 0,
            coalescing: 1,
            key_use: 0,
            unreported: 0,
            counters: [0; COUNTERS],
            jobs_ever: 0,
            reads_ever: 0,
        }
    }

    fn fault<T>(&self, pick: impl Fn(&MockFault) -> Option<T>) -> Option<T> {
        self.config.faults.iter().find_map(pick)
    }

    fn hung(&self) -> bool {
        let limit = self.fault(|f| match f {
            MockFault::HangAfter(jobs) => Some(*jobs),
            _ => None,
        });
        limit.is_some_and(|limit| self.jobs_ever >= limit)
    }

    fn gone(&self) -> bool {
        let limit = self.fault(|f| match f {
            MockFault::GoneAfter(jobs) => Some(*jobs),
            _ => None,
        });
        limit.is_some_and(|limit| self.jobs_ever >= limit)
    }

    fn interrupt(&self) -> bool {
        let lost = self.config.faults.contains(&MockFault::LostInterrupts);
        !lost && !self.gone() && self.interrupt_status & self.interrupt_enable != 0
    }

    fn wipe(&mut self) {
        self.keys.fill_with(KeySlot::default);
        (self.control, self.head, self.tail, self.unreported) = (0, 0, 0, 0);
        self.key_use = 0;
    }

    fn range(&self, range: &Range<usize>) -> Result<(), DeviceError> {
        let (len, device) = (self.config.memory, self.name.clone());
        let inside = range.start <= range.end && range.end <= len;
        let error = || DeviceError::Memory { device, range: range.clone(), len };
        if inside { Ok(()) } else { Err(error()) }
    }

    fn write_key(&mut self, offset: u32, value: u32) {
        let stride = registers::KEY_SLOTS_STRIDE;
        let (slot, word) = ((offset / stride) as usize, (offset % stride) as usize / 4);
        let Some(slot) = self.keys.get_mut(slot) else { return };
        let goes_on = slot.words == word && slot.key_use == self.key_use;
        slot.words = if word == 0 || goes_on { word + 1 } else { 0 };
        slot.key_use = self.key_use;
        slot.key[4 * word..][..4].copy_from_slice(&value.to_le_bytes());
    }

    fn write_control(&mut self, value: u32) {
        self.control = value & registers::CONTROL_ENABLE;
        if value & registers::CONTROL_CLEAR != 0 {
            self.counters = [0; COUNTERS];
        }
        if value & registers::CONTROL_WIPE != 0 {
            self.wipe();
        }
    }

    fn description(&self, offset: u32) -> u32 {
        let magic =
            |f: &MockFault| if let MockFault::Magic(value) = f { Some(*value) } else { None };
        let version =
            |f: &MockFault| if let MockFault::Version(value) = f { Some(*value) } else { None };
        let config = &self.config;
        let facts = config.core.facts();
        match offset {
            registers::MAGIC => self.fault(magic).unwrap_or(registers::MAGIC_VALUE),
            registers::VERSION => self.fault(version).unwrap_or(VERSION),
            registers::CORE => {
                registers::core::ALGORITHM.with(facts.algorithm)
                    | registers::core::STRUCTURE.with(Structure::Ring as u32)
                    | registers::core::FINAL_ADD.with(facts.final_add.into())
            }
            registers::SHAPE => {
                registers::shape::UNROLL.with(2)
                    | registers::shape::STAGES.with(8)
                    | registers::shape::BLOCK_BYTES.with(facts.block_bytes)
            }
            registers::RATE => {
                registers::rate::CYCLES_PER_BLOCK.with(CYCLES_PER_BLOCK)
                    | registers::rate::LATENCY.with(80)
            }
            registers::CLOCK => 100_000_000,
            registers::CAPABILITIES => {
                capabilities::DATA_BYTES.with(DATA_BYTES.into())
                    | capabilities::ANY_ALIGNMENT.with(config.any_alignment.into())
                    | capabilities::EXTENDED_NONCE.with((facts.extended_nonces != 0).into())
                    | capabilities::KEY_SIZES.with(facts.key_sizes)
                    | capabilities::KEY_SLOTS.with(config.key_slots.into())
                    | capabilities::MAX_LOG2_ENTRIES.with(config.max_log2_entries.into())
            }
            registers::OPERATIONS => facts.operations,
            registers::KEYLESS => facts.keyless,
            registers::DIGEST => facts.digest_bytes,
            registers::PORT => config.address_bits.into(),
            _ => 0,
        }
    }
}

impl Device for MockDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn read(&mut self, offset: u32) -> Result<u32, DeviceError> {
        self.reads_ever += 1;
        let refused = |f: &MockFault| match f {
            MockFault::RefuseReadsAfter(reads) => (self.reads_ever > *reads).then_some(()),
            _ => None,
        };
        if self.fault(refused).is_some() || offset >= registers::KEY_SLOTS {
            return Err(DeviceError::Register {
                device: self.name.clone(),
                action: "read",
                offset,
            });
        }
        if self.gone() {
            return Ok(u32::MAX);
        }
        let counter = offset.wrapping_sub(registers::COUNTERS);
        Ok(match offset {
            registers::CONTROL => self.control,
            registers::STATUS if self.config.faults.contains(&MockFault::EndlessWipe) => {
                registers::STATUS_WIPING
            }
            registers::STATUS => u32::from(self.head != self.tail),
            registers::INTERRUPT_STATUS => self.interrupt_status,
            registers::INTERRUPT_ENABLE => self.interrupt_enable,
            registers::INTERRUPT_COALESCING => self.coalescing,
            registers::KEY_USE => self.key_use,
            registers::RING_BASE_LOW => self.ring_base as u32,
            registers::RING_BASE_HIGH => (self.ring_base >> 32) as u32,
            registers::RING_SIZE => self.log2_entries.into(),
            registers::RING_HEAD => self.head.into(),
            registers::RING_TAIL => self.tail.into(),
            _ if counter < registers::COUNTERS_STRIDE * registers::COUNTERS_COUNT => {
                let (number, byte) =
                    (counter / registers::COUNTERS_STRIDE, counter % registers::COUNTERS_STRIDE);
                (self.counters[number as usize] >> (8 * byte)) as u32
            }
            _ => self.description(offset),
        })
    }

    fn write(&mut self, offset: u32, value: u32) -> Result<(), DeviceError> {
        if self.gone() {
            return Ok(());
        }
        match offset {
            registers::CONTROL => self.write_control(value),
            registers::INTERRUPT_STATUS => self.interrupt_status &= !value,
            registers::INTERRUPT_ENABLE => self.interrupt_enable = value,
            registers::INTERRUPT_COALESCING => self.coalescing = value,
            registers::KEY_USE => {
                let fields = registers::key_use::SIZE.mask() | registers::key_use::ONE_TIME.mask();
                self.key_use = value & fields;
            }
            registers::RING_BASE_LOW => {
                self.ring_base = self.ring_base >> 32 << 32
                    | u64::from(value & registers::ring_base_low::ADDRESS.mask());
            }
            registers::RING_BASE_HIGH => {
                self.ring_base = self.ring_base & 0xFFFF_FFFF | u64::from(value) << 32;
            }
            registers::RING_SIZE => {
                self.log2_entries = (value as u8 & 0xF).min(self.config.max_log2_entries);
            }
            registers::RING_HEAD => self.head = value as u16,
            registers::KEY_SLOTS..MAP_END => {
                self.write_key(offset - registers::KEY_SLOTS, value);
            }
            _ => {
                let device = self.name.clone();
                return Err(DeviceError::Register { device, action: "write", offset });
            }
        }
        Ok(())
    }

    fn dma(&self) -> DmaRegion {
        DmaRegion { bus_address: self.config.bus_address, len: self.config.memory }
    }

    fn memory(&mut self, range: Range<usize>) -> Result<&mut [u8], DeviceError> {
        self.range(&range)?;
        Ok(&mut self.host_view[range])
    }

    fn sync_for_device(&mut self, range: Range<usize>) -> Result<(), DeviceError> {
        self.range(&range)?;
        self.bus_view[range.clone()].copy_from_slice(&self.host_view[range]);
        Ok(())
    }

    fn sync_for_cpu(&mut self, range: Range<usize>) -> Result<(), DeviceError> {
        self.range(&range)?;
        self.host_view[range.clone()].copy_from_slice(&self.bus_view[range]);
        Ok(())
    }

    fn wait(&mut self, deadline: Instant) -> Result<bool, DeviceError> {
        loop {
            if self.interrupt() {
                return Ok(true);
            }
            let enabled = self.control & registers::CONTROL_ENABLE != 0;
            if !enabled || self.head == self.tail || self.hung() || self.gone() {
                break;
            }
            self.run_job();
        }
        thread::sleep(deadline.saturating_duration_since(Instant::now()));
        Ok(false)
    }

    fn cycles(&mut self) -> Result<Option<u64>, DeviceError> {
        Ok(Some(self.counters[registers::counters::CYCLES]))
    }
}

impl Drop for MockDevice {
    fn drop(&mut self) {
        self.keys.iter_mut().for_each(|slot| slot.key.zeroize());
    }
}
