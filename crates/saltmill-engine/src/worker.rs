// SPDX-License-Identifier: Apache-2.0
//! Whoever does jobs: a CPU thread, a device, a stub.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use saltmill_device::{Counters, Description, DeviceError, JobError, SelfTest};
use thiserror::Error;

use crate::{Algorithm, DigestAlgorithm, DigestWorker, Refused, Work};

/// Bytes that one job has at most: large enough to hide what a job costs, small enough that it
/// stays in a core's cache. Measured in `docs/decisions/0021-engine.md`.
pub const JOB_BYTES: usize = 256 << 10;

/// A range of the input; nothing but its place ties it to other jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// First byte; a multiple of [`Work::job_bytes`], or at least of the cipher's block.
    pub offset: u64,
    /// Bytes.
    pub len: usize,
    /// The input ends with it.
    pub last: bool,
}

/// Why a worker can't go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WorkerError {
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The device refused a job or could not do it.
    #[error("{worker} failed at byte {offset}: {source}")]
    Job {
        /// Name of the worker.
        worker: String,
        /// Where the job starts.
        offset: u64,
        /// What the device said.
        source: JobError,
    },
    /// A chunk is not what was sealed there. Not the worker's fault, so the run ends.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The worker stopped for another reason.
    #[error("{worker}: {reason}")]
    Stopped {
        /// Name of the worker.
        worker: String,
        /// One clause saying why.
        reason: String,
    },
}

/// What a device tells at the end of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeviceReport {
    /// How it was built.
    pub description: Description,
    /// Its counters over the run.
    pub counters: Counters,
    /// Clock cycles of the simulation since it was made, if it is one.
    pub simulated_cycles: Option<u64>,
    /// Waits since it was opened that no interrupt ended although jobs were finished.
    pub missed_interrupts: u64,
    /// Interrupts since it was opened that came without a finished job.
    pub spurious_interrupts: u64,
}

impl DeviceReport {
    /// This run and an earlier one as one.
    pub(crate) fn after(mut self, before: &Self) -> Self {
        self.counters += before.counters;
        self
    }
}

/// Whoever does jobs. What its jobs are done in is said by [`interface`](Self::interface).
pub trait Worker: Send {
    /// Name for messages.
    fn name(&self) -> &str;

    /// Whether it can do such work.
    fn supports(&self, algorithm: Algorithm) -> bool;

    /// Puts published messages, good and forged, through what does the work, each within
    /// `patience`; `None` if it has no part in messages. Not between [`start`](Self::start) and
    /// [`stop`](Self::stop).
    ///
    /// # Errors
    /// A wrong answer, or a worker that does not answer in time.
    fn self_test(&mut self, patience: Duration) -> Result<Option<SelfTest>, WorkerError>;

    /// Takes the work of all jobs that follow.
    ///
    /// # Errors
    /// Work that it does not support, or a device that fails.
    fn start(&mut self, work: &Arc<Work>, deadline: Instant) -> Result<(), WorkerError>;

    /// What hashes on its device, if it has one with this algorithm. Not between
    /// [`start`](Self::start) and [`stop`](Self::stop).
    fn digests(&mut self, _algorithm: DigestAlgorithm) -> Option<&mut dyn DigestWorker> {
        None
    }

    /// How it takes jobs.
    fn interface(&mut self) -> Interface<'_>;

    /// Ends a run: forgets the key and all that is left of it, also when it fails. Tells about the
    /// device, if the worker has one.
    ///
    /// # Errors
    /// A device that does not confirm in time that it has forgotten the key.
    fn stop(&mut self, deadline: Instant) -> Result<Option<DeviceReport>, WorkerError>;
}

/// How a worker takes jobs: one of two ways.
pub enum Interface<'a> {
    /// In memory of its own, several at a time.
    Slots(&'a mut dyn SlotWorker),
    /// In memory of its caller, one at a time.
    Memory(&'a mut dyn MemoryWorker),
}

impl Interface<'_> {
    /// Jobs that it can have at a time.
    pub fn jobs(&self) -> usize {
        match self {
            Self::Slots(worker) => worker.slots(),
            Self::Memory(_) => 1,
        }
    }
}

/// Does jobs in slots that it owns, in the order in which they were submitted.
///
/// A slot's life: fill [`buffer`](Self::buffer), [`submit`](Self::submit), get it back from
/// [`finish`](Self::finish), read `buffer`. The engine keeps as many slots busy as there are.
pub trait SlotWorker {
    /// Number of slots.
    fn slots(&self) -> usize;

    /// The first `len` bytes of the memory of a slot that is not submitted; there are
    /// [`JOB_BYTES`].
    ///
    /// # Errors
    /// Memory of a device that can't be reached.
    fn buffer(&mut self, slot: usize, len: usize) -> Result<&mut [u8], WorkerError>;

    /// Starts a job on the first `job.len` bytes of the slot's buffer.
    ///
    /// # Errors
    /// No work was started, or the device takes no job.
    fn submit(&mut self, slot: usize, job: Job) -> Result<(), WorkerError>;

    /// Waits for the oldest job; gives its slot, whose buffer then begins with the result.
    ///
    /// # Errors
    /// [`WorkerError::Refused`] for a chunk that is not what was sealed; a job that failed; no
    /// answer before the deadline.
    fn finish(&mut self, deadline: Instant) -> Result<usize, WorkerError>;
}

/// Does a job at once, on the thread that calls it.
pub trait MemoryWorker {
    /// Does a job in memory that begins with what the job reads and afterwards with its result.
    ///
    /// # Errors
    /// [`WorkerError::Refused`] for a chunk that is not what was sealed; no work was started.
    fn apply(&mut self, job: Job, memory: &mut [u8]) -> Result<(), WorkerError>;
}
