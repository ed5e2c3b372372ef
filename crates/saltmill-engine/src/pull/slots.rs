// SPDX-License-Identifier: Apache-2.0
//! The loop of a worker with slots: load, submit, finish, store.

use std::collections::VecDeque;

use super::{Pull, Stop};
use crate::{SlotWorker, WorkerError, placement::Placement};

struct Slots<'a, P: Placement> {
    worker: &'a mut dyn SlotWorker,
    pull: Pull<'a, P>,
    free: Vec<usize>,
    /// Submitted, oldest first.
    queue: VecDeque<(usize, P::Ticket)>,
    /// Claimed and not yet submitted, or finished and not yet stored.
    in_hand: Option<P::Ticket>,
}

/// Pulls until there is nothing left; what could not be done is given back.
pub(super) fn run<P: Placement>(
    worker: &mut dyn SlotWorker,
    pull: Pull<'_, P>,
) -> Result<(), Stop> {
    let (free, queue, in_hand) = ((0..worker.slots()).collect(), VecDeque::new(), None);
    let mut slots = Slots { worker, pull, free, queue, in_hand };
    let outcome = slots.run();
    let Slots { pull, queue, in_hand, .. } = slots;
    let queue = queue.into_iter().map(|(_, ticket)| ticket);
    pull.placement.give_back(queue.chain(in_hand).collect());
    outcome
}

impl<P: Placement> Slots<'_, P> {
    fn run(&mut self) -> Result<(), Stop> {
        loop {
            self.fill()?;
            if self.queue.is_empty() || self.pull.aborted() {
                return Ok(());
            }
            self.empty_oldest()?;
        }
    }

    /// Submits jobs until the slots or the jobs run out.
    fn fill(&mut self) -> Result<(), Stop> {
        while let Some(&slot) = self.free.last() {
            let wait = self.queue.is_empty();
            let Some(ticket) = self.pull.placement.claim(wait, 1) else { return Ok(()) };
            let job = P::jobs(&ticket)[0];
            let ticket = self.in_hand.insert(ticket);
            self.pull.placement.load(ticket, job, self.worker.buffer(slot, job.len)?)?;
            self.pull.timed(|| self.worker.submit(slot, job))?;
            self.free.pop();
            self.queue.extend(self.in_hand.take().map(|ticket| (slot, ticket)));
        }
        Ok(())
    }

    /// Waits for the oldest job and stores its result.
    fn empty_oldest(&mut self) -> Result<(), Stop> {
        let deadline = self.pull.shared.deadline();
        let outcome = self.pull.timed(|| self.worker.finish(deadline));
        let refused = match outcome {
            Err(WorkerError::Refused(refused)) => Some(refused),
            outcome => {
                let slot = outcome?;
                debug_assert_eq!(Some(slot), self.queue.front().map(|oldest| oldest.0), "in order");
                None
            }
        };
        let oldest = self.queue.pop_front();
        let Some((slot, ticket)) = oldest else { unreachable!("finish is asked for a job") };
        if let Some(refused) = refused {
            self.pull.placement.refuse(ticket, refused)?;
            self.free.push(slot);
            return Ok(());
        }
        let job = P::jobs(&ticket)[0];
        self.in_hand = Some(ticket);
        let result = self.worker.buffer(slot, self.pull.shared.work.output_len(job))?;
        if let Some(ticket) = self.in_hand.take() {
            self.pull.placement.store(ticket, result)?;
        }
        self.free.push(slot);
        self.pull.count(job);
        Ok(())
    }
}
