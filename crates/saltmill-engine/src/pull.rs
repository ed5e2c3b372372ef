// SPDX-License-Identifier: Apache-2.0
//! A worker in a run: it pulls jobs until there are none left, and tells what it did.

mod memory;
mod slots;

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use crate::{
    EngineError, Interface, Job, Worker, WorkerError, engine::Shared, placement::Placement,
    report::WorkerReport,
};

/// How long a failed worker may take to forget the key.
const FAREWELL: Duration = Duration::from_secs(1);

/// Why a worker's loop ends early.
enum Stop {
    /// The worker has failed; its jobs go to others.
    Worker(WorkerError),
    /// The run can't go on.
    Run(EngineError),
}

impl From<WorkerError> for Stop {
    fn from(error: WorkerError) -> Self {
        match error {
            WorkerError::Refused(refused) => Self::Run(refused.into()),
            error => Self::Worker(error),
        }
    }
}

impl From<EngineError> for Stop {
    fn from(error: EngineError) -> Self {
        Self::Run(error)
    }
}

/// What the loops of all workers have.
struct Pull<'a, P: Placement> {
    placement: &'a P,
    shared: &'a Shared,
    report: &'a mut WorkerReport,
}

/// Lets the worker pull until there is nothing left. A worker that failed comes with its report;
/// an error is one of the run.
pub(crate) fn pull<P: Placement>(
    worker: &mut dyn Worker,
    placement: &P,
    shared: &Shared,
) -> Result<WorkerReport, EngineError> {
    let mut report = WorkerReport::new(worker.name());
    let outcome = worker.start(&shared.work, shared.deadline()).map_err(Stop::from);
    let outcome = outcome.and_then(|()| {
        let pull = Pull { placement, shared, report: &mut report };
        match worker.interface() {
            Interface::Slots(worker) => slots::run(worker, pull),
            Interface::Memory(worker) => memory::run(worker, pull),
        }
    });
    match outcome {
        Ok(()) => match worker.stop(shared.deadline()) {
            Ok(device) => report.device = device,
            // It has done its jobs, but did not forget the key.
            Err(error) => report.failure = Some(sentence(&error)),
        },
        Err(Stop::Worker(error)) => {
            report.failure = Some(sentence(&error));
            report.device = worker.stop(Instant::now() + FAREWELL).ok().flatten();
        }
        Err(Stop::Run(error)) => {
            let _ = worker.stop(Instant::now() + FAREWELL);
            return Err(error);
        }
    }
    Ok(report)
}

impl<P: Placement> Pull<'_, P> {
    fn aborted(&self) -> bool {
        self.shared.aborted.load(Ordering::Relaxed)
    }

    fn count(&mut self, job: Job) {
        self.report.jobs += 1;
        self.report.bytes += job.len as u64;
        self.shared.done.fetch_add(job.len as u64, Ordering::Relaxed);
    }

    /// Counts what this takes as the worker's time.
    fn timed<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let result = work();
        self.report.working += started.elapsed();
        result
    }
}

/// The error with its sources, as one sentence.
fn sentence(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}
