// SPDX-License-Identifier: Apache-2.0
//! A device behind its driver: slots are pieces of its DMA memory.

use std::{
    collections::VecDeque,
    ops::Range,
    sync::Arc,
    time::{Duration, Instant},
};

use saltmill_device::{
    Accelerator, CoreAlgorithm, Device, DeviceError, JobError, KeySize, Operation, Request,
    SelfTest, host_add,
};
use zeroize::Zeroize;

use crate::{
    AeadKey, Algorithm, Chunks, DeviceReport, DigestAlgorithm, Interface, JOB_BYTES, Job,
    SlotWorker, TAG_BYTES, Work, Worker, WorkerError,
};

/// Slots of a device: one is filled, one is emptied, and at least two are in its ring.
const SLOTS: usize = 4;
/// The device's key slot that workers use.
pub(super) const KEY_SLOT: u8 = 0;
/// How long a worker that is dropped waits for its device.
const LAST_WIPE: Duration = Duration::from_secs(1);

/// What travels between host and device for a cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// Text in, text out: the device does all of the work.
    Text,
    /// Only keystream out: half the traffic, the host makes the XOR. The only way for a device that
    /// leaves the final addition to the host.
    Keystream,
}

/// Does jobs on a device.
pub struct DeviceWorker<D: Device> {
    pub(super) name: String,
    pub(super) accelerator: Accelerator<D>,
    transfer: Transfer,
    work: Option<Arc<Work>>,
    /// Each slot's part of the device's memory.
    pub(super) memory: Vec<Range<usize>>,
    /// With [`Transfer::Keystream`]: the text of each slot, which stays on the host.
    text: Vec<Vec<u8>>,
    pub(super) submitted: VecDeque<(usize, Job)>,
    /// It was started for messages to hash: a wipe is due.
    pub(super) hashed: bool,
    /// These messages get HMACs.
    pub(super) keyed: bool,
}

impl<D: Device> DeviceWorker<D> {
    /// Divides the device's memory into slots. A device without the XOR is used as
    /// [`Transfer::Keystream`] whatever is asked for.
    ///
    /// # Errors
    /// Its memory has no room for two jobs.
    pub fn new(accelerator: Accelerator<D>, transfer: Transfer) -> Result<Self, DeviceError> {
        let name = accelerator.name().to_owned();
        let xor = accelerator.description().supports(Operation::XorStream);
        let transfer = if xor { transfer } else { Transfer::Keystream };
        let data = accelerator.data();
        let start = data.start.next_multiple_of(64);
        let slots = (data.end.saturating_sub(start) / JOB_BYTES).min(SLOTS);
        if slots < 2 {
            let (len, needed) = (data.end, start + 2 * JOB_BYTES);
            return Err(DeviceError::TooLittleMemory { device: name, len, needed });
        }
        let memory =
            (0..slots).map(|s| start + s * JOB_BYTES..start + (s + 1) * JOB_BYTES).collect();
        let text = match transfer {
            Transfer::Text => Vec::new(),
            Transfer::Keystream => vec![vec![0; JOB_BYTES]; slots],
        };
        let (submitted, hashed, keyed) = (VecDeque::new(), false, false);
        Ok(Self { name, accelerator, transfer, work: None, memory, text, submitted, hashed, keyed })
    }

    /// The driver.
    pub fn accelerator(&mut self) -> &mut Accelerator<D> {
        &mut self.accelerator
    }

    fn part(&self, slot: usize, len: usize) -> Range<usize> {
        let start = self.memory[slot].start;
        start..start + len
    }

    /// Text stays on the host. Chunks always travel as text.
    fn gives_keystream(&self) -> bool {
        let stream = matches!(self.work.as_deref(), None | Some(Work::Cipher(_) | Work::AesCtr(_)));
        stream && self.transfer == Transfer::Keystream
    }

