// SPDX-License-Identifier: Apache-2.0
//! A device that hashes: slots are small pieces of the memory that ciphers have, too.

use std::{ops::Range, time::Instant};

use saltmill_device::{Device, Operation, Request};

use super::{DeviceWorker, device::KEY_SLOT};
use crate::{DigestWorker, Job, Key, PART_BYTES, WorkerError};

/// Parts in the device and on their way: twice as many as a ring has places.
const SLOTS: usize = 26;
/// Behind a part: the chaining value before it, and what comes out.
const VALUE: usize = PART_BYTES;
const RESULT: usize = PART_BYTES + 64;
const SLOT_BYTES: usize = PART_BYTES + 128;

impl<D: Device> DeviceWorker<D> {
    fn digest_slot(&self, slot: usize, offset: usize, len: usize) -> Range<usize> {
        let start = self.memory[0].start + SLOT_BYTES * slot + offset;
        start..start + len
    }

    fn digest_bytes(&self) -> usize {
        self.accelerator.description().digest_bytes.into()
    }
}

impl<D: Device> DigestWorker for DeviceWorker<D> {
    fn start(&mut self, key: Option<&Key>) -> Result<(), WorkerError> {
        (self.hashed, self.keyed) = (true, key.is_some());
        if let Some(key) = key {
            self.accelerator.set_key(KEY_SLOT, key.bytes())?;
        }
        Ok(())
    }

    fn slots(&self) -> usize {
        SLOTS.min(self.memory[0].len() / SLOT_BYTES).min(self.accelerator.entries())
    }

    fn buffer(&mut self, slot: usize, len: usize) -> Result<&mut [u8], WorkerError> {
        Ok(self.accelerator.memory(self.digest_slot(slot, 0, len))?)
    }

    fn submit(&mut self, slot: usize, job: Job, value: &[u8]) -> Result<(), WorkerError> {
        let iv = self.digest_slot(slot, VALUE, value.len());
        self.accelerator.memory(iv.clone())?.copy_from_slice(value);
        // The key's block is in front of the first part, and the last one has the outer hash.
        let operation = match (self.keyed, job.last) {
            (true, true) => Operation::Hmac,
            (true, false) if job.offset == 0 => Operation::HmacPart,
            (false, true) => Operation::Digest,
            (_, false) => Operation::DigestPart,
        };
        let keyed = matches!(operation, Operation::Hmac | Operation::HmacPart);
        let key_blocks = u64::from(keyed && job.offset > 0);
        self.accelerator.submit(&Request {
            operation,
            key_slot: if keyed { KEY_SLOT } else { 0 },
            source: self.digest_slot(slot, 0, job.len),
            destination: self.digest_slot(slot, RESULT, self.digest_bytes()),
            iv: if value.is_empty() { 0..0 } else { iv },
            blocks_before: if job.last { job.offset / 64 + key_blocks } else { 0 },
            ..Request::default()
        })?;
        self.submitted.push_back((slot, job));
        Ok(())
    }

    fn finish(&mut self, deadline: Instant) -> Result<(usize, Vec<u8>), WorkerError> {
        let completion = self.accelerator.complete(deadline)?;
        let Some((slot, job)) = self.submitted.pop_front() else {
            return Err(self.stopped("no job is submitted"));
        };
        completion.outcome.map_err(|source| WorkerError::Job {
            worker: self.name.clone(),
            offset: job.offset,
            source,
        })?;
        let result = self.digest_slot(slot, RESULT, self.digest_bytes());
        Ok((slot, self.accelerator.memory(result)?.to_vec()))
    }
}
