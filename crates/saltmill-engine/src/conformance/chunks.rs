// SPDX-License-Identifier: Apache-2.0
//! Sealed chunks: what is expected comes from OpenSSL's AEADs as a whole, and nonces from the age
//! format's text. A worker that can't seal must say so, and passes.

use std::{sync::Arc, time::Instant};

use openssl::symm;
use saltmill_device::KeySize;

use super::{Family, Subject, deadline, fill, one_job, piece, text};
use crate::{CHUNK_BYTES, Job, SEALED_CHUNK_BYTES, Work, WorkerError};

/// What keys are full of.
const FILL: u8 = 0xA9;

fn seal(family: Family) -> Arc<Work> {
    Arc::new(Work::Seal(family.chunks(FILL)))
}

fn open(family: Family) -> Arc<Work> {
    Arc::new(Work::Open(family.chunks(FILL)))
}

/// Whether it can; if it can't, that it says so, and does what it can.
fn able(worker: &mut Subject, family: Family) -> bool {
    let able = worker.supports(seal(family).algorithm());
    assert_eq!(worker.supports(open(family).algorithm()), able);
    if !able {
        assert!(worker.start(&seal(family), deadline()).is_err(), "a start that can't end well");
        assert!(worker.start(&open(family), deadline()).is_err(), "a start that can't end well");
        let cipher = family.stream(9, 0);
        worker.start(&cipher, deadline()).expect("a start");
        one_job(worker, &cipher, 0, piece(0, 500));
        worker.stop(deadline()).expect("a stop");
    }
    able
}

/// A chunk as it must be sealed: nonce of 11 bytes of number, big-endian, and one that is 1 in the
/// last.
fn sealed(family: Family, number: u64, last: bool, text: &[u8]) -> Vec<u8> {
    let mut nonce = [0; 12];
    for (index, byte) in nonce[..11].iter_mut().rev().enumerate().take(8) {
        *byte = (number >> (8 * index)) as u8;
    }
    nonce[11] = last.into();
    let (cipher, key) = match family {
        Family::ChaCha20 => (symm::Cipher::chacha20_poly1305(), &[FILL; 32][..]),
        Family::Aes(KeySize::Bits128) => (symm::Cipher::aes_128_gcm(), &[FILL; 16][..]),
        Family::Aes(KeySize::Bits192) => (symm::Cipher::aes_192_gcm(), &[FILL; 24][..]),
        Family::Aes(KeySize::Bits256) => (symm::Cipher::aes_256_gcm(), &[FILL; 32][..]),
    };
    let mut tag = [0; 16];
    let mut sealed =
        symm::encrypt_aead(cipher, key, Some(&nonce), &[], text, &mut tag).expect("OpenSSL seals");
    sealed.extend_from_slice(&tag);
    sealed
}

fn sealing(number: u64, len: usize, last: bool) -> Job {
    Job { offset: number * CHUNK_BYTES as u64, len, last }
}

fn opening(number: u64, len: usize, last: bool) -> Job {
    Job { offset: number * SEALED_CHUNK_BYTES as u64, len, last }
}

/// Puts jobs through the worker, as many at once as it has slots; gives the results.
fn through(worker: &mut Subject, work: &Arc<Work>, jobs: &[(Job, Vec<u8>)]) -> Vec<Vec<u8>> {
    let mut results = Vec::new();
    worker.start(work, deadline()).expect("a start");
    let slots = worker.slots();
    for batch in jobs.chunks(slots) {
        for (slot, (job, source)) in batch.iter().enumerate() {
            fill(worker, slot, source);
            worker.submit(slot, *job).expect("a job is submitted");
        }
        for (slot, (job, _)) in batch.iter().enumerate() {
            assert_eq!(worker.finish(deadline()).expect("a job finishes"), slot, "oldest first");
            let result = worker.buffer(slot, work.output_len(*job)).expect("a slot's buffer");
            results.push(result.to_vec());
        }
    }
    worker.stop(deadline()).expect("a stop");
    results
}

pub(super) fn sealed_and_opened(worker: &mut Subject, family: Family) {
    if !able(worker, family) {
        return;
    }
    let lengths = [0, 1, 15, 16, 17, 63, 64, 65, 1000, 65_535, CHUNK_BYTES];
    let numbers = [0, 1, 0xFF, 0x100, 0x0012_3456_789A];
    let chunks: Vec<_> = lengths
        .into_iter()
        .flat_map(|len| [false, true].map(|last| (len, last)))
        .enumerate()
        .map(|(n, (len, last))| (numbers[n % numbers.len()], len, last))
        .collect();
    let texts: Vec<_> = chunks.iter().map(|(_, len, _)| text(*len, *len)).collect();
    let expected: Vec<_> = chunks
        .iter()
        .zip(&texts)
        .map(|((number, _, last), text)| sealed(family, *number, *last, text))
        .collect();
    let jobs = |job: fn(u64, usize, bool) -> Job, sources: &[Vec<u8>]| -> Vec<_> {
        let job = |(chunk, source): (&(u64, usize, bool), &Vec<u8>)| {
            (job(chunk.0, source.len(), chunk.2), source.clone())
        };
        chunks.iter().zip(sources).map(job).collect()
    };
    for (n, found) in through(worker, &seal(family), &jobs(sealing, &texts)).iter().enumerate() {
        assert!(*found == expected[n], "{:?} is sealed wrongly", chunks[n]);
    }
    for (n, found) in through(worker, &open(family), &jobs(opening, &expected)).iter().enumerate() {
        assert!(*found == texts[n], "{:?} is opened wrongly", chunks[n]);
    }
}

