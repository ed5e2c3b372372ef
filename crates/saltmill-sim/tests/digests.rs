// SPDX-License-Identifier: Apache-2.0
//! Digests of every length through the simulated SHA-256, whole and in parts, against OpenSSL.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::ops::Range;

use common::{Random, later};
use openssl::sha::sha256;
use saltmill_device::{
    Accelerator, CoreAlgorithm, Device, JobError, Operation, Request, RequestError,
};
use saltmill_sim::{MemoryProfile, SimConfig, SimDevice, System};

const BLOCK: usize = 64;
const DIGEST: usize = 32;

struct Bench {
    accelerator: Accelerator<SimDevice>,
    random: Random,
    data: usize, // where the data area begins
}

impl Bench {
    fn new(memory: MemoryProfile) -> Self {
        let config = SimConfig { variant: "sha256".into(), memory, ..SimConfig::default() };
        let device = System::new(config).unwrap().remove(0);
        let accelerator = Accelerator::probe(device, later()).unwrap();
        let data = accelerator.data().start.next_multiple_of(BLOCK);
        Self { accelerator, random: Random(0x5A17_0A2E_AD5E_ED02), data }
    }

    fn put(&mut self, offset: usize, bytes: &[u8]) -> Range<usize> {
        let range = self.data + offset..self.data + offset + bytes.len();
        self.accelerator.memory(range.clone()).unwrap().copy_from_slice(bytes);
        self.accelerator.device().sync_for_device(range.clone()).unwrap();
        range
    }

    fn place(&self, offset: usize) -> Range<usize> {
        self.data + offset..self.data + offset + DIGEST
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

/// All at once, as many as the ring holds, from and to any byte.
#[test]
fn every_length_to_300_bytes() {
    let mut bench = Bench::new(MemoryProfile::LATENCY100);
    assert_eq!(bench.accelerator.description().algorithm, CoreAlgorithm::Sha256);
    let entries = bench.accelerator.entries().min(30);
    let lengths: Vec<usize> = (0..=300).collect();
    for batch in lengths.chunks(entries) {
        let mut expected = Vec::new();
        for (number, length) in batch.iter().enumerate() {
            let (at, text) = (1024 * number + bench.random.below(64), bench.random.bytes(*length));
            let source = bench.put(at, &text);
            let to = 1024 * number + 512 + bench.random.below(64);
            let destination = bench.place(to);
            bench.accelerator.submit(&whole(source, destination.clone())).unwrap();
            expected.push((destination, sha256(&text)));
        }
        for (destination, digest) in expected {
            assert_eq!(bench.accelerator.complete(later()).unwrap().outcome, Ok(()));
            assert_eq!(bench.accelerator.memory(destination).unwrap(), digest);
        }
    }
}

/// Chaining values go through memory, each part may come from elsewhere.
#[test]
fn messages_in_parts() {
    let mut bench = Bench::new(MemoryProfile::IDEAL);
    for length in [0, 1, 63, 64, 65, 1000, 20_000] {
        let text = bench.random.bytes(length);
        let (mut done, mut iv, mut to) = (0, 0..0, false);
        while text.len() - done >= BLOCK && bench.random.below(5) > 0 {
            let blocks = 1 + bench.random.below((text.len() - done) / BLOCK);
            let at = bench.random.below(64);
            let source = bench.put(at, &text[done..done + BLOCK * blocks]);
            let destination = bench.place(if to { 30_000 } else { 31_000 });
            let operation = Operation::DigestPart;
            bench.run(&Request { operation, iv, ..whole(source, destination.clone()) });
            (done, iv, to) = (done + BLOCK * blocks, destination, !to);
        }
        let source = bench.put(0, &text[done..]);
        let destination = bench.place(32_000);
        let blocks_before = (done / BLOCK) as u64;
        let last = Request { iv, blocks_before, ..whole(source, destination) };
        assert_eq!(bench.run(&last), sha256(&text), "{length} bytes");
    }
}

#[test]
fn what_is_no_part_is_refused() {
    let mut bench = Bench::new(MemoryProfile::IDEAL);
    let source = bench.put(0, &[7; 200]);
    let destination = bench.place(1000);
    let part = |bytes: usize| Request {
        operation: Operation::DigestPart,
        ..whole(source.start..source.start + bytes, destination.clone())
    };
    let iv = |bytes: usize| Request {
        iv: source.start..source.start + bytes,
        ..whole(source.clone(), destination.clone())
    };
    for request in [part(0), part(32), part(65), iv(12), iv(31), iv(33)] {
        bench.accelerator.submit(&request).unwrap();
        let outcome = bench.accelerator.complete(later()).unwrap().outcome;
        assert_eq!(outcome, Err(JobError::BadLength), "{request:?}");
    }
    let short = Request { destination: destination.start..destination.end - 1, ..part(64) };
    let refused = RequestError::DigestBytes { found: 31, expected: 32 };
    let error = bench.accelerator.submit(&short).unwrap_err();
    assert!(error.to_string().contains(&refused.to_string()), "{error}");
    assert_eq!(bench.run(&whole(source.clone(), destination.clone())), sha256(&[7; 200]));
}
