// SPDX-License-Identifier: Apache-2.0
//! Jobs that must fail, and what must go on after them.

use std::time::Instant;

use super::bench::Bench;
use crate::{Descriptor, Device, JobError, Operation, Request, registers};

/// An address where no memory is.
pub(super) const NOWHERE: u64 = 0x7FFF_0000_0000;

/// A good descriptor of `request`, to be spoiled.
fn good<D: Device>(bench: &mut Bench<D>, request: &Request) -> Descriptor {
    let dma = bench.accelerator.device().dma();
    // Some of what it is spoiled into reads a source where this one reads none.
    let source = dma.bus_address + request.source.start as u64;
    Descriptor { source, ..request.descriptor(dma.bus_address).expect("a good request") }
}

/// Has a descriptor of a cipher be one of another operation, with nothing that only the cipher has.
pub(super) fn make(descriptor: &mut Descriptor, operation: Operation) {
    descriptor.operation = operation as u8;
    (descriptor.counter, descriptor.short_counter) = (0, false);
}

/// Bad descriptors, each between two good jobs that must work; nothing else may change.
pub(super) fn between_good_jobs<D: Device>(
    bench: &mut Bench<D>,
    spoil: impl Fn(&mut Descriptor),
    error: JobError,
) {
    let (start, _) = bench.area();
    let at = |job: usize| start + job * 4096..start + job * 4096 + 300;
    let (first, bad, last) =
        (bench.request(at(0), at(0)), bench.request(at(1), at(2)), bench.request(at(3), at(4)));
    let mut descriptor = good(bench, &bad);
    spoil(&mut descriptor);
    bench.accelerator.stage(&first).expect("a job is staged");
    bench.accelerator.stage_descriptor(&descriptor, None).expect("a descriptor is staged");
    bench.accelerator.submit(&last).expect("a job is submitted");
    bench.finish(&first);
    bench.expect(Err(error));
    bench.finish(&last);
    bench.compare();
}

pub(super) fn bad_descriptors<D: Device>(bench: &mut Bench<D>) {
    let description = bench.accelerator.description().clone();
    for operation in [0, 10, 31, 32, 255] {
        between_good_jobs(bench, |d| d.operation = operation, JobError::BadOperation);
    }
    for operation in Operation::ALL {
        if !description.supports(operation) {
            between_good_jobs(bench, |d| make(d, operation), JobError::BadOperation);
        }
    }
    for reserved in [1, 0x20] {
        between_good_jobs(bench, |d| d.reserved = reserved, JobError::BadDescriptor);
    }
    for slot in [1, description.key_slots, 255] {
        between_good_jobs(bench, |d| d.key_slot = slot, JobError::BadKeySlot);
    }
    if !description.any_alignment {
        between_good_jobs(bench, |d| d.destination += 1, JobError::BadAlignment);
        between_good_jobs(bench, |d| d.source += 8, JobError::BadAlignment);
    }
}

pub(super) fn bus_errors<D: Device>(bench: &mut Bench<D>) {
    between_good_jobs(bench, |d| d.destination = NOWHERE, JobError::Write);
    if bench.main_operation() == Operation::XorStream {
        between_good_jobs(bench, |d| d.source = NOWHERE, JobError::Read);
    }
}

/// That of ChaCha20 does not wrap.
pub(super) fn block_counter<D: Device>(bench: &mut Bench<D>) {
    if bench.is_aes() {
        return;
    }
    let too_far = [(u32::MAX, 65), (u32::MAX - 1, 129), (u32::MAX - 1, u32::MAX)];
    for (counter, length) in too_far {
        let spoil = |d: &mut Descriptor| (d.counter, d.length) = (counter, length);
        between_good_jobs(bench, spoil, JobError::BadCounter);
    }
    let (start, _) = bench.area();
    let last_blocks = [(u32::MAX, 64), (u32::MAX, 1), (u32::MAX, 0), (u32::MAX - 1, 128)];
    let requests: Vec<_> = last_blocks
        .into_iter()
        .enumerate()
        .map(|(job, (counter, length))| {
            let at = start + job * 256;
            Request { counter, ..bench.request(at..at + length, at..at + length) }
        })
        .collect();
    bench.run(&requests);
}

