// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![deny(clippy::missing_errors_doc)]

mod error;
mod ffi;
mod profile;
mod system;
mod windows;

pub use error::SimError;
pub use profile::MemoryProfile;
pub use system::{Fault, SimConfig, SimDevice, System, variants};
pub use windows::{Interrupt, Window};

// What the waveform writer is linked with.
#[cfg(feature = "trace")]
use {libz_sys as _, lz4_sys as _};
