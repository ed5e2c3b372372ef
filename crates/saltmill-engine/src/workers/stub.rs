// SPDX-License-Identifier: Apache-2.0
//! A worker that does nothing, to measure what everything around the work costs.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, Instant},
};

use saltmill_device::SelfTest;

use crate::{
    Algorithm, DeviceReport, Interface, JOB_BYTES, Job, SlotWorker, Work, Worker, WorkerError,
};

/// Gives every job back as it is, a sealed one with what was in the buffer for a tag. Its
/// "ciphertext" is the plaintext: for measurements only.
pub struct StubWorker {
    name: String,
    buffers: Vec<Vec<u8>>,
    submitted: VecDeque<usize>,
}

impl StubWorker {
    /// A stub with so many slots.
    pub fn new(index: usize, slots: usize) -> Self {
        let buffers = vec![vec![0; JOB_BYTES]; slots];
        Self { name: format!("stub:{index}"), buffers, submitted: VecDeque::new() }
    }
}

impl Worker for StubWorker {
    fn name(&self) -> &str {
        &self.name
    }

    fn supports(&self, _algorithm: Algorithm) -> bool {
        true
    }

    fn self_test(&mut self, _patience: Duration) -> Result<Option<SelfTest>, WorkerError> {
        Ok(None)
    }

    fn start(&mut self, _work: &Arc<Work>, _deadline: Instant) -> Result<(), WorkerError> {
        self.submitted.clear();
        Ok(())
    }

    fn interface(&mut self) -> Interface<'_> {
        Interface::Slots(self)
    }

    fn stop(&mut self, _deadline: Instant) -> Result<Option<DeviceReport>, WorkerError> {
        Ok(None)
    }
}

impl SlotWorker for StubWorker {
    fn slots(&self) -> usize {
        self.buffers.len()
    }

    fn buffer(&mut self, slot: usize, len: usize) -> Result<&mut [u8], WorkerError> {
        Ok(&mut self.buffers[slot][..len])
    }

    fn submit(&mut self, slot: usize, _job: Job) -> Result<(), WorkerError> {
        self.submitted.push_back(slot);
        Ok(())
    }

    fn finish(&mut self, _deadline: Instant) -> Result<usize, WorkerError> {
        let worker = self.name.clone();
        let reason = "no job is submitted".to_owned();
        self.submitted.pop_front().ok_or(WorkerError::Stopped { worker, reason })
    }
}
