// SPDX-License-Identifier: Apache-2.0
//! The loop of a worker that works in memory of its caller: several jobs at a time, whose results
//! are stored at once.

use std::collections::VecDeque;

use zeroize::Zeroizing;

use super::{Pull, Stop};
use crate::{Job, MemoryWorker, WorkerError, placement::Placement};

/// Bytes that are stored at once, if they lie end to end, and how often so many may wait for others
/// who store: the kernel lets one at a time write to a file, and the others spin. Measured in
/// `docs/decisions/0043-host-files.md`.
const RUN_BYTES: usize = 256 << 10;
const RUNS: usize = 4;

struct Memory<'a, P: Placement> {
    worker: &'a mut dyn MemoryWorker,
    pull: Pull<'a, P>,
    /// Claimed and not yet done.
    in_hand: Option<P::Ticket>,
    /// Done and not yet stored, oldest first.
    done: VecDeque<Done<P::Ticket>>,
    /// Memory for more.
    spare: Vec<Zeroizing<Vec<u8>>>,
}

/// Jobs whose results lie end to end.
struct Done<T> {
    ticket: T,
    memory: Zeroizing<Vec<u8>>,
    len: usize,
}

/// Pulls until there is nothing left; what could not be done is given back.
pub(super) fn run<P: Placement>(
    worker: &mut dyn MemoryWorker,
    pull: Pull<'_, P>,
) -> Result<(), Stop> {
    let (in_hand, done, spare) = (None, VecDeque::new(), Vec::new());
    let mut memory = Memory { worker, pull, in_hand, done, spare };
    let outcome = memory.run();
    let Memory { pull, in_hand, done, .. } = memory;
    pull.placement.give_back(done.into_iter().map(|done| done.ticket).chain(in_hand).collect());
    outcome
}

impl<P: Placement> Memory<'_, P> {
    /// Does jobs where their source is, or else in memory of its own.
    fn run(&mut self) -> Result<(), Stop> {
        let work = &self.pull.shared.work;
        let most = (RUN_BYTES / work.job_bytes()).max(1);
        while !self.pull.aborted() {
            let Some(ticket) = self.pull.placement.claim(self.done.is_empty(), most) else {
                if self.done.is_empty() {
                    break;
                }
                self.store(0)?;
                continue;
            };
            let ticket = self.in_hand.insert(ticket);
            let job = P::jobs(ticket)[0];
            if let Some(memory) = self.pull.placement.memory(ticket) {
                let outcome = self.pull.timed(|| self.worker.apply(job, memory));
                let refused = match outcome {
                    Err(WorkerError::Refused(refused)) => Some(refused),
                    outcome => outcome.map(|()| None)?,
                };
                let Some(ticket) = self.in_hand.take() else { continue };
                if let Some(refused) = refused {
                    self.pull.placement.refuse(ticket, refused)?;
                    continue;
                }
                self.pull.placement.store_in_memory(ticket, work.output_len(job));
                self.pull.count(job);
            } else {
                self.do_run()?;
                self.store(RUNS - 1)?;
            }
        }
        Ok(())
    }

    /// Does the jobs in hand so that their results lie end to end.
    fn do_run(&mut self) -> Result<(), Stop> {
        let work = &self.pull.shared.work;
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
            self.pull.placement.load(ticket, *job, &mut memory[..job.len])?;
            self.pull.timed(|| self.worker.apply(*job, memory))?;
            len += work.output_len(*job);
        }
        self.done.extend(self.in_hand.take().map(|ticket| Done { ticket, memory, len }));
        Ok(())
    }

    /// Stores what is done: until so many are left at once, and more while nobody else stores.
    fn store(&mut self, left: usize) -> Result<(), Stop> {
        while self.done.len() > left || !self.pull.placement.is_busy() {
            let Some(Done { ticket, memory, len }) = self.done.pop_front() else { break };
            let jobs = P::jobs(&ticket).to_vec();
            self.pull.placement.store(ticket, &memory[..len])?;
            self.spare.push(memory);
            for job in jobs {
                self.pull.count(job);
            }
        }
        Ok(())
    }
}
