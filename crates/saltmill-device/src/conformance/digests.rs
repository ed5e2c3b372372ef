// SPDX-License-Identifier: Apache-2.0
//! Digests: no key, and a result of a length of its own. A device without them refuses them in
//! other checks.

use super::{
    bench::Bench,
    faults::{between_good_jobs, make},
    work::LENGTHS,
};
use crate::{Descriptor, Device, JobError, Operation, Request};

impl<D: Device> Bench<D> {
    /// A digest of so many bytes somewhere in 8 KiB, to the end of these.
    fn digest(&mut self, slot: usize, length: usize) -> Request {
        let bytes = usize::from(self.accelerator.description().digest_bytes);
        let source = self.start_in(&(slot..slot + 64));
        let destination = self.start_in(&(slot + 4096..slot + 4160));
        Request {
            operation: Operation::Digest,
            source: source..source + length,
            destination: destination..destination + bytes,
            ..Request::default()
        }
    }
}

/// Also of nothing, with other jobs between them.
pub(super) fn lengths_and_alignments<D: Device>(bench: &mut Bench<D>) {
    if !bench.has(Operation::Digest) {
        return;
    }
    let (start, len) = bench.area();
    let jobs = bench.accelerator.entries().min(len / 8192);
    for round in 0..12 {
        let requests: Vec<_> = (0..jobs)
            .map(|job| {
                let (slot, index) = (start + job * 8192, job + 11 * round);
                let length = LENGTHS[index % LENGTHS.len()];
                if index % 3 == 2 {
                    return bench.request(slot..slot + length, slot + 4096..slot + 4096 + length);
                }
                bench.digest(slot, length)
            })
            .collect();
        bench.run(&requests);
    }
}

/// Of what is behind the end of the device's addresses, and with fields that a digest does not use.
pub(super) fn refused<D: Device>(bench: &mut Bench<D>) {
    let (start, _) = bench.area();
    if !bench.has(Operation::Digest) {
        return;
    }
    let (top, nowhere) = (bench.top(), bench.nowhere());
    let bytes = u128::from(bench.accelerator.description().digest_bytes);
    // At the last place that it fits there is no memory.
    let last = (top - bytes.next_multiple_of(64)) as u64;
    let mut refused = |spoil: &dyn Fn(&mut Descriptor), error| {
        let spoil = |d: &mut Descriptor| {
            make(d, Operation::Digest);
            spoil(d);
        };
        between_good_jobs(bench, spoil, error);
    };
    for length in [0, 1, 5000] {
        let at = |address| move |d: &mut Descriptor| (d.length, d.destination) = (length, address);
        refused(&at(last), JobError::Write);
        refused(&at(nowhere), JobError::Write);
        if let Ok(first) = u64::try_from(top) {
            refused(&at(first), JobError::BadAddress);
        }
    }
    refused(&|d| d.source = nowhere, JobError::Read);
    refused(&|d| d.key_slot = 1, JobError::BadDescriptor);
    refused(&|d| d.counter = 1, JobError::BadDescriptor);
    refused(&|d| d.aad_length = 1, JobError::BadDescriptor);
    refused(&|d| d.tag_bytes = 16, JobError::BadDescriptor);
    refused(&|d| d.short_counter = true, JobError::BadDescriptor);
    // The driver knows how long a digest is.
    let mut request = bench.digest(start, 100);
    request.destination.end += 1;
    let error = bench.accelerator.submit(&request).expect_err("a digest has one length");
    assert!(error.to_string().contains("its digests have"), "{error}");
}
