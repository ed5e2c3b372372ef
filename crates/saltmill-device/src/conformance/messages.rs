// SPDX-License-Identifier: Apache-2.0
//! Messages with tags: Poly1305, ChaCha20-Poly1305, XChaCha20-Poly1305; or AES-GCM with nonces of
//! 12 bytes. A device without them must refuse them, and passes the rest.

use std::ops::Range;

use super::{
    bench::{Bench, PATIENCE},
    faults::{between_good_jobs, make},
    work::LENGTHS,
};
use crate::{Descriptor, Device, JobError, KeySize, Nonce, Operation, Request, SelfTest};

/// Lengths of additional data at the edges of blocks of Poly1305 and GHASH and of bus words.
const AAD_LENGTHS: [usize; 11] = [0, 1, 12, 15, 16, 17, 31, 33, 63, 65, 1000];

pub(super) fn vectors<D: Device>(bench: &mut Bench<D>) {
    let found = bench.accelerator.self_test(PATIENCE).expect("right answers");
    let extended = usize::from(bench.accelerator.description().extended_nonce);
    let expected = if bench.is_aes() {
        let sizes: Vec<_> = bench.accelerator.description().key_sizes().collect();
        let modes = [Operation::EcbEncrypt, Operation::CbcEncrypt, Operation::XorStream];
        let modes = modes.into_iter().filter(|operation| bench.has(*operation)).count();
        // Of AES-128 the proposal has messages with other initialisation vectors too.
        let sealed = sizes.len() + 2 * usize::from(sizes.contains(&KeySize::Bits128));
        let encrypted = modes * sizes.len();
        Some(SelfTest { encrypted, sealed, refused: 4 * sealed, ..SelfTest::default() })
    } else {
        let (sealed, refused) = (256 + extended * 246, 60 * (1 + extended));
        let all = SelfTest { tagged: 12, sealed, refused, ..SelfTest::default() };
        bench.has_aead().then_some(all)
    };
    assert_eq!(found, expected);
}

pub(super) fn lengths_and_alignments<D: Device>(bench: &mut Bench<D>) {
    if !bench.has_aead() {
        return;
    }
    // Each job in 12 KiB of its own: source, destination, additional data.
    let (start, len) = bench.area();
    let (jobs, operations) = (bench.accelerator.entries().min(len / (12 << 10)), bench.tagged());
    for round in 0..12 {
        let requests: Vec<_> = (0..jobs)
            .map(|job| {
                let length = LENGTHS[(job + 11 * round) % LENGTHS.len()];
                let aad = AAD_LENGTHS[(job + 5 * round) % AAD_LENGTHS.len()];
                let at = start + job * (12 << 10);
                let operation = operations[(job + round) % operations.len()];
                message(bench, operation, at, length, aad)
            })
            .collect();
        bench.run(&requests);
    }
}

/// A message somewhere in 12 KiB.
fn message<D: Device>(
    bench: &mut Bench<D>,
    operation: Operation,
    at: usize,
    length: usize,
    aad: usize,
) -> Request {
    let [source, destination, additional] =
        [0, 4096, 8192].map(|offset| bench.start_in(&(at + offset..at + offset + 64)));
    let additional_data = additional..additional + aad;
    match operation {
        Operation::Mac => bench.mac(source..source + length),
        _ => bench.message(
            operation,
            source..source + length,
            destination..destination + length,
            additional_data,
        ),
    }
}

/// All operations at once in the ring, each with another key, in place, and back again.
pub(super) fn mixed_in_place<D: Device>(bench: &mut Bench<D>) {
    if !bench.has_aead() {
        return;
    }
    let slots = bench.cipher_slots();
    (0..slots).for_each(|slot| bench.set_key(slot));
    let (start, _) = bench.area();
    let area = |job: usize| start + job * 8192;
    let sealed: Vec<_> = (0..bench.accelerator.entries().min(24))
        .map(|job| {
            let at = bench.start_in(&(area(job)..area(job) + 64));
            let text = at..at + LENGTHS[(job * 7) % LENGTHS.len()];
            let aad = area(job) + 4096..area(job) + 4096 + AAD_LENGTHS[job % AAD_LENGTHS.len()];
            let key_slot = (job % usize::from(slots)) as u8;
            match job % 4 {
                0 => {
                    let request = bench.request(text.clone(), text);
                    bench.keyed(key_slot, request)
                }
                1 if bench.has(Operation::Mac) => bench.mac(text),
                _ => {
                    let request = bench.message(Operation::Seal, text.clone(), text, aad);
                    bench.keyed(key_slot, request)
                }
            }
        })
        .collect();
    let before: Vec<_> = sealed.iter().map(|r| bench.model(&r.source).to_vec()).collect();
    bench.run(&sealed);
    let opened: Vec<_> = sealed
        .iter()
        .map(|request| match request.operation {
            Operation::Seal => {
                let tag = bench.right_tag(request);
                Request { operation: Operation::Open, tag, ..request.clone() }
            }
            _ => request.clone(),
        })
        .collect();
    bench.run(&opened);
    for (request, text) in opened.iter().zip(before) {
        assert_eq!(bench.model(&request.source), text, "{request:?}");
    }
}

