// SPDX-License-Identifier: Apache-2.0
//! A device whose register accesses are counted: on a board each is a transfer over a bus that is
//! far slower than the simulation's.

use std::{ops::Range, time::Instant};

use saltmill_device::{Device, DeviceError, DmaRegion};
use saltmill_sim::SimDevice;
use serde::Serialize;

/// Register accesses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Accesses {
    pub reads: u64,
    pub writes: u64,
}

pub struct Counted {
    pub device: SimDevice,
    pub accesses: Accesses,
}

impl Counted {
    pub fn new(device: SimDevice) -> Self {
        Self { device, accesses: Accesses::default() }
    }
}

impl Device for Counted {
    fn name(&self) -> &str {
        self.device.name()
    }

    fn read(&mut self, offset: u32) -> Result<u32, DeviceError> {
        self.accesses.reads += 1;
        self.device.read(offset)
    }

    fn write(&mut self, offset: u32, value: u32) -> Result<(), DeviceError> {
        self.accesses.writes += 1;
        self.device.write(offset, value)
    }

    fn dma(&self) -> DmaRegion {
        self.device.dma()
    }

    fn memory(&mut self, range: Range<usize>) -> Result<&mut [u8], DeviceError> {
        self.device.memory(range)
    }

    fn sync_for_device(&mut self, range: Range<usize>) -> Result<(), DeviceError> {
        self.device.sync_for_device(range)
    }

    fn sync_for_cpu(&mut self, range: Range<usize>) -> Result<(), DeviceError> {
        self.device.sync_for_cpu(range)
    }

    /// The driver looks at the device between waits of 100 ms, of the wall clock: how often would
    /// depend on the machine that simulates.
    fn wait(&mut self, _deadline: Instant) -> Result<bool, DeviceError> {
        self.device.wait(Instant::now() + super::DEADLINE)
    }

    fn cycles(&mut self) -> Result<Option<u64>, DeviceError> {
        self.device.cycles()
    }
}
