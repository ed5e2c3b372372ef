// SPDX-License-Identifier: Apache-2.0
//! Published texts and messages through a device: those that it must encrypt, seal and open, and
//! those that it must refuse.

mod digests;

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use crate::{
    Accelerator, Completion, CoreAlgorithm, Device, DeviceError, JobError, Nonce, Operation,
    Request,
    vectors::{self, AesText, Mac, Message},
};

/// The key slot that is used.
const KEY_SLOT: u8 = 0;
/// Room for a message, as much again for additional data, and for an initialisation vector: more
/// than any vector of the project needs.
const ROOM: usize = 1024;

/// What [`Accelerator::self_test`] has put through a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SelfTest {
    /// Texts that were encrypted with AES, and decrypted again where the device decrypts in that
    /// mode.
    pub encrypted: usize,
    /// Messages whose digest was right, whole and in two parts.
    pub digested: usize,
    /// Messages whose tag by Poly1305 or HMAC-SHA-256 was right; of HMAC in two parts, too.
    pub tagged: usize,
    /// Messages that were sealed and opened again.
    pub sealed: usize,
    /// Forged messages that were refused, and nothing of them released; of HMAC those whose tag is
    /// another one.
    pub refused: usize,
}

impl<D: Device> Accelerator<D> {
    /// Puts the project's vectors through the device, as far as it has their operations: of
    /// Poly1305, ChaCha20-Poly1305 and, where there are long nonces, XChaCha20-Poly1305 (RFC 8439,
    /// Wycheproof); or, of the key sizes that it takes, of AES (SP 800-38A) and AES-GCM (its
    /// proposal); or of SHA-256 (FIPS 180-2, CAVP), with HMAC where it has it (RFC 4231,
    /// Wycheproof), or of MD5 (RFC 1321). `None` if it has none of
    /// these. Each job has so much time. No job may be outstanding. Afterwards no slot holds a key,
    /// and the beginning of [`data`](Self::data) is zeros.
    ///
    /// # Errors
    /// [`DeviceError::WrongAnswer`] names the first vector with one; or the device has too little
    /// memory or does not answer.
    pub fn self_test(&mut self, patience: Duration) -> Result<Option<SelfTest>, DeviceError> {
        let aes = self.description().key_sizes().next().is_some();
        let needed = [Operation::Mac, Operation::Seal, Operation::Open];
        let messages = needed.into_iter().all(|operation| self.description().supports(operation));
        let digests = match self.description().algorithm {
            CoreAlgorithm::Sha256 => vectors::sha256(),
            CoreAlgorithm::Md5 => vectors::md5(),
            _ => Vec::new(),
        };
        if !aes && !messages && digests.is_empty() {
            return Ok(None);
        }
        let start = self.data().start.next_multiple_of(64);
        let (len, needed) = (self.data().end, start + 3 * ROOM);
        if len < needed {
            return Err(DeviceError::TooLittleMemory { device: self.named(), len, needed });
        }
        let mut bench = Bench { accelerator: self, start, patience, done: SelfTest::default() };
        if aes {
            bench.aes()?;
        } else if messages {
            bench.chacha20_poly1305()?;
        } else {
            bench.hash(digests)?;
            bench.hmac()?;
        }
        let done = bench.done;
        bench.write(0, &[0; 3 * ROOM])?;
        self.wipe(Instant::now() + patience)?;
        Ok(Some(done))
    }
}

/// A device, and where in its memory the test works.
struct Bench<'a, D: Device> {
    accelerator: &'a mut Accelerator<D>,
    start: usize,
    patience: Duration,
    done: SelfTest,
}

/// What a job takes besides its request.
#[derive(Default)]
struct Input<'a> {
    key: &'a [u8],
    data: &'a [u8],
    aad: &'a [u8],
    iv: &'a [u8],
}

