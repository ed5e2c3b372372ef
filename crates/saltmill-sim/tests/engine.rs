// SPDX-License-Identifier: Apache-2.0
//! Workers on simulated devices: the suite on every variant, and a file shared with the CPU.
#![allow(clippy::unwrap_used, reason = "tests")]

// What the engine's own tests share.
#[path = "../../saltmill-engine/tests/common/mod.rs"]
mod common;

use std::time::{Duration, Instant};

use common::{
    MemoryFile, aes, chunks, cipher, cpu, encrypted, sealed_chunks, sealed_chunks_with, text,
};
use openssl::symm;
use saltmill_device::{Accelerator, KeySize};
use saltmill_engine::{
    AesCtr, AesKey, Algorithm, CHUNK_BYTES, CancelToken, Chunks, DeviceWorker, Engine, EngineError,
    JOB_BYTES, Transfer, Work, Worker, conformance,
};
use saltmill_sim::{SimConfig, System, variants};

fn workers(variant: &str, devices: usize, transfer: Transfer) -> Vec<Box<dyn Worker>> {
    let dma_bytes = 4 * JOB_BYTES + (64 << 10);
    let config = SimConfig { variant: variant.into(), devices, dma_bytes, ..SimConfig::default() };
    let worker = |device| {
        let deadline = Instant::now() + Duration::from_secs(60);
        let accelerator = Accelerator::probe(device, deadline).unwrap();
        Box::new(DeviceWorker::new(accelerator, transfer).unwrap()) as Box<dyn Worker>
    };
    System::new(config).unwrap().into_iter().map(worker).collect()
}

/// Of digests alone: the engine has no work for it.
const WITHOUT_A_CIPHER: [&str; 2] = ["md5-ring", "sha256-ring"];

#[test]
fn every_variant_conforms() {
    let ciphers = |variant: &String| !WITHOUT_A_CIPHER.contains(&variant.as_str());
    for variant in variants().into_iter().filter(ciphers) {
        println!("{variant}");
        conformance::run(|| workers(&variant, 1, Transfer::Text).pop().unwrap());
    }
}

#[test]
fn a_device_of_digests_supports_no_cipher() {
    for variant in WITHOUT_A_CIPHER {
        let worker = workers(variant, 1, Transfer::Text).pop().unwrap();
        assert!(Algorithm::all().all(|algorithm| !worker.supports(algorithm)), "{variant}");
    }
}

#[test]
fn a_device_that_gives_keystream_conforms() {
    for variant in ["ring2", "aes-pipe"] {
        conformance::run(|| workers(variant, 1, Transfer::Keystream).pop().unwrap());
    }
}

/// Sealed by two devices and the CPU as OpenSSL seals it, and opened again.
#[test]
fn devices_and_cpu_share_chunks() {
    let len = 20 * CHUNK_BYTES + 1;
    let (text, sealed) = (text(len), sealed_chunks(len).concat());
    let works = [(Work::Seal(chunks()), &text, &sealed), (Work::Open(chunks()), &sealed, &text)];
    for (work, from, to) in works {
        let (input, output) = (MemoryFile::new(from.clone()), MemoryFile::new(Vec::new()));
        let mut team = workers("aead-balanced", 2, Transfer::Text);
        assert!(team.iter().all(|worker| worker.supports(work.algorithm())));
        team.push(cpu(0));
        let mut engine = Engine::new(team, Duration::from_secs(60), CancelToken::default());
        let len = from.len() as u64;
        let report = engine.in_place(work, &input, len, &output, &mut |_| {}).unwrap();
        assert!(*output.bytes.lock().unwrap() == *to);
        assert!(report.workers.iter().all(|worker| worker.failure.is_none()));
    }
}

#[test]
fn devices_and_cpu_share_a_file() {
    let len = 10 * JOB_BYTES + 1;
    let (input, output) = (MemoryFile::new(text(len)), MemoryFile::new(Vec::new()));
    let mut team = workers("ring2", 2, Transfer::Text);
    team.push(cpu(0));
    let mut engine = Engine::new(team, Duration::from_secs(60), CancelToken::default());
    let report = engine.in_place(cipher(), &input, len as u64, &output, &mut |_| {}).unwrap();
    assert!(*output.bytes.lock().unwrap() == encrypted(len));
    for worker in report.workers.iter().filter(|worker| worker.name.starts_with("sim")) {
        let counters = worker.device.as_ref().unwrap().counters;
        assert_eq!((counters.jobs, counters.bytes), (worker.jobs, worker.bytes));
    }
}

