// SPDX-License-Identifier: Apache-2.0
//! A device under test with a model of its memory: what is not in the model must not happen.

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use chacha20::{
    ChaChaCore, R20,
    cipher::{KeyIvInit, StreamCipherCore},
    variants::Ietf,
};

use crate::{Accelerator, Device, JobError, Operation, Request, host_add};

/// Every wait of the suite: far above what a device needs, below what a person waits for.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct Bench<D: Device> {
    pub(super) accelerator: Accelerator<D>,
    /// What the data area must hold.
    model: Vec<u8>,
    pub(super) keys: Vec<Option<[u8; 32]>>,
    random: u64,
}

impl<D: Device> Bench<D> {
    pub(super) fn new(device: D) -> Self {
        let accelerator =
            Accelerator::probe(device, Self::deadline()).expect("a device that the driver knows");
        let mut data = accelerator.data();
        data.end = data.end.min(super::MEMORY);
        let slots = accelerator.description().key_slots.into();
        let mut bench =
            Self { accelerator, model: Vec::new(), keys: vec![None; slots], random: 0x5A17_4111 };
        bench.model = (0..data.len()).map(|i| (i % 251) as u8).collect();
        let start = data.start;
        bench.write(start, &bench.model.clone());
        bench.set_key(0);
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

    pub(super) fn set_key(&mut self, slot: u8) {
        let key = self.random_bytes();
        self.accelerator.set_key(slot, &key).expect("a key is written");
        self.keys[usize::from(slot)] = Some(key);
    }

    /// XOR where the device has it; if not, the keystream that it has.
    pub(super) fn main_operation(&self) -> Operation {
        let xor = self.accelerator.description().supports(Operation::XorStream);
        if xor { Operation::XorStream } else { Operation::Keystream }
    }

    pub(super) fn request(&mut self, source: Range<usize>, destination: Range<usize>) -> Request {
        let nonce = self.random_bytes();
        let counter = self.random(1 << 30) as u32;
        Request {
            operation: self.main_operation(),
            key_slot: 0,
            nonce,
            counter,
            source,
            destination,
        }
    }

    pub(super) fn write(&mut self, start: usize, bytes: &[u8]) {
        let range = start..start + bytes.len();
        self.accelerator.memory(range.clone()).expect("host view").copy_from_slice(bytes);
        self.accelerator.device().sync_for_device(range).expect("sync for the device");
        let at = start - self.accelerator.data().start;
        self.model[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Runs the requests, as many at once as the ring holds, and compares all of the memory with the model.
    pub(super) fn run(&mut self, requests: &[Request]) {
        for batch in requests.chunks(self.accelerator.entries()) {
            for request in batch {
                self.accelerator.stage(request).expect("a job is staged");
            }
            self.accelerator.ring_doorbell().expect("jobs are handed over");
            for request in batch {
                self.expect(Ok(()));
                self.apply(request);
            }
        }
        self.compare();
    }

    /// The oldest job ends like this.
    pub(super) fn expect(&mut self, outcome: Result<(), JobError>) {
        let completion = self.accelerator.complete(Self::deadline()).expect("a job finishes");
        assert_eq!(completion.outcome, outcome, "outcome of job {}", completion.job);
    }

    /// What the request does, done to the model.
    pub(super) fn apply(&mut self, request: &Request) {
        let base = self.accelerator.data().start;
        let shift = |range: &Range<usize>| range.start - base..range.end - base;
        let mut data = vec![0; request.destination.len()];
        if request.operation == Operation::XorStream {
            data.copy_from_slice(&self.model[shift(&request.source)]);
        }
        let key = self.keys[usize::from(request.key_slot)].expect("a slot with a key");
        self.device_stream(&key, &request.nonce, request.counter, &mut data);
        self.model[shift(&request.destination)].copy_from_slice(&data);
    }

    /// XORs what this device calls keystream.
    fn device_stream(&self, key: &[u8; 32], nonce: &[u8; 12], counter: u32, data: &mut [u8]) {
        let mut mask = keystream(key, nonce, counter, data.len());
        if !self.accelerator.description().final_add {
            // rounds = keystream - state = -(state + -keystream), word by word.
            negate_words(&mut mask);
            let mut sum = vec![0; mask.len()];
            host_add::finish(key, nonce, counter, &mask, &mut sum);
            negate_words(&mut sum);
            mask = sum;
        }
        data.iter_mut().zip(mask).for_each(|(byte, key)| *byte ^= key);
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

/// Keystream from an independent library; whole blocks.
fn keystream(key: &[u8; 32], nonce: &[u8; 12], counter: u32, bytes: usize) -> Vec<u8> {
    let mut core = ChaChaCore::<R20, Ietf>::new(&(*key).into(), &(*nonce).into());
    core.set_block_pos(counter);
    let mut stream = Vec::with_capacity(bytes.next_multiple_of(64));
    while stream.len() < bytes {
        let mut block = [0; 64].into();
        core.write_keystream_block(&mut block);
        stream.extend_from_slice(&block);
    }
    stream
}

fn negate_words(bytes: &mut [u8]) {
    for word in bytes.as_chunks_mut::<4>().0 {
        *word = u32::from_le_bytes(*word).wrapping_neg().to_le_bytes();
    }
}
