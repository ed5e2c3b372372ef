// SPDX-License-Identifier: Apache-2.0
//! Jobs that must fail, and what must go on after them.

use std::time::Instant;

use super::bench::Bench;
use crate::{
    Descriptor, Device, JobError, Operation, Request,
    descriptor::{DESCRIPTOR_BYTES, TAG_OFFSET},
    registers,
};

impl<D: Device> Bench<D> {
    /// Where the device's addresses end: `2^address_bits`.
    pub(super) fn top(&self) -> u128 {
        1 << self.accelerator.description().address_bits
    }

    /// An address where no memory is: the last page.
    pub(super) fn nowhere(&self) -> u64 {
        (self.top() - 4096) as u64
    }
}

/// A good descriptor of `request`, to be spoiled.
pub(super) fn good<D: Device>(bench: &mut Bench<D>, request: &Request) -> Descriptor {
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
    for operation in [0, 11, 31, 32, 255] {
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
    let error = if bench.has_keys() { JobError::BadKeySlot } else { JobError::BadDescriptor };
    for slot in [description.key_slots - 1, description.key_slots, 255] {
        between_good_jobs(bench, |d| d.key_slot = slot, error);
    }
    if !description.any_alignment {
        between_good_jobs(bench, |d| d.destination += 1, JobError::BadAlignment);
        between_good_jobs(bench, |d| d.source += 8, JobError::BadAlignment);
    }
}

pub(super) fn bus_errors<D: Device>(bench: &mut Bench<D>) {
    let nowhere = bench.nowhere();
    between_good_jobs(bench, |d| d.destination = nowhere, JobError::Write);
    if bench.main_operation() == Operation::XorStream {
        between_good_jobs(bench, |d| d.source = nowhere, JobError::Read);
    }
}

/// Nobody looks at the tag of a job that compares none, at the status that was there, and at what
/// is behind it.
pub(super) fn ignored_fields<D: Device>(bench: &mut Bench<D>) {
    let (start, _) = bench.area();
    let mut operations = bench.tagged();
    operations.retain(|operation| *operation != Operation::Open);
    operations.push(bench.main_operation());
    for (job, operation) in operations.into_iter().enumerate() {
        let range = start + 512 * job..start + 512 * job + 100;
        let request = match operation {
            Operation::Mac => bench.mac(range),
            Operation::Seal => bench.message(operation, range.clone(), range, 0..0),
            _ => bench.request(range.clone(), range),
        };
        if operation == Operation::Mac {
            bench.set_one_time_key(request.key_slot);
        }
        let number = bench.accelerator.stage(&request).expect("a job is staged");
        let entry = number as usize % bench.accelerator.entries() * DESCRIPTOR_BYTES;
        let ignored = entry + TAG_OFFSET..entry + DESCRIPTOR_BYTES;
        bench.accelerator.memory(ignored.clone()).expect("host view").fill(0xA7);
        bench.accelerator.device().sync_for_device(ignored).expect("sync for the device");
        // The driver would take what is in the status for the device's: it looks when that is
        // there.
        let done = registers::INTERRUPT_DONE;
        let device = bench.accelerator.device();
        device.write(registers::INTERRUPT_STATUS, done).expect("a register");
        bench.accelerator.ring_doorbell().expect("jobs are handed over");
        bench.accelerator.device().wait(Bench::<D>::deadline()).expect("a wait");
        bench.finish(&request);
    }
    bench.compare();
}

/// A counter of 32 bits does not wrap: that of ChaCha20, and a short one of AES.
pub(super) fn block_counter<D: Device>(bench: &mut Bench<D>) {
    if bench.is_aes() {
        return super::aes::short_counter(bench);
    }
    if !bench.has_keys() {
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
    // One may be on its way, of a job that had ended before the wipe.
    bench.accelerator.device().wait(Instant::now()).expect("a wait");
    let interrupt = bench.accelerator.device().wait(Instant::now()).expect("a wait");
    assert!(!interrupt, "aborted jobs raise no interrupt");

    // What the aborted jobs had written is theirs; everything else is as it was.
    let torn = start..start + len;
    bench.accelerator.device().sync_for_cpu(torn).expect("sync for the host");
    let torn = bench.accelerator.memory(at.clone()).expect("host view").to_vec();
    bench.write(at.start, &torn);
    bench.compare();

    let request = bench.request(start..start + 100, start..start + 100);
    if bench.has_keys() {
        bench.accelerator.submit(&request).expect("a job is submitted");
        bench.expect(Err(JobError::BadKeySlot));
    }
    bench.set_keys();
    bench.run(&[request]);
}
