// SPDX-License-Identifier: Apache-2.0
//! What only AES has: modes for whole blocks, counters of 16 bytes, vectors of other lengths, shorter tags. Another
//! device must refuse it.

use super::{
    bench::Bench,
    faults::{NOWHERE, between_good_jobs, make},
};
use crate::{Descriptor, Device, JobError, KeySize, Nonce, Operation, Request};

const WHOLE_BLOCKS: [Operation; 4] =
    [Operation::EcbEncrypt, Operation::EcbDecrypt, Operation::CbcEncrypt, Operation::CbcDecrypt];

/// Modes for whole blocks in every key size, mixed in the ring, in place and not.
pub(super) fn whole_blocks<D: Device>(bench: &mut Bench<D>) {
    let (start, _) = bench.area();
    let operations = WHOLE_BLOCKS.into_iter().filter(|operation| bench.has(*operation));
    let operations: Vec<_> = operations.collect();
    let sizes: Vec<_> = bench.accelerator.description().key_sizes().collect();
    assert!(operations.is_empty() || bench.is_aes());
    for blocks in [0, 1, 2, 3, 16, 121] {
        let mut requests = Vec::new();
        for (job, operation) in operations.iter().enumerate() {
            for (kind, key_size) in sizes.iter().enumerate() {
                let at = start + 4096 * (3 * job + kind);
                let source = bench.start_in(&(at..at + 64));
                let to =
                    if blocks % 2 == 0 { source } else { bench.start_in(&(at + 2048..at + 4096)) };
                let [source, destination] = [source, to].map(|from| from..from + 16 * blocks);
                let (operation, key_size) = (*operation, *key_size);
                let ecb = matches!(operation, Operation::EcbEncrypt | Operation::EcbDecrypt);
                let nonce = if ecb { Nonce::default() } else { Nonce::Block(bench.random_bytes()) };
                requests.push(Request {
                    operation,
                    key_size,
                    nonce,
                    source,
                    destination,
                    ..Request::default()
                });
            }
        }
        bench.run(&requests);
    }
}

/// All 128 bits of a counter block count, or with a short counter the last 32; it may begin before any carry.
pub(super) fn counters_wrap<D: Device>(bench: &mut Bench<D>) {
    if !bench.is_aes() {
        return;
    }
    let (start, _) = bench.area();
    for ones in [1, 4, 8, 12, 16] {
        let requests: Vec<_> = [false, true]
            .into_iter()
            .enumerate()
            .map(|(job, short_counter)| {
                let mut block: [u8; 16] = bench.random_bytes();
                block[16 - ones..].fill(0xFF);
                block[15] = 0xFE;
                let range = start + 512 * job..start + 512 * job + 300;
                let request = bench.request(range.clone(), range);
                Request { nonce: block.into(), short_counter, ..request }
            })
            .collect();
        bench.run(&requests);
    }
}

/// GCM's vectors of other lengths than 12, with and without data and additional data.
pub(super) fn vectors_in_memory<D: Device>(bench: &mut Bench<D>) {
    if !bench.is_aes() || !bench.has_aead() {
        return;
    }
    let (start, _) = bench.area();
    // OpenSSL takes no longer ones.
    let lengths = [1, 4, 11, 13, 15, 16, 17, 32, 60, 64, 127, 128];
    for (round, (data, aad)) in [(0, 0), (0, 20), (100, 0), (77, 33)].into_iter().enumerate() {
        let requests: Vec<_> = lengths
            .into_iter()
            .enumerate()
            .map(|(job, length)| {
                let at = start + job * 4096;
                let vector = bench.start_in(&(at + 1024..at + 1088));
                let range = bench.start_in(&(at..at + 64));
                let range = range..range + data;
                let seals = (job + round) % 2 == 0;
                let operation = if seals { Operation::Seal } else { Operation::Open };
                let additional = at + 512..at + 512 + aad;
                let message = bench.message(operation, range.clone(), range, additional);
                let message = Request { vector: vector..vector + length, ..message };
                let tag = if seals { message.tag } else { bench.right_tag(&message) };
                Request { tag, ..message }
            })
            .collect();
        bench.run(&requests);
    }
}

/// Of a shorter tag only its bytes are compared, and all of them.
pub(super) fn parts_of_tags<D: Device>(bench: &mut Bench<D>) {
    if !bench.is_aes() || !bench.has_aead() {
        return;
    }
    let (start, _) = bench.area();
    let (source, destination) = (start..start + 50, start + 128..start + 178);
    for tag_bytes in 1..=16 {
        let open = bench.message(Operation::Open, source.clone(), destination.clone(), 0..0);
        let mut short = Request { tag_bytes, ..open };
        short.tag[usize::from(tag_bytes)..].fill(0x3C);
        bench.run(std::slice::from_ref(&short));
        let at = bench.random(8 * usize::from(tag_bytes));
        short.tag[at / 8] ^= 1 << (at % 8);
        bench.accelerator.submit(&short).expect("a job is submitted");
        bench.expect(Err(JobError::TagMismatch));
        bench.set_model(&destination, &[0; 50]);
        bench.compare();
    }
}

pub(super) fn bad_descriptors<D: Device>(bench: &mut Bench<D>) {
    let spoil_fields: [fn(&mut Descriptor); 3] =
        [|d| d.key_size = 1, |d| d.tag_bytes = 1, |d| d.short_counter = true];
    if !bench.is_aes() {
        for spoil in spoil_fields {
            between_good_jobs(bench, spoil, JobError::BadDescriptor);
        }
        return;
    }
    between_good_jobs(bench, |d| d.key_size = 3, JobError::BadOperation);
    between_good_jobs(bench, |d| d.extended_nonce = true, JobError::BadOperation);
    for size in KeySize::ALL {
        if !bench.accelerator.description().has_aes(size) {
            between_good_jobs(bench, |d| d.key_size = size as u8, JobError::BadOperation);
        }
    }
    let supported = Operation::ALL.into_iter().filter(|operation| bench.has(*operation));
    for operation in supported.collect::<Vec<_>>() {
        let mut refused = |spoil: fn(&mut Descriptor), error| {
            let spoil = |d: &mut Descriptor| {
                make(d, operation);
                spoil(d);
            };
            between_good_jobs(bench, spoil, error);
        };
        let messages = matches!(operation, Operation::Seal | Operation::Open);
        if !matches!(operation, Operation::XorStream | Operation::Keystream) {
            refused(|d| d.short_counter = true, JobError::BadDescriptor);
        }
        if operation == Operation::Open {
            refused(|d| d.tag_bytes = 17, JobError::BadDescriptor);
            refused(|d| d.tag_bytes = 31, JobError::BadDescriptor);
        } else {
            refused(|d| d.tag_bytes = 12, JobError::BadDescriptor);
        }
        if messages {
            refused(|d| d.nonce_first[0] = 12, JobError::BadLength);
            let nowhere = |d: &mut Descriptor| {
                d.nonce_first[0] = 40;
                d.nonce_first[4..].copy_from_slice(&NOWHERE.to_le_bytes());
            };
            refused(nowhere, JobError::Read);
        } else {
            refused(|d| d.nonce_first[0] = 16, JobError::BadDescriptor);
        }
        if WHOLE_BLOCKS.contains(&operation) {
            refused(|d| d.length = 17, JobError::BadLength);
            refused(|d| d.length = 15, JobError::BadLength);
        }
        if matches!(operation, Operation::EcbEncrypt | Operation::EcbDecrypt) {
            refused(|d| d.counter = 1, JobError::BadDescriptor);
        }
    }
}
