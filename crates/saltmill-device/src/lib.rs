// SPDX-License-Identifier: Apache-2.0
//! Driver of the Saltmill device: descriptors in a ring, keys in write-only slots, one interrupt.
//!
//! - [`Device`] is what a device must offer: registers, memory that it can reach, and a wait with a
//!   deadline. The simulated device (feature `sim`) and the scripted [`mock`] implement it.
//! - [`Accelerator`] drives any of them: it finds out how the device was built, keeps several jobs
//!   in its ring, and gives them back in order.
//! - [`Request`] is a job: a stream ([`Operation::XorStream`], [`Operation::Keystream`]), or a message with
//!   a tag ([`Operation::Seal`], [`Operation::Open`]). If an opened message does not match its tag, it is
//!   cleared before the caller can see it.
//! - [`Description`] says what a device has: its [`algorithm`](Description::algorithm) is ChaCha20 or AES,
//!   and AES also has ECB and CBC.
//! - [`DeviceError`] says what went wrong with a device, [`JobError`] with one job; a job's error
//!   never stops the ring.
//!
//! ```
//! use saltmill_device::{Accelerator, Operation, Request, mock::MockDevice};
//! use std::time::{Duration, Instant};
//!
//! let deadline = Instant::now() + Duration::from_secs(1);
//! let device = MockDevice::new("mock:0", Default::default());
//! let mut accelerator = Accelerator::probe(device, deadline)?;
//! accelerator.set_key(0, &[0x42; 32])?;
//!
//! let start = accelerator.data().start;
//! let text = start..start + 13;
//! accelerator.memory(text.clone())?.copy_from_slice(b"a small text.");
//! accelerator.submit(&Request {
//!     operation: Operation::XorStream,
//!     key_slot: 0,
//!     nonce: (*b"twelve bytes").into(),
//!     source: text.clone(),
//!     destination: text.clone(),
//!     ..Request::default()
//! })?;
//! let completion = accelerator.complete(deadline)?;
//! assert_eq!(completion.outcome, Ok(()));
//! assert_ne!(accelerator.memory(text)?, b"a small text.");
//! # Ok::<(), saltmill_device::DeviceError>(())
//! ```

#[cfg(feature = "conformance")]
pub mod conformance;
mod counters;
mod description;
mod descriptor;
mod device;
mod driver;
mod error;
pub mod host_add;
pub mod mock;
mod registers;
mod request;
mod self_test;
#[cfg(feature = "sim")]
pub mod sim;
pub mod vectors;

pub use counters::Counters;
pub use description::{Algorithm, Description, Structure};
pub use descriptor::{Descriptor, JobError, KeySize, Nonce, Operation};
pub use device::{Device, DmaRegion};
pub use driver::{Accelerator, Coalescing};
pub use error::DeviceError;
pub use request::{Completion, Request};
pub use self_test::SelfTest;
