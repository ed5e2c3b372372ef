// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]
#![deny(clippy::missing_errors_doc)]

mod activity;
#[cfg(feature = "conformance")]
pub mod conformance;
mod counters;
mod description;
mod descriptor;
mod device;
mod driver;
mod error;
pub mod host_add;
#[cfg(target_os = "linux")]
pub mod linux;
#[cfg(feature = "mock")]
pub mod mock;
pub mod queue;
mod registers;
mod request;
mod self_test;
pub mod vectors;

pub use activity::Activity;
pub use counters::Counters;
pub use description::{CoreAlgorithm, Description, Structure};
pub use descriptor::{Descriptor, JobError, KeySize, Nonce, Operation};
pub use device::{Device, DmaRegion};
pub use driver::{Accelerator, Coalescing};
pub use error::{DescriptionError, DeviceError, RequestError};
pub use request::{Completion, Request};
pub use self_test::SelfTest;
