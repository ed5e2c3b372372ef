// SPDX-License-Identifier: Apache-2.0
//! Where jobs come from and where results go: the seam between files, pipes and workers.

use crate::{EngineError, Job, Refused};

/// Hands out jobs and puts results back. The source of a job stays at hand until it is stored, so
/// that a failed worker's jobs can go to others.
pub(crate) trait Placement: Sync {
    /// Jobs that were handed out together, with their source.
    type Ticket;

    /// The next job, and up to `most` in all that follow each other. With `wait`: `None` only when
    /// there will be none any more; without: also when there is none just now.
    fn claim(&self, wait: bool, most: usize) -> Option<Self::Ticket>;

    /// Which jobs they are: at least one.
    fn jobs(ticket: &Self::Ticket) -> &[Job];

    /// Reads the source of one of the jobs.
    fn load(&self, ticket: &Self::Ticket, job: Job, buffer: &mut [u8]) -> Result<(), EngineError>;

    /// Memory that holds the source of the only job, with room for its result, if there is some.
    fn memory<'t>(&self, _ticket: &'t mut Self::Ticket) -> Option<&'t mut [u8]> {
        None
    }

    /// Takes the job's result of `len` bytes, which is where [`memory`](Self::memory) had its
    /// source.
    fn store_in_memory(&self, _ticket: Self::Ticket, _len: usize) {}

    /// Puts the jobs' results, which lie end to end, where they belong.
    fn store(&self, ticket: Self::Ticket, result: &[u8]) -> Result<(), EngineError>;

    /// Somebody is storing: who stores now waits.
    fn is_busy(&self) -> bool {
        false
    }

    /// Takes a job whose chunk is refused: an error if the run ends at once.
    fn refuse(&self, _ticket: Self::Ticket, refused: Refused) -> Result<(), EngineError> {
        Err(refused.into())
    }

    /// Takes jobs back that a worker could not do.
    fn give_back(&self, tickets: Vec<Self::Ticket>);

    /// Hands out nothing more and wakes whoever waits.
    fn abort(&self);

    /// Every job was handed out and stored.
    fn is_complete(&self) -> bool;
}
