// SPDX-License-Identifier: Apache-2.0
//! Chunks through files and pipes: sealed as OpenSSL seals them one by one, opened again, and
//! refused when they are not what was sealed.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{io::Cursor, time::Duration};

use common::{
    Collected, MemoryFile, chunks, cpu, device, device_as, engine, mock, sealed_chunk,
    sealed_chunks, text,
};
use saltmill_device::mock::{MockConfig, MockCore, MockFault};
use saltmill_engine::{
    CHUNK_BYTES, EngineError, Event, Report, SEALED_CHUNK_BYTES, TAG_BYTES, Transfer, Work, Worker,
    WorkerFault,
};

/// Sets of workers by name.
fn teams() -> Vec<(&'static str, Vec<Box<dyn Worker>>)> {
    let slow = WorkerFault::Slow(Duration::from_millis(2));
    vec![
        ("one CPU", vec![cpu(0)]),
        ("two CPUs", vec![cpu(0), cpu(1)]),
        ("device", vec![device(true, Transfer::Text, vec![])]),
        ("CPU and device", vec![cpu(0), device(true, Transfer::Keystream, vec![])]),
        ("fast and slow", vec![cpu(0), mock(0, 4, slow), mock(1, 1, slow)]),
    ]
}

/// Lengths at the edges of chunks.
const LENGTHS: [usize; 9] = [
    0,
    1,
    1000,
    CHUNK_BYTES - 1,
    CHUNK_BYTES,
    CHUNK_BYTES + 1,
    2 * CHUNK_BYTES,
    5 * CHUNK_BYTES,
    9 * CHUNK_BYTES + 12_345,
];

/// Runs some work on an input.
type Way = fn(Vec<Box<dyn Worker>>, Work, &[u8]) -> Outcome;
type Outcome = (Result<Report, EngineError>, Vec<u8>, Vec<Event>);

fn keep(events: &mut Vec<Event>, event: Event) {
    if !matches!(event, Event::Progress(_)) {
        events.push(event);
    }
}

fn file(workers: Vec<Box<dyn Worker>>, work: Work, input: &[u8]) -> Outcome {
    let (file, output) = (MemoryFile::new(input.to_vec()), MemoryFile::new(Vec::new()));
    let mut events = Vec::new();
    let outcome = engine(workers)
        .in_place(work, &file, input.len() as u64, &output, &mut |e| keep(&mut events, e));
    (outcome, output.bytes.into_inner().unwrap(), events)
}

fn pipe(workers: Vec<Box<dyn Worker>>, work: Work, input: &[u8]) -> Outcome {
    let (input, output) = (Box::new(Cursor::new(input.to_vec())), Collected::default());
    let mut events = Vec::new();
    let outcome = engine(workers)
        .streamed(work, input, Box::new(output.clone()), &mut |e| keep(&mut events, e));
    let written = output.0.lock().unwrap().clone();
    (outcome, written, events)
}

#[test]
fn files_and_pipes_are_sealed_and_opened() {
    for len in LENGTHS {
        let (text, sealed) = (text(len), sealed_chunks(len).concat());
        for way in [file, pipe] {
            for (name, workers) in teams() {
                let (report, found, _) = way(workers, Work::Seal(chunks()), &text);
                assert!(found == sealed, "{name}, {len} bytes are sealed wrongly");
                assert_eq!(report.unwrap().bytes, len as u64);
            }
            for (name, workers) in teams() {
                let (report, found, _) = way(workers, Work::Open(chunks()), &sealed);
                assert!(found == text, "{name}, {len} bytes are opened wrongly");
                assert_eq!(report.unwrap().bytes, sealed.len() as u64);
            }
        }
    }
}

