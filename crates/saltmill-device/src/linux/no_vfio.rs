// SPDX-License-Identifier: Apache-2.0
//! What stands in for VFIO on a 32-bit machine: its bindings are for 64 bits alone.

use std::{ops::Range, time::Instant};

use super::OpenError;
use crate::{Device, DeviceError, DmaRegion};

/// There is none.
pub enum VfioDevice {}

impl VfioDevice {
    /// None.
    pub fn found() -> Vec<String> {
        Vec::new()
    }

    /// Refuses.
    ///
    /// # Errors
    /// Always.
    pub fn open(address: &str) -> Result<Self, OpenError> {
        let reason = "VFIO needs a 64-bit machine";
        Err(OpenError::Unusable { name: format!("vfio:{address}"), reason })
    }
}

impl Device for VfioDevice {
    fn name(&self) -> &str {
        match *self {}
    }

    fn read(&mut self, _offset: u32) -> Result<u32, DeviceError> {
        match *self {}
    }

    fn write(&mut self, _offset: u32, _value: u32) -> Result<(), DeviceError> {
        match *self {}
    }

    fn dma(&self) -> DmaRegion {
        match *self {}
    }

    fn memory(&mut self, _range: Range<usize>) -> Result<&mut [u8], DeviceError> {
        match *self {}
    }

    fn sync_for_device(&mut self, _range: Range<usize>) -> Result<(), DeviceError> {
        match *self {}
    }

    fn sync_for_cpu(&mut self, _range: Range<usize>) -> Result<(), DeviceError> {
        match *self {}
    }

    fn wait(&mut self, _deadline: Instant) -> Result<bool, DeviceError> {
        match *self {}
    }
}
