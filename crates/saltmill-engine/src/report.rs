// SPDX-License-Identifier: Apache-2.0
//! What a run tells while it goes on, and at its end.

use std::time::Duration;

use crate::DeviceReport;

/// Something that the user should see while a run goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// So many bytes are done.
    Progress(u64),
    /// A worker was taken out; others do its jobs.
    WorkerFailed {
        /// Name of the worker.
        worker: String,
        /// What happened, as a sentence.
        reason: String,
    },
}

/// What one worker did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WorkerReport {
    /// Its name.
    pub name: String,
    /// Jobs that it finished.
    pub jobs: u64,
    /// Bytes in them.
    pub bytes: u64,
    /// Wall-clock time that it worked or was waited for, without reading and writing.
    pub working: Duration,
    /// Why it was taken out, if it was.
    pub failure: Option<String>,
    /// What its device tells, if it has one and could be asked.
    pub device: Option<DeviceReport>,
}

impl WorkerReport {
    pub(crate) fn new(name: &str) -> Self {
        let working = Duration::ZERO;
        Self { name: name.to_owned(), jobs: 0, bytes: 0, working, failure: None, device: None }
    }
}

/// What a whole run did, or several.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Bytes from input to output.
    pub bytes: u64,
    /// Wall-clock time.
    pub elapsed: Duration,
    /// Each worker's part.
    pub workers: Vec<WorkerReport>,
}

impl Report {
    /// Adds what a worker did in another run.
    pub fn add(&mut self, worker: WorkerReport) {
        self.bytes += worker.bytes;
        let Some(known) = self.workers.iter_mut().find(|known| known.name == worker.name) else {
            self.workers.push(worker);
            self.workers.sort_by(|a, b| a.name.cmp(&b.name));
            return;
        };
        known.jobs += worker.jobs;
        known.bytes += worker.bytes;
        known.working += worker.working;
        known.failure = worker.failure.or(known.failure.take());
        known.device = match (known.device.take(), worker.device) {
            (Some(before), Some(device)) => Some(device.after(&before)),
            (before, device) => device.or(before),
        };
    }
}
