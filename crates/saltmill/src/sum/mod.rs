// SPDX-License-Identifier: Apache-2.0
//! Digests of files, and manifests: lists of files with their digests.
//!
//! ```
//! use std::time::Duration;
//! use saltmill::engine::{CancelToken, CpuWorker, Engine, TaskEvent};
//! use saltmill::sum::{HashAlgorithm, Request, Source, hash_files};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("abc");
//! std::fs::write(&path, "abc")?;
//!
//! let workers = vec![Box::new(CpuWorker::new(0)) as _];
//! let mut engine = Engine::new(workers, Duration::from_secs(10), CancelToken::default());
//! let algorithms = [HashAlgorithm::Sha256].into();
//! let request = Request { source: Source::File(path), algorithms, tag: "a file" };
//! hash_files(&mut engine, None, &mut [request].into_iter(), &mut |event| {
//!     if let TaskEvent::Ended(tag, outcome) = event {
//!         let hashed = outcome.expect("a file that can be read");
//!         assert_eq!((tag, hashed.bytes), ("a file", 3));
//!         assert!(hashed.digests[0].to_string().starts_with("ba7816bf8f01cfea"));
//!     }
//! })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod algorithm;
mod digest;
mod file;
mod files;
mod in_step;
pub mod manifest;
mod md5;
mod on_device;
mod tree;
mod version;

pub use algorithm::HashAlgorithm;
pub use digest::{Digest, Hasher, NoKey};
pub use file::{FileError, Hashed, Source};
pub use files::{Request, hash_as_they_end, hash_files};
pub use on_device::device_algorithm;
pub use version::Version;
