// SPDX-License-Identifier: Apache-2.0
//! Jobs at the end of what the device can address. In its last page there must be no memory.

use super::{
    bench::Bench,
    faults::{between_good_jobs, good, make},
};
use crate::{Descriptor, Device, JobError, Operation, Request};

/// Bytes of a job at the end: it begins at a multiple of every port's width, and is one of whole
/// blocks.
const BYTES: u32 = 320;

/// One of the parts of the memory that a descriptor names.
#[derive(Clone, Copy, Debug)]
enum Part {
    Source,
    Destination,
    AdditionalData,
    Iv,
}

impl Part {
    /// Has the descriptor be one of this operation with the part there, and the others good.
    fn put(self, d: &mut Descriptor, operation: Operation, address: u64, bytes: u32) {
        make(d, operation);
        match self {
            Self::Source => (d.source, d.length) = (address, bytes),
            Self::Destination => (d.destination, d.length) = (address, bytes),
            Self::AdditionalData => (d.length, d.aad, d.aad_length) = (0, address, bytes),
            Self::Iv => {
                d.length = 0;
                d.nonce_first[..4].copy_from_slice(&bytes.to_le_bytes());
                d.nonce_first[4..].copy_from_slice(&address.to_le_bytes());
            }
        }
    }

    /// How a good job ends if there is no memory.
    fn without_memory(self) -> JobError {
        if matches!(self, Self::Destination) { JobError::Write } else { JobError::Read }
    }
}

/// What reads or writes in each part, as far as the device has it.
fn parts<D: Device>(bench: &Bench<D>) -> Vec<(Part, Operation)> {
    let mut parts = vec![
        (Part::Source, Operation::XorStream),
        (Part::Destination, Operation::XorStream),
        (Part::Destination, Operation::Keystream),
        (Part::Source, Operation::Digest),
        (Part::Source, Operation::Mac),
        (Part::AdditionalData, Operation::Seal),
        (Part::AdditionalData, Operation::Open),
    ];
    if bench.is_aes() {
        parts.extend([(Part::Iv, Operation::Seal), (Part::Iv, Operation::Open)]);
    }
    parts.retain(|(_, operation)| bench.has(*operation));
    parts
}

/// A part that ends with the last address is read or written, and there the bus has nothing. One
/// byte more, and the device refuses the job.
pub(super) fn ends<D: Device>(bench: &mut Bench<D>) {
    let top = bench.top();
    let last = (top - u128::from(BYTES)) as u64;
    // The longest one goes past the end by 63 bytes.
    let longest = (top - (1 << 32) + 64) as u64;
    let mut past = vec![(last, BYTES + 1), ((top - 64) as u64, u32::MAX), (longest, u32::MAX)];
    if let Ok(first) = u64::try_from(top) {
        past.extend([(first, 1), (1 << 63, 1), (!63, 32)]);
    }
    let slot = bench.accelerator.description().key_slots - 1;
    for (part, operation) in parts(bench) {
        let fits = [(last, BYTES, part.without_memory())];
        let past = past.iter().map(|(address, bytes)| (*address, *bytes, JobError::BadAddress));
        for (address, bytes, error) in fits.into_iter().chain(past) {
            if operation == Operation::Mac {
                bench.set_one_time_key(slot);
            }
            let spoil = |d: &mut Descriptor| {
                part.put(d, operation, address, bytes);
                if operation == Operation::Mac {
                    d.key_slot = slot;
                }
            };
            between_good_jobs(bench, spoil, error);
        }
    }
}

/// Where there is nothing to read or to write, an address says nothing.
pub(super) fn of_nothing<D: Device>(bench: &mut Bench<D>) {
    let nowhere = !63;
    let (start, _) = bench.area();
    let empty = bench.request(start..start, start..start);
    let mut descriptor = good(bench, &empty);
    (descriptor.source, descriptor.destination, descriptor.aad) = (nowhere, nowhere, nowhere);
    bench.accelerator.stage_descriptor(&descriptor, None).expect("a descriptor is staged");
    bench.expect(Ok(()));
    if bench.has(Operation::Keystream) {
        let bytes = start..start + 100;
        let request = bench.request(0..0, bytes.clone());
        let request = Request { operation: Operation::Keystream, ..request };
        let mut descriptor = good(bench, &request);
        descriptor.source = nowhere;
        let staged = bench.accelerator.stage_descriptor(&descriptor, Some(bytes));
        staged.expect("a descriptor is staged");
        bench.finish(&request);
    }
    bench.compare();
}