pub(super) fn long<D: Device>(bench: &mut Bench<D>) {
    if !bench.has_aead() {
        return;
    }
    let (start, len) = bench.area();
    let half = len / 2;
    let from = bench.start_in(&(start..start + 64));
    let to = bench.start_in(&(start + half..start + half + 64));
    for (length, aad) in [(65_536, 0..0), (half - 77, start + 10_000..start + 30_000)] {
        let aad = aad.start / 64 * 64..aad.end;
        let (source, destination) = (from..from + length, to..to + length);
        let operations = bench.tagged();
        let request = |operation| match operation {
            Operation::Mac => bench.mac(source.clone()),
            _ => bench.message(operation, source.clone(), destination.clone(), aad.clone()),
        };
        let requests: Vec<_> = operations.into_iter().map(request).collect();
        bench.run(&requests);
    }
}

/// XChaCha20 alone, from any block on.
pub(super) fn long_nonces<D: Device>(bench: &mut Bench<D>) {
    if !bench.accelerator.description().extended_nonce {
        return;
    }
    let (start, _) = bench.area();
    let lengths = [0, 1, 64, 100, 3000, 9999].into_iter();
    let requests: Vec<_> = lengths
        .zip([Operation::XorStream, Operation::Keystream].into_iter().cycle())
        .enumerate()
        .map(|(job, (length, operation))| {
            let slot = start + job * 32_768;
            let at = bench.start_in(&(slot..slot + 64));
            let source = if operation == Operation::Keystream { 0..0 } else { at..at + length };
            let request = bench.request(source, at..at + length);
            Request { operation, nonce: Nonce::Extended(bench.random_bytes()), ..request }
        })
        .collect();
    bench.run(&requests);
}

/// A forgery in mid-ring: refused, its destination cleared, and its neighbours are as they should
/// be.
pub(super) fn forged<D: Device>(bench: &mut Bench<D>) {
    if !bench.has_aead() {
        return;
    }
    let (start, _) = bench.area();
    let forge: [fn(&mut Request); 5] = [
        |r| r.tag[0] ^= 1,
        |r| r.tag[15] ^= 0x80,
        |r| r.additional_data.end -= 1,
        |r| (r.source.end, r.destination.end) = (r.source.end - 1, r.destination.end - 1),
        |r| r.nonce = [7; 12].into(),
    ];
    for (round, (forge, length)) in forge.iter().zip([1, 100, 64, 3000, 17]).enumerate() {
        for in_place in [false, true] {
            let at = |job: usize| start + (3 * round + job) * (12 << 10);
            let first = message(bench, Operation::Open, at(0), 700 + round, 20);
            let mut bad = message(bench, Operation::Open, at(1), length, 5);
            if in_place {
                bad.destination = bad.source.clone();
            }
            forge(&mut bad);
            let last = message(bench, Operation::Seal, at(2), 300 * round, 0);
            refused_between(bench, [&first, &bad, &last]);
        }
    }
    // Nothing but a tag, and it is wrong.
    let empty = message(bench, Operation::Open, start, 0, 0);
    let good = message(bench, Operation::Open, start + 4096, 0, 16);
    refused_between(bench, [&good, &Request { tag: [0; 16], ..empty }, &good]);
}

fn refused_between<D: Device>(bench: &mut Bench<D>, [first, bad, last]: [&Request; 3]) {
    for request in [first, bad, last] {
        bench.accelerator.stage(request).expect("a job is staged");
    }
    bench.finish(first);
    bench.expect(Err(JobError::TagMismatch));
    bench.set_model(&bad.destination, &vec![0; bad.destination.len()]);
    let released = bench.accelerator.memory(bad.destination.clone()).expect("host view");
    assert!(released.iter().all(|byte| *byte == 0), "nothing of {bad:?} is released");
    bench.finish(last);
    bench.compare();
}

