// SPDX-License-Identifier: Apache-2.0
//! Jobs that must work.

use std::time::{Duration, Instant};

use super::bench::Bench;
use crate::{Coalescing, Device, Operation, Request, host_add, registers, vectors};

/// Lengths at the edges of blocks, bus words, bursts and pages.
pub(super) const LENGTHS: [usize; 28] = [
    0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 128, 129, 255, 257, 1000, 1023, 1024,
    1025, 2047, 2049, 2500, 3000,
];

pub(super) fn lengths_and_alignments<D: Device>(bench: &mut Bench<D>) {
    // Each job in 8 KiB of its own, so that it may cross a page.
    let (start, len) = bench.area();
    let jobs = bench.accelerator.entries().min(len / 8192);
    for round in 0..4 {
        let requests: Vec<_> = (0..jobs)
            .map(|job| {
                let length = LENGTHS[(job + 11 * round) % LENGTHS.len()];
                let slot = start + job * 8192..start + (job + 1) * 8192;
                let source = bench.start_in(&slot);
                let destination = bench.start_in(&(slot.start + 4096..slot.end));
                bench.request(source..source + length, destination..destination + length)
            })
            .collect();
        bench.run(&requests);
    }
}

pub(super) fn long_jobs<D: Device>(bench: &mut Bench<D>) {
    let (start, _) = bench.area();
    let mut requests = Vec::new();
    for (job, length) in [40_000, 65_536, 50_001].into_iter().enumerate() {
        let slot = start + job * 140_000..start + (job + 1) * 140_000;
        let slot = slot.start.next_multiple_of(64)..slot.end;
        let source = bench.start_in(&slot);
        let destination = bench.start_in(&(slot.start + 70_016..slot.end));
        requests.push(bench.request(source..source + length, destination..destination + length));
    }
    bench.run(&requests);
}

pub(super) fn in_place<D: Device>(bench: &mut Bench<D>) {
    let (start, _) = bench.area();
    let requests: Vec<_> = [64, 1, 5000, 16_384, 777]
        .into_iter()
        .enumerate()
        .map(|(job, length)| {
            let slot = start + job * 32_768;
            let at = bench.start_in(&(slot..slot + 64));
            bench.request(at..at + length, at..at + length)
        })
        .collect();
    // Twice with the same keystream: the text again.
    bench.run(&requests);
    bench.run(&requests);
}

pub(super) fn keystream<D: Device>(bench: &mut Bench<D>) {
    if !bench.accelerator.description().supports(Operation::Keystream) {
        return;
    }
    let (start, _) = bench.area();
    let requests: Vec<_> = [0, 1, 64, 100, 4096, 9999]
        .into_iter()
        .enumerate()
        .map(|(job, length)| {
            let slot = start + job * 32_768;
            let at = bench.start_in(&(slot..slot + 64));
            let request = bench.request(0..0, at..at + length);
            Request { operation: Operation::Keystream, ..request }
        })
        .collect();
    bench.run(&requests);
}

pub(super) fn ring_wraps<D: Device>(bench: &mut Bench<D>) {
    let (start, _) = bench.area();
    let jobs = 3 * bench.accelerator.entries() + 5;
    let mut waiting = std::collections::VecDeque::new();
    for job in 0..jobs {
        if bench.accelerator.outstanding() == bench.accelerator.entries() {
            let oldest: Request = waiting.pop_front().expect("as many as outstanding");
            bench.finish(&oldest);
        }
        // A job's place is used again only after more jobs than the ring holds.
        let at = start + job % (bench.accelerator.entries() + 1) * 128;
        let request = bench.request(at..at + 80, at..at + 80);
        bench.accelerator.submit(&request).expect("a job is submitted");
        waiting.push_back(request);
    }
    while let Some(oldest) = waiting.pop_front() {
        bench.finish(&oldest);
    }
    bench.compare();
}