    /// What to ask of the device.
    fn request(&mut self, work: &Work, slot: usize, job: Job) -> Result<Request, DeviceError> {
        let text = match work {
            Work::Open(_) => self.part(slot, work.output_len(job)),
            Work::Cipher(_) | Work::AesCtr(_) | Work::Seal(_) => self.part(slot, job.len),
        };
        let (source, destination) = (text.clone(), text.clone());
        let request = Request { source, destination, ..Request::default() };
        let nonce = |chunks: &Chunks| chunks.nonce(work.number(job), job.last).into();
        let key_size = |chunks: &Chunks| match chunks.key() {
            AeadKey::ChaCha20Poly1305(_) => KeySize::default(),
            AeadKey::AesGcm(key) => key.size(),
        };
        let stream = match self.transfer {
            Transfer::Text => Operation::XorStream,
            Transfer::Keystream => Operation::Keystream,
        };
        Ok(match work {
            Work::AesCtr(aes) => Request {
                operation: stream,
                key_size: aes.key().size(),
                nonce: aes.iv_at(job.offset).into(),
                ..request
            },
            Work::Cipher(cipher) => Request {
                operation: stream,
                nonce: (*cipher.nonce()).into(),
                counter: cipher.counter_at(job.offset),
                ..request
            },
            Work::Seal(chunks) => Request {
                operation: Operation::Seal,
                key_size: key_size(chunks),
                nonce: nonce(chunks),
                ..request
            },
            Work::Open(chunks) => {
                let mut tag = [0; TAG_BYTES];
                tag.copy_from_slice(self.accelerator.memory(text.end..text.end + TAG_BYTES)?);
                let (key_size, nonce) = (key_size(chunks), nonce(chunks));
                Request { operation: Operation::Open, key_size, nonce, tag, ..request }
            }
        })
    }

    /// Clears all memory that text was in.
    fn clear(&mut self) -> Result<(), DeviceError> {
        self.text.iter_mut().for_each(|text| text.as_mut_slice().zeroize());
        for range in self.memory.clone() {
            self.accelerator.memory(range.clone())?.zeroize();
            self.accelerator.device().sync_for_device(range)?;
        }
        Ok(())
    }

    pub(super) fn stopped(&self, reason: &str) -> WorkerError {
        WorkerError::Stopped { worker: self.name.clone(), reason: reason.to_owned() }
    }

    /// The host's share of a job: the final addition if the device has none, and the XOR.
    fn finish_on_host(&mut self, slot: usize, job: Job) -> Result<(), WorkerError> {
        let final_add = self.accelerator.description().final_add;
        let range = self.part(slot, job.len);
        let stream = self.accelerator.memory(range)?;
        let text = &mut self.text[slot][..job.len];
        match self.work.as_deref() {
            Some(Work::Cipher(cipher)) if !final_add => {
                let counter = cipher.counter_at(job.offset);
                host_add::finish(cipher.key(), cipher.nonce(), counter, stream, text);
            }
            Some(Work::Cipher(_) | Work::AesCtr(_)) => {
                text.iter_mut().zip(stream).for_each(|(byte, key)| *byte ^= *key);
            }
            _ => return Err(self.stopped("it has no cipher")),
        }
        Ok(())
    }
}

impl<D: Device> Worker for DeviceWorker<D> {
    fn name(&self) -> &str {
        &self.name
    }

    fn supports(&self, algorithm: Algorithm) -> bool {
        let description = self.accelerator.description();
        let messages = [Operation::Seal, Operation::Open];
        let messages = messages.into_iter().all(|operation| description.supports(operation));
        match algorithm {
            Algorithm::ChaCha20 => description.has_chacha20(),
            Algorithm::ChaCha20Poly1305 => description.has_chacha20() && messages,
            Algorithm::AesCtr(size) => description.has_aes(size),
            Algorithm::AesGcm(size) => description.has_aes(size) && messages,
        }
    }

    fn self_test(&mut self, patience: Duration) -> Result<Option<SelfTest>, WorkerError> {
        Ok(self.accelerator.self_test(patience)?)
    }

    fn start(&mut self, work: &Arc<Work>, deadline: Instant) -> Result<(), WorkerError> {
        if !self.supports(work.algorithm()) {
            return Err(self.stopped("its device has no core for this"));
        }
        if self.accelerator.outstanding() > 0 {
            self.accelerator.wipe(deadline)?;
        }
        self.submitted.clear();
        self.accelerator.set_key(KEY_SLOT, work.key())?;
        self.accelerator.clear_counters()?;
        self.work = Some(Arc::clone(work));
        Ok(())
    }

    fn digests(&mut self, algorithm: DigestAlgorithm) -> Option<&mut dyn crate::DigestWorker> {
        let description = self.accelerator.description();
        let has = match algorithm {
            DigestAlgorithm::Sha256 => description.algorithm == CoreAlgorithm::Sha256,
            DigestAlgorithm::Md5 => description.algorithm == CoreAlgorithm::Md5,
            DigestAlgorithm::HmacSha256 => description.supports(Operation::Hmac),
        };
        has.then_some(self)
    }

