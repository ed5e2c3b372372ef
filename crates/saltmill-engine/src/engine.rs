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
    CancelToken, EngineError, Event, ReadAt, Report, Work, Worker, WriteAt, in_place::InPlace,
    placement::Placement, pull::pull, report::WorkerReport, streamed::Window,
};

/// How often progress is told and cancellation looked for.
const TICK: Duration = Duration::from_millis(50);

/// Workers, and what to do when they don't answer.
pub struct Engine {
    workers: Vec<Box<dyn Worker>>,
    cancel: CancelToken,
    job_deadline: Duration,
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
    fn new(work: &Arc<Work>, job_deadline: Duration) -> Self {
        let (work, done, aborted) = (Arc::clone(work), AtomicU64::new(0), AtomicBool::new(false));
        Self { work, done, aborted, job_deadline }
    }

    /// The deadline of a wait that starts now.
    pub(crate) fn deadline(&self) -> Instant {
        Instant::now() + self.job_deadline
    }

    /// What the run did in all, told as its last event too.
    fn report(
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

/// Does the work from one file to another with one worker, on the calling thread: for files that are not
/// worth threads, several of which can go on side by side. A worker that fails is an error here.
///
/// ```
/// use std::{fs::File, io::Write, time::Duration};
/// use saltmill_engine::{Chunks, CpuWorker, Key, Work, alone};
///
/// let mut text = tempfile::tempfile()?;
/// text.write_all(b"a small text")?;
/// let sealed = tempfile::tempfile()?;
/// let work = Work::Seal(Chunks::new(Key::new([7; 32])));
/// let deadline = Duration::from_secs(10);
/// let report = alone(&mut CpuWorker::new(0), work, &text, 12, &sealed, deadline)?;
/// assert_eq!((report.bytes, sealed.metadata()?.len()), (12, 28));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn alone(
    worker: &mut dyn Worker,
    work: impl Into<Work>,
    input: &dyn ReadAt,
    len: u64,
    output: &dyn WriteAt,
    job_deadline: Duration,
) -> Result<WorkerReport, EngineError> {
    let work = Arc::new(work.into());
    work.check(work.last_job(len))?;
    let placement = InPlace::new(&work, input, len, output);
    let report = pull(worker, &placement, &Shared::new(&work, job_deadline))?;
    match report.failure {
        Some(reason) => Err(EngineError::WorkerFailed { worker: report.name, reason }),
        None => Ok(report),
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
        Self { workers, cancel, job_deadline }
    }

    /// Does the work on `len` bytes from one file to another; each worker reads and writes its own
    /// ranges.
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
        match &mut *self.workers {
            // To start a thread takes longer than such a job. A device is waited for: then somebody must look
            // whether the run is cancelled.
            [worker] if worker.applies() && work.last_job(len).offset == 0 => {
                let shared = Shared::new(&work, self.job_deadline);
                let started = Instant::now();
                let report = serve(&mut **worker, &placement, &shared)?;
                warn(&report, events);
                if self.cancel.is_cancelled() {
                    return Err(EngineError::Cancelled);
                }
                if !placement.is_complete() {
                    return Err(EngineError::NoWorkerLeft);
                }
                Ok(shared.report(started, vec![report], events))
            }
            _ => self.run(&work, &placement, events, |_| 0),
        }
    }

    /// Does the work on a stream of unknown length, in order.
    ///
    /// Input and output are used by threads of their own; if the run ends early, one that is
    /// blocked in a read or a write stays behind until that returns.
    pub fn streamed(
        &mut self,
        work: impl Into<Work>,
        mut input: Box<dyn Read + Send>,
        mut output: Box<dyn Write + Send>,
        events: &mut dyn FnMut(Event),
    ) -> Result<Report, EngineError> {
        let work = Arc::new(work.into());
        let slots = self.workers.iter().map(|worker| worker.slots()).sum();
        let window = Window::new(Arc::clone(&work), slots);
        let placement = Arc::clone(&window);
        self.run(&work, &*placement, events, |sender| {
            let (reader, tell) = (Arc::clone(&window), sender.clone());
            thread::spawn(move || {
                if let Err(error) = reader.read_all(&mut *input) {
                    let _ = tell.send(Message::Reader(error));
                }
            });
            let (writer, tell) = (window, sender.clone());
            thread::spawn(move || {
                let _ = tell.send(Message::Writer(writer.write_all(&mut *output)));
            });
            1
        })
    }

    /// Starts the workers, and with `others` the other threads, of which it gives the number that
    /// must end well. Then listens until all have ended.
    fn run<P: Placement>(
        &mut self,
        work: &Arc<Work>,
        placement: &P,
        events: &mut dyn FnMut(Event),
        others: impl FnOnce(&Sender<Message>) -> usize,
    ) -> Result<Report, EngineError> {
        let started = Instant::now();
        let shared = Shared::new(work, self.job_deadline);
        let (sender, receiver) = channel();
        let mut reports = Vec::new();
        thread::scope(|scope| {
            let others = others(&sender);
            let workers = self.workers.len();
            for worker in &mut self.workers {
                let (shared, sender) = (&shared, sender.clone());
                scope.spawn(move || {
                    let _ = sender.send(Message::Worker(serve(&mut **worker, placement, shared)));
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

/// Lets a worker do what it can. A panic is an error: the listener would wait for it for ever.
fn serve<P: Placement>(
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

fn warn(report: &WorkerReport, events: &mut dyn FnMut(Event)) {
    if let Some(reason) = &report.failure {
        let (worker, reason) = (report.name.clone(), reason.clone());
        events(Event::WorkerFailed { worker, reason });
    }
}
