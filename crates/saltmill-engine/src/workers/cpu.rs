// SPDX-License-Identifier: Apache-2.0
//! A CPU thread.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use saltmill_device::SelfTest;

use crate::{
    Algorithm, DeviceReport, Interface, Job, MemoryWorker, Work, Worker, WorkerError, aead,
};

/// Does jobs on the thread that calls it.
pub struct CpuWorker {
    name: String,
    work: Option<Arc<Work>>,
}

impl CpuWorker {
    /// A worker for thread number `index`.
    pub fn new(index: usize) -> Self {
        Self { name: format!("cpu:{index}"), work: None }
    }

    fn stopped(&self, reason: &str) -> WorkerError {
        WorkerError::Stopped { worker: self.name.clone(), reason: reason.to_owned() }
    }
}

impl Worker for CpuWorker {
    fn name(&self) -> &str {
        &self.name
    }

    fn supports(&self, _algorithm: Algorithm) -> bool {
        true
    }

    fn self_test(&mut self, _patience: Duration) -> Result<Option<SelfTest>, WorkerError> {
        aead::self_test().map(Some).map_err(|reason| self.stopped(&reason))
    }

    fn start(&mut self, work: &Arc<Work>, _deadline: Instant) -> Result<(), WorkerError> {
        self.work = Some(Arc::clone(work));
        Ok(())
    }

    fn interface(&mut self) -> Interface<'_> {
        Interface::Memory(self)
    }

    fn stop(&mut self, _deadline: Instant) -> Result<Option<DeviceReport>, WorkerError> {
        self.work = None;
        Ok(None)
    }
}

impl MemoryWorker for CpuWorker {
    fn apply(&mut self, job: Job, memory: &mut [u8]) -> Result<(), WorkerError> {
        let Some(work) = &self.work else { return Err(self.stopped("it has no work")) };
        Ok(work.apply(job, memory)?)
    }
}
