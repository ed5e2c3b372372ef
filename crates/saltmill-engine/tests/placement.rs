// SPDX-License-Identifier: Apache-2.0
//! Files and pipes, with workers of all kinds: the bytes are those of the cipher alone.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    io::{Cursor, Read},
    time::Duration,
};

use common::{Collected, MemoryFile, cipher, cpu, device, encrypted, engine, lengths, mock, text};
use saltmill_engine::{Cipher, EngineError, Event, JOB_BYTES, Key, Transfer, Worker, WorkerFault};

/// Sets of workers by name.
fn teams() -> Vec<(&'static str, Vec<Box<dyn Worker>>)> {
    let slow = WorkerFault::Slow(Duration::from_millis(5));
    vec![
        ("one CPU", vec![cpu(0)]),
        ("two CPUs", vec![cpu(0), cpu(1)]),
        ("device", vec![device(true, Transfer::Text, vec![])]),
        (
            "CPU and devices",
            vec![
                cpu(0),
                device(true, Transfer::Keystream, vec![]),
                device(false, Transfer::Text, vec![]),
            ],
        ),
        ("fast and slow", vec![cpu(0), mock(0, 4, slow), mock(1, 1, slow)]),
    ]
}

#[test]
fn files_in_place() {
    for (name, workers) in teams() {
        let mut engine = engine(workers);
        for len in lengths() {
            let (input, output) = (MemoryFile::new(text(len)), MemoryFile::new(Vec::new()));
            let report =
                engine.in_place(cipher(), &input, len as u64, &output, &mut |_| {}).unwrap();
            assert!(*output.bytes.lock().unwrap() == encrypted(len), "{name}, {len} bytes");
            assert_eq!(report.bytes, len as u64);
            assert_eq!(report.workers.iter().map(|w| w.bytes).sum::<u64>(), len as u64);
        }
    }
}

#[test]
fn pipes_in_order() {
    for (name, workers) in teams() {
        let mut engine = engine(workers);
        for len in lengths() {
            let (input, output) = (Box::new(Cursor::new(text(len))), Collected::default());
            let report =
                engine.streamed(cipher(), input, Box::new(output.clone()), &mut |_| {}).unwrap();
            assert!(*output.0.lock().unwrap() == encrypted(len), "{name}, {len} bytes");
            assert_eq!(report.bytes, len as u64);
        }
    }
}

/// Gives a few bytes at a time, as a pipe may.
struct Drip(Cursor<Vec<u8>>, usize);

impl Read for Drip {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.1 = self.1 * 31 % 8191 + 1;
        let len = buffer.len().min(self.1);
        self.0.read(&mut buffer[..len])
    }
}

#[test]
fn short_reads_do_not_matter() {
    let len = 3 * JOB_BYTES + 77;
    let output = Collected::default();
    let input = Box::new(Drip(Cursor::new(text(len)), 1));
    let mut engine = engine(vec![cpu(0), cpu(1)]);
    engine.streamed(cipher(), input, Box::new(output.clone()), &mut |_| {}).unwrap();
    assert!(*output.0.lock().unwrap() == encrypted(len));
}

#[test]
fn progress_ends_at_the_length() {
    let (mut last, len) = (0, 5 * JOB_BYTES);
    let slow = WorkerFault::Slow(Duration::from_millis(30));
    let (input, output) = (MemoryFile::new(text(len)), MemoryFile::new(Vec::new()));
    let mut steps = 0;
    engine(vec![mock(0, 1, slow)])
        .in_place(cipher(), &input, len as u64, &output, &mut |event| {
            let Event::Progress(bytes) = event else { panic!("{event:?}") };
            assert!(bytes >= last);
            (last, steps) = (bytes, steps + 1);
        })
        .unwrap();
    assert_eq!(last, len as u64);
    assert!(steps > 2, "progress was told {steps} times in 150 ms");
}

#[test]
fn the_counter_is_checked_before_a_byte_is_written() {
    let near = || Cipher::new(Key::new([1; 32]), [2; 12], u32::MAX - 15);
    let (input, output) = (MemoryFile::new(text(1025)), MemoryFile::new(Vec::new()));
    let mut engine = engine(vec![cpu(0)]);
    let error = engine.in_place(near(), &input, 1025, &output, &mut |_| {}).unwrap_err();
    assert!(matches!(error, EngineError::Counter(e) if e.longest == 1024), "{error}");
    assert!(output.bytes.lock().unwrap().is_empty());
    engine.in_place(near(), &input, 1024, &output, &mut |_| {}).unwrap();
    assert_eq!(output.bytes.lock().unwrap().len(), 1024);
}

#[test]
fn a_pipe_fails_where_the_counter_would_pass() {
    let blocks = (JOB_BYTES / 64) as u32;
    let near = || Cipher::new(Key::new([1; 32]), [2; 12], u32::MAX - 2 * blocks + 1);
    let longest = near().longest() as usize;
    assert_eq!(longest, 2 * JOB_BYTES);
    let mut engine = engine(vec![cpu(0), cpu(1)]);
    for (len, good) in [(longest, true), (longest + 1, false), (5 * longest, false)] {
        let (input, output) = (Box::new(Cursor::new(text(len))), Collected::default());
        let outcome = engine.streamed(near(), input, Box::new(output.clone()), &mut |_| {});
        match outcome {
            Ok(report) => assert!(good && report.bytes == len as u64),
            Err(error) => assert!(!good && matches!(error, EngineError::Counter(_)), "{error}"),
        }
        let mut expected = text(longest);
        near().apply(0, &mut expected);
        let written = output.0.lock().unwrap();
        assert!(expected.starts_with(&written), "what was written is right");
    }
}
