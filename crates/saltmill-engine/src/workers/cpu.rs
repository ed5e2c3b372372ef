// SPDX-License-Identifier: Apache-2.0
//! A CPU thread: the work is done in `submit`, on the thread that calls it.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use saltmill_device::SelfTest;
use zeroize::Zeroize;

use crate::{DeviceReport, JOB_BYTES, Job, Refused, Work, Worker, WorkerError, aead};

/// Does jobs on the thread that calls it.
pub struct CpuWorker {
    name: String,
    work: Option<Arc<Work>>,
    buffer: Vec<u8>,
    /// Bytes at its start that anything was in.
    used: usize,
    /// How the submitted job ended.
    submitted: Option<Result<(), Refused>>,
}

impl CpuWorker {
    /// A worker for thread number `index`.
    pub fn new(index: usize) -> Self {
        let (name, buffer) = (format!("cpu:{index}"), vec![0; JOB_BYTES]);
        Self { name, work: None, buffer, used: 0, submitted: None }
    }

    fn clear(&mut self) {
        self.buffer[..self.used].zeroize();
        self.used = 0;
    }

    fn stopped(&self, reason: &str) -> WorkerError {
        WorkerError::Stopped { worker: self.name.clone(), reason: reason.to_owned() }
    }
}

impl Worker for CpuWorker {
    fn name(&self) -> &str {
        &self.name
    }

    fn slots(&self) -> usize {
        1
    }

    fn supports(&self, _work: &Work) -> bool {
        true
    }

    fn self_test(&mut self, _patience: Duration) -> Result<Option<SelfTest>, WorkerError> {
        aead::self_test().map(Some).map_err(|reason| self.stopped(&reason))
    }

    fn start(&mut self, work: &Arc<Work>, _deadline: Instant) -> Result<(), WorkerError> {
        self.work = Some(Arc::clone(work));
        self.submitted = None;
        Ok(())
    }

    fn buffer(&mut self, _slot: usize, len: usize) -> Result<&mut [u8], WorkerError> {
        self.used = self.used.max(len);
        Ok(&mut self.buffer[..len])
    }

    fn applies(&self) -> bool {
        true
    }

    fn apply(&mut self, job: Job, memory: &mut [u8]) -> Result<(), WorkerError> {
        let Some(work) = &self.work else { return Err(self.stopped("it has no work")) };
        Ok(work.apply(job, memory)?)
    }

    fn submit(&mut self, _slot: usize, job: Job) -> Result<(), WorkerError> {
        let Some(work) = &self.work else { return Err(self.stopped("it has no work")) };
        self.used = self.used.max(work.output_len(job));
        self.submitted = Some(work.apply(job, &mut self.buffer));
        Ok(())
    }

    fn finish(&mut self, _deadline: Instant) -> Result<usize, WorkerError> {
        let outcome = self.submitted.take().ok_or_else(|| self.stopped("no job is submitted"))?;
        Ok(outcome.map(|()| 0)?)
    }

    fn stop(&mut self, _deadline: Instant) -> Result<Option<DeviceReport>, WorkerError> {
        self.work = None;
        self.clear();
        Ok(None)
    }
}

impl Drop for CpuWorker {
    fn drop(&mut self) {
        self.clear();
    }
}