    fn interface(&mut self) -> Interface<'_> {
        Interface::Slots(self)
    }

    fn stop(&mut self, deadline: Instant) -> Result<Option<DeviceReport>, WorkerError> {
        self.work = None;
        self.submitted.clear();
        // What is left of the text must go even if the device does not answer, and again after the
        // wipe: until then a device may still be writing.
        let cleared = self.clear();
        let counters = self.accelerator.counters();
        let simulated_cycles = self.accelerator.device().cycles();
        let wiped = self.accelerator.wipe(deadline);
        let cleared = self.clear().and(cleared);
        let (counters, simulated_cycles) = (counters?, simulated_cycles?);
        wiped?;
        cleared?;
        let description = self.accelerator.description().clone();
        Ok(Some(DeviceReport {
            description,
            counters,
            simulated_cycles,
            missed_interrupts: self.accelerator.missed_interrupts(),
            spurious_interrupts: self.accelerator.spurious_interrupts(),
        }))
    }
}

impl<D: Device> SlotWorker for DeviceWorker<D> {
    fn slots(&self) -> usize {
        self.memory.len()
    }

    fn buffer(&mut self, slot: usize, len: usize) -> Result<&mut [u8], WorkerError> {
        if self.gives_keystream() {
            return Ok(&mut self.text[slot][..len]);
        }
        Ok(&mut self.accelerator.memory(self.memory[slot].clone())?[..len])
    }

    fn submit(&mut self, slot: usize, job: Job) -> Result<(), WorkerError> {
        let Some(work) = self.work.clone() else { return Err(self.stopped("it has no work")) };
        let request = Request { key_slot: KEY_SLOT, ..self.request(&work, slot, job)? };
        self.accelerator.submit(&request)?;
        self.submitted.push_back((slot, job));
        Ok(())
    }

    fn finish(&mut self, deadline: Instant) -> Result<usize, WorkerError> {
        let completion = self.accelerator.complete(deadline)?;
        let Some((slot, job)) = self.submitted.pop_front() else {
            return Err(self.stopped("no job is submitted"));
        };
        let Some(work) = &self.work else { return Err(self.stopped("it has no work")) };
        completion.outcome.map_err(|source| match (source, &**work) {
            (JobError::TagMismatch, Work::Open(_)) => work.refused(job).into(),
            (source, _) => {
                WorkerError::Job { worker: self.name.clone(), offset: job.offset, source }
            }
        })?;
        if let Some(tag) = completion.tag {
            let end = self.memory[slot].start + job.len;
            self.accelerator.memory(end..end + TAG_BYTES)?.copy_from_slice(&tag);
        }
        if self.gives_keystream() {
            self.finish_on_host(slot, job)?;
        }
        Ok(slot)
    }
}

impl<D: Device> Drop for DeviceWorker<D> {
    fn drop(&mut self) {
        // Nobody is left to be told. Runs end with a wipe, digests have none.
        if self.hashed {
            let _ = self.accelerator.wipe(Instant::now() + LAST_WIPE);
        }
        let _ = self.clear();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use saltmill_device::mock::{MockConfig, MockDevice, MockFault};

    use super::*;
    use crate::{Cipher, Key};

    fn soon() -> Instant {
        Instant::now() + Duration::from_millis(200)
    }

    /// Whatever fails, and also if it can't say its counters or does not end its wipe.
    #[test]
    fn a_device_that_fails_keeps_no_text() {
        let faults = [
            MockFault::HangAfter(1),
            MockFault::RefuseReadsAfter(20),
            MockFault::Status { job: 0, status: 8 },
        ];
        for fault in faults {
            let memory = 4 * JOB_BYTES + (64 << 10);
            let config = MockConfig { memory, faults: vec![fault], ..MockConfig::default() };
            let device = MockDevice::new("mock-device:0", config);
            let accelerator = Accelerator::probe(device, soon()).unwrap();
            let mut worker = DeviceWorker::new(accelerator, Transfer::Text).unwrap();
            let work = Arc::new(Cipher::new(Key::new([1; 32]), [2; 12], 0).into());
            worker.start(&work, soon()).unwrap();
            let mut failed = false;
            for (number, slot) in [0, 1, 0, 1].into_iter().enumerate() {
                worker.buffer(slot, 1000).unwrap().fill(0xEE);
                let job = Job { offset: 64 * number as u64, len: 1000, last: false };
                failed = worker.submit(slot, job).and_then(|()| worker.finish(soon())).is_err();
                if failed {
                    break;
                }
            }
            let text = |worker: &mut DeviceWorker<MockDevice>| -> usize {
                let all = worker.accelerator.data();
                let memory = worker.accelerator.memory(all).unwrap();
                memory.iter().filter(|byte| **byte != 0).count()
            };
            assert_ne!(text(&mut worker), 0);
            // A job needs no register to be read: its end is seen in memory.
            failed |= worker.stop(soon()).is_err();
            assert!(failed, "{fault:?} does not show");
            assert_eq!(text(&mut worker), 0, "{fault:?}");
        }
    }
}
