// SPDX-License-Identifier: Apache-2.0
//! A worker that fails on demand, for tests of whoever drives it.

use std::{collections::VecDeque, sync::Arc, thread, time::Duration, time::Instant};

use crate::{Cipher, DeviceReport, JOB_BYTES, Job, Worker, WorkerError};

/// What goes wrong with a [`MockWorker`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WorkerFault {
    /// Nothing; jobs take this long.
    Slow(Duration),
    /// It can't even start.
    NoStart,
    /// Submission fails after this many jobs.
    SubmitAfter(usize),
    /// Submission panics after this many jobs.
    PanicAfter(usize),
    /// No job after this many finishes: the deadline passes.
    HangAfter(usize),
}

/// A right but scripted worker with several slots.
pub struct MockWorker {
    name: String,
    fault: WorkerFault,
    cipher: Option<Arc<Cipher>>,
    buffers: Vec<Vec<u8>>,
    submitted: VecDeque<usize>,
    jobs: usize,
}

impl MockWorker {
    /// A worker that fails like this.
    pub fn new(index: usize, slots: usize, fault: WorkerFault) -> Self {
        Self {
            name: format!("mock:{index}"),
            fault,
            cipher: None,
            buffers: vec![vec![0; JOB_BYTES]; slots],
            submitted: VecDeque::new(),
            jobs: 0,
        }
    }

    fn stopped(&self, reason: &str) -> WorkerError {
        WorkerError::Stopped { worker: self.name.clone(), reason: reason.to_owned() }
    }
}

impl Worker for MockWorker {
    fn name(&self) -> &str {
        &self.name
    }

    fn slots(&self) -> usize {
        self.buffers.len()
    }

    fn start(&mut self, cipher: &Arc<Cipher>, _deadline: Instant) -> Result<(), WorkerError> {
        if self.fault == WorkerFault::NoStart {
            return Err(self.stopped("it does not start"));
        }
        self.cipher = Some(Arc::clone(cipher));
        Ok(())
    }

    fn buffer(&mut self, slot: usize) -> Result<&mut [u8], WorkerError> {
        Ok(&mut self.buffers[slot])
    }

    fn submit(&mut self, slot: usize, job: Job) -> Result<(), WorkerError> {
        if matches!(self.fault, WorkerFault::SubmitAfter(jobs) if self.jobs >= jobs) {
            return Err(self.stopped("it takes no more jobs"));
        }
        if let WorkerFault::PanicAfter(jobs) = self.fault {
            assert!(self.jobs < jobs, "a mock was told to panic");
        }
        let Some(cipher) = &self.cipher else { return Err(self.stopped("it has no cipher")) };
        cipher.apply(job.offset, &mut self.buffers[slot][..job.len]);
        self.submitted.push_back(slot);
        self.jobs += 1;
        Ok(())
    }

    fn finish(&mut self, deadline: Instant) -> Result<usize, WorkerError> {
        let finished = self.jobs - self.submitted.len();
        match self.fault {
            WorkerFault::HangAfter(jobs) if finished >= jobs => {
                thread::sleep(deadline.saturating_duration_since(Instant::now()));
                return Err(self.stopped("it did not answer in time"));
            }
            WorkerFault::Slow(time) => thread::sleep(time),
            _ => {}
        }
        self.submitted.pop_front().ok_or_else(|| self.stopped("no job is submitted"))
    }

    fn stop(&mut self, _deadline: Instant) -> Result<Option<DeviceReport>, WorkerError> {
        self.cipher = None;
        Ok(None)
    }
}