impl<D: Device> Bench<'_, D> {
    fn chacha20_poly1305(&mut self) -> Result<(), DeviceError> {
        for vector in vectors::poly1305() {
            self.tags(&vector)?;
        }
        let extended_nonce = self.accelerator.description().extended_nonce;
        for vector in vectors::chacha20_poly1305() {
            if extended_nonce || !matches!(vector.nonce, Nonce::Extended(_)) {
                self.message(&vector)?;
            }
        }
        Ok(())
    }

    fn aes(&mut self) -> Result<(), DeviceError> {
        let description = self.accelerator.description().clone();
        for vector in vectors::aes() {
            if description.has_aes(vector.key_size) {
                self.encrypts(&vector)?;
            }
        }
        let messages =
            description.supports(Operation::Seal) && description.supports(Operation::Open);
        for vector in vectors::aes_gcm() {
            if messages && description.has_aes(vector.key_size) {
                self.message(&vector)?;
            }
        }
        Ok(())
    }

    /// In both directions, those of the two that there are.
    fn encrypts(&mut self, vector: &AesText) -> Result<(), DeviceError> {
        let (key_size, key) = (vector.key_size, &*vector.key);
        let texts =
            [(&vector.plaintext, &vector.ciphertext), (&vector.ciphertext, &vector.plaintext)];
        let mut any = false;
        for (operation, (from, to)) in vector.mode.operations().into_iter().zip(texts) {
            if !self.accelerator.description().supports(operation) {
                continue;
            }
            let ecb = matches!(operation, Operation::EcbEncrypt | Operation::EcbDecrypt);
            let nonce = if ecb { Nonce::default() } else { vector.iv.into() };
            let request = Request { operation, key_size, nonce, ..Request::default() };
            let (completion, data) =
                self.run(request, &Input { key, data: from, ..Input::default() })?;
            let right = completion.outcome == Ok(()) && data == *to;
            self.demand(right, "a wrong text", &vector.source)?;
            any = true;
        }
        self.done.encrypted += usize::from(any);
        Ok(())
    }

    fn tags(&mut self, vector: &Mac) -> Result<(), DeviceError> {
        let request = Request { operation: Operation::Mac, ..Request::default() };
        let input = Input { key: &vector.key, data: &vector.message, ..Input::default() };
        let (completion, _) = self.run(request, &input)?;
        let right = completion.outcome == Ok(()) && completion.tag == Some(vector.tag);
        self.done.tagged += 1;
        self.demand(right, "a wrong tag", &vector.source)
    }

    fn message(&mut self, vector: &Message) -> Result<(), DeviceError> {
        if vector.valid {
            self.seals_and_opens(vector)?;
            self.done.sealed += 1;
        } else {
            self.refuses(vector)?;
            self.done.refused += 1;
        }
        Ok(())
    }

    fn seals_and_opens(&mut self, vector: &Message) -> Result<(), DeviceError> {
        let (operation, key_size, nonce) = (Operation::Seal, vector.key_size, vector.nonce);
        let request = Request { operation, key_size, nonce, ..Request::default() };
        let (completion, data) = self.run(request, &Input::of(vector, &vector.plaintext))?;
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
        let (operation, key_size) = (Operation::Open, vector.key_size);
        let (nonce, tag) = (vector.nonce, vector.tag);
        let request = Request { operation, key_size, nonce, tag, ..Request::default() };
        let (completion, data) = self.run(request, &Input::of(vector, &vector.ciphertext))?;
        Ok((completion.outcome, data))
    }

    /// Runs one request on the data, in place.
    fn run(
        &mut self,
        request: Request,
        input: &Input,
    ) -> Result<(Completion, Vec<u8>), DeviceError> {
        match (request.operation, input.key.try_into()) {
            (Operation::Mac, Ok(key)) => self.accelerator.set_one_time_key(KEY_SLOT, key)?,
            _ => self.accelerator.set_key(KEY_SLOT, input.key)?,
        }
        let source = self.write(0, input.data)?;
        let additional_data = self.write(ROOM, input.aad)?;
        let iv = self.write(2 * ROOM, input.iv)?;
        let destination = source.clone();
        let key_slot = KEY_SLOT;
        let request = Request { key_slot, iv, source, destination, additional_data, ..request };
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

    fn demand(&self, right: bool, answer: &'static str, vector: &str) -> Result<(), DeviceError> {
        if right {
            return Ok(());
        }
        let (device, vector) = (self.accelerator.named(), vector.to_owned());
        Err(DeviceError::WrongAnswer { device, answer, vector })
    }
}

impl<'a> Input<'a> {
    fn of(vector: &'a Message, data: &'a [u8]) -> Self {
        Self { key: &vector.key, data, aad: &vector.aad, iv: &vector.iv }
    }
}

type Opened = (Result<(), JobError>, Vec<u8>);
