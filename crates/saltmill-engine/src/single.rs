// SPDX-License-Identifier: Apache-2.0
//! One worker on the calling thread.

use std::{sync::Arc, time::Duration};

use crate::{
    DigestAlgorithm, DigestWorker, EngineError, Key, ReadAt, Work, Worker, WorkerError,
    WorkerReport, WriteAt,
    engine::{Shared, serve},
    in_place::InPlace,
};

/// A worker by itself, on the calling thread: for files that are not worth threads, several of
/// which can go on side by side. A worker that fails is an error here.
///
/// ```
/// use std::{fs::File, io::Write, time::Duration};
/// use saltmill_engine::{Chunks, CpuWorker, Key, SingleWorker, Work};
///
/// let mut text = tempfile::tempfile()?;
/// text.write_all(b"a small text")?;
/// let sealed = tempfile::tempfile()?;
/// let work = Work::Seal(Chunks::new(Key::new([7; 32])));
/// let mut worker = CpuWorker::new(0);
/// let mut single = SingleWorker::new(&mut worker, Duration::from_secs(10));
/// let report = single.in_place(work, &text, 12, &sealed)?;
/// assert_eq!((report.bytes, sealed.metadata()?.len()), (12, 28));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SingleWorker<'a> {
    worker: &'a mut dyn Worker,
    job_deadline: Duration,
    failed: bool,
}

impl<'a> SingleWorker<'a> {
    /// A worker that must finish each job within `job_deadline`.
    pub fn new(worker: &'a mut dyn Worker, job_deadline: Duration) -> Self {
        Self { worker, job_deadline, failed: false }
    }

    /// Does the work on `len` bytes from one file to another.
    ///
    /// # Errors
    /// As [`Engine::in_place`](crate::Engine::in_place), and [`EngineError::WorkerFailed`].
    pub fn in_place(
        &mut self,
        work: impl Into<Work>,
        input: &dyn ReadAt,
        len: u64,
        output: &dyn WriteAt,
    ) -> Result<WorkerReport, EngineError> {
        let work = Arc::new(work.into());
        work.check(work.last_job(len))?;
        let placement = InPlace::new(&work, input, len, output);
        let report = serve(self.worker, &placement, &Shared::new(&work, self.job_deadline))
            .inspect_err(|error| {
                self.failed |= matches!(error, EngineError::WorkerPanicked { .. });
            })?;
        match report.failure {
            Some(reason) => {
                self.failed = true;
                Err(EngineError::WorkerFailed { worker: report.name, reason })
            }
            None => Ok(report),
        }
    }

    /// Calls `act` with what hashes on the worker's device, with a key for HMAC, and the time that
    /// each part has; `None` if there is nothing like that. An error is the worker's failure.
    pub fn digests<R>(
        &mut self,
        algorithm: DigestAlgorithm,
        key: Option<&Key>,
        act: impl FnOnce(&mut dyn DigestWorker, Duration) -> Result<R, WorkerError>,
    ) -> Option<Result<R, EngineError>> {
        let device = self.worker.digests(algorithm)?;
        let outcome = device.start(key).and_then(|()| act(device, self.job_deadline));
        Some(outcome.map_err(|reason| {
            self.failed = true;
            let (worker, reason) = (self.worker.name().to_owned(), reason.to_string());
            EngineError::WorkerFailed { worker, reason }
        }))
    }

    /// Whether the worker has failed: its work is for another one.
    pub fn has_failed(&self) -> bool {
        self.failed
    }

    pub(crate) fn name(&self) -> &str {
        self.worker.name()
    }
}
