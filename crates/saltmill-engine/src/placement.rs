// SPDX-License-Identifier: Apache-2.0
//! Where jobs come from and where results go: the seam between files, pipes and workers.

use crate::{EngineError, Job};

/// Hands out jobs and puts results back. The source of a job stays at hand until it is stored, so
/// that a failed worker's jobs can go to others.
pub(crate) trait Placement: Sync {
    /// A job that was handed out, with its source.
    type Ticket;

    /// The next job. With `wait`: `None` only when there will be none any more; without: also when
    /// there is none just now.
    fn claim(&self, wait: bool) -> Option<Self::Ticket>;

    /// Which job it is.
    fn job(ticket: &Self::Ticket) -> Job;

    /// Reads the job's source.
    fn load(&self, ticket: &mut Self::Ticket, buffer: &mut [u8]) -> Result<(), EngineError>;

    /// Memory that holds the job's source, with room for its result, if there is some.
    fn memory<'t>(&self, _ticket: &'t mut Self::Ticket) -> Option<&'t mut [u8]> {
        None
    }

    /// Takes the job's result of `len` bytes, which is where [`memory`](Self::memory) had its source.
    fn store_in_memory(&self, _ticket: Self::Ticket, _len: usize) {}

    /// Puts the job's result where it belongs.
    fn store(&self, ticket: Self::Ticket, result: &[u8]) -> Result<(), EngineError>;

    /// Takes jobs back that a worker could not do.
    fn give_back(&self, tickets: Vec<Self::Ticket>);

    /// Hands out nothing more and wakes whoever waits.
    fn abort(&self);

    /// Every job was handed out and stored.
    fn is_complete(&self) -> bool;
}
