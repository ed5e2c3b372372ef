// SPDX-License-Identifier: Apache-2.0
//! A device under test with a model of its memory: what is not in the model must not happen.

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use super::oracle;
use crate::{Accelerator, CoreAlgorithm, Device, JobError, Nonce, Operation, Request, host_add};

/// Every wait of the suite: far above what a device needs, below what a person waits for.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct Bench<D: Device> {
    pub(super) accelerator: Accelerator<D>,
    /// What the data area must hold.
    model: Vec<u8>,
    /// Of each slot the key, as long as it is.
    pub(super) keys: Vec<Option<Vec<u8>>>,
    /// Jobs with a one-time key so far.
    macs: usize,
    random: u64,
}

impl<D: Device> Bench<D> {
    pub(super) fn new(device: D) -> Self {
        let accelerator =
            Accelerator::probe(device, Self::deadline()).expect("a device that the driver knows");
        let mut data = accelerator.data();
        data.end = data.end.min(super::MEMORY);
        let slots = usize::from(accelerator.description().key_slots);
        let (model, keys) = (Vec::new(), vec![None; slots]);
        let mut bench = Self { accelerator, model, keys, macs: 0, random: 0x5A17_4111 };
        bench.model = (0..data.len()).map(|i| (i % 251) as u8).collect();
        let start = data.start;
        bench.write(start, &bench.model.clone());
        bench.set_keys();
        assert!(slots > bench.sizes().len(), "the suite needs a slot without a key");
        bench
    }

    /// First byte of the data area, and the number of bytes in it.
    pub(super) fn area(&self) -> (usize, usize) {
        (self.accelerator.data().start, self.model.len())
    }

