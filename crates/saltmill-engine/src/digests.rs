// SPDX-License-Identifier: Apache-2.0
//! Digests on a device: parts of many messages side by side.

use std::time::Instant;

use crate::{Job, Key, WorkerError};

/// Bytes of a part at most, a multiple of 64. A device that hashes messages in turn has room for a
/// part of each; a longer one would let the others wait.
pub const PART_BYTES: usize = 2048;

/// A hash algorithm that devices have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DigestAlgorithm {
    /// FIPS 180-4.
    Sha256,
    /// RFC 1321.
    Md5,
    /// RFC 2104 with SHA-256.
    HmacSha256,
}

/// Hashes parts of messages in slots that it owns, in the order in which they were submitted.
///
/// A slot's life: fill [`buffer`](Self::buffer), [`submit`](Self::submit), get it back from
/// [`finish`](Self::finish). The parts of a message come one after the other, each with what the
/// one before gave; other messages fill the time between.
pub trait DigestWorker {
    /// Takes the key of all messages that follow, if they have one: then they get HMACs. No part
    /// is under way.
    ///
    /// # Errors
    /// A device that takes no key.
    fn start(&mut self, key: Option<&Key>) -> Result<(), WorkerError>;

    /// Number of slots: parts that it can have at a time.
    fn slots(&self) -> usize;

    /// The first `len` bytes of the memory of a slot that is not submitted; there are
    /// [`PART_BYTES`].
    ///
    /// # Errors
    /// Memory of a device that can't be reached.
    fn buffer(&mut self, slot: usize, len: usize) -> Result<&mut [u8], WorkerError>;

    /// Starts on a part, which is in the slot's buffer: `job` is its place in its message. All but
    /// the last are whole blocks of 64 bytes. `value` is what the part before gave, empty for the
    /// first one.
    ///
    /// # Errors
    /// The device takes no job.
    fn submit(&mut self, slot: usize, job: Job, value: &[u8]) -> Result<(), WorkerError>;

    /// Waits for the oldest part; gives its slot and the chaining value, or the digest or HMAC
    /// after the last part.
    ///
    /// # Errors
    /// A job that failed; no answer before the deadline.
    fn finish(&mut self, deadline: Instant) -> Result<(usize, Vec<u8>), WorkerError>;
}
