// SPDX-License-Identifier: Apache-2.0
//! Files: every worker reads and writes its own ranges; nothing has to be put in order.

use std::{
    fs::File,
    io,
    os::unix::fs::FileExt,
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::{EngineError, Job, Work, placement::Placement};

/// Bytes that can be read anywhere, by several threads.
pub trait ReadAt: Sync {
    /// Fills the buffer from `offset` on.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] if there are fewer bytes, or what the file says.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;
}

/// A place where bytes can be written anywhere, by several threads.
pub trait WriteAt: Sync {
    /// Writes all of the buffer from `offset` on.
    ///
    /// # Errors
    /// What the file says.
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
    /// Workers that are just storing.
    storing: AtomicUsize,
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
        let (claims, changed, storing) = (Mutex::default(), Condvar::new(), AtomicUsize::new(0));
        Self { work, input, output, len, claims, changed, storing }
    }

    fn claims(&self) -> MutexGuard<'_, Claims> {
        self.claims.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A job of a failed worker, or the next ones: fewer towards the end, so that all workers end
    /// at once.
    fn take(&self, claims: &mut Claims, most: usize) -> Vec<Job> {
        let jobs = if let Some(job) = claims.returned.pop() {
            vec![job]
        } else {
            let (next, last) = (claims.next, self.work.number(self.work.last_job(self.len)));
            let share = usize::try_from(last.saturating_sub(next) / 8).unwrap_or(most);
            let numbers = next..next + share.clamp(1, most) as u64;
            let jobs: Vec<_> =
                numbers.map_while(|number| self.work.job(number, self.len)).collect();
            claims.next += jobs.len() as u64;
            jobs
        };
        claims.outstanding += jobs.len();
        jobs
    }
}

impl Placement for InPlace<'_> {
    type Ticket = Vec<Job>;

    fn claim(&self, wait: bool, most: usize) -> Option<Vec<Job>> {
        let mut claims = self.claims();
        loop {
            if claims.aborted {
                return None;
            }
            let jobs = self.take(&mut claims, most);
            if !jobs.is_empty() {
                return Some(jobs);
            }
            // Others' jobs may come back: only when there are none, nothing can follow.
            if !wait || claims.outstanding == 0 {
                return None;
            }
            claims = self.changed.wait(claims).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn jobs(ticket: &Vec<Job>) -> &[Job] {
        ticket
    }

    fn load(&self, _ticket: &Vec<Job>, job: Job, buffer: &mut [u8]) -> Result<(), EngineError> {
        let offset = job.offset;
        self.input
            .read_exact_at(buffer, offset)
            .map_err(|source| EngineError::Read { offset, source })
    }

    fn store(&self, ticket: Vec<Job>, results: &[u8]) -> Result<(), EngineError> {
        let offset = self.work.output_offset(ticket[0]);
        self.storing.fetch_add(1, Ordering::Relaxed);
        let outcome = self.output.write_all_at(results, offset);
        self.storing.fetch_sub(1, Ordering::Relaxed);
        outcome.map_err(|source| EngineError::Write { offset, source })?;
        self.claims().outstanding -= ticket.len();
        self.changed.notify_all();
        Ok(())
    }

    fn is_busy(&self) -> bool {
        self.storing.load(Ordering::Relaxed) > 0
    }

    fn give_back(&self, tickets: Vec<Vec<Job>>) {
        let mut claims = self.claims();
        let jobs = tickets.into_iter().flatten();
        let before = claims.returned.len();
        claims.returned.extend(jobs);
        claims.outstanding -= claims.returned.len() - before;
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
