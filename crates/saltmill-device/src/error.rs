// SPDX-License-Identifier: Apache-2.0
//! What can go wrong with a device.

use std::ops::Range;

use thiserror::Error;

/// What went wrong with a device. Names the device and carries the numbers that tell why.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// The magic register holds something else: this is not a Saltmill device, or it is not there.
    #[error(
        "{device} is not a Saltmill device: its magic register holds {found:#010x}, not {expected:#010x}"
    )]
    NotSaltmill {
        /// Name of the device.
        device: String,
        /// What the magic register holds.
        found: u32,
        /// What it should hold.
        expected: u32,
    },
    /// The register map is one that this driver does not know.
    #[error("{device} has register map {major}.{minor}; this driver knows {known}.x")]
    Version {
        /// Name of the device.
        device: String,
        /// Major version found.
        major: u16,
        /// Minor version found.
        minor: u16,
        /// Major version that this driver knows.
        known: u16,
    },
    /// The device describes itself in a way that makes no sense or that this driver can't serve.
    #[error("{device} can't be used: {reason}")]
    Unusable {
        /// Name of the device.
        device: String,
        /// One clause saying why.
        reason: String,
    },
    /// A deadline passed: the device does not answer.
    #[error(
        "{device} did not answer in time: {waited_for} (register {offset:#05x} = {found:#010x})"
    )]
    Deadline {
        /// Name of the device.
        device: String,
        /// What was waited for.
        waited_for: &'static str,
        /// Byte offset of the register that was looked at last.
        offset: u32,
        /// What it held.
        found: u32,
    },
    /// A register access was refused by the bus.
    #[error("{device} refused to {action} register {offset:#05x}")]
    Register {
        /// Name of the device.
        device: String,
        /// `read` or `write`.
        action: &'static str,
        /// Byte offset of the register.
        offset: u32,
    },
    /// A range is not inside the device's memory.
    #[error("{device} has {len} bytes of memory; {range:?} is not inside")]
    Memory {
        /// Name of the device.
        device: String,
        /// What was asked for.
        range: Range<usize>,
        /// Bytes that there are.
        len: usize,
    },
    /// There is no variant of that name.
    #[error("there is no simulated device {name:?}")]
    UnknownVariant {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The device could not be set up.
    #[error("{device} could not be set up: {reason}")]
    Setup {
        /// Name of the device.
        device: String,
        /// One clause saying why.
        reason: String,
    },
    /// The operating system refused something.
    #[error("{device}: {action} failed")]
    Io {
        /// Name of the device.
        device: String,
        /// What was tried.
        action: String,
        /// Why it failed.
        source: std::io::Error,
    },
}
