// SPDX-License-Identifier: Apache-2.0
//! Cuts files into jobs for CPU threads and devices, and puts the results back in place.
//!
//! [`Work`] says what is done with the input: a [`Cipher`], [`AesCtr`], or [`Chunks`] that are sealed or
//! opened. A [`Job`] is a range of the input. Each [`Worker`] pulls its next job when it is free, so fast and
//! slow ones share one file and balance themselves. Workers read and write files in place; a pipe goes
//! through a fixed number of buffers. If a worker fails, it is no longer used, and others do its jobs.
//!
//! ```
//! use std::{io::Cursor, time::Duration};
//! use saltmill_engine::{CancelToken, Cipher, CpuWorker, Engine, Key, Worker};
//!
//! let workers: Vec<Box<dyn Worker>> = vec![Box::new(CpuWorker::new(0)), Box::new(CpuWorker::new(1))];
//! let mut engine = Engine::new(workers, Duration::from_secs(10), CancelToken::default());
//! let cipher = Cipher::new(Key::new([7; 32]), *b"twelve bytes", 0);
//! let (input, output) = (Cursor::new(vec![0; 1 << 20]), std::io::sink());
//! let report = engine.streamed(cipher, Box::new(input), Box::new(output), &mut |_| {})?;
//! assert_eq!(report.bytes, 1 << 20);
//! # Ok::<(), saltmill_engine::EngineError>(())
//! ```
#![forbid(unsafe_code)]

mod aead;
mod aes_ctr;
mod aes_key;
mod algorithm;
mod cancel;
mod chunks;
mod cipher;
#[cfg(feature = "conformance")]
pub mod conformance;
mod each;
mod engine;
mod error;
mod in_place;
mod placement;
#[cfg(test)]
mod published_vectors;
mod pull;
mod report;
mod single;
mod streamed;
mod work;
mod worker;
mod workers;

pub use aead::{AeadKey, TAG_BYTES};
pub use aes_ctr::AesCtr;
pub use aes_key::AesKey;
pub use algorithm::Algorithm;
pub use cancel::CancelToken;
pub use chunks::{CHUNK_BYTES, Chunks, Refused, SEALED_CHUNK_BYTES};
pub use cipher::{BLOCK_BYTES, Cipher, CounterError, Key, cpu_implementation};
pub use each::Told;
pub use engine::Engine;
pub use error::EngineError;
pub use in_place::{Offset, ReadAt, WriteAt};
pub use report::{Event, Report, WorkerReport};
pub use single::SingleWorker;
pub use work::Work;
pub use worker::{
    DeviceReport, Interface, JOB_BYTES, Job, MemoryWorker, SlotWorker, Worker, WorkerError,
};
pub use workers::{CpuWorker, DeviceWorker, Transfer};
#[cfg(feature = "conformance")]
pub use workers::{MockWorker, StubWorker, WorkerFault};
