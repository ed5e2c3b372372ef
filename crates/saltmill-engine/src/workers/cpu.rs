// SPDX-License-Identifier: Apache-2.0
//! A CPU thread: the work is done in `submit`, on the thread that calls it.

use std::{sync::Arc, time::Instant};

use zeroize::Zeroize;

use crate::{Cipher, DeviceReport, JOB_BYTES, Job, Worker, WorkerError};

/// Does jobs on the thread that calls it.
pub struct CpuWorker {
    name: String,
    cipher: Option<Arc<Cipher>>,
    buffer: Vec<u8>,
    submitted: bool,
}

impl CpuWorker {
    /// A worker for thread number `index`.
    pub fn new(index: usize) -> Self {
        let (name, buffer) = (format!("cpu:{index}"), vec![0; JOB_BYTES]);
        Self { name, cipher: None, buffer, submitted: false }
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

    fn start(&mut self, cipher: &Arc<Cipher>, _deadline: Instant) -> Result<(), WorkerError> {
        self.cipher = Some(Arc::clone(cipher));
        self.submitted = false;
        Ok(())
    }

    fn buffer(&mut self, _slot: usize) -> Result<&mut [u8], WorkerError> {
        Ok(&mut self.buffer)
    }

    fn submit(&mut self, _slot: usize, job: Job) -> Result<(), WorkerError> {
        let Some(cipher) = &self.cipher else { return Err(self.stopped("it has no cipher")) };
        cipher.apply(job.offset, &mut self.buffer[..job.len]);
        self.submitted = true;
        Ok(())
    }

    fn finish(&mut self, _deadline: Instant) -> Result<usize, WorkerError> {
        if !std::mem::take(&mut self.submitted) {
            return Err(self.stopped("no job is submitted"));
        }
        Ok(0)
    }

    fn stop(&mut self, _deadline: Instant) -> Result<Option<DeviceReport>, WorkerError> {
        self.cipher = None;
        self.buffer.zeroize();
        self.buffer.resize(JOB_BYTES, 0);
        Ok(None)
    }
}

impl Drop for CpuWorker {
    fn drop(&mut self) {
        self.buffer.zeroize();
    }
}