    pub(super) fn random(&mut self, below: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 16) as usize % below
    }

    pub(super) fn random_bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.random(256) as u8)
    }

    /// An address in `range`'s first 64 bytes that this device takes.
    pub(super) fn start_in(&mut self, range: &Range<usize>) -> usize {
        let description = self.accelerator.description();
        let step = if description.any_alignment { 1 } else { usize::from(description.data_bytes) };
        range.start + self.random(64 / step) * step
    }

    /// Slots for the keys of ciphers; the others are for one-time keys.
    pub(super) fn cipher_slots(&self) -> u8 {
        let slots = self.accelerator.description().key_slots;
        if self.has(Operation::Mac) { slots.div_ceil(2) } else { slots }
    }

    /// XOR where the device has it; if not, the keystream that it has.
    pub(super) fn main_operation(&self) -> Operation {
        let xor = self.accelerator.description().supports(Operation::XorStream);
        if xor { Operation::XorStream } else { Operation::Keystream }
    }

    pub(super) fn request(&mut self, source: Range<usize>, destination: Range<usize>) -> Request {
        let operation = self.main_operation();
        let request = Request { operation, source, destination, ..Request::default() };
        if !self.has_keys() {
            return request;
        }
        let request = self.with_any_key(request);
        if self.is_aes() {
            let (mut block, short_counter): ([u8; 16], _) =
                (self.random_bytes(), self.random(2) == 1);
            block[12] &= 0x7F; // far from the end of a short counter
            return Request { nonce: block.into(), short_counter, ..request };
        }
        let nonce = Nonce::Short(self.random_bytes());
        Request { nonce, counter: self.random(1 << 30) as u32, ..request }
    }

    /// A message with a nonce of its own; for [`Operation::Open`] with the tag that is right for
    /// what the model has as its source, whatever that is.
    pub(super) fn message(
        &mut self,
        operation: Operation,
        source: Range<usize>,
        destination: Range<usize>,
        additional_data: Range<usize>,
    ) -> Request {
        let extended = self.accelerator.description().extended_nonce && self.random(2) == 1;
        let nonce = if extended {
            Nonce::Extended(self.random_bytes())
        } else {
            Nonce::Short(self.random_bytes())
        };
        let request = Request {
            operation,
            nonce,
            source,
            destination,
            additional_data,
            ..Request::default()
        };
        let mut request = self.with_any_key(request);
        if operation == Operation::Open {
            request.tag = self.right_tag(&request);
        }
        request
    }

    /// A tag to be made with a one-time key, which [`run`](Self::run) puts into one of the slots
    /// for these.
    pub(super) fn mac(&mut self, source: Range<usize>) -> Request {
        let slots = self.cipher_slots()..self.accelerator.description().key_slots;
        let key_slot = slots.start + (self.macs % slots.len()) as u8;
        self.macs += 1;
        Request { operation: Operation::Mac, key_slot, source, ..Request::default() }
    }

    /// The tag that makes a request to open a good one.
    pub(super) fn right_tag(&self, request: &Request) -> [u8; 16] {
        self.opened(request).1
    }

    /// What sealing makes of the source.
    fn sealed(&self, request: &Request) -> (Vec<u8>, [u8; 16]) {
        let (source, aad) = (self.model(&request.source), self.model(&request.additional_data));
        if self.is_aes() {
            return oracle::gcm_seal(self.key(request), &self.iv(request), aad, source);
        }
        oracle::seal(self.key32(request), request.nonce, aad, source)
    }

    /// What opening makes of the source, and the tag that is right for it.
    fn opened(&self, request: &Request) -> (Vec<u8>, [u8; 16]) {
        let (source, aad) = (self.model(&request.source), self.model(&request.additional_data));
        if self.is_aes() {
            return oracle::gcm_open(self.key(request), &self.iv(request), aad, source);
        }
        oracle::open(self.key32(request), request.nonce, aad, source)
    }

    /// The initialisation vector of a message of AES-GCM, wherever it is.
    fn iv(&self, request: &Request) -> Vec<u8> {
        match request.nonce {
            _ if !request.iv.is_empty() => self.model(&request.iv).to_vec(),
            Nonce::Short(nonce) => nonce.to_vec(),
            other => unreachable!("{other:?} is no initialisation vector of AES-GCM"),
        }
    }

    /// What the model has there.
    pub(super) fn model(&self, range: &Range<usize>) -> &[u8] {
        let base = self.accelerator.data().start;
        if range.is_empty() { &[] } else { &self.model[range.start - base..range.end - base] }
    }

    pub(super) fn has(&self, operation: Operation) -> bool {
        self.accelerator.description().supports(operation)
    }

    /// The device's cipher is AES.
    pub(super) fn is_aes(&self) -> bool {
        let description = self.accelerator.description();
        let aes = description.algorithm == CoreAlgorithm::Aes;
        assert_eq!(aes, description.key_sizes().next().is_some());
        aes
    }

    /// The device has an AEAD: ChaCha20-Poly1305 and its parts, or AES-GCM.
    pub(super) fn has_aead(&self) -> bool {
        let able = [Operation::Seal, Operation::Open].map(|operation| self.has(operation));
        assert!(able == [true; 2] || able == [false; 2], "one of two directions is missing");
        able[0]
    }

    /// What makes or compares a tag on this device.
    pub(super) fn tagged(&self) -> Vec<Operation> {
        let all = [Operation::Mac, Operation::Seal, Operation::Open];
        all.into_iter().filter(|operation| self.has(*operation)).collect()
    }

    pub(super) fn write(&mut self, start: usize, bytes: &[u8]) {
        let range = start..start + bytes.len();
        self.accelerator.memory(range.clone()).expect("host view").copy_from_slice(bytes);
        self.accelerator.device().sync_for_device(range).expect("sync for the device");
        let at = start - self.accelerator.data().start;
        self.model[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Runs the requests, as many at once as the ring and the slots hold, and compares all of the
    /// memory with the model.
    pub(super) fn run(&mut self, mut requests: &[Request]) {
        while !requests.is_empty() {
            let (batch, later) = requests.split_at(self.at_once(requests));
            for request in batch {
                if request.operation == Operation::Mac {
                    self.set_one_time_key(request.key_slot);
                }
                self.accelerator.stage(request).expect("a job is staged");
            }
            self.accelerator.ring_doorbell().expect("jobs are handed over");
            for request in batch {
                self.finish(request);
            }
            requests = later;
        }
        self.compare();
    }

    /// How many of them fit into the ring, with no slot for two one-time keys.
    fn at_once(&self, requests: &[Request]) -> usize {
        let ring = requests.iter().take(self.accelerator.entries());
        let mut taken = Vec::new();
        let fits = |request: &&Request| {
            let fits = !taken.contains(&request.key_slot);
            if request.operation == Operation::Mac {
                taken.push(request.key_slot);
            }
            fits
        };
        ring.take_while(fits).count()
    }

    /// The oldest job is this one, and it ends well.
    pub(super) fn finish(&mut self, request: &Request) {
        let completion = self.accelerator.complete(Self::deadline()).expect("a job finishes");
        assert_eq!(completion.outcome, Ok(()), "outcome of {request:?}");
        let tag = self.apply(request);
        assert_eq!(completion.tag, tag, "tag of {request:?}");
    }

    /// The oldest job ends like this.
    pub(super) fn expect(&mut self, outcome: Result<(), JobError>) {
        let completion = self.accelerator.complete(Self::deadline()).expect("a job finishes");
        assert_eq!(completion.outcome, outcome, "outcome of job {}", completion.job);
    }

    /// What the request does, done to the model; gives the tag that it makes, if it makes one.
    fn apply(&mut self, request: &Request) -> Option<[u8; 16]> {
        let source = match request.operation {
            Operation::Keystream => vec![0; request.destination.len()],
            _ => self.model(&request.source).to_vec(),
        };
        let (data, tag) = match request.operation {
            Operation::Mac => return Some(oracle::mac(self.key32(request), &source)),
            Operation::Seal => {
                let (data, tag) = self.sealed(request);
                (data, Some(tag))
            }
            Operation::Open => (self.opened(request).0, None),
            Operation::Digest => (oracle::digest(&source), None),
            _ if !self.has_keys() => (oracle::xor_constant(&source), None),
            _ if self.is_aes() => (self.aes(request, &source), None),
            _ => (self.device_stream(request, source), None),
        };
        self.set_model(&request.destination, &data);
        tag
    }

    /// Has the model hold these bytes.
    pub(super) fn set_model(&mut self, range: &Range<usize>, bytes: &[u8]) {
        let at = range.start - self.accelerator.data().start;
        self.model[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// What AES makes of the data.
    fn aes(&self, request: &Request, data: &[u8]) -> Vec<u8> {
        let block = match request.nonce {
            Nonce::Block(block) => block,
            _ => [0; 16],
        };
        oracle::aes(request.operation, self.key(request), block, data)
    }

    /// XORs what this device calls keystream.
    fn device_stream(&self, request: &Request, mut data: Vec<u8>) -> Vec<u8> {
        let counter = request.counter;
        let (key, nonce) = oracle::short(self.key32(request), request.nonce);
        let (key, nonce) = (&key, &nonce);
        let mut mask = oracle::keystream(key, nonce, counter, data.len());
        if !self.accelerator.description().final_add {
            // rounds = keystream - state = -(state + -keystream), word by word.
            negate_words(&mut mask);
            let mut sum = vec![0; mask.len()];
            host_add::finish(key, nonce, counter, &mask, &mut sum);
            negate_words(&mut sum);
            mask = sum;
        }
        data.iter_mut().zip(mask).for_each(|(byte, key)| *byte ^= key);
        data
    }

    /// The whole data area is as the model says: also what no job should have touched.
    pub(super) fn compare(&mut self) {
        let (start, len) = self.area();
        let range = start..start + len;
        self.accelerator.device().sync_for_cpu(range.clone()).expect("sync for the host");
        let memory = self.accelerator.memory(range).expect("host view");
        let differs =
            memory.iter().zip(&self.model).position(|(found, expected)| found != expected);
        if let Some(at) = differs {
            let (found, expected) = (memory[at], self.model[at]);
            panic!("byte {at} of the data area is {found:#04x}, not {expected:#04x}");
        }
    }

    pub(super) fn deadline() -> Instant {
        Instant::now() + PATIENCE
    }
}

fn negate_words(bytes: &mut [u8]) {
    for word in bytes.as_chunks_mut::<4>().0 {
        *word = u32::from_le_bytes(*word).wrapping_neg().to_le_bytes();
    }
}
