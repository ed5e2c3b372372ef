// SPDX-License-Identifier: Apache-2.0
//! Sealing and opening 256 MiB of chunks in memory: OpenSSL alone on one thread, and the engine
//! with CPU workers; each beside a plain copy of the same bytes.
//!
//! `cargo bench -p saltmill-engine --bench chunks`
#![allow(clippy::unwrap_used, reason = "a measurement")]

use std::{
    fs::File,
    hint::black_box,
    io::{Seek, SeekFrom, Write},
    path::Path,
    time::{Duration, Instant},
};

use openssl::{cipher::Cipher as Algorithm, cipher_ctx::CipherCtx};
use saltmill_engine::{
    CHUNK_BYTES, CancelToken, Chunks, CpuWorker, Engine, Key, SEALED_CHUNK_BYTES, Work, Worker,
};

const CHUNKS: usize = 4096;
const BYTES: usize = CHUNKS * CHUNK_BYTES;
const RUNS: usize = 7;

/// Median seconds of several runs, and the processor's seconds of one, which tell more where other
/// programs take turns.
fn measure(mut run: impl FnMut()) -> (f64, f64) {
    let before = processor_seconds();
    let mut seconds: Vec<f64> = (0..RUNS)
        .map(|_| {
            let started = Instant::now();
            run();
            started.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    (seconds[RUNS / 2], (processor_seconds() - before) / RUNS as f64)
}

/// Of this process so far, user and system, as Linux tells them: in hundredths.
fn processor_seconds() -> f64 {
    let line = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = line.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// What everything is compared with.
struct Base {
    copy: (f64, f64),
    alone: (f64, f64),
}

impl Base {
    fn report(&self, name: &str, (seconds, processor): (f64, f64)) {
        let speed = BYTES as f64 / seconds / 1e9;
        println!(
            "{name:34} {seconds:6.3} s {speed:5.2} GB/s, {:5.2} of a copy, {:5.2} of OpenSSL alone; \
             {processor:5.2} CPU s, {:5.2} of a copy, {:5.2} of OpenSSL alone (measured)",
            self.copy.0 / seconds,
            self.alone.0 / seconds,
            processor / self.copy.1,
            processor / self.alone.1,
        );
    }
}

/// OpenSSL on one thread, chunk after chunk in one buffer, with a new context for each or always
/// the same.
fn alone(reuse: bool) -> (f64, f64) {
    let (mut buffer, mut tag) = (vec![1; CHUNK_BYTES], [0; 16]);
    let mut kept = CipherCtx::new().unwrap();
    kept.encrypt_init(Some(Algorithm::chacha20_poly1305()), Some(&[7; 32]), None).unwrap();
    measure(|| {
        for number in 0..CHUNKS as u32 {
            let mut nonce = [0; 12];
            nonce[..4].copy_from_slice(&number.to_le_bytes());
            let mut new = CipherCtx::new().unwrap();
            let context = if reuse {
                kept.encrypt_init(None, None, Some(&nonce)).unwrap();
                &mut kept
            } else {
                let algorithm = Algorithm::chacha20_poly1305();
                new.encrypt_init(Some(algorithm), Some(&[7; 32]), Some(&nonce)).unwrap();
                &mut new
            };
            context.cipher_update_inplace(&mut buffer, CHUNK_BYTES).unwrap();
            context.cipher_final(&mut []).unwrap();
            context.tag(&mut tag).unwrap();
        }
        black_box(tag);
    })
}

fn engine(workers: usize) -> Engine {
    let worker = |index| Box::new(CpuWorker::new(index)) as Box<dyn Worker>;
    let team = (0..workers).map(worker).collect();
    Engine::new(team, Duration::from_secs(10), CancelToken::default())
}

fn rewound(file: &File) -> File {
    let mut file = file.try_clone().unwrap();
    file.seek(SeekFrom::Start(0)).unwrap();
    file
}

/// A kind of work.
type Kind = fn(Chunks) -> Work;

fn main() {
    let (from, mut to) = (vec![1_u8; BYTES], vec![0_u8; BYTES]);
    let copy = measure(|| black_box(&mut to[..]).copy_from_slice(black_box(&from)));
    let base = Base { copy, alone: alone(false) };
    base.report("plain copy", base.copy);
    base.report("OpenSSL alone, new contexts", base.alone);
    base.report("OpenSSL alone, one context", alone(true));

    // In memory where there is such a folder: the disk is not what is measured.
    let folder = ["/dev/shm", "."].into_iter().find(|f| Path::new(f).is_dir()).unwrap();
    let temporary = || tempfile::tempfile_in(folder).unwrap();
    let (mut text, sealed) = (temporary(), temporary());
    text.write_all(&from).unwrap();
    let chunks = || Chunks::new(Key::new([7; 32]));
    engine(1).in_place(Work::Seal(chunks()), &text, BYTES as u64, &sealed, &mut |_| {}).unwrap();
    let works = [
        ("seal", Work::Seal as Kind, &text, BYTES),
        ("open", Work::Open, &sealed, CHUNKS * SEALED_CHUNK_BYTES),
    ];
    for (name, work, input, len) in works {
        for workers in [1, 2] {
            let seconds = measure(|| {
                let output = temporary();
                let (work, len) = (work(chunks()), len as u64);
                engine(workers).in_place(work, input, len, &output, &mut |_| {}).unwrap();
            });
            base.report(&format!("{name}, file in place, {workers} workers"), seconds);
            let seconds = measure(|| {
                let (input, output) = (Box::new(rewound(input)), Box::new(temporary()));
                engine(workers).streamed(work(chunks()), input, output, &mut |_| {}).unwrap();
            });
            base.report(&format!("{name}, streamed, {workers} workers"), seconds);
        }
    }
}
