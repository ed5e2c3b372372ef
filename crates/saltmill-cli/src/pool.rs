// SPDX-License-Identifier: Apache-2.0
//! Small files: as many at a time as there are workers, each by one of them.

use std::{
    fs::File,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::Duration,
};

use rustix::process::{Resource, getrlimit};
use saltmill_engine::{CancelToken, EngineError, Event, Worker, WorkerReport};

use crate::{
    failure::Failure,
    input::{Input, InputKind},
    output::{Output, Unnamed},
    target::Target,
    transfer::{Job, Names, alone, failure},
};

/// Files that wait for each worker.
const WAITING: usize = 4;

/// Open files that others than the tasks need: standard streams, signals, plugins.
const OTHER_FILES: u64 = 32;

/// How often cancellation is looked for.
const TICK: Duration = Duration::from_millis(50);

/// A file to be done.
pub struct Task {
    number: usize,
    file: File,
    len: u64,
    job: Job,
    target: Target,
    names: Names,
}

/// How a file ended.
enum Outcome {
    /// Done.
    Done(WorkerReport),
    /// Its number, and why not.
    Failed(usize, Failure),
    /// The worker failed, with this name and reason: the file is another's.
    Returned(Box<Task>, String, String),
}

/// What the caller is told.
pub trait Told {
    /// A file was done.
    fn done(&mut self, report: WorkerReport);
    /// File number so and so could not be done.
    fn failed(&mut self, number: usize, failure: Failure);
    /// Something else happened.
    fn event(&mut self, event: &Event);
}

impl Task {
    /// Whether both are files, or nothing is to come out.
    pub fn takes(input: &Input, target: &Target) -> bool {
        let outputs = matches!(target, Target::File(_) | Target::Nothing);
        outputs && matches!(input.kind, InputKind::Regular(..))
    }

    /// File number `number`; none of what is no regular file, or is to become a stream.
    pub fn new(number: usize, input: Input, job: Job, target: Target) -> Option<Self> {
        let names = Names::new(&input, &job, &target);
        match (input, target) {
            (
                Input { kind: InputKind::Regular(file, len), .. },
                target @ (Target::File(_) | Target::Nothing),
            ) if !job.armor => Some(Self { number, file, len, job, target, names }),
            _ => None,
        }
    }

    fn run(&self, worker: &mut dyn Worker, deadline: Duration) -> Result<WorkerReport, Trouble> {
        let output = Output::open(self.target.clone())?;
        let report = alone(worker, deadline, &self.file, self.len, &self.job, &output)?;
        output.unnamed().map_or(Ok(()), Unnamed::finish)?;
        Ok(report)
    }
}

enum Trouble {
    Failure(Failure),
    Engine(EngineError),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<EngineError> for Trouble {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

/// Does the tasks, each job of them within the deadline; a failure ends the run, one of a file does not.
pub fn run(
    workers: &mut [Box<dyn Worker>],
    deadline: Duration,
    cancel: &CancelToken,
    tasks: impl Iterator<Item = Task>,
    told: &mut dyn Told,
) -> Result<(), Failure> {
    let (give, take) = channel();
    let (tell, listen) = channel();
    let take = Mutex::new(take);
    thread::scope(|scope| {
        let left = workers.len();
        for worker in workers {
            let (take, tell) = (&take, tell.clone());
            scope.spawn(move || serve(&mut **worker, deadline, cancel, take, &tell));
        }
        let mut owner = Owner { listen, told, outstanding: 0, left };
        owner.feed(give, cancel, tasks)
    })
}

/// A worker's thread: ends when there is nothing more to take, or with its worker.
fn serve(
    worker: &mut dyn Worker,
    deadline: Duration,
    cancel: &CancelToken,
    take: &Mutex<Receiver<Task>>,
    tell: &Sender<Outcome>,
) {
    loop {
        let task = take.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(task) = task else { return };
        if cancel.is_cancelled() {
            return;
        }
        // A panic must not end in silence: the owner would wait for this file for ever.
        let ran = catch_unwind(AssertUnwindSafe(|| task.run(worker, deadline)));
        let outcome = match ran.unwrap_or_else(|_| Err(panicked(worker))) {
            Ok(report) => Outcome::Done(report),
            Err(Trouble::Failure(failure)) => Outcome::Failed(task.number, failure),
            Err(Trouble::Engine(EngineError::WorkerFailed { worker, reason })) => {
                let _ = tell.send(Outcome::Returned(Box::new(task), worker, reason));
                return;
            }
            Err(Trouble::Engine(error)) => {
                Outcome::Failed(task.number, failure(error, &task.names))
            }
        };
        if tell.send(outcome).is_err() {
            return;
        }
    }
}

fn panicked(worker: &dyn Worker) -> Trouble {
    let (worker, reason) = (worker.name().to_owned(), "it broke down".to_owned());
    Trouble::Engine(EngineError::WorkerFailed { worker, reason })
}

/// How many tasks may have their files open, an input and an output each: what the system allows.
fn most_by_open_files() -> usize {
    let Some(limit) = getrlimit(Resource::Nofile).current else { return usize::MAX };
    usize::try_from(limit.saturating_sub(OTHER_FILES) / 2).unwrap_or(usize::MAX).max(1)
}

/// The caller's thread.
struct Owner<'a> {
    listen: Receiver<Outcome>,
    told: &'a mut dyn Told,
    /// Tasks that were given and not told of.
    outstanding: usize,
    /// Workers that have not failed.
    left: usize,
}

impl Owner<'_> {
    fn feed(
        &mut self,
        give: Sender<Task>,
        cancel: &CancelToken,
        mut tasks: impl Iterator<Item = Task>,
    ) -> Result<(), Failure> {
        let most = ((WAITING + 1) * self.left).min(most_by_open_files());
        let mut returned = Vec::new();
        let mut more = true;
        loop {
            if cancel.is_cancelled() {
                return Err(Failure::interrupted());
            }
            if self.left == 0 {
                return Err(failure(EngineError::NoWorkerLeft, &Names::default()));
            }
            while more && self.outstanding < most {
                let Some(task) = returned.pop().or_else(|| tasks.next()) else {
                    more = false;
                    break;
                };
                self.outstanding += 1;
                if give.send(task).is_err() {
                    break;
                }
            }
            if self.outstanding == 0 {
                return Ok(());
            }
            match self.listen.recv_timeout(TICK) {
                Ok(outcome) => {
                    self.outstanding -= 1;
                    match outcome {
                        Outcome::Done(report) => self.told.done(report),
                        Outcome::Failed(number, failure) => self.told.failed(number, failure),
                        Outcome::Returned(task, worker, reason) => {
                            self.left -= 1;
                            self.told.event(&Event::WorkerFailed { worker, reason });
                            returned.push(*task);
                            more = true;
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.left = 0,
            }
        }
    }
}
