// SPDX-License-Identifier: Apache-2.0
//! One suite that every [`Worker`] passes, whatever does its work.

mod chunks;
mod subject;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use saltmill_device::KeySize;

use subject::Subject;

use crate::{AesCtr, AesKey, Chunks, Cipher, JOB_BYTES, Job, Key, Work, Worker};

/// Every wait of the suite.
fn deadline() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

/// What a worker encrypts with: a stream, and if it does messages the AEAD around that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    ChaCha20,
    Aes(KeySize),
}

impl Family {
    const ALL: [Self; 4] = [
        Self::ChaCha20,
        Self::Aes(KeySize::Bits128),
        Self::Aes(KeySize::Bits192),
        Self::Aes(KeySize::Bits256),
    ];

    /// A stream whose last 32 bits of the counter begin like this.
    fn stream(self, fill: u8, counter: u32) -> Arc<Work> {
        let nonce = [fill ^ 1; 12];
        Arc::new(match self {
            Self::ChaCha20 => Cipher::new(Key::new([fill; 32]), nonce, counter).into(),
            Self::Aes(size) => {
                let mut iv = [0; 16];
                iv[..12].copy_from_slice(&nonce);
                iv[12..].copy_from_slice(&counter.to_be_bytes());
                AesCtr::new(aes_key(size, fill), iv).into()
            }
        })
    }

    fn chunks(self, fill: u8) -> Chunks {
        match self {
            Self::ChaCha20 => Chunks::new(Key::new([fill; 32])),
            Self::Aes(size) => Chunks::new(aes_key(size, fill)),
        }
    }
}

fn aes_key(size: KeySize, fill: u8) -> AesKey {
    AesKey::new(&vec![fill; size.bytes()]).expect("a key of that size")
}

/// A piece of a cipher's input.
fn piece(offset: usize, len: usize) -> Job {
    Job { offset: offset as u64, len, last: false }
}

fn text(seed: usize, len: usize) -> Vec<u8> {
    (seed..seed + len).map(|i| (i % 251) as u8).collect()
}

fn fill(worker: &mut Subject, slot: usize, text: &[u8]) {
    worker.buffer(slot, text.len()).expect("a slot's buffer").copy_from_slice(text);
}

type Check = fn(&mut Subject, Family);

/// Runs the whole suite with the first cipher that the worker has, and what is about keys with all;
/// prints each check's name before it starts.
///
/// # Panics
/// At the first difference from what a worker must do.
pub fn run(mut worker: impl FnMut() -> Box<dyn Worker>) {
    let mut worker = || Subject::new(worker());
    let of_keys: [(&str, Check); 6] = [
        ("shape", shape),
        ("end of the counter", end_of_the_counter),
        ("several runs", several_runs),
        ("chunks are sealed and opened", chunks::sealed_and_opened),
        ("chunks that are not what was sealed", chunks::refused),
        ("chunks and ciphers in turn", chunks::in_turn),
    ];
    let of_any: [(&str, Check); 3] = [
        ("lengths", lengths),
        ("all slots at once, in order", all_slots),
        ("parts of the chunks", chunks::in_parts),
    ];
    let (able, unable): (Vec<_>, Vec<_>) = Family::ALL
        .into_iter()
        .partition(|family| worker().supports(family.stream(0, 0).algorithm()));
    assert!(!able.is_empty(), "it does nothing");
    for (number, family) in able.into_iter().enumerate() {
        let others = if number == 0 { &of_any[..] } else { &[] };
        for (name, check) in of_keys.iter().chain(others) {
            println!("conformance: {family:?}: {name}");
            check(&mut worker(), family);
        }
    }
    for family in unable {
        refuses_to_start(&mut worker(), family);
    }
}

/// With a cipher that the worker says it has not.
fn refuses_to_start(worker: &mut Subject, family: Family) {
    let works = [Work::Seal(family.chunks(1)), Work::Open(family.chunks(1))].map(Arc::new);
    for work in works.into_iter().chain([family.stream(1, 0)]) {
        assert!(!worker.supports(work.algorithm()), "{work:?} without its cipher");
        assert!(worker.start(&work, deadline()).is_err(), "a start that can't end well");
    }
}

fn shape(worker: &mut Subject, family: Family) {
    assert!(!worker.name().is_empty());
    assert!(worker.slots() > 0);
    for slot in 0..worker.slots() {
        assert_eq!(worker.buffer(slot, JOB_BYTES).expect("a slot's buffer").len(), JOB_BYTES);
    }
    worker.start(&family.stream(1, 0), deadline()).expect("a start");
    assert!(worker.finish(Instant::now()).is_err(), "finish without a job");
}

fn one_job(worker: &mut Subject, cipher: &Work, slot: usize, job: Job) {
    let text = text(job.offset as usize, job.len);
    fill(worker, slot, &text);
    worker.submit(slot, job).expect("a job is submitted");
    assert_eq!(worker.finish(deadline()).expect("a job finishes"), slot);
    check(worker, cipher, slot, job, text);
}

fn check(worker: &mut Subject, cipher: &Work, slot: usize, job: Job, mut text: Vec<u8>) {
    cipher.apply(job, &mut text).expect("a cipher refuses nothing");
    let found = worker.buffer(slot, job.len).expect("a slot's buffer");
    assert!(found == text, "{job:?} in slot {slot} has a wrong result");
}

fn lengths(worker: &mut Subject, family: Family) {
    let cipher = family.stream(2, 1000);
    worker.start(&cipher, deadline()).expect("a start");
    let slots = worker.slots();
    for (n, len) in [0, 1, 63, 64, 65, 1000, 4096, 65_537, JOB_BYTES].into_iter().enumerate() {
        one_job(worker, &cipher, n % slots, piece(64 * n, len));
    }
    worker.stop(deadline()).expect("a stop");
}

fn all_slots(worker: &mut Subject, family: Family) {
    let cipher = family.stream(3, 0);
    worker.start(&cipher, deadline()).expect("a start");
    let job = |slot: usize, len| piece(slot * JOB_BYTES, len);
    for round in 0..3 {
        let len = 5000 + 77 * round;
        for slot in 0..worker.slots() {
            fill(worker, slot, &text(slot, len));
            worker.submit(slot, job(slot, len)).expect("a job is submitted");
        }
        for slot in 0..worker.slots() {
            assert_eq!(worker.finish(deadline()).expect("a job finishes"), slot, "oldest first");
            check(worker, &cipher, slot, job(slot, len), text(slot, len));
        }
    }
    worker.stop(deadline()).expect("a stop");
}

fn end_of_the_counter(worker: &mut Subject, family: Family) {
    let cipher = family.stream(4, u32::MAX - 2);
    worker.start(&cipher, deadline()).expect("a start");
    one_job(worker, &cipher, 0, piece(0, 192));
    one_job(worker, &cipher, 0, piece(128, 64));
    worker.stop(deadline()).expect("a stop");
}

fn several_runs(worker: &mut Subject, family: Family) {
    for run in 5..8 {
        let cipher = family.stream(run, 0);
        worker.start(&cipher, deadline()).expect("a start");
        one_job(worker, &cipher, 0, piece(0, 300));
        let report = worker.stop(deadline()).expect("a stop");
        if let Some(device) = report {
            assert_eq!(device.counters.jobs, 1, "counters are those of the run");
            assert_eq!(device.counters.bytes, 300, "counters are those of the run");
        }
        assert!(worker.submit(0, piece(0, 1)).is_err(), "the cipher is forgotten");
    }
}