/// Every way to spoil a sealed input, with the first chunk that is not what was sealed there.
fn spoiled() -> Vec<(&'static str, Vec<Vec<u8>>, u64)> {
    let good = sealed_chunks(6 * CHUNK_BYTES + 500);
    let with = |change: &dyn Fn(&mut Vec<Vec<u8>>)| {
        let mut chunks = good.clone();
        change(&mut chunks);
        chunks
    };
    let whole = || sealed_chunks(2 * CHUNK_BYTES);
    vec![
        ("a bit of the first byte", with(&|c| c[0][0] ^= 1), 0),
        ("a bit of the text", with(&|c| c[3][5000] ^= 0x80), 3),
        ("a bit of a tag", with(&|c| c[4][CHUNK_BYTES + 15] ^= 1), 4),
        ("a bit of the last tag", with(&|c| c[6][515] ^= 1), 6),
        ("the last chunk is missing", with(&|c| c.truncate(6)), 5),
        ("the first chunk is missing", with(&|c| drop(c.remove(0))), 0),
        ("a chunk in the middle is missing", with(&|c| drop(c.remove(3))), 3),
        ("the last byte is missing", with(&|c| c[6].truncate(515)), 6),
        ("the end is missing", with(&|c| c[6].truncate(TAG_BYTES)), 6),
        ("less than a tag is left", with(&|c| c[6].truncate(TAG_BYTES - 1)), 6),
        ("the middle of a chunk is the end", with(&|c| (c.truncate(4), c[3].truncate(999)).0), 3),
        ("nothing is left", Vec::new(), 0),
        ("less than a tag is all", vec![vec![0; TAG_BYTES - 1]], 0),
        ("two chunks are exchanged", with(&|c| c.swap(1, 2)), 1),
        ("a chunk is there twice", with(&|c| c.insert(2, c[2].clone())), 3),
        ("the last chunk is there twice", [whole(), vec![whole()[1].clone()]].concat(), 1),
        ("a byte follows", with(&|c| c.push(vec![0])), 6),
        ("a byte follows whole chunks", [whole(), vec![vec![0]]].concat(), 1),
        (
            "an empty chunk follows, sealed",
            {
                let texts = [0, 1]
                    .map(|n| text(2 * CHUNK_BYTES)[n * CHUNK_BYTES..][..CHUNK_BYTES].to_vec());
                let [first, second] = [0, 1].map(|n| sealed_chunk(n, false, &texts[n]));
                vec![first, second, sealed_chunk(2, true, &[])]
            },
            2,
        ),
        ("noise", vec![vec![7; 2000]], 0),
    ]
}

#[test]
fn what_is_not_as_it_was_sealed_is_refused_and_not_released() {
    let original = text(6 * CHUNK_BYTES + 500);
    for (name, chunks_of_it, first_bad) in spoiled() {
        let input = chunks_of_it.concat();
        let good = first_bad as usize * CHUNK_BYTES;
        for (kind, way) in [("file", file as Way), ("pipe", pipe)] {
            for (team, workers) in teams() {
                let (outcome, written, events) = way(workers, Work::Open(chunks()), &input);
                let Err(EngineError::Refused(refused)) = outcome else {
                    panic!("{name}, {team}: {outcome:?}")
                };
                assert!(refused.chunk >= first_bad, "{name}, {team}: {refused}");
                assert_eq!(refused.offset, refused.chunk * (CHUNK_BYTES + TAG_BYTES) as u64);
                assert_eq!(events, [], "{name}, {team}: no worker is at fault");
                // Of the bad chunk there is nothing: zeros are where a later chunk made the file
                // longer.
                let end = written.len().min(good + CHUNK_BYTES);
                let released = written.get(good..end).unwrap_or_default();
                assert!(released.iter().all(|byte| *byte == 0), "{name}, {team}: released");
                if kind == "pipe" {
                    assert!(written.len() <= good, "{name}, {team}: chunks behind it released");
                    assert!(original.starts_with(&written), "{name}, {team}: what came is right");
                }
            }
        }
    }
}

