// SPDX-License-Identifier: Apache-2.0
//! Messages of every length through the simulated ChaCha20-Poly1305, against OpenSSL.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{collections::VecDeque, ops::Range};

use common::{Random, later};
use openssl::symm;
use saltmill_device::{Accelerator, JobError, Operation, Request};
use saltmill_sim::{MemoryProfile, SimConfig, SimDevice, System};

/// The longest message, and the place of each in memory.
const LONGEST: usize = 1 << 20;
/// Places that are used in turn: more than a few jobs are always in flight.
const PLACES: usize = 8;
/// Bytes of additional data, at most.
const MOST_AAD: usize = 64;

/// A message on its way: what must come of it.
struct Expected {
    request: Request,
    outcome: Result<(), JobError>,
    tag: Option<[u8; 16]>,
    data: Vec<u8>,
}

struct Bench {
    accelerator: Accelerator<SimDevice>,
    keys: Vec<[u8; 32]>,
    random: Random,
    waiting: VecDeque<Expected>,
    jobs: usize,
}

impl Bench {
    fn new(variant: &str) -> Self {
        let config = SimConfig {
            variant: variant.into(),
            memory: MemoryProfile::LATENCY100,
            dma_bytes: (2 + PLACES) * (LONGEST + 4096),
            ..SimConfig::default()
        };
        let device = System::new(config).unwrap().remove(0);
        let mut accelerator = Accelerator::probe(device, later()).unwrap();
        let mut random = Random(0x5A17_0A2E_AD5E_ED01);
        let slots = accelerator.description().key_slots;
        let keys: Vec<[u8; 32]> =
            (0..slots).map(|_| random.bytes(32).try_into().unwrap()).collect();
        for (slot, key) in (0..).zip(&keys) {
            accelerator.set_key(slot, key).unwrap();
        }
        Self { accelerator, keys, random, waiting: VecDeque::new(), jobs: 0 }
    }

    fn write(&mut self, start: usize, bytes: &[u8]) -> Range<usize> {
        let range = start..start + bytes.len();
        self.accelerator.memory(range.clone()).unwrap().copy_from_slice(bytes);
        range
    }

    /// Seals and opens messages of that length.
    fn both(&mut self, len: usize) {
        self.submit(len, Operation::Seal);
        self.submit(len, Operation::Open);
    }

    /// Seals or opens a message of that length at any byte, in place; some that are opened are
    /// forged.
    fn submit(&mut self, len: usize, operation: Operation) {
        let text = self.random.bytes(len);
        let aad_len = self.random.below(MOST_AAD + 1);
        let aad = self.random.bytes(aad_len);
        let nonce: [u8; 12] = self.random.bytes(12).try_into().unwrap();
        let key_slot = self.random.below(self.keys.len());
        let (cipher, mut tag) = (symm::Cipher::chacha20_poly1305(), [0; 16]);
        let (key, iv) = (&self.keys[key_slot], Some(&nonce[..]));
        let sealed = symm::encrypt_aead(cipher, key, iv, &aad, &text, &mut tag).unwrap();

        let place = self.accelerator.data().start + self.jobs % PLACES * (LONGEST + 4096);
        let start = place + 128 + self.random.below(64);
        let aad_start = place + self.random.below(64);
        let additional_data = self.write(aad_start, &aad);
        let (open, forged) = (operation == Operation::Open, self.random.below(8) == 0);
        let source = self.write(start, if open { &sealed } else { &text });
        let mut request = Request {
            operation,
            key_slot: key_slot as u8,
            nonce: nonce.into(),
            destination: source.clone(),
            source,
            additional_data,
            ..Request::default()
        };
        let expected = match (open, forged) {
            (false, _) => (Ok(()), Some(tag), sealed),
            (true, false) => (Ok(()), None, text),
            (true, true) => (Err(JobError::TagMismatch), None, vec![0; len]),
        };
        if open {
            request.tag = tag;
            let bit = self.random.below(128);
            request.tag[bit / 8] ^= u8::from(forged) << (bit % 8);
        }
        self.accelerator.submit(&request).unwrap();
        let (outcome, tag, data) = expected;
        self.waiting.push_back(Expected { request, outcome, tag, data });
        self.jobs += 1;
        if self.waiting.len() == PLACES {
            self.finish();
        }
    }

    /// Compares the oldest message.
    fn finish(&mut self) {
        let expected = self.waiting.pop_front().unwrap();
        let completion = self.accelerator.complete(later()).unwrap();
        let (request, found) = (expected.request, (completion.outcome, completion.tag));
        assert_eq!(found, (expected.outcome, expected.tag), "{request:?}");
        let data = self.accelerator.memory(request.destination.clone()).unwrap();
        assert!(*data == expected.data, "{request:?} has wrong data");
    }
}

/// Every length to `all`, and some to 1 MiB.
fn as_openssl_has_them(variant: &str, all: usize, long: usize) {
    let mut bench = Bench::new(variant);
    for len in 0..=all {
        bench.both(len);
    }
    for _ in 0..long {
        let len = bench.random.below(LONGEST + 1);
        bench.both(len);
    }
    while !bench.waiting.is_empty() {
        bench.finish();
    }
}

#[test]
fn small_seals_and_opens_as_openssl() {
    as_openssl_has_them("aead-small", 1024, 1);
}

#[test]
fn balanced_seals_and_opens_as_openssl() {
    as_openssl_has_them("aead-balanced", 4096, 12);
}

#[test]
fn fast_seals_and_opens_as_openssl() {
    as_openssl_has_them("aead-fast", 4096, 12);
}
