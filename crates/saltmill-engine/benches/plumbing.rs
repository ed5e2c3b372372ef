// SPDX-License-Identifier: Apache-2.0
//! What everything around the cipher costs: the same file with workers that do nothing, and with
//! workers that encrypt, in place and through the window of a pipe; and the cipher alone.
//!
//! `cargo bench -p saltmill-engine --bench plumbing`
#![allow(clippy::unwrap_used, reason = "a measurement")]

use std::{
    fs::File,
    io::Write,
    time::{Duration, Instant},
};

use saltmill_engine::{CancelToken, Cipher, CpuWorker, Engine, JOB_BYTES, Key, StubWorker, Worker};

const BYTES: u64 = 1 << 30;
const RUNS: usize = 5;

fn cipher() -> Cipher {
    Cipher::new(Key::new([7; 32]), [9; 12], 0)
}

fn team(stub: bool, workers: usize) -> Vec<Box<dyn Worker>> {
    let worker = |index| -> Box<dyn Worker> {
        if stub { Box::new(StubWorker::new(index, 1)) } else { Box::new(CpuWorker::new(index)) }
    };
    (0..workers).map(worker).collect()
}

/// Median seconds of several runs, as GB/s.
fn measure(name: &str, mut run: impl FnMut()) {
    let mut seconds: Vec<f64> = (0..RUNS)
        .map(|_| {
            let started = Instant::now();
            run();
            started.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    let median = seconds[RUNS / 2];
    println!("{name:32} {median:7.3} s {:6.2} GB/s (measured)", BYTES as f64 / median / 1e9);
}

fn main() {
    let mut buffer = vec![1; JOB_BYTES];
    measure("cipher alone, one thread", || {
        for offset in (0..BYTES).step_by(JOB_BYTES) {
            cipher().apply(offset, &mut buffer);
        }
    });
    // In memory where there is such a folder: the disk is not what is measured.
    let folder = ["/dev/shm", "."].into_iter().find(|f| std::path::Path::new(f).is_dir()).unwrap();
    let mut input = tempfile::tempfile_in(folder).unwrap();
    for _ in (0..BYTES).step_by(JOB_BYTES) {
        input.write_all(&buffer).unwrap();
    }
    for (stub, kind) in [(true, "stub"), (false, "cpu")] {
        for workers in [1, 2] {
            let engine = || {
                let cancel = CancelToken::default();
                Engine::new(team(stub, workers), Duration::from_secs(10), cancel)
            };
            measure(&format!("in place, {workers} {kind}"), || {
                let output = tempfile::tempfile_in(folder).unwrap();
                engine().in_place(cipher(), &input, BYTES, &output, &mut |_| {}).unwrap();
            });
            measure(&format!("streamed, {workers} {kind}"), || {
                let (reader, writer) = ends(&input, folder);
                engine().streamed(cipher(), reader, writer, &mut |_| {}).unwrap();
            });
        }
    }
}

/// The input from its beginning, and a new output.
fn ends(input: &File, folder: &str) -> (Box<File>, Box<File>) {
    use std::io::{Seek, SeekFrom};
    let mut reader = input.try_clone().unwrap();
    reader.seek(SeekFrom::Start(0)).unwrap();
    (Box::new(reader), Box::new(tempfile::tempfile_in(folder).unwrap()))
}