/// Two AES devices and the CPU on one input.
fn by_aes_and_cpu(work: Work, from: &[u8]) -> (Vec<u8>, Result<(), EngineError>) {
    let (input, output) = (MemoryFile::new(from.to_vec()), MemoryFile::new(Vec::new()));
    let mut team = workers("aes-ring", 2, Transfer::Text);
    assert!(team.iter().all(|worker| worker.supports(work.algorithm())));
    team.push(cpu(0));
    let mut engine = Engine::new(team, Duration::from_secs(60), CancelToken::default());
    let report = engine.in_place(work, &input, from.len() as u64, &output, &mut |_| {});
    let outcome = report.map(|report| {
        assert!(report.workers.iter().all(|worker| worker.failure.is_none()));
    });
    (output.bytes.into_inner().unwrap(), outcome)
}

#[test]
fn devices_and_cpu_share_aes_as_openssl_has_it() {
    let iv = [0xFF; 16];
    let (len, sealed_len) = (2 * JOB_BYTES + 1, 5 * CHUNK_BYTES + 1);
    let [short, _, long] = aes();
    for (key, ctr, gcm) in [short, long] {
        let stream = AesCtr::new(AesKey::new(key).unwrap(), iv);
        let (found, outcome) = by_aes_and_cpu(stream.into(), &text(len));
        outcome.unwrap();
        assert!(found == symm::encrypt(ctr, key, Some(&iv), &text(len)).unwrap());

        let chunks = || Chunks::new(AesKey::new(key).unwrap());
        let expected = sealed_chunks_with(gcm, key, sealed_len);
        let (sealed, outcome) = by_aes_and_cpu(Work::Seal(chunks()), &text(sealed_len));
        outcome.unwrap();
        assert!(sealed == expected.concat());
        let (opened, outcome) = by_aes_and_cpu(Work::Open(chunks()), &sealed);
        outcome.unwrap();
        assert!(opened == text(sealed_len));
    }
}

/// As with ChaCha20-Poly1305: named, and nothing of it is written.
#[test]
fn a_changed_chunk_of_aes_is_refused_by_whoever_has_it() {
    let (key, _, gcm) = aes()[1];
    let good = sealed_chunks_with(gcm, key, 5 * CHUNK_BYTES);
    for bad in 0..good.len() {
        let mut chunks = good.clone();
        chunks[bad][1000] ^= 1;
        let work = Work::Open(Chunks::new(AesKey::new(key).unwrap()));
        let (written, outcome) = by_aes_and_cpu(work, &chunks.concat());
        let Err(EngineError::Refused(refused)) = outcome else { panic!("{outcome:?}") };
        assert_eq!(refused.chunk, bad as u64);
        let place =
            (bad * CHUNK_BYTES).min(written.len())..written.len().min((bad + 1) * CHUNK_BYTES);
        assert!(written[place].iter().all(|byte| *byte == 0));
    }
}

#[test]
fn devices_say_what_they_can_do() {
    let able = |variant: &str| workers(variant, 1, Transfer::Text).remove(0);
    let (ring, fast) = (able("ring2"), able("aead-fast"));
    let (aes_ring, aes_pipe) = (able("aes-ring"), able("aes-pipe"));
    for algorithm in Algorithm::all() {
        let size = match algorithm {
            Algorithm::AesCtr(size) | Algorithm::AesGcm(size) => Some(size),
            _ => None,
        };
        assert_eq!(ring.supports(algorithm), algorithm == Algorithm::ChaCha20, "{algorithm}");
        assert_eq!(fast.supports(algorithm), size.is_none(), "{algorithm}");
        assert_eq!(aes_ring.supports(algorithm), size.is_some(), "{algorithm}");
        assert_eq!(aes_pipe.supports(algorithm), size == Some(KeySize::Bits128), "{algorithm}");
    }
}