pub(super) fn counters<D: Device>(bench: &mut Bench<D>) {
    let (start, _) = bench.area();
    bench.accelerator.clear_counters().expect("counters are cleared");
    assert_eq!(bench.accelerator.counters().expect("counters").jobs, 0);
    let lengths = [0, 1, 64, 65, 8192];
    let requests: Vec<_> = lengths
        .into_iter()
        .enumerate()
        .map(|(job, length)| {
            let at = start + job * 16_384;
            bench.request(at..at + length, at..at + length)
        })
        .collect();
    bench.run(&requests);
    let counters = bench.accelerator.counters().expect("counters");
    assert_eq!(counters.jobs, lengths.len() as u64);
    assert_eq!(counters.bytes, lengths.iter().sum::<usize>() as u64);
    let block = usize::from(bench.accelerator.description().block_bytes);
    assert_eq!(counters.blocks, lengths.iter().map(|l| l.div_ceil(block)).sum::<usize>() as u64);
    let cost = u64::from(bench.accelerator.description().cycles_per_block);
    assert!(counters.busy >= (counters.blocks - 3) * cost, "{counters:?}");
    assert!(counters.cycles >= counters.busy, "{counters:?}");
}

pub(super) fn coalescing<D: Device>(bench: &mut Bench<D>) {
    let (start, _) = bench.area();
    let mut tail = 0;
    for (coalescing, jobs) in [
        (Coalescing { jobs: 4, timeout_cycles: 0 }, 4),
        (Coalescing { jobs: 200, timeout_cycles: 500 }, 3),
        (Coalescing { jobs: 0, timeout_cycles: 0 }, 1),
    ] {
        bench.accelerator.set_coalescing(coalescing).expect("coalescing is set");
        let requests: Vec<_> = (0..jobs)
            .map(|job| {
                bench.request(
                    start + job * 64..start + job * 64 + 64,
                    start + job * 64..start + job * 64 + 64,
                )
            })
            .collect();
        for request in &requests {
            bench.accelerator.stage(request).expect("a job is staged");
        }
        bench.accelerator.ring_doorbell().expect("jobs are handed over");
        let device = bench.accelerator.device();
        assert!(
            device.wait(Bench::<D>::deadline()).expect("a wait"),
            "{coalescing:?}: no interrupt"
        );
        tail += jobs as u32;
        assert_eq!(device.read(registers::RING_TAIL).expect("tail"), tail, "{coalescing:?}");
        device.write(registers::INTERRUPT_STATUS, registers::INTERRUPT_DONE).expect("cleared");
        for request in &requests {
            bench.finish(request);
        }
    }
    bench.compare();
}

pub(super) fn idle<D: Device>(bench: &mut Bench<D>) {
    let deadline = Instant::now() + Duration::from_millis(20);
    assert!(!bench.accelerator.device().wait(deadline).expect("a wait"), "an interrupt of nothing");
    assert!(Instant::now() >= deadline, "the wait ended before its deadline");
}

/// A published vector of ChaCha20: through the device, and for a device without the final addition
/// through [`host_add`] too. (Those of AES are in its self-test.)
pub(super) fn vectors<D: Device>(bench: &mut Bench<D>) {
    if !bench.accelerator.description().has_chacha20() {
        return;
    }
    let (start, _) = bench.area();
    for vector in vectors::chacha20() {
        let range = start..start + vector.plaintext.len();
        bench.accelerator.set_key(0, &vector.key).expect("a key is written");
        bench.keys[0] = Some(vector.key.to_vec());
        bench.write(start, &vector.plaintext);
        let request = Request {
            nonce: vector.nonce.into(),
            counter: vector.counter,
            ..bench.request(range.clone(), range.clone())
        };
        bench.run(std::slice::from_ref(&request));
        let mut found = bench.accelerator.memory(range).expect("host view").to_vec();
        if request.operation == Operation::Keystream {
            let rounds = std::mem::replace(&mut found, vector.plaintext.clone());
            if bench.accelerator.description().final_add {
                found.iter_mut().zip(rounds).for_each(|(byte, key)| *byte ^= key);
            } else {
                host_add::finish(&vector.key, &vector.nonce, vector.counter, &rounds, &mut found);
            }
        }
        assert_eq!(found, vector.ciphertext, "{}", vector.source);
    }
}
