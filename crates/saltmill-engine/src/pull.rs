// SPDX-License-Identifier: Apache-2.0
//! The loop of every worker: pull a job, load, submit, finish, store. Who does jobs in the memory of its
//! caller pulls several at a time, and stores them at once.

use std::{
    collections::VecDeque,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use zeroize::Zeroizing;

use crate::{
    EngineError, Job, WorkerError, engine::Shared, placement::Placement, report::WorkerReport,
    worker::Worker,
};

/// Bytes that are stored at once, if they lie end to end, and how often so many may wait for others who
/// store: the kernel lets one at a time write to a file, and the others spin. Measured in
/// `docs/decisions/0043-host-files.md`.
const RUN_BYTES: usize = 256 << 10;
const RUNS: usize = 4;

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

/// A worker with the jobs that it has been given.
struct Puller<'a, P: Placement> {
    worker: &'a mut dyn Worker,
    placement: &'a P,
    shared: &'a Shared,
    free: Vec<usize>,
    /// Submitted, oldest first.
    queue: VecDeque<(usize, P::Ticket)>,
    /// Claimed and not yet submitted, or finished and not yet stored.
    in_hand: Option<P::Ticket>,
    /// Done in memory and not yet stored, oldest first.
    done: VecDeque<Done<P::Ticket>>,
    /// Memory for more.
    spare: Vec<Zeroizing<Vec<u8>>>,
    report: WorkerReport,
}

/// Jobs whose results lie end to end.
struct Done<T> {
    ticket: T,
    memory: Zeroizing<Vec<u8>>,
    len: usize,
}

/// Lets the worker pull until there is nothing left. A worker that failed comes with its report;
/// an error is one of the run.
pub(crate) fn pull<P: Placement>(
    worker: &mut dyn Worker,
    placement: &P,
    shared: &Shared,
) -> Result<WorkerReport, EngineError> {
    let (report, free) = (WorkerReport::new(worker.name()), (0..worker.slots()).collect());
    let (queue, in_hand, done, spare) = (VecDeque::new(), None, VecDeque::new(), Vec::new());
    let mut puller =
        Puller { worker, placement, shared, free, queue, in_hand, done, spare, report };
    let outcome = puller.run();
    let Puller { worker, queue, in_hand, done, mut report, .. } = puller;
    let done = done.into_iter().map(|done| done.ticket);
    let queue = queue.into_iter().map(|(_, ticket)| ticket);
    placement.give_back(done.chain(queue).chain(in_hand).collect());
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

impl<P: Placement> Puller<'_, P> {
    fn run(&mut self) -> Result<(), Stop> {
        self.worker.start(&self.shared.work, self.shared.deadline())?;
        if self.worker.applies() {
            return self.run_in_memory();
        }
        loop {
            self.fill()?;
            if self.queue.is_empty() || self.aborted() {
                return Ok(());
            }
            self.empty_oldest()?;
        }
    }

    fn aborted(&self) -> bool {
        self.shared.aborted.load(Ordering::Relaxed)
    }

    /// Does jobs where their source is, or else in memory of its own.
    fn run_in_memory(&mut self) -> Result<(), Stop> {
        let work = &self.shared.work;
        let most = (RUN_BYTES / work.job_bytes()).max(1);
        while !self.aborted() {
            let Some(ticket) = self.placement.claim(self.done.is_empty(), most) else {
                if self.done.is_empty() {
                    break;
                }
                self.store(0)?;
                continue;
            };
            let ticket = self.in_hand.insert(ticket);
            let job = P::jobs(ticket)[0];
            if let Some(memory) = self.placement.memory(ticket) {
                timed(&mut self.report, || self.worker.apply(job, memory))?;
                if let Some(ticket) = self.in_hand.take() {
                    self.placement.store_in_memory(ticket, work.output_len(job));
                }
                self.count(job);
            } else {
                self.do_run()?;
                self.store(RUNS - 1)?;
            }
        }
        Ok(())
    }

    /// Does the jobs in hand so that their results lie end to end.
    fn do_run(&mut self) -> Result<(), Stop> {
        let work = &self.shared.work;
        let Some(ticket) = &self.in_hand else { return Ok(()) };
        let room = |job: &Job| job.len.max(work.output_len(*job));
        let needed = P::jobs(ticket).iter().map(room).sum();
        let mut memory = self.spare.pop().unwrap_or_default();
        if memory.len() < needed {
            memory = Zeroizing::new(vec![0; needed]);
        }
        let mut len = 0;
        for job in P::jobs(ticket) {
            let memory = &mut memory[len..len + room(job)];
            self.placement.load(ticket, *job, &mut memory[..job.len])?;
            timed(&mut self.report, || self.worker.apply(*job, memory))?;
            len += work.output_len(*job);
        }
        self.done.extend(self.in_hand.take().map(|ticket| Done { ticket, memory, len }));
        Ok(())
    }

    /// Stores what is done: until so many are left at once, and more while nobody else stores.
    fn store(&mut self, left: usize) -> Result<(), Stop> {
        while self.done.len() > left || !self.placement.is_busy() {
            let Some(Done { ticket, memory, len }) = self.done.pop_front() else { break };
            let jobs = P::jobs(&ticket).to_vec();
            self.placement.store(ticket, &memory[..len])?;
            self.spare.push(memory);
            for job in jobs {
                self.count(job);
            }
        }
        Ok(())
    }

    /// Submits jobs until the slots or the jobs run out.
    fn fill(&mut self) -> Result<(), Stop> {
        while let Some(&slot) = self.free.last() {
            let wait = self.queue.is_empty();
            let Some(ticket) = self.placement.claim(wait, 1) else { return Ok(()) };
            let job = P::jobs(&ticket)[0];
            let ticket = self.in_hand.insert(ticket);
            self.placement.load(ticket, job, self.worker.buffer(slot, job.len)?)?;
            timed(&mut self.report, || self.worker.submit(slot, job))?;
            self.free.pop();
            self.queue.extend(self.in_hand.take().map(|ticket| (slot, ticket)));
        }
        Ok(())
    }

    /// Waits for the oldest job and stores its result.
    fn empty_oldest(&mut self) -> Result<(), Stop> {
        let deadline = self.shared.deadline();
        let slot = timed(&mut self.report, || self.worker.finish(deadline))?;
        let oldest = self.queue.pop_front();
        let Some((expected, ticket)) = oldest else { unreachable!("finish is asked for a job") };
        debug_assert_eq!(slot, expected, "jobs finish in order");
        let job = P::jobs(&ticket)[0];
        self.in_hand = Some(ticket);
        let result = self.worker.buffer(slot, self.shared.work.output_len(job))?;
        if let Some(ticket) = self.in_hand.take() {
            self.placement.store(ticket, result)?;
        }
        self.free.push(slot);
        self.count(job);
        Ok(())
    }

    fn count(&mut self, job: Job) {
        self.report.jobs += 1;
        self.report.bytes += job.len as u64;
        self.shared.done.fetch_add(job.len as u64, Ordering::Relaxed);
    }
}

/// Counts what this takes as the worker's time.
fn timed<T>(report: &mut WorkerReport, work: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let result = work();
    report.working += started.elapsed();
    result
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
