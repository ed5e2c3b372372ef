// SPDX-License-Identifier: Apache-2.0
//! What only AES has: modes for whole blocks, counters of 16 bytes, initialisation vectors of other
//! lengths, shorter tags. Another device must refuse it.

use super::{
    bench::Bench,
    faults::{between_good_jobs, make},
};
use crate::{
    Descriptor, Device, DeviceError, JobError, KeySize, Nonce, Operation, Request, RequestError,
};

const WHOLE_BLOCKS: [Operation; 4] =
    [Operation::EcbEncrypt, Operation::EcbDecrypt, Operation::CbcEncrypt, Operation::CbcDecrypt];

/// Modes for whole blocks in every key size, mixed in the ring, in place and not.
pub(super) fn whole_blocks<D: Device>(bench: &mut Bench<D>) {
    let (start, _) = bench.area();
    let operations = WHOLE_BLOCKS.into_iter().filter(|operation| bench.has(*operation));
    let operations: Vec<_> = operations.collect();
    let slots = bench.sizes().len();
    assert!(operations.is_empty() || bench.is_aes());
    for blocks in [0, 1, 2, 3, 16, 121] {
        let mut requests = Vec::new();
        for (job, operation) in operations.iter().enumerate() {
            for kind in 0..slots {
                let at = start + 4096 * (3 * job + kind);
                let source = bench.start_in(&(at..at + 64));
                let to =
                    if blocks % 2 == 0 { source } else { bench.start_in(&(at + 2048..at + 4096)) };
                let [source, destination] = [source, to].map(|from| from..from + 16 * blocks);
                let operation = *operation;
                let ecb = matches!(operation, Operation::EcbEncrypt | Operation::EcbDecrypt);
                let nonce = if ecb { Nonce::default() } else { Nonce::Block(bench.random_bytes()) };
                let request =
                    Request { operation, nonce, source, destination, ..Request::default() };
                requests.push(bench.keyed(kind as u8, request));
            }
        }
        bench.run(&requests);
    }
}

/// All 128 bits of a counter block count; it may begin before any carry.
pub(super) fn counters_wrap<D: Device>(bench: &mut Bench<D>) {
    if !bench.is_aes() {
        return;
    }
    let (start, _) = bench.area();
    let requests: Vec<_> = [1, 4, 8, 12, 16]
        .into_iter()
        .enumerate()
        .map(|(job, ones)| {
            let mut block: [u8; 16] = bench.random_bytes();
            block[16 - ones..].fill(0xFF);
            block[15] = 0xFE;
            let range = start + 512 * job..start + 512 * job + 300;
            let request = bench.request(range.clone(), range);
            Request { nonce: block.into(), short_counter: false, ..request }
        })
        .collect();
    bench.run(&requests);
}

/// A counter of 32 bits does not wrap: its last block can be used, and neither the driver nor the
/// device lets a job begin that needs one more. It is a number with its highest byte first (SP
/// 800-38A, B.1).
pub(super) fn short_counter<D: Device>(bench: &mut Bench<D>) {
    let (start, _) = bench.area();
    for (first, bytes) in [(u32::MAX, 16), (u32::MAX, 1), (u32::MAX, 0), (u32::MAX - 18, 304)] {
        for operation in [Operation::XorStream, Operation::Keystream] {
            let mut block: [u8; 16] = bench.random_bytes();
            block[12..].copy_from_slice(&first.to_be_bytes());
            let range = start..start + bytes;
            let request = bench.request(range.clone(), range);
            let request =
                Request { operation, nonce: block.into(), short_counter: true, ..request };
            bench.run(std::slice::from_ref(&request));
            let longer = start..start + bytes.next_multiple_of(16).max(16) + 1;
            let longer = Request { source: longer.clone(), destination: longer, ..request };
            let error = bench.accelerator.submit(&longer).expect_err("a counter that would wrap");
            let DeviceError::BadRequest { reason, .. } = error else { panic!("{error}") };
            assert_eq!(reason, RequestError::CounterWraps);
        }
        let spoil = |longer: u32| {
            move |d: &mut Descriptor| {
                d.short_counter = true;
                d.nonce[8..].copy_from_slice(&first.to_be_bytes());
                d.length = (bytes as u32).next_multiple_of(16).max(16) + longer;
            }
        };
        between_good_jobs(bench, spoil(1), JobError::BadCounter);
        between_good_jobs(bench, spoil(1 << 30), JobError::BadCounter);
    }
    let whole = |d: &mut Descriptor| (d.short_counter, d.length, d.nonce) = (true, 33, [0xFF; 12]);
    between_good_jobs(bench, whole, JobError::BadCounter);
}

