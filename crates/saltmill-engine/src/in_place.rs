// SPDX-License-Identifier: Apache-2.0
//! Files: every worker reads and writes its own ranges; nothing has to be put in order.

use std::{
    fs::File,
    io,
    os::unix::fs::FileExt,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use crate::{EngineError, Job, Work, placement::Placement};

/// Bytes that can be read anywhere, by several threads.
pub trait ReadAt: Sync {
    /// Fills the buffer from `offset` on.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;
}

/// A place where bytes can be written anywhere, by several threads.
pub trait WriteAt: Sync {
    /// Writes all of the buffer from `offset` on.
    fn write_all_at(&self, buffer: &[u8], offset: u64) -> io::Result<()>;
}

impl ReadAt for File {
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        FileExt::read_exact_at(self, buffer, offset)
    }
}

impl WriteAt for File {
    fn write_all_at(&self, buffer: &[u8], offset: u64) -> io::Result<()> {
        FileExt::write_all_at(self, buffer, offset)
    }
}

/// A file from some byte on: what a format has in front of it stays untouched.
#[derive(Debug)]
pub struct Offset<'a, F: ?Sized> {
    file: &'a F,
    start: u64,
}

impl<'a, F: ?Sized> Offset<'a, F> {
    /// What is behind the first `start` bytes of the file.
    pub fn new(file: &'a F, start: u64) -> Self {
        Self { file, start }
    }
}

impl<F: ReadAt + ?Sized> ReadAt for Offset<'_, F> {
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.file.read_exact_at(buffer, self.start + offset)
    }
}

impl<F: WriteAt + ?Sized> WriteAt for Offset<'_, F> {
    fn write_all_at(&self, buffer: &[u8], offset: u64) -> io::Result<()> {
        self.file.write_all_at(buffer, self.start + offset)
    }
}

pub(crate) struct InPlace<'a> {
    work: &'a Work,
    input: &'a dyn ReadAt,
    output: &'a dyn WriteAt,
    len: u64,
    claims: Mutex<Claims>,
    changed: Condvar,
}

#[derive(Default)]
struct Claims {
    /// Number of the first job that nobody has claimed yet.
    next: u64,
    /// Jobs of failed workers.
    returned: Vec<Job>,
    /// Jobs handed out and neither stored nor returned.
    outstanding: usize,
    aborted: bool,
}

impl<'a> InPlace<'a> {
    pub(crate) fn new(
        work: &'a Work,
        input: &'a dyn ReadAt,
        len: u64,
        output: &'a dyn WriteAt,
    ) -> Self {
        let (claims, changed) = (Mutex::default(), Condvar::new());
        Self { work, input, output, len, claims, changed }
    }

    fn claims(&self) -> MutexGuard<'_, Claims> {
        self.claims.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A job of a failed worker, or the next one.
    fn take(&self, claims: &mut Claims) -> Option<Job> {
        let job = claims.returned.pop().or_else(|| {
            let job = self.work.job(claims.next, self.len)?;
            claims.next += 1;
            Some(job)
        })?;
        claims.outstanding += 1;
        Some(job)
    }
}

impl Placement for InPlace<'_> {
    type Ticket = Job;

    fn claim(&self, wait: bool) -> Option<Job> {
        let mut claims = self.claims();
        loop {
            if claims.aborted {
                return None;
            }
            let job = self.take(&mut claims);
            // Others' jobs may come back: only when there are none, nothing can follow.
            if job.is_some() || !wait || claims.outstanding == 0 {
                return job;
            }
            claims = self.changed.wait(claims).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn job(ticket: &Job) -> Job {
        *ticket
    }

    fn load(&self, ticket: &mut Job, buffer: &mut [u8]) -> Result<(), EngineError> {
        let offset = ticket.offset;
        self.input
            .read_exact_at(buffer, offset)
            .map_err(|source| EngineError::Read { offset, source })
    }

    fn store(&self, ticket: Job, result: &[u8]) -> Result<(), EngineError> {
        let offset = self.work.output_offset(ticket);
        self.output
            .write_all_at(result, offset)
            .map_err(|source| EngineError::Write { offset, source })?;
        self.claims().outstanding -= 1;
        self.changed.notify_all();
        Ok(())
    }

    fn give_back(&self, tickets: Vec<Job>) {
        let mut claims = self.claims();
        claims.outstanding -= tickets.len();
        claims.returned.extend(tickets);
        self.changed.notify_all();
    }

    fn abort(&self) {
        self.claims().aborted = true;
        self.changed.notify_all();
    }

    fn is_complete(&self) -> bool {
        let claims = self.claims();
        let claimed = self.work.job(claims.next, self.len).is_none();
        claimed && claims.returned.is_empty() && claims.outstanding == 0
    }
}