#[test]
fn one_bad_chunk_is_the_one_that_is_named() {
    for bad in [0, 3, 6] {
        let mut chunks_of_it = sealed_chunks(6 * CHUNK_BYTES + 500);
        chunks_of_it[bad][17] ^= 4;
        for way in [file, pipe] {
            for (team, workers) in teams() {
                let (outcome, ..) = way(workers, Work::Open(chunks()), &chunks_of_it.concat());
                let Err(EngineError::Refused(refused)) = outcome else { panic!("{team}") };
                assert_eq!(refused.chunk, bad as u64, "{team}");
            }
        }
    }
}

/// The first of several bad chunks is named, whichever is found first, and a pipe gets all in front
/// of it: no less than from a program that opens one chunk after the other.
#[test]
fn a_pipe_gets_all_chunks_in_front_of_a_bad_one() {
    const CHUNKS: usize = 70; // more than there are buffers
    let text = text(CHUNKS * CHUNK_BYTES);
    for bad in [0, 1, 31, 40, 68] {
        let mut changed = sealed_chunks(text.len());
        changed[bad][17] ^= 4;
        let first_of_many = {
            let mut changed = changed.clone();
            changed[bad + 1..].iter_mut().for_each(|chunk| chunk[99] ^= 1);
            changed.concat()
        };
        let whole = bad * SEALED_CHUNK_BYTES;
        let cut = |bytes: usize| sealed_chunks(text.len()).concat()[..whole + bytes].to_vec();
        for (input, named) in [
            (changed.concat(), bad),
            (first_of_many, bad),
            (cut(TAG_BYTES - 1), bad),
            (cut(5000), bad),
            (cut(SEALED_CHUNK_BYTES), bad),
        ] {
            for (team, workers) in teams() {
                let (outcome, found, _) = pipe(workers, Work::Open(chunks()), &input);
                let Err(EngineError::Refused(refused)) = outcome else { panic!("{team}") };
                assert_eq!(refused.chunk, named as u64, "{team}");
                assert!(found == text[..named * CHUNK_BYTES], "{team}: {} bytes", found.len());
            }
        }
    }
}

/// Devices that fail in mid-run, and one that can't do it at all: others do the jobs.
#[test]
fn a_device_that_fails_is_replaced() {
    let len = 20 * CHUNK_BYTES + 99;
    let (text, sealed) = (text(len), sealed_chunks(len).concat());
    let faults = [
        MockFault::HangAfter(2),
        MockFault::GoneAfter(2),
        MockFault::RefuseReadsAfter(30),
        MockFault::Status { job: 1, status: 8 },
    ];
    let config = |fault| MockConfig { faults: vec![fault], ..MockConfig::default() };
    let unable = MockConfig { core: MockCore::ChaCha20, ..MockConfig::default() };
    for config in faults.map(config).into_iter().chain([unable]) {
        for way in [file, pipe] {
            let works =
                [(Work::Seal(chunks()), &text, &sealed), (Work::Open(chunks()), &sealed, &text)];
            for (work, input, expected) in works {
                let slow = mock(9, 1, WorkerFault::Slow(Duration::from_millis(2)));
                let team = vec![slow, device_as(config.clone(), Transfer::Text)];
                let (report, found, events) = way(team, work, input);
                assert!(found == *expected, "{:?}", config.faults);
                assert_eq!(report.unwrap().bytes, input.len() as u64);
                let [Event::WorkerFailed { worker, .. }] = &events[..] else {
                    panic!("one warning, not {events:?}")
                };
                assert_eq!(worker, "mock-device:0");
            }
        }
    }
}

/// A wrong status is the device's fault where there is no tag to compare.
#[test]
fn a_device_that_refuses_to_seal_is_replaced() {
    let text = text(5 * CHUNK_BYTES);
    let fault = MockFault::Status { job: 1, status: 10 };
    let slow = mock(9, 1, WorkerFault::Slow(Duration::from_millis(2)));
    let team = vec![slow, device(true, Transfer::Text, vec![fault])];
    let (report, found, _) = file(team, Work::Seal(chunks()), &text);
    assert!(report.is_ok() && found == sealed_chunks(text.len()).concat());
}
