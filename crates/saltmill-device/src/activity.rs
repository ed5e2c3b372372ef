// SPDX-License-Identifier: Apache-2.0
//! Whether a device has something to do, for whoever moves its clock.

use crate::{
    Device, DeviceError,
    registers::{self, interrupt_coalescing},
};

/// What a device is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activity {
    /// Jobs are in flight, or it wipes itself.
    pub busy: bool,
    /// Clock cycles after the last job within which it reports it, at most; 24 bits.
    pub reports_within: u32,
}

impl Activity {
    /// Reads two registers.
    ///
    /// # Errors
    /// A register access fails.
    pub fn read(device: &mut impl Device) -> Result<Self, DeviceError> {
        let status = device.read(registers::STATUS)?;
        let coalescing = device.read(registers::INTERRUPT_COALESCING)?;
        Ok(Self { busy: status != 0, reports_within: interrupt_coalescing::TIMEOUT.of(coalescing) })
    }
}
