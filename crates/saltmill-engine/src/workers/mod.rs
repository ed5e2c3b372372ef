// SPDX-License-Identifier: Apache-2.0
//! The kinds of workers.

mod cpu;
mod device;
mod mock;
mod stub;

pub use cpu::CpuWorker;
pub use device::{DeviceWorker, Transfer};
pub use mock::{MockWorker, WorkerFault};
pub use stub::StubWorker;