/// Runs over a part of the chunks: numbered as in the whole, and only the whole's end is an end.
pub(super) fn in_parts(worker: &mut Subject, family: Family) {
    if !able(worker, family) {
        return;
    }
    let lengths = [CHUNK_BYTES, CHUNK_BYTES, 777];
    let texts = lengths.map(|len| text(len, len));
    for (first, ends) in [(0, false), (1, true), (3, false), (0x0012_3456_7890, true)] {
        let part = || family.chunks(FILL).part(first, ends);
        let is_last = |n: usize| n + 1 == texts.len();
        let expected: Vec<_> = (first..)
            .zip(texts.iter().enumerate())
            .map(|(place, (n, text))| sealed(family, place, is_last(n) && ends, text))
            .collect();
        let jobs = |job: fn(u64, usize, bool) -> Job, sources: &[Vec<u8>]| -> Vec<_> {
            let numbered = (0..).zip(sources.iter().enumerate());
            let job = |(number, (n, source)): (u64, (usize, &Vec<u8>))| {
                (job(number, source.len(), is_last(n)), source.clone())
            };
            numbered.map(job).collect()
        };
        let found = through(worker, &Arc::new(Work::Seal(part())), &jobs(sealing, &texts));
        assert!(found == expected, "chunks from {first} on are sealed wrongly");
        let found = through(worker, &Arc::new(Work::Open(part())), &jobs(opening, &expected));
        assert!(found == texts, "chunks from {first} on are opened wrongly");
    }
}

/// A chunk that was changed, or is not in its place: refused by name, and nothing of it is left;
/// the worker goes on.
pub(super) fn refused(worker: &mut Subject, family: Family) {
    if !able(worker, family) {
        return;
    }
    let text = text(3, 5000);
    let good = sealed(family, 7, false, &text);
    let changed = |at: usize| {
        let mut chunk = good.clone();
        chunk[at] ^= 0x10;
        chunk
    };
    let bad = [
        (opening(7, good.len(), false), changed(0)),
        (opening(7, good.len(), false), changed(4999)),
        (opening(7, good.len(), false), changed(5000)),
        (opening(7, good.len(), false), changed(5015)),
        (opening(7, good.len() - 1, false), good[..good.len() - 1].to_vec()),
        (opening(6, good.len(), false), good.clone()),
        (opening(7, good.len(), true), good.clone()),
        (opening(0, 16, true), vec![0; 16]),
    ];
    worker.start(&open(family), deadline()).expect("a start");
    let slots = worker.slots();
    for (n, (job, source)) in bad.iter().enumerate() {
        let jobs = [
            (opening(7, good.len(), false), &good),
            (*job, source),
            (opening(7, good.len(), false), &good),
        ];
        // As many at once as the slots allow, the bad one among them.
        let mut waiting = std::collections::VecDeque::new();
        for (m, (job, source)) in jobs.iter().enumerate() {
            let slot = (n + m) % slots;
            if waiting.len() == slots {
                let oldest = waiting.pop_front().expect("as many as slots");
                finish(worker, family, oldest, &text);
            }
            fill(worker, slot, source);
            worker.submit(slot, *job).expect("a job is submitted");
            waiting.push_back((slot, *job, m != 1));
        }
        for oldest in waiting {
            finish(worker, family, oldest, &text);
        }
    }
    worker.stop(deadline()).expect("a stop");
}

/// The oldest job ends as it should.
fn finish(
    worker: &mut Subject,
    family: Family,
    (slot, job, good): (usize, Job, bool),
    text: &[u8],
) {
    let outcome = worker.finish(deadline());
    let len = open(family).output_len(job);
    let found = worker.buffer(slot, len).expect("a slot's buffer");
    if good {
        assert_eq!(outcome.expect("a good chunk"), slot);
        assert!(*found == *text, "{job:?} has a wrong result");
        return;
    }
    match outcome {
        Err(WorkerError::Refused(refused)) => {
            assert_eq!((refused.chunk, refused.offset), (open(family).number(job), job.offset));
        }
        other => panic!("{job:?} should be refused: {other:?}"),
    }
    assert!(found.iter().all(|byte| *byte == 0), "something of {job:?} is left");
}

pub(super) fn in_turn(worker: &mut Subject, family: Family) {
    if !able(worker, family) {
        return;
    }
    let text = text(0, 20_000);
    let job = (sealing(2, text.len(), true), text.clone());
    for run in 0..2 {
        let found = through(worker, &seal(family), std::slice::from_ref(&job));
        assert!(found[0] == sealed(family, 2, true, &text));
        let cipher = family.stream(30 + run, 0);
        worker.start(&cipher, deadline()).expect("a start");
        one_job(worker, &cipher, 0, piece(64, 4097));
        worker.stop(deadline()).expect("a stop");
        assert!(worker.submit(0, job.0).is_err(), "the key is forgotten");
        assert!(worker.finish(Instant::now()).is_err(), "finish without a job");
    }
}
