// SPDX-License-Identifier: Apache-2.0
//! Driver of the Saltmill device: descriptors in a ring, keys in write-only slots, one interrupt.
//!
//! - [`Device`] is what a device must offer: registers, memory that it can reach, and a wait with a
//!   deadline. The simulated device and the scripted mock implement it.
//! - [`DeviceError`] says what went wrong, with the numbers that tell why.

mod device;
mod error;
#[cfg(feature = "sim")]
pub mod sim;

pub use device::{Device, DmaRegion};
pub use error::DeviceError;
