// SPDX-License-Identifier: Apache-2.0
//! Digests of every length through simulated SHA-256 and MD5, whole and in parts, of one message
//! and of many side by side, and HMAC-SHA-256, against OpenSSL.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{collections::VecDeque, ops::Range};

use common::{Random, later};
use openssl::{
    hash::{MessageDigest, hash},
    pkey::PKey,
    sign::Signer,
};
use saltmill_device::{
    Accelerator, CoreAlgorithm, Device, DeviceError, JobError, Operation, Request, RequestError,
};
use saltmill_sim::{MemoryProfile, SimConfig, SimDevice, System};

const BLOCK: usize = 64;

/// Each simulated device with digests, and what they are.
fn benches(memory: MemoryProfile) -> impl Iterator<Item = Bench> {
    let all = [
        ("sha256-ring", CoreAlgorithm::Sha256, MessageDigest::sha256()),
        ("md5-ring", CoreAlgorithm::Md5, MessageDigest::md5()),
    ];
    all.into_iter().map(move |(variant, algorithm, digest)| {
        let bench = Bench::new(variant, memory, digest);
        assert_eq!(bench.accelerator.description().algorithm, algorithm);
        bench
    })
}

struct Bench {
    digest: MessageDigest,
    accelerator: Accelerator<SimDevice>,
    random: Random,
    data: usize, // where the data area begins
}

impl Bench {
    fn new(variant: &str, memory: MemoryProfile, digest: MessageDigest) -> Self {
        let config = SimConfig { variant: variant.into(), memory, ..SimConfig::default() };
        let device = System::new(config).unwrap().remove(0);
        let accelerator = Accelerator::probe(device, later()).unwrap();
        let data = accelerator.data().start.next_multiple_of(BLOCK);
        Self { digest, accelerator, random: Random(0x5A17_0A2E_AD5E_ED02), data }
    }

    fn put(&mut self, offset: usize, bytes: &[u8]) -> Range<usize> {
        let range = self.data + offset..self.data + offset + bytes.len();
        self.accelerator.memory(range.clone()).unwrap().copy_from_slice(bytes);
        self.accelerator.device().sync_for_device(range.clone()).unwrap();
        range
    }

    fn place(&self, offset: usize) -> Range<usize> {
        self.data + offset..self.data + offset + self.digest.size()
    }

    fn expected(&self, text: &[u8]) -> Vec<u8> {
        hash(self.digest, text).unwrap().to_vec()
    }

    fn run(&mut self, request: &Request) -> Vec<u8> {
        self.accelerator.submit(request).unwrap();
        assert_eq!(self.accelerator.complete(later()).unwrap().outcome, Ok(()), "{request:?}");
        self.accelerator.memory(request.destination.clone()).unwrap().to_vec()
    }
}

fn whole(source: Range<usize>, destination: Range<usize>) -> Request {
    Request { operation: Operation::Digest, source, destination, ..Request::default() }
}

fn part(source: Range<usize>, destination: Range<usize>) -> Request {
    Request { operation: Operation::DigestPart, ..whole(source, destination) }
}

/// All at once, as many as the ring holds, from and to any byte.
#[test]
fn every_length_to_300_bytes() {
    for mut bench in benches(MemoryProfile::LATENCY100) {
        let entries = bench.accelerator.entries().min(30);
        let lengths: Vec<usize> = (0..=300).collect();
        for batch in lengths.chunks(entries) {
            let mut expected = Vec::new();
            for (number, length) in batch.iter().enumerate() {
                let at = 1024 * number + bench.random.below(64);
                let text = bench.random.bytes(*length);
                let source = bench.put(at, &text);
                let to = 1024 * number + 512 + bench.random.below(64);
                let destination = bench.place(to);
                bench.accelerator.submit(&whole(source, destination.clone())).unwrap();
                expected.push((destination, bench.expected(&text)));
            }
            for (destination, digest) in expected {
                assert_eq!(bench.accelerator.complete(later()).unwrap().outcome, Ok(()));
                assert_eq!(bench.accelerator.memory(destination).unwrap(), digest);
            }
        }
    }
}

