// SPDX-License-Identifier: Apache-2.0
//! Interrupts that get lost or come without a cause, and how often a driver goes to the registers.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use saltmill_device::{
    Accelerator, Coalescing, Device, DeviceError, DmaRegion, Request,
    mock::{MockConfig, MockDevice, MockFault},
};

/// What the way of interrupts does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Good,
    /// Interrupts don't arrive.
    Deaf,
    /// So many come without a cause before each wait that the device ends.
    Noisy(usize),
}

/// A device on whose way something gets lost or added, and that counts.
struct Watched {
    device: MockDevice,
    way: Way,
    /// Interrupts without a cause since the last with one.
    made_up: usize,
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
        if let Way::Noisy(storm) = self.way
            && self.made_up < storm
        {
            self.made_up += 1;
            return Ok(true);
        }
        self.made_up = 0;
        let (interrupt, deaf) = (self.device.wait(deadline)?, self.way == Way::Deaf);
        if interrupt && deaf {
            self.device.write(0x48, 1)?; // the mock stands still while it is up
        }
        Ok(interrupt && !deaf)
    }
}

fn ready(way: Way) -> Accelerator<Watched> {
    with_faults(way, vec![])
}

fn with_faults(way: Way, faults: Vec<MockFault>) -> Accelerator<Watched> {
    let device = MockDevice::new("mock", MockConfig { faults, ..MockConfig::default() });
    let deadline = Instant::now() + Duration::from_secs(5);
    let watched = Watched { device, way, made_up: 0, accesses: 0 };
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
    let mut accelerator = ready(Way::Deaf);
    batch(&mut accelerator, 3);
    assert!((1..=3).contains(&accelerator.missed_interrupts()));
    let mut accelerator = ready(Way::Good);
    batch(&mut accelerator, 3);
    assert_eq!(accelerator.missed_interrupts(), 0);
}

#[test]
fn interrupts_without_a_cause_are_counted_and_jobs_go_on() {
    let mut accelerator = ready(Way::Noisy(1000));
    // Each of the 16 waits; the first interrupt of a storm may be of the job before it.
    batch(&mut accelerator, 16);
    assert_eq!(accelerator.spurious_interrupts(), 16 * 999);
    assert_eq!(accelerator.missed_interrupts(), 0);
}

#[test]
fn a_storm_does_not_hide_a_device_that_hangs() {
    let mut accelerator = with_faults(Way::Noisy(usize::MAX), vec![MockFault::HangAfter(0)]);
    let start = accelerator.data().start;
    let (source, destination) = (start..start + 64, start..start + 64);
    let request = Request { nonce: [1; 12].into(), source, destination, ..Request::default() };
    accelerator.submit(&request).unwrap();
    let error = accelerator.complete(Instant::now() + Duration::from_millis(50)).unwrap_err();
    assert!(matches!(error, DeviceError::Deadline { .. }), "{error}");
    assert!(accelerator.spurious_interrupts() > 0);
    assert_eq!(accelerator.wipe(Instant::now() + Duration::from_secs(1)).unwrap(), 1);
}

#[test]
fn an_interrupt_of_a_job_that_was_already_found_has_a_cause() {
    // Seen too late, each one: by looking, its job was found before.
    let mut accelerator = ready(Way::Deaf);
    batch(&mut accelerator, 3);
    assert_eq!(accelerator.spurious_interrupts(), 0);
    accelerator.device().way = Way::Noisy(1);
    batch(&mut accelerator, 3);
    assert_eq!(accelerator.spurious_interrupts(), 0);
}

#[test]
fn to_poll_takes_no_register_access_and_no_interrupt() {
    let mut accelerator = ready(Way::Good);
    let error = accelerator.poll().unwrap_err();
    assert!(matches!(error, DeviceError::NothingOutstanding { .. }), "{error}");
    accelerator.device().accesses = 0;
    let start = accelerator.data().start;
    let (source, destination) = (start..start + 64, start..start + 64);
    let request = Request { nonce: [1; 12].into(), source, destination, ..Request::default() };
    let job = accelerator.submit(&request).unwrap();
    // The mock works while it is waited for.
    assert_eq!(accelerator.poll().unwrap(), None);
    accelerator.device().device.wait(Instant::now() + Duration::from_secs(5)).unwrap();
    let completion = accelerator.poll().unwrap().unwrap();
    assert_eq!((completion.job, completion.outcome), (job, Ok(())));
    assert_eq!(accelerator.device().accesses, 1); // the doorbell
    assert_eq!(accelerator.missed_interrupts(), 0);
}

#[test]
fn a_batch_takes_one_register_access_for_each_interrupt_and_one_more() {
    let mut accelerator = ready(Way::Good);
    // The doorbell; of each job, its interrupt is cleared.
    assert_eq!(batch(&mut accelerator, 16), 1 + 16);
    // One interrupt for all.
    accelerator.set_coalescing(Coalescing { jobs: 16, timeout_cycles: 10_000 }).unwrap();
    assert_eq!(batch(&mut accelerator, 16), 1 + 1);
}