pub(super) fn bad_descriptors<D: Device>(bench: &mut Bench<D>) {
    if !bench.accelerator.description().extended_nonce {
        between_good_jobs(bench, |d| d.extended_nonce = true, JobError::BadOperation);
    }
    let unused: [fn(&mut Descriptor); 2] = [|d| d.nonce_first[11] = 1, |d| d.aad_length = 1];
    for spoil in unused {
        between_good_jobs(bench, spoil, JobError::BadDescriptor);
    }
    if !bench.has_aead() {
        return;
    }
    let (any_alignment, nowhere) = (bench.accelerator.description().any_alignment, bench.nowhere());
    for operation in bench.tagged() {
        let mut refused = |spoil: &dyn Fn(&mut Descriptor), error| {
            let one_time = bench.cipher_slots();
            if operation == Operation::Mac {
                bench.set_one_time_key(one_time);
            }
            let spoil = |d: &mut Descriptor| {
                make(d, operation);
                if operation == Operation::Mac {
                    d.key_slot = one_time;
                }
                spoil(d);
            };
            between_good_jobs(bench, spoil, error);
        };
        refused(&|d| d.counter = 1, JobError::BadDescriptor);
        refused(&|d| d.key_slot = 255, JobError::BadKeySlot);
        refused(&|d| d.source = nowhere, JobError::Read);
        if operation == Operation::Mac {
            refused(&|d| d.aad_length = 1, JobError::BadDescriptor);
            refused(&|d| d.extended_nonce = true, JobError::BadDescriptor);
            continue;
        }
        refused(&|d| (d.length, d.aad_length, d.aad) = (0, 40, nowhere), JobError::Read);
        if !any_alignment {
            refused(&|d| (d.aad_length, d.aad) = (40, d.source + 8), JobError::BadAlignment);
        }
    }
    let seal_nowhere = |d: &mut Descriptor| {
        make(d, Operation::Seal);
        d.destination = nowhere;
    };
    between_good_jobs(bench, seal_nowhere, JobError::Write);
}

/// What an aborted job to open had written is cleared.
pub(super) fn wipe<D: Device>(bench: &mut Bench<D>) {
    if !bench.has_aead() {
        return;
    }
    let (start, len) = bench.area();
    let text: Range<usize> = start..start + 4000;
    let destination = start + len / 2..start + len / 2 + text.len();
    let open = bench.message(Operation::Open, text, destination, 0..0);
    for _ in 0..3 {
        bench.accelerator.submit(&open).expect("a job is submitted");
    }
    bench.accelerator.device().wait(Bench::<D>::deadline()).expect("a first result");
    assert_eq!(bench.accelerator.wipe(Bench::<D>::deadline()).expect("a wipe"), 3);
    bench.set_model(&open.destination, &vec![0; open.destination.len()]);
    bench.compare();
    bench.set_keys();
    let again = Request { tag: bench.right_tag(&open), ..open };
    bench.run(&[again]);
}

/// Poly1305 of no bytes is the upper half of its key, that of one block then tells the lower:
/// whoever may hand over descriptors must get no tag under a cipher's key, and only one under a
/// one-time key.
pub(super) fn tags_tell_no_key<D: Device>(bench: &mut Bench<D>) {
    if !bench.has(Operation::Mac) {
        return;
    }
    let (start, _) = bench.area();
    let slots = [1, bench.accelerator.description().key_slots - 1];
    for slot in slots {
        bench.set_key(slot);
        for length in [0, 16] {
            let spoil = |d: &mut Descriptor| {
                make(d, Operation::Mac);
                (d.key_slot, d.length) = (slot, length);
            };
            between_good_jobs(bench, spoil, JobError::BadKeySlot);
        }
        let request = bench.request(start..start + 100, start..start + 100);
        bench.run(&[Request { key_slot: slot, ..request }]);

        let mac = Request { key_slot: slot, ..bench.mac(start..start + 16) };
        bench.set_one_time_key(slot);
        for _ in 0..3 {
            bench.accelerator.submit(&mac).expect("a job is submitted");
        }
        bench.finish(&mac);
        bench.expect(Err(JobError::BadKeySlot));
        bench.expect(Err(JobError::BadKeySlot));
        bench.run(std::slice::from_ref(&mac));
    }
    for slot in slots {
        bench.set_one_time_key(slot);
    }
    bench.accelerator.wipe(Bench::<D>::deadline()).expect("a wipe");
    for key_slot in slots {
        let mac = Request { key_slot, ..bench.mac(start..start + 16) };
        bench.accelerator.submit(&mac).expect("a job is submitted");
        bench.expect(Err(JobError::BadKeySlot));
    }
}
