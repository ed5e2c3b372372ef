// SPDX-License-Identifier: Apache-2.0
//! The device's performance counters.

use std::ops::AddAssign;

use crate::{
    Device, DeviceError,
    registers::{self, counters as numbers},
};

/// Performance counters of a device since they were cleared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// Clock cycles with jobs in flight.
    pub cycles: u64,
    /// Cycles with a job in the core.
    pub busy: u64,
    /// Cycles in which the core waited for data from memory.
    pub stalled_input: u64,
    /// Cycles in which the core waited for memory to take its output.
    pub stalled_output: u64,
    /// Blocks of data that left the core.
    pub blocks: u64,
    /// Bytes of data of the jobs that the core has begun.
    pub bytes: u64,
    /// Jobs finished.
    pub jobs: u64,
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Self) {
        self.cycles += other.cycles;
        self.busy += other.busy;
        self.stalled_input += other.stalled_input;
        self.stalled_output += other.stalled_output;
        self.blocks += other.blocks;
        self.bytes += other.bytes;
        self.jobs += other.jobs;
    }
}

impl Counters {
    pub(crate) fn read<D: Device + ?Sized>(device: &mut D) -> Result<Self, DeviceError> {
        let mut counter = |number| read_counter(device, number);
        Ok(Self {
            cycles: counter(numbers::CYCLES)?,
            busy: counter(numbers::BUSY)?,
            stalled_input: counter(numbers::STALLED_INPUT)?,
            stalled_output: counter(numbers::STALLED_OUTPUT)?,
            blocks: counter(numbers::BLOCKS)?,
            bytes: counter(numbers::BYTES)?,
            jobs: counter(numbers::JOBS)?,
        })
    }

    /// Cycles for a block, with all that went on around the core; `None` before the first block.
    pub fn cycles_per_block(&self) -> Option<f64> {
        (self.blocks > 0).then(|| self.cycles as f64 / self.blocks as f64)
    }

    /// Part of the cycles that a core with this cost of a block had to spend on its blocks: 1.0 is
    /// a core that never waited.
    pub fn utilisation(&self, core_cycles_per_block: u16) -> Option<f64> {
        let needed = self.blocks as f64 * f64::from(core_cycles_per_block);
        (self.cycles > 0).then(|| needed / self.cycles as f64)
    }

    /// Bytes per second at a clock, in units of 2^20: what the device would do if it ran at it.
    pub fn mib_per_second(&self, clock_hz: u32) -> Option<f64> {
        let seconds = self.cycles as f64 / f64::from(clock_hz);
        (seconds > 0.0).then(|| self.bytes as f64 / f64::from(1 << 20) / seconds)
    }
}

/// High, low, high again: if the halves were torn by a carry, the second pair is not.
fn read_counter<D: Device + ?Sized>(device: &mut D, number: usize) -> Result<u64, DeviceError> {
    let low_offset = registers::COUNTERS + registers::COUNTERS_STRIDE * number as u32;
    let high_offset = low_offset + registers::COUNTERS_STRIDE / 2;
    let high = device.read(high_offset)?;
    let low = device.read(low_offset)?;
    let high_again = device.read(high_offset)?;
    let low = if high == high_again { low } else { device.read(low_offset)? };
    Ok(u64::from(high_again) << 32 | u64::from(low))
}
