// SPDX-License-Identifier: Apache-2.0
//! A worker under test: one that works in memory of its caller is given a slot, so that the checks
//! are the same for both kinds.

use std::{sync::Arc, time::Instant};

use crate::{Algorithm, DeviceReport, Interface, JOB_BYTES, Job, Work, Worker, WorkerError};

pub(super) struct Subject {
    worker: Box<dyn Worker>,
    /// The slot.
    memory: Vec<u8>,
    /// How the job in it ended.
    submitted: Option<Result<(), WorkerError>>,
}

impl Subject {
    pub(super) fn new(worker: Box<dyn Worker>) -> Self {
        Self { worker, memory: vec![0; JOB_BYTES], submitted: None }
    }

    pub(super) fn name(&self) -> &str {
        self.worker.name()
    }

    pub(super) fn supports(&self, algorithm: Algorithm) -> bool {
        self.worker.supports(algorithm)
    }

    pub(super) fn start(&mut self, work: &Arc<Work>, deadline: Instant) -> Result<(), WorkerError> {
        self.submitted = None;
        self.worker.start(work, deadline)
    }

    pub(super) fn stop(&mut self, deadline: Instant) -> Result<Option<DeviceReport>, WorkerError> {
        self.worker.stop(deadline)
    }

    pub(super) fn slots(&mut self) -> usize {
        self.worker.interface().jobs()
    }

    pub(super) fn buffer(&mut self, slot: usize, len: usize) -> Result<&mut [u8], WorkerError> {
        match self.worker.interface() {
            Interface::Slots(worker) => worker.buffer(slot, len),
            Interface::Memory(_) => Ok(&mut self.memory[..len]),
        }
    }

    pub(super) fn submit(&mut self, slot: usize, job: Job) -> Result<(), WorkerError> {
        match self.worker.interface() {
            Interface::Slots(worker) => worker.submit(slot, job),
            Interface::Memory(worker) => match worker.apply(job, &mut self.memory) {
                stopped @ Err(WorkerError::Stopped { .. }) => stopped,
                outcome => {
                    self.submitted = Some(outcome);
                    Ok(())
                }
            },
        }
    }

    pub(super) fn finish(&mut self, deadline: Instant) -> Result<usize, WorkerError> {
        if let Interface::Slots(worker) = self.worker.interface() {
            return worker.finish(deadline);
        }
        let (worker, reason) = (self.worker.name().to_owned(), "no job is submitted".to_owned());
        let outcome = self.submitted.take();
        outcome.ok_or(WorkerError::Stopped { worker, reason })?.map(|()| 0)
    }
}