/// GCM's initialisation vectors of other lengths than 12, with and without data and additional
/// data.
pub(super) fn ivs_in_memory<D: Device>(bench: &mut Bench<D>) {
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
                let iv = bench.start_in(&(at + 1024..at + 1088));
                let range = bench.start_in(&(at..at + 64));
                let range = range..range + data;
                let seals = (job + round) % 2 == 0;
                let operation = if seals { Operation::Seal } else { Operation::Open };
                let additional = at + 512..at + 512 + aad;
                let message = bench.message(operation, range.clone(), range, additional);
                let message = Request { iv: iv..iv + length, ..message };
                let tag = if seals { message.tag } else { bench.right_tag(&message) };
                Request { tag, ..message }
            })
            .collect();
        bench.run(&requests);
    }
}

/// Of a shorter tag only its bytes are compared, and all of them. There are no others than those of
/// SP 800-38D,
/// 5.2.1.2: a tag of one byte is guessed soon.
pub(super) fn parts_of_tags<D: Device>(bench: &mut Bench<D>) {
    if !bench.is_aes() || !bench.has_aead() {
        return;
    }
    let (start, _) = bench.area();
    let (source, destination) = (start..start + 50, start + 128..start + 178);
    for tag_bytes in 1..32 {
        if !matches!(tag_bytes, 4 | 8 | 12..=16) {
            let spoil = |d: &mut Descriptor| {
                make(d, Operation::Open);
                d.tag_bytes = tag_bytes;
            };
            between_good_jobs(bench, spoil, JobError::BadLength);
            let request = Request { tag_bytes, ..Request::default() };
            let error = bench.accelerator.submit(&request).expect_err("a tag of another length");
            assert!(error.to_string().contains("4, 8 or 12 to 16 bytes"), "{error}");
            continue;
        }
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
    let nowhere = bench.nowhere();
    let supported = Operation::ALL.into_iter().filter(|operation| bench.has(*operation));
    for operation in supported.collect::<Vec<_>>() {
        let mut refused = |spoil: &dyn Fn(&mut Descriptor), error| {
            let spoil = |d: &mut Descriptor| {
                make(d, operation);
                spoil(d);
            };
            between_good_jobs(bench, spoil, error);
        };
        let messages = matches!(operation, Operation::Seal | Operation::Open);
        if !matches!(operation, Operation::XorStream | Operation::Keystream) {
            refused(&|d| d.short_counter = true, JobError::BadDescriptor);
        }
        if operation == Operation::Open {
            refused(&|d| d.tag_bytes = 17, JobError::BadLength);
        } else {
            refused(&|d| d.tag_bytes = 12, JobError::BadDescriptor);
        }
        if messages {
            refused(&|d| d.nonce_first[0] = 12, JobError::BadLength);
            let not_there = |d: &mut Descriptor| {
                d.nonce_first[0] = 40;
                d.nonce_first[4..].copy_from_slice(&nowhere.to_le_bytes());
            };
            refused(&not_there, JobError::Read);
        } else {
            refused(&|d| d.nonce_first[0] = 16, JobError::BadDescriptor);
        }
        if WHOLE_BLOCKS.contains(&operation) {
            refused(&|d| d.length = 17, JobError::BadLength);
            refused(&|d| d.length = 15, JobError::BadLength);
        }
        if matches!(operation, Operation::EcbEncrypt | Operation::EcbDecrypt) {
            refused(&|d| d.counter = 1, JobError::BadDescriptor);
        }
    }
}
