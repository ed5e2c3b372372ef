// SPDX-License-Identifier: Apache-2.0
//! Why a run ends early.

use std::io;

use thiserror::Error;

use crate::{CounterError, Refused};

/// Why a run ended early.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The input could not be read.
    #[error("reading failed at byte {offset}")]
    Read {
        /// Where.
        offset: u64,
        /// Why.
        source: io::Error,
    },
    /// The output could not be written.
    #[error("writing failed at byte {offset}")]
    Write {
        /// Where.
        offset: u64,
        /// Why.
        source: io::Error,
    },
    /// The input is too long for the cipher's counter.
    #[error(transparent)]
    Counter(#[from] CounterError),
    /// A chunk to be opened was changed, cut off, moved or doubled, or sealed under another key, or
    /// it is not the end that it seems to be. Nothing of it was released; of a stream also nothing
    /// behind it.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// Somebody asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// A worker's thread panicked: a bug of that worker, after which nothing is known of its jobs.
    #[error("worker {worker} broke down")]
    WorkerPanicked {
        /// Its name.
        worker: String,
    },
    /// The only worker that was asked has failed; others may do what it did not.
    #[error("worker {worker} has failed: {reason}")]
    WorkerFailed {
        /// Its name.
        worker: String,
        /// What happened, as a sentence.
        reason: String,
    },
    /// Every worker has failed, or there was none.
    #[error("no worker is left")]
    NoWorkerLeft,
}
