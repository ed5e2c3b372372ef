// SPDX-License-Identifier: Apache-2.0
//! What the driver needs from a device.

use std::{ops::Range, time::Instant};

use crate::DeviceError;

/// Memory that a device can reach, and that belongs to it alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DmaRegion {
    /// Address of its first byte as the device sees it; a multiple of 128.
    pub bus_address: u64,
    /// Bytes in it.
    pub len: usize,
}

/// A device that runs descriptors: its registers, its memory, its interrupt.
///
/// Ownership of memory passes with the two `sync` calls: before a job the host gives what it wrote
/// to the device, after it the host takes back what the device wrote.
pub trait Device: Send {
    /// Name for messages, for example `sim:0 (ring2)`.
    fn name(&self) -> &str;

    /// Reads the register at a byte offset.
    ///
    /// # Errors
    /// The bus refuses it.
    fn read(&mut self, offset: u32) -> Result<u32, DeviceError>;

    /// Writes the register at a byte offset.
    ///
    /// # Errors
    /// The bus refuses it.
    fn write(&mut self, offset: u32, value: u32) -> Result<(), DeviceError>;

    /// The memory that the device can reach.
    fn dma(&self) -> DmaRegion;

    /// The host's view of part of that memory; `range` counts from the region's first byte.
    ///
    /// # Errors
    /// The range is not inside the memory.
    fn memory(&mut self, range: Range<usize>) -> Result<&mut [u8], DeviceError>;

    /// Gives what the host wrote in `range` to the device.
    ///
    /// # Errors
    /// The range is not inside the memory, or what carries the device fails.
    fn sync_for_device(&mut self, range: Range<usize>) -> Result<(), DeviceError>;

    /// Takes what the device wrote in `range` back for the host.
    ///
    /// # Errors
    /// The range is not inside the memory, or what carries the device fails.
    fn sync_for_cpu(&mut self, range: Range<usize>) -> Result<(), DeviceError>;

    /// Waits until the interrupt is up (`true`) or the deadline has passed (`false`).
    ///
    /// # Errors
    /// What carries the device fails.
    fn wait(&mut self, deadline: Instant) -> Result<bool, DeviceError>;

    /// Clock cycles so far, where the device is simulated.
    ///
    /// # Errors
    /// What carries the device fails.
    fn cycles(&mut self) -> Result<Option<u64>, DeviceError> {
        Ok(None)
    }
}

impl<D: Device + ?Sized> Device for Box<D> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn read(&mut self, offset: u32) -> Result<u32, DeviceError> {
        (**self).read(offset)
    }

    fn write(&mut self, offset: u32, value: u32) -> Result<(), DeviceError> {
        (**self).write(offset, value)
    }

    fn dma(&self) -> DmaRegion {
        (**self).dma()
    }

    fn memory(&mut self, range: Range<usize>) -> Result<&mut [u8], DeviceError> {
        (**self).memory(range)
    }

    fn sync_for_device(&mut self, range: Range<usize>) -> Result<(), DeviceError> {
        (**self).sync_for_device(range)
    }

    fn sync_for_cpu(&mut self, range: Range<usize>) -> Result<(), DeviceError> {
        (**self).sync_for_cpu(range)
    }

    fn wait(&mut self, deadline: Instant) -> Result<bool, DeviceError> {
        (**self).wait(deadline)
    }

    fn cycles(&mut self) -> Result<Option<u64>, DeviceError> {
        (**self).cycles()
    }
}
