// SPDX-License-Identifier: Apache-2.0
//! Workers on simulated devices: the suite on every variant, and a file shared with the CPU.
#![cfg(feature = "sim")]
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::time::{Duration, Instant};

use common::{MemoryFile, chunks, cipher, cpu, encrypted, sealed_chunks, text};
use saltmill_device::{
    Accelerator,
    sim::{SimConfig, System, variants},
};
use saltmill_engine::{
    CHUNK_BYTES, CancelToken, DeviceWorker, Engine, JOB_BYTES, Transfer, Work, Worker, conformance,
};

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

#[test]
fn every_variant_conforms() {
    for variant in variants() {
        println!("{variant}");
        conformance::run(|| workers(&variant, 1, Transfer::Text).pop().unwrap());
    }
}

#[test]
fn a_device_that_gives_keystream_conforms() {
    conformance::run(|| workers("ring2", 1, Transfer::Keystream).pop().unwrap());
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
        assert!(team.iter().all(|worker| worker.supports(&work)));
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
