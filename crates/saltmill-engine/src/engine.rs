// SPDX-License-Identifier: Apache-2.0
//! A run: workers on threads of their own, events to the caller, and the end.

use std::{
    io::{Read, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    Algorithm, CancelToken, DigestAlgorithm, EngineError, Event, ReadAt, Report, Work, Worker,
    WriteAt, in_place::InPlace, placement::Placement, pull::pull, report::WorkerReport,
    streamed::Window,
};

/// How often progress is told and cancellation looked for.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// Workers, and what to do when they don't answer.
pub struct Engine {
    pub(crate) members: Vec<Member>,
    pub(crate) cancel: CancelToken,
    pub(crate) job_deadline: Duration,
}

/// A worker. One that has failed has no part in later runs.
pub(crate) struct Member {
    pub(crate) worker: Box<dyn Worker>,
    pub(crate) failed: bool,
}

/// What all threads of a run look at.
pub(crate) struct Shared {
    pub(crate) work: Arc<Work>,
    pub(crate) done: AtomicU64,
    /// The run has failed: what is under way is not waited for.
    pub(crate) aborted: AtomicBool,
    job_deadline: Duration,
}

impl Shared {
    pub(crate) fn new(work: &Arc<Work>, job_deadline: Duration) -> Self {
        let (work, done, aborted) = (Arc::clone(work), AtomicU64::new(0), AtomicBool::new(false));
        Self { work, done, aborted, job_deadline }
    }

    /// The deadline of a wait that starts now.
    pub(crate) fn deadline(&self) -> Instant {
        Instant::now() + self.job_deadline
    }

    /// What the run did in all, told as its last event too.
    pub(crate) fn report(
        &self,
        started: Instant,
        workers: Vec<WorkerReport>,
        events: &mut dyn FnMut(Event),
    ) -> Report {
        let bytes = self.done.load(Ordering::Relaxed);
        events(Event::Progress(bytes));
        Report { bytes, elapsed: started.elapsed(), workers }
    }
}

/// What threads tell the caller's thread.
enum Message {
    Worker(Result<WorkerReport, EngineError>),
    Reader(EngineError),
    Writer(Result<bool, EngineError>),
}

impl Engine {
    /// An engine whose workers must finish each job within `job_deadline`.
    pub fn new(workers: Vec<Box<dyn Worker>>, job_deadline: Duration, cancel: CancelToken) -> Self {
        let member = |worker| Member { worker, failed: false };
        Self { members: workers.into_iter().map(member).collect(), cancel, job_deadline }
    }

    /// The token that asks its runs to stop.
    pub fn cancel_token(&self) -> CancelToken {
        self.cancel.clone()
    }

    /// How many workers there are, those that have failed not counted; at least 1.
    pub fn workers(&self) -> usize {
        self.members.iter().filter(|member| !member.failed).count().max(1)
    }

    /// A worker that can't do such work, if there is one.
    pub fn without(&self, algorithm: Algorithm) -> Option<&str> {
        let unable = |member: &&Member| !member.worker.supports(algorithm);
        self.members.iter().find(unable).map(|member| member.worker.name())
    }

    /// Whether a worker has a device that hashes with this algorithm.
    pub fn has_digests(&mut self, algorithm: DigestAlgorithm) -> bool {
        self.able().any(|member| member.worker.digests(algorithm).is_some())
    }

    pub(crate) fn able(&mut self) -> impl Iterator<Item = &mut Member> {
        self.members.iter_mut().filter(|member| !member.failed)
    }

    /// Does the work on `len` bytes from one file to another; each worker reads and writes its own
    /// ranges.
    ///
    /// # Errors
    /// [`EngineError::Read`] and [`EngineError::Write`] from the ends, [`EngineError::Refused`],
    /// [`EngineError::Counter`], [`EngineError::Cancelled`], [`EngineError::WorkerPanicked`], and
    /// [`EngineError::NoWorkerLeft`].
    pub fn in_place(
        &mut self,
        work: impl Into<Work>,
        input: &dyn ReadAt,
        len: u64,
        output: &dyn WriteAt,
        events: &mut dyn FnMut(Event),
    ) -> Result<Report, EngineError> {
        let work = Arc::new(work.into());
        work.check(work.last_job(len))?;
        let placement = InPlace::new(&work, input, len, output);
        if work.last_job(len).offset == 0
            && let Some(report) = self.short(&work, &placement, events, || Ok(()))?
        {
            return Ok(report);
        }
        self.run(&work, &placement, events, channel(), 0)
    }

    /// Does the work on a stream of unknown length, in order.
    ///
    /// Input and output are used by threads of their own; if the run ends early, one that is
    /// blocked in a read or a write stays behind until that returns.
    ///
    /// # Errors
    /// As [`in_place`](Self::in_place); what has been written before is good.
    pub fn streamed(
        &mut self,
        work: impl Into<Work>,
        mut input: Box<dyn Read + Send>,
        mut output: Box<dyn Write + Send>,
        events: &mut dyn FnMut(Event),
    ) -> Result<Report, EngineError> {
        let work = Arc::new(work.into());
        let slots = self.able().map(|member| member.worker.interface().jobs()).sum();
        let window = Window::new(Arc::clone(&work), slots);
        let (sender, receiver) = channel();
        let (reader, tell) = (Arc::clone(&window), sender.clone());
        let reading = thread::spawn(move || {
            if let Err(error) = reader.read_all(&mut *input) {
                let _ = tell.send(Message::Reader(error));
            }
        });
        if window.is_single(|| self.cancel.is_cancelled() || reading.is_finished()) {
            let write = || window.write_all(&mut *output).map(drop);
            if let Some(report) = self.short(&work, &*window, events, write)? {
                return Ok(report);
            }
        }
        let (writer, tell) = (Arc::clone(&window), sender.clone());
        thread::spawn(move || {
            let _ = tell.send(Message::Writer(writer.write_all(&mut *output)));
        });
        self.run(&work, &*window, events, (sender, receiver), 1)
    }

    /// Starts the workers, and listens until they and so many other threads have ended, which tell
    /// it through the same channel.
    fn run<P: Placement>(
        &mut self,
        work: &Arc<Work>,
        placement: &P,
        events: &mut dyn FnMut(Event),
        (sender, receiver): (Sender<Message>, Receiver<Message>),
        others: usize,
    ) -> Result<Report, EngineError> {
        let started = Instant::now();
        let shared = Shared::new(work, self.job_deadline);
        let mut reports = Vec::new();
        thread::scope(|scope| {
            let mut workers = 0;
            for member in self.members.iter_mut().filter(|member| !member.failed) {
                workers += 1;
                let (shared, sender) = (&shared, sender.clone());
                scope.spawn(move || {
                    let _ = sender.send(Message::Worker(member.serve(placement, shared)));
                });
            }
            let listener = Listener { placement, receiver, cancel: &self.cancel, shared: &shared };
            let outcome = listener.listen(workers, others, &mut reports, events);
            if outcome.is_err() {
                shared.aborted.store(true, Ordering::Relaxed);
                placement.abort();
            }
            outcome
        })?;
        reports.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(shared.report(started, reports, events))
    }
}

impl Member {
    /// Lets the worker do what it can, and remembers a failure.
    pub(crate) fn serve<P: Placement>(
        &mut self,
        placement: &P,
        shared: &Shared,
    ) -> Result<WorkerReport, EngineError> {
        let outcome = serve(&mut *self.worker, placement, shared);
        self.failed = match &outcome {
            Ok(report) => report.failure.is_some(),
            Err(error) => matches!(error, EngineError::WorkerPanicked { .. }),
        };
        outcome
    }
}

/// Lets a worker do what it can. A panic is an error: the listener would wait for it for ever.
pub(crate) fn serve<P: Placement>(
    worker: &mut dyn Worker,
    placement: &P,
    shared: &Shared,
) -> Result<WorkerReport, EngineError> {
    let name = worker.name().to_owned();
    catch_unwind(AssertUnwindSafe(|| pull(worker, placement, shared)))
        .unwrap_or(Err(EngineError::WorkerPanicked { worker: name }))
}

/// The caller's thread while a run goes on.
struct Listener<'a, P: Placement> {
    placement: &'a P,
    receiver: Receiver<Message>,
    cancel: &'a CancelToken,
    shared: &'a Shared,
}

