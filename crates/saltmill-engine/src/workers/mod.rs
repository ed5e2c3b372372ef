// SPDX-License-Identifier: Apache-2.0
//! The kinds of workers.

mod cpu;
mod device;
mod device_digests;
#[cfg(feature = "conformance")]
mod mock;
#[cfg(feature = "stub")]
mod stub;

pub use cpu::CpuWorker;
pub use device::{DeviceWorker, Transfer};
#[cfg(feature = "conformance")]
pub use mock::{MockWorker, WorkerFault};
#[cfg(feature = "stub")]
pub use stub::StubWorker;
