// SPDX-License-Identifier: Apache-2.0
//! Chunks that one worker does and writes together, and those that wait while another writes.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{io, sync::Mutex, thread, time::Duration};

use common::{MemoryFile, chunks, cpu, device, engine, mock, sealed_chunks, text};
use saltmill_engine::{
    CHUNK_BYTES, EngineError, TAG_BYTES, Transfer, Work, Worker, WorkerFault, WriteAt,
};

const CHUNKS: usize = 100;
const LEN: usize = (CHUNKS - 1) * CHUNK_BYTES + 77;

/// A file that takes its time, and remembers what was written at once.
struct SlowFile {
    file: MemoryFile,
    patience: Duration,
    writes: Mutex<Vec<(u64, usize)>>,
}

impl SlowFile {
    fn new(patience: Duration) -> Self {
        Self { file: MemoryFile::new(Vec::new()), patience, writes: Mutex::default() }
    }
}

impl WriteAt for SlowFile {
    fn write_all_at(&self, buffer: &[u8], offset: u64) -> io::Result<()> {
        thread::sleep(self.patience);
        self.writes.lock().unwrap().push((offset, buffer.len()));
        self.file.write_all_at(buffer, offset)
    }
}

fn teams() -> Vec<(&'static str, Vec<Box<dyn Worker>>)> {
    let slow = WorkerFault::Slow(Duration::from_millis(2));
    vec![
        ("one CPU", vec![cpu(0)]),
        ("three CPUs", vec![cpu(0), cpu(1), cpu(2)]),
        ("CPU and device", vec![cpu(0), device(true, Transfer::Text, vec![])]),
        (
            "CPU and who fails",
            vec![cpu(0), mock(0, 2, WorkerFault::SubmitAfter(3)), mock(1, 1, slow)],
        ),
    ]
}

#[test]
fn every_byte_is_written_once_and_is_right() {
    let (text, sealed) = (text(LEN), sealed_chunks(LEN).concat());
    for patience in [Duration::ZERO, Duration::from_millis(1)] {
        for (name, work, input, expected) in [
            ("seal", Work::Seal(chunks()), &text, &sealed),
            ("open", Work::Open(chunks()), &sealed, &text),
        ] {
            for (team, workers) in teams() {
                let (source, target) = (MemoryFile::new(input.clone()), SlowFile::new(patience));
                let len = input.len() as u64;
                engine(workers).in_place(work.clone(), &source, len, &target, &mut |_| {}).unwrap();
                assert!(*target.file.bytes.lock().unwrap() == *expected, "{name}, {team}");
                let mut writes = target.writes.into_inner().unwrap();
                writes.sort_unstable();
                let mut end = 0;
                for (offset, len) in &writes {
                    assert_eq!(*offset, end, "{name}, {team}");
                    end += *len as u64;
                }
                assert_eq!(end, expected.len() as u64);
                if team == "one CPU" {
                    assert!(writes.len() < CHUNKS / 2, "{} writes", writes.len());
                }
            }
        }
    }
}

#[test]
fn a_refused_chunk_among_others_is_named_and_not_written() {
    const BAD: usize = 41; // in a run of several
    let mut sealed = sealed_chunks(LEN);
    sealed[BAD][1000] ^= 1;
    let sealed = sealed.concat();
    for workers in [vec![cpu(0)], vec![cpu(0), cpu(1)]] {
        let source = MemoryFile::new(sealed.clone());
        let target = SlowFile::new(Duration::ZERO);
        let outcome = engine(workers).in_place(
            Work::Open(chunks()),
            &source,
            sealed.len() as u64,
            &target,
            &mut |_| {},
        );
        let Err(EngineError::Refused(refused)) = outcome else { panic!("{outcome:?}") };
        let offset = (BAD * (CHUNK_BYTES + TAG_BYTES)) as u64;
        assert_eq!((refused.chunk, refused.offset), (BAD as u64, offset));
        let text = text(LEN);
        for (offset, len) in target.writes.into_inner().unwrap() {
            let range = offset as usize..offset as usize + len;
            assert!(!range.contains(&(BAD * CHUNK_BYTES)), "the bad chunk was written");
            assert!(target.file.bytes.lock().unwrap()[range.clone()] == text[range]);
        }
    }
}