/// A one-time key is for no cipher, and a key is whole for one use only.
pub(super) fn key_uses<D: Device>(bench: &mut Bench<D>) {
    let slot = bench.accelerator.description().key_slots - 1;
    assert!(slot > 0, "the suite needs a slot for each use");
    let cipher = |operation: &Operation| *operation != Operation::Mac && bench.has(*operation);
    let ciphers: Vec<_> = Operation::ALL.into_iter().filter(cipher).collect();
    bench.set_one_time_key(slot);
    for operation in ciphers {
        let spoil = |d: &mut Descriptor| {
            make(d, operation);
            d.key_slot = slot;
        };
        between_good_jobs(bench, spoil, JobError::BadKeySlot);
    }
    let uses = [registers::KEY_SLOTS, registers::ONE_TIME_KEY_SLOTS];
    for [first, second] in [uses, [uses[1], uses[0]]] {
        for word in 0..8 {
            let slots = if word < 4 { first } else { second };
            let offset = slots + 32 * u32::from(slot) + 4 * word;
            bench.accelerator.device().write(offset, 0x0101_0101).expect("a key word is written");
        }
        between_good_jobs(bench, |d| d.key_slot = slot, JobError::BadKeySlot);
    }
    bench.set_key(slot);
    let (start, _) = bench.area();
    let request = bench.request(start..start + 100, start..start + 100);
    bench.run(&[Request { key_slot: slot, ..request }]);
}

pub(super) fn wipe<D: Device>(bench: &mut Bench<D>) {
    let (start, len) = bench.area();
    let at = start + 4096..start + 4096 + 60_000;
    let long = bench.request(at.clone(), at.clone());
    for _ in 0..3 {
        bench.accelerator.submit(&long).expect("a job is submitted");
    }
    // Some cycles, so that the wipe meets jobs in mid-flight.
    for _ in 0..20 {
        bench.accelerator.device().read(registers::STATUS).expect("status");
    }
    assert_eq!(bench.accelerator.wipe(Bench::<D>::deadline()).expect("a wipe"), 3);
    assert_eq!(bench.accelerator.outstanding(), 0);
    let status = bench.accelerator.device().read(registers::STATUS).expect("status");
    assert_eq!(status, 0, "idle after a wipe");
    let interrupt = bench.accelerator.device().wait(Instant::now()).expect("a wait");
    assert!(!interrupt, "aborted jobs raise no interrupt");

    // What the aborted jobs had written is theirs; everything else is as it was.
    let torn = start..start + len;
    bench.accelerator.device().sync_for_cpu(torn).expect("sync for the host");
    let torn = bench.accelerator.memory(at.clone()).expect("host view").to_vec();
    bench.write(at.start, &torn);
    bench.compare();

    let request = bench.request(start..start + 100, start..start + 100);
    bench.accelerator.submit(&request).expect("a job is submitted");
    bench.expect(Err(JobError::BadKeySlot));
    half_a_key(bench, &request);
    bench.set_key(0);
    bench.run(&[request]);
}

/// A slot holds no key until all of its words are written, in order.
fn half_a_key<D: Device>(bench: &mut Bench<D>, request: &Request) {
    for words in [&[0, 1, 2, 3, 4, 5, 6][..], &[0, 7], &[0, 2, 1, 3, 4, 5, 6, 7]] {
        for word in words {
            let offset = registers::KEY_SLOTS + 4 * word;
            bench.accelerator.device().write(offset, 0x0101_0101).expect("a key word is written");
        }
        bench.accelerator.submit(request).expect("a job is submitted");
        bench.expect(Err(JobError::BadKeySlot));
    }
}