/// Chaining values go through memory, each part may come from elsewhere.
#[test]
fn messages_in_parts() {
    for mut bench in benches(MemoryProfile::IDEAL) {
        for length in [0, 1, 63, 64, 65, 1000, 20_000] {
            let text = bench.random.bytes(length);
            let (mut done, mut iv, mut to) = (0, 0..0, false);
            while text.len() - done >= BLOCK && bench.random.below(5) > 0 {
                let blocks = 1 + bench.random.below((text.len() - done) / BLOCK);
                let at = bench.random.below(64);
                let source = bench.put(at, &text[done..done + BLOCK * blocks]);
                let destination = bench.place(if to { 30_000 } else { 31_000 });
                bench.run(&Request { iv, ..part(source, destination.clone()) });
                (done, iv, to) = (done + BLOCK * blocks, destination, !to);
            }
            let source = bench.put(0, &text[done..]);
            let destination = bench.place(32_000);
            let blocks_before = (done / BLOCK) as u64;
            let last = Request { iv, blocks_before, ..whole(source, destination) };
            assert_eq!(bench.run(&last), bench.expected(&text), "{length} bytes");
        }
    }
}

/// A part of each message is under way; its next part follows when the one before is done.
#[test]
fn many_messages_side_by_side() {
    const PART: usize = 16 * BLOCK;
    const ROOM: usize = 8192;
    for mut bench in benches(MemoryProfile::LATENCY100) {
        let lengths: Vec<usize> = (0..24).map(|_| bench.random.below(ROOM - 512)).collect();
        let texts: Vec<_> = lengths.iter().map(|length| bench.random.bytes(*length)).collect();
        let sources: Vec<_> =
            texts.iter().enumerate().map(|(i, text)| bench.put(ROOM * i, text)).collect();
        let values: Vec<_> = (0..24).map(|i| bench.place(ROOM * i + ROOM - 128)).collect();
        let mut done = [0; 24];
        let request = |i: usize, done: usize| {
            let left = texts[i].len() - done;
            let iv = if done > 0 { values[i].clone() } else { 0..0 };
            let from = sources[i].start + done;
            if left > PART {
                return Request { iv, ..part(from..from + PART, values[i].clone()) };
            }
            let blocks_before = (done / BLOCK) as u64;
            Request { iv, blocks_before, ..whole(from..from + left, values[i].clone()) }
        };
        let mut under_way: VecDeque<_> = (0..24).collect();
        for i in 0..24 {
            bench.accelerator.submit(&request(i, 0)).unwrap();
        }
        while let Some(i) = under_way.pop_front() {
            assert_eq!(bench.accelerator.complete(later()).unwrap().outcome, Ok(()));
            if texts[i].len() - done[i] > PART {
                done[i] += PART;
                bench.accelerator.submit(&request(i, done[i])).unwrap();
                under_way.push_back(i);
            } else {
                let digest = bench.accelerator.memory(values[i].clone()).unwrap().to_vec();
                assert_eq!(digest, bench.expected(&texts[i]), "message {i}");
            }
        }
    }
}

#[test]
fn what_is_no_part_is_refused() {
    for mut bench in benches(MemoryProfile::IDEAL) {
        let size = bench.digest.size();
        let source = bench.put(0, &[7; 200]);
        let destination = bench.place(1000);
        let bytes_of = |bytes: usize| source.start..source.start + bytes;
        let of = |bytes: usize| part(bytes_of(bytes), destination.clone());
        let iv = |bytes: usize| Request {
            iv: bytes_of(bytes),
            ..whole(source.clone(), destination.clone())
        };
        for request in [of(0), of(32), of(65), iv(12), iv(size - 1), iv(size + 1)] {
            bench.accelerator.submit(&request).unwrap();
            let outcome = bench.accelerator.complete(later()).unwrap().outcome;
            assert_eq!(outcome, Err(JobError::BadLength), "{request:?}");
        }
        let short = Request { destination: destination.start..destination.end - 1, ..of(64) };
        let refused =
            RequestError::DigestBytes { found: size - 1, expected: u8::try_from(size).unwrap() };
        let error = bench.accelerator.submit(&short).unwrap_err();
        assert!(error.to_string().contains(&refused.to_string()), "{error}");
        let good = bench.run(&whole(source.clone(), destination.clone()));
        assert_eq!(good, bench.expected(&[7; 200]));
    }
}

