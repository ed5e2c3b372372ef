// SPDX-License-Identifier: Apache-2.0
//! Interrupts that get lost, and how often a driver goes to the registers.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use saltmill_device::{
    Accelerator, Coalescing, Device, DeviceError, DmaRegion, Request,
    mock::{MockConfig, MockDevice},
};

/// A device on whose way something gets lost, and that counts.
struct Watched {
    device: MockDevice,
    /// Interrupts don't arrive.
    deaf: bool,
    accesses: usize,
}

impl Device for Watched {
    fn name(&self) -> &str {
        self.device.name()
    }

    fn read(&mut self, offset: u32) -> Result<u32, DeviceError> {
        self.accesses += 1;
        self.device.read(offset)
    }

    fn write(&mut self, offset: u32, value: u32) -> Result<(), DeviceError> {
        self.accesses += 1;
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

    fn wait(&mut self, deadline: Instant) -> Result<bool, DeviceError> {
        let interrupt = self.device.wait(deadline)?;
        if interrupt && self.deaf {
            self.device.write(0x48, 1)?; // the mock stands still while it is up
        }
        Ok(interrupt && !self.deaf)
    }
}

fn ready(deaf: bool) -> Accelerator<Watched> {
    let device = MockDevice::new("mock", MockConfig::default());
    let deadline = Instant::now() + Duration::from_secs(5);
    let watched = Watched { device, deaf, accesses: 0 };
    let mut accelerator = Accelerator::probe(watched, deadline).unwrap();
    accelerator.set_key(0, &[7; 32]).unwrap();
    accelerator
}

/// Does so many jobs with one doorbell; gives the accesses to registers.
fn batch(accelerator: &mut Accelerator<Watched>, jobs: usize) -> usize {
    accelerator.device().accesses = 0;
    for job in 0..jobs {
        let start = accelerator.data().start + job * 64;
        let (source, destination) = (start..start + 64, start..start + 64);
        let request = Request { nonce: [1; 12].into(), source, destination, ..Request::default() };
        accelerator.stage(&request).unwrap();
    }
    for _ in 0..jobs {
        let deadline = Instant::now() + Duration::from_secs(5);
        accelerator.complete(deadline).unwrap().outcome.unwrap();
    }
    accelerator.device().accesses
}

#[test]
fn lost_interrupts_cost_time_and_are_told() {
    let mut accelerator = ready(true);
    batch(&mut accelerator, 3);
    assert!((1..=3).contains(&accelerator.missed_interrupts()));
    let mut accelerator = ready(false);
    batch(&mut accelerator, 3);
    assert_eq!(accelerator.missed_interrupts(), 0);
}

#[test]
fn a_batch_takes_one_register_access_for_each_interrupt_and_one_more() {
    let mut accelerator = ready(false);
    // The doorbell; of each job, its interrupt is cleared.
    assert_eq!(batch(&mut accelerator, 16), 1 + 16);
    // One interrupt for all.
    accelerator.set_coalescing(Coalescing { jobs: 16, timeout_cycles: 10_000 }).unwrap();
    assert_eq!(batch(&mut accelerator, 16), 1 + 1);
}
