// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![deny(clippy::missing_errors_doc)]

mod aead;
mod aes_ctr;
mod aes_key;
mod algorithm;
mod aws_lc;
mod cancel;
mod chunks;
mod cipher;
#[cfg(feature = "conformance")]
pub mod conformance;
mod digests;
mod each;
mod engine;
mod error;
mod in_place;
mod placement;
#[cfg(test)]
mod published_vectors;
mod pull;
mod report;
#[cfg(test)]
mod second_opinion;
mod short;
mod single;
mod streamed;
mod work;
mod worker;
mod workers;

pub use aead::{AeadKey, TAG_BYTES, TagMismatch};
pub use aes_ctr::AesCtr;
pub use aes_key::AesKey;
pub use algorithm::Algorithm;
pub use aws_lc::Md5;
pub use cancel::CancelToken;
pub use chunks::{CHUNK_BYTES, Chunks, Refused, SEALED_CHUNK_BYTES};
pub use cipher::{BLOCK_BYTES, Cipher, CounterError, Key, cpu_implementation};
pub use digests::{DigestAlgorithm, DigestWorker, PART_BYTES};
pub use each::TaskEvent;
pub use engine::Engine;
pub use error::EngineError;
pub use in_place::{Offset, ReadAt, WriteAt};
pub use report::{Event, Report, WorkerReport};
pub use single::SingleWorker;
pub use work::Work;
pub use worker::{
    DeviceReport, Interface, JOB_BYTES, Job, MemoryWorker, SlotWorker, Worker, WorkerError,
};
#[cfg(feature = "stub")]
pub use workers::StubWorker;
pub use workers::{CpuWorker, DeviceWorker, Transfer};
#[cfg(feature = "conformance")]
pub use workers::{MockWorker, WorkerFault};