impl<P: Placement> Listener<'_, P> {
    fn listen(
        &self,
        mut workers: usize,
        mut others: usize,
        reports: &mut Vec<WorkerReport>,
        events: &mut dyn FnMut(Event),
    ) -> Result<(), EngineError> {
        while workers + others > 0 || !self.placement.is_complete() {
            if workers == 0 && !self.placement.is_complete() {
                return Err(EngineError::NoWorkerLeft);
            }
            if self.cancel.is_cancelled() {
                return Err(EngineError::Cancelled);
            }
            match self.receiver.recv_timeout(TICK) {
                Ok(Message::Worker(report)) => {
                    let report = report?;
                    workers -= 1;
                    warn(&report, events);
                    reports.push(report);
                }
                Ok(Message::Writer(complete)) => {
                    others -= usize::from(complete?);
                }
                Ok(Message::Reader(error)) => return Err(error),
                Err(RecvTimeoutError::Timeout) => {
                    events(Event::Progress(self.shared.done.load(Ordering::Relaxed)));
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(())
    }
}

pub(crate) fn warn(report: &WorkerReport, events: &mut dyn FnMut(Event)) {
    if let Some(reason) = &report.failure {
        let (worker, reason) = (report.name.clone(), reason.clone());
        events(Event::WorkerFailed { worker, reason });
    }
}