fn tag(key: &[u8], text: &[u8]) -> Vec<u8> {
    let key = PKey::hmac(key).unwrap();
    Signer::new(MessageDigest::sha256(), &key).unwrap().sign_oneshot_to_vec(text).unwrap()
}

/// With keys of every length, digests between them, many at once.
#[test]
fn tags_of_hmac_under_keys_of_any_length() {
    let mut bench = benches(MemoryProfile::LATENCY100).next().unwrap();
    let slots = bench.accelerator.description().key_slots;
    for first in (1..=32).step_by(usize::from(slots)) {
        let keys: Vec<_> = (0..slots)
            .map(|slot| {
                let key = bench.random.bytes(first + usize::from(slot));
                bench.accelerator.set_key(slot, &key).unwrap();
                key
            })
            .collect();
        let mut expected = Vec::new();
        for number in 0..30 {
            let length = [0, 1, 55, 56, 64, 400][bench.random.below(6)];
            let text = bench.random.bytes(length);
            let source = bench.put(1024 * number, &text);
            let destination = bench.place(1024 * number + 512);
            let key_slot = bench.random.below(usize::from(slots)) as u8;
            let plain = whole(source, destination.clone());
            if number % 3 == 2 {
                bench.accelerator.submit(&plain).unwrap();
                expected.push((destination, bench.expected(&text)));
            } else {
                let request = Request { operation: Operation::Hmac, key_slot, ..plain };
                bench.accelerator.submit(&request).unwrap();
                expected.push((destination, tag(&keys[usize::from(key_slot)], &text)));
            }
        }
        for (destination, right) in expected {
            assert_eq!(bench.accelerator.complete(later()).unwrap().outcome, Ok(()));
            assert_eq!(bench.accelerator.memory(destination).unwrap(), right);
        }
    }
}

#[test]
fn a_tag_of_a_message_in_parts() {
    let mut bench = benches(MemoryProfile::IDEAL).next().unwrap();
    let key = bench.random.bytes(32);
    bench.accelerator.set_key(1, &key).unwrap();
    for length in [64, 100, 640, 1000] {
        let text = bench.random.bytes(length);
        let blocks = length / BLOCK;
        let source = bench.put(17, &text);
        let at = |from: usize, to: usize| source.start + from..source.start + to;
        let values = [bench.place(30_000), bench.place(31_000)];
        let keyed = |operation, source, destination| Request {
            operation,
            key_slot: 1,
            ..whole(source, destination)
        };
        bench.run(&keyed(Operation::HmacPart, at(0, BLOCK), values[0].clone()));
        let mut iv = values[0].clone();
        if blocks > 1 {
            let between = part(at(BLOCK, BLOCK * blocks), values[1].clone());
            bench.run(&Request { iv, ..between });
            iv = values[1].clone();
        }
        let last = keyed(Operation::Hmac, at(BLOCK * blocks, length), bench.place(32_000));
        let blocks_before = 1 + blocks as u64;
        assert_eq!(bench.run(&Request { iv, blocks_before, ..last }), tag(&key, &text));
    }
}

#[test]
fn keys_that_hmac_has_no_slot_for() {
    let mut bench = benches(MemoryProfile::IDEAL).next().unwrap();
    let error = bench.accelerator.set_key(0, &[7; 33]).unwrap_err();
    assert!(matches!(error, DeviceError::KeyLength { bytes: 33, .. }), "{error}");
    let (source, destination) = (bench.put(0, b"text"), bench.place(1000));
    let request = Request { operation: Operation::Hmac, key_slot: 2, ..whole(source, destination) };
    bench.accelerator.submit(&request).unwrap();
    let outcome = bench.accelerator.complete(later()).unwrap().outcome;
    assert_eq!(outcome, Err(JobError::BadKeySlot));
    let other = benches(MemoryProfile::IDEAL).nth(1).unwrap();
    assert!(!other.accelerator.description().supports(Operation::Hmac), "MD5");
}
