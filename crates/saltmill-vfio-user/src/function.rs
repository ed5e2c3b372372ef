// SPDX-License-Identifier: Apache-2.0
//! The PCI function: a simulated device, its configuration space, its interrupts, and its clock.

use std::{sync::Arc, thread, time::Duration};

use parking_lot::{Condvar, Mutex, MutexGuard};
use saltmill_device::{Activity, Device, DeviceError};
use saltmill_sim::SimDevice;

use crate::{
    config_space::{BAR_BYTES, ConfigSpace},
    interrupts::{Interrupts, Wiring},
};

/// Cycles between two chances for a register access: some hundred microseconds.
const SLICE: u64 = 256;
/// After each slice where the interrupt is stuck: however slow the client is, it waits for its
/// jobs, and gets many interrupts for each.
const PAUSE: Duration = Duration::from_millis(1);
/// Slices between two looks whether the device is busy.
const SLICES: u32 = 16;
/// Cycles that it runs on when it is idle: whatever a register access set off is over by then.
const LINGER: u64 = 1024;
/// Cycles after a register access: what it does to the interrupt has reached it.
const SETTLE: u64 = 8;

/// What the client's thread and the clock's share.
pub(crate) struct Function {
    pub(crate) device: SimDevice,
    pub(crate) config: ConfigSpace,
    pub(crate) interrupts: Interrupts,
    wiring: Wiring,
    /// A register was accessed since the clock's thread has looked.
    touched: bool,
    /// The clock's thread ends.
    over: bool,
    /// Why the device can't go on; it is gone from the bus since.
    pub(crate) failure: Option<DeviceError>,
    pub(crate) accesses: u64,
}

impl Function {
    pub(crate) fn new(device: SimDevice, wiring: Wiring) -> Self {
        Self {
            device,
            config: ConfigSpace::new(wiring),
            interrupts: Interrupts::default(),
            wiring,
            touched: true,
            over: false,
            failure: None,
            accesses: 0,
        }
    }

    /// Reads registers. What is no whole register reads as ones, as it does on a bus where nobody
    /// answers; so does everything of a device that failed.
    pub(crate) fn read(&mut self, offset: u64, data: &mut [u8]) {
        let Some(first) = register(offset, data.len()) else { return data.fill(0xff) };
        for (offset, word) in (first..).step_by(4).zip(data.chunks_exact_mut(4)) {
            let value = self.access(|device| device.read(offset)).unwrap_or(u32::MAX);
            word.copy_from_slice(&value.to_le_bytes());
        }
    }

    /// Writes registers. What is no whole register is dropped.
    pub(crate) fn write(&mut self, offset: u64, data: &[u8]) {
        let Some(first) = register(offset, data.len()) else { return };
        for (offset, word) in (first..).step_by(4).zip(data.as_chunks::<4>().0) {
            let value = u32::from_le_bytes(*word);
            self.access(|device| device.write(offset, value));
        }
    }

    /// Puts all into the state after power-on, but for where interrupts go.
    pub(crate) fn reset(&mut self) {
        self.config = ConfigSpace::new(self.wiring);
        self.follow_config();
        self.attempt(SimDevice::reset);
        self.touched = true;
        self.run(0);
    }

    /// Does what bits of the configuration space say.
    pub(crate) fn follow_config(&mut self) {
        let open = self.config.is_bus_master();
        self.attempt(|device| device.open_windows(open));
        self.interrupts.line_off = self.config.has_no_intx();
        self.run(0);
    }

    /// Runs the clock, and tells the client of the interrupt.
    fn run(&mut self, cycles: u64) {
        if let Some(interrupt) = self.attempt(|device| device.step(cycles)) {
            self.interrupts.follow(self.wiring.carry(interrupt, cycles == SLICE));
        }
    }

    /// A register access. One that the device refuses has no answer, and is no failure.
    fn access<R>(
        &mut self,
        body: impl FnOnce(&mut SimDevice) -> Result<R, DeviceError>,
    ) -> Option<R> {
        self.accesses += 1;
        self.touched = true;
        let result = self.attempt(|device| match body(device) {
            Err(DeviceError::Register { .. }) => Ok(None),
            other => other.map(Some),
        });
        self.run(SETTLE);
        result.flatten()
    }

    /// Does something with a device that has not failed.
    pub(crate) fn attempt<R>(
        &mut self,
        body: impl FnOnce(&mut SimDevice) -> Result<R, DeviceError>,
    ) -> Option<R> {
        if self.failure.is_some() {
            return None;
        }
        body(&mut self.device).map_err(|error| self.failure = Some(error)).ok()
    }

    /// What the device is about; nothing if it failed.
    fn activity(&mut self) -> Activity {
        let idle = Activity { busy: false, reports_within: 0 };
        let activity = self.attempt(Activity::read).unwrap_or(idle);
        self.run(0); // the two reads have moved the clock
        activity
    }
}

/// The first register of an access, if it is one of whole registers.
fn register(offset: u64, len: usize) -> Option<u32> {
    let end = offset.checked_add(len as u64)?;
    (offset.is_multiple_of(4) && len.is_multiple_of(4) && end <= BAR_BYTES as u64)
        .then_some(offset as u32)
}

/// A function that two threads share.
pub(crate) struct Shared {
    function: Mutex<Function>,
    touched: Condvar,
}

impl Shared {
    pub(crate) fn new(function: Function) -> Arc<Self> {
        Arc::new(Self { function: Mutex::new(function), touched: Condvar::new() })
    }

    /// Does something for the client; the clock runs on after it.
    pub(crate) fn with<R>(&self, body: impl FnOnce(&mut Function) -> R) -> R {
        let mut function = self.function.lock();
        let result = body(&mut function);
        self.touched.notify_one();
        result
    }

    /// Ends [`Self::clock`].
    pub(crate) fn end(&self) {
        self.with(|function| function.over = true);
    }

    /// The function, when no other thread has it.
    ///
    /// # Panics
    /// If another thread still has it.
    pub(crate) fn into_function(self: Arc<Self>) -> Function {
        Arc::into_inner(self).expect("no other thread has it").function.into_inner()
    }

    /// Moves the clock while the device has something to do; it stands still otherwise.
    pub(crate) fn clock(&self) {
        let mut function = self.function.lock();
        let mut idle_for = 0;
        while !function.over {
            for _ in 0..SLICES {
                function.run(SLICE);
                if function.wiring == Wiring::Stuck {
                    MutexGuard::unlocked(&mut function, || thread::sleep(PAUSE));
                }
                MutexGuard::bump(&mut function);
            }
            let Activity { busy, reports_within } = function.activity();
            let touched = std::mem::take(&mut function.touched);
            let idle = !busy && !touched;
            idle_for = if idle { idle_for + SLICE * u64::from(SLICES) } else { 0 };
            if idle_for >= LINGER + u64::from(reports_within) {
                while !function.touched && !function.over {
                    self.touched.wait(&mut function);
                }
            }
        }
    }
}
