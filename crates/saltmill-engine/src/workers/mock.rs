// SPDX-License-Identifier: Apache-2.0
//! A worker that fails on demand, for tests of whoever drives it.

use std::{collections::VecDeque, sync::Arc, thread, time::Duration, time::Instant};

use saltmill_device::SelfTest;

use crate::{
    Algorithm, DeviceReport, Interface, JOB_BYTES, Job, Refused, SlotWorker, Work, Worker,
    WorkerError,
};

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
    work: Option<Arc<Work>>,
    buffers: Vec<Vec<u8>>,
    /// Slots, and how their jobs ended.
    submitted: VecDeque<(usize, Result<(), Refused>)>,
    jobs: usize,
}

impl MockWorker {
    /// A worker that fails like this.
    pub fn new(index: usize, slots: usize, fault: WorkerFault) -> Self {
        Self {
            name: format!("mock:{index}"),
            fault,
            work: None,
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

    fn supports(&self, _algorithm: Algorithm) -> bool {
        true
    }

    fn self_test(&mut self, _patience: Duration) -> Result<Option<SelfTest>, WorkerError> {
        Ok(None)
    }

    fn start(&mut self, work: &Arc<Work>, _deadline: Instant) -> Result<(), WorkerError> {
        if self.fault == WorkerFault::NoStart {
            return Err(self.stopped("it does not start"));
        }
        self.work = Some(Arc::clone(work));
        Ok(())
    }

    fn interface(&mut self) -> Interface<'_> {
        Interface::Slots(self)
    }

    fn stop(&mut self, _deadline: Instant) -> Result<Option<DeviceReport>, WorkerError> {
        self.work = None;
        Ok(None)
    }
}

impl SlotWorker for MockWorker {
    fn slots(&self) -> usize {
        self.buffers.len()
    }

    fn buffer(&mut self, slot: usize, len: usize) -> Result<&mut [u8], WorkerError> {
        Ok(&mut self.buffers[slot][..len])
    }

    fn submit(&mut self, slot: usize, job: Job) -> Result<(), WorkerError> {
        if matches!(self.fault, WorkerFault::SubmitAfter(jobs) if self.jobs >= jobs) {
            return Err(self.stopped("it takes no more jobs"));
        }
        if let WorkerFault::PanicAfter(jobs) = self.fault {
            assert!(self.jobs < jobs, "a mock was told to panic");
        }
        let Some(work) = &self.work else { return Err(self.stopped("it has no work")) };
        let outcome = work.apply(job, &mut self.buffers[slot]);
        self.submitted.push_back((slot, outcome));
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
        let oldest = self.submitted.pop_front();
        let (slot, outcome) = oldest.ok_or_else(|| self.stopped("no job is submitted"))?;
        Ok(outcome.map(|()| slot)?)
    }
}
