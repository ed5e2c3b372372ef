// SPDX-License-Identifier: Apache-2.0
//! The loop of every worker: pull a job, load, submit, finish, store.

use std::{
    collections::VecDeque,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use crate::{
    EngineError, Job, WorkerError, engine::Shared, placement::Placement, report::WorkerReport,
    worker::Worker,
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
    report: WorkerReport,
}

/// Lets the worker pull until there is nothing left. A worker that failed comes with its report;
/// an error is one of the run.
pub(crate) fn pull<P: Placement>(
    worker: &mut dyn Worker,
    placement: &P,
    shared: &Shared,
) -> Result<WorkerReport, EngineError> {
    let (report, free) = (WorkerReport::new(worker.name()), (0..worker.slots()).collect());
    let (queue, in_hand) = (VecDeque::new(), None);
    let mut puller = Puller { worker, placement, shared, free, queue, in_hand, report };
    let outcome = puller.run();
    let Puller { worker, queue, in_hand, mut report, .. } = puller;
    placement.give_back(queue.into_iter().map(|(_, ticket)| ticket).chain(in_hand).collect());
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
        loop {
            self.fill()?;
            if self.queue.is_empty() || self.shared.aborted.load(Ordering::Relaxed) {
                return Ok(());
            }
            self.empty_oldest()?;
        }
    }

    /// Submits jobs until the slots or the jobs run out.
    fn fill(&mut self) -> Result<(), Stop> {
        while let Some(&slot) = self.free.last() {
            let wait = self.queue.is_empty();
            let Some(ticket) = self.placement.claim(wait) else { return Ok(()) };
            let job = P::job(&ticket);
            let ticket = self.in_hand.insert(ticket);
            if let Some(memory) = self.placement.memory(ticket) {
                let started = Instant::now();
                if let Some(outcome) = self.worker.apply(job, memory) {
                    self.report.working += started.elapsed();
                    outcome?;
                    if let Some(ticket) = self.in_hand.take() {
                        let len = self.shared.work.output_len(job);
                        self.placement.store_in_memory(ticket, len);
                    }
                    self.count(job);
                    continue;
                }
            }
            self.placement.load(ticket, self.worker.buffer(slot, job.len)?)?;
            let started = Instant::now();
            self.worker.submit(slot, job)?;
            self.report.working += started.elapsed();
            self.free.pop();
            self.queue.extend(self.in_hand.take().map(|ticket| (slot, ticket)));
        }
        Ok(())
    }

    /// Waits for the oldest job and stores its result.
    fn empty_oldest(&mut self) -> Result<(), Stop> {
        let started = Instant::now();
        let slot = self.worker.finish(self.shared.deadline())?;
        self.report.working += started.elapsed();
        let oldest = self.queue.pop_front();
        let Some((expected, ticket)) = oldest else { unreachable!("finish is asked for a job") };
        debug_assert_eq!(slot, expected, "jobs finish in order");
        let job = P::job(&ticket);
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
