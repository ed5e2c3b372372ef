// SPDX-License-Identifier: Apache-2.0
//! Published messages through a device: those that it must seal and open, and those that it must refuse.

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use crate::{
    Accelerator, Completion, Device, DeviceError, JobError, Nonce, Operation, Request,
    vectors::{self, Mac, Message},
};

/// The key slot that is used.
const KEY_SLOT: u8 = 0;
/// Room for a message, and as much again for additional data: more than any vector needs.
const ROOM: usize = 1024;

/// What [`Accelerator::self_test`] has put through a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SelfTest {
    /// Messages whose Poly1305 tag was right.
    pub tagged: usize,
    /// Messages that were sealed and opened again.
    pub sealed: usize,
    /// Forged messages that were refused, and nothing of them released.
    pub refused: usize,
}

impl<D: Device> Accelerator<D> {
    /// Puts the project's vectors of Poly1305, ChaCha20-Poly1305 and, where there are long nonces,
    /// XChaCha20-Poly1305 (RFC 8439, Wycheproof) through the device; `None` if it has no such operations.
    /// Each job has so much time. No job may be outstanding. Afterwards no slot holds a key, and the beginning of
    /// [`data`](Self::data) is zeros.
    ///
    /// # Errors
    /// [`DeviceError::Unusable`] names the first vector with a wrong answer.
    pub fn self_test(&mut self, patience: Duration) -> Result<Option<SelfTest>, DeviceError> {
        let needed = [Operation::Mac, Operation::Seal, Operation::Open];
        if !needed.into_iter().all(|operation| self.description().supports(operation)) {
            return Ok(None);
        }
        let (mut done, start) = (SelfTest::default(), self.data().start.next_multiple_of(64));
        if self.data().end < start + 2 * ROOM {
            return Err(self.unusable(format!("a self-test needs {} bytes of memory", 2 * ROOM)));
        }
        let mut bench = Bench { accelerator: self, start, patience };
        for vector in vectors::poly1305() {
            bench.tags(&vector)?;
            done.tagged += 1;
        }
        for vector in vectors::chacha20_poly1305() {
            let extended = matches!(vector.nonce, Nonce::Extended(_));
            if extended && !bench.accelerator.description().extended_nonce {
                continue;
            }
            if vector.valid {
                bench.seals_and_opens(&vector)?;
                done.sealed += 1;
            } else {
                bench.refuses(&vector)?;
                done.refused += 1;
            }
        }
        bench.write(0, &[0; 2 * ROOM])?;
        self.wipe(Instant::now() + patience)?;
        Ok(Some(done))
    }
}

/// A device, and where in its memory the test works.
struct Bench<'a, D: Device> {
    accelerator: &'a mut Accelerator<D>,
    start: usize,
    patience: Duration,
}

impl<D: Device> Bench<'_, D> {
    fn tags(&mut self, vector: &Mac) -> Result<(), DeviceError> {
        let request = Request { operation: Operation::Mac, ..Request::default() };
        let (completion, _) = self.run(request, &vector.key, &vector.message, &[])?;
        let right = completion.outcome == Ok(()) && completion.tag == Some(vector.tag);
        self.demand(right, "a wrong tag", &vector.source)
    }

    fn seals_and_opens(&mut self, vector: &Message) -> Result<(), DeviceError> {
        let (operation, nonce) = (Operation::Seal, vector.nonce);
        let request = Request { operation, nonce, ..Request::default() };
        let (completion, data) = self.run(request, &vector.key, &vector.plaintext, &vector.aad)?;
        let right = completion.outcome == Ok(())
            && completion.tag == Some(vector.tag)
            && data == vector.ciphertext;
        self.demand(right, "a wrong sealed message", &vector.source)?;
        let (outcome, data) = self.open(vector)?;
        let right = outcome == Ok(()) && data == vector.plaintext;
        self.demand(right, "a wrong opened message", &vector.source)
    }

    fn refuses(&mut self, vector: &Message) -> Result<(), DeviceError> {
        let (outcome, data) = self.open(vector)?;
        let right = outcome == Err(JobError::TagMismatch) && data.iter().all(|byte| *byte == 0);
        self.demand(right, "an opened forgery", &vector.source)
    }

    fn open(&mut self, vector: &Message) -> Result<Opened, DeviceError> {
        let (operation, nonce, tag) = (Operation::Open, vector.nonce, vector.tag);
        let request = Request { operation, nonce, tag, ..Request::default() };
        let (completion, data) = self.run(request, &vector.key, &vector.ciphertext, &vector.aad)?;
        Ok((completion.outcome, data))
    }

    /// Runs one request on `data`, in place.
    fn run(
        &mut self,
        request: Request,
        key: &[u8; 32],
        data: &[u8],
        aad: &[u8],
    ) -> Result<(Completion, Vec<u8>), DeviceError> {
        match request.operation {
            Operation::Mac => self.accelerator.set_one_time_key(KEY_SLOT, key)?,
            _ => self.accelerator.set_key(KEY_SLOT, key)?,
        }
        let source = self.write(0, data)?;
        let additional_data = self.write(ROOM, aad)?;
        let destination = source.clone();
        let request =
            Request { key_slot: KEY_SLOT, source, destination, additional_data, ..request };
        self.accelerator.submit(&request)?;
        let completion = self.accelerator.complete(Instant::now() + self.patience)?;
        Ok((completion, self.accelerator.memory(request.destination)?.to_vec()))
    }

    fn write(&mut self, offset: usize, bytes: &[u8]) -> Result<Range<usize>, DeviceError> {
        let range = self.start + offset..self.start + offset + bytes.len();
        self.accelerator.memory(range.clone())?.copy_from_slice(bytes);
        self.accelerator.device().sync_for_device(range.clone())?;
        Ok(range)
    }

    fn demand(&self, right: bool, answer: &str, source: &str) -> Result<(), DeviceError> {
        if right {
            return Ok(());
        }
        Err(self.accelerator.unusable(format!("it gave {answer} for {source}")))
    }
}

type Opened = (Result<(), JobError>, Vec<u8>);
