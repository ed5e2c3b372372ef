// SPDX-License-Identifier: Apache-2.0
//! Workers, inputs and outputs that fail; runs that are cancelled.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use std::{
    io::{self, Cursor, Read, Write},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use common::{Collected, MemoryFile, cipher, cpu, device, encrypted, engine, mock, text};
use saltmill_device::mock::MockFault;
use saltmill_engine::{
    CancelToken, Engine, EngineError, Event, JOB_BYTES, Report, TaskEvent, Transfer, Worker,
    WorkerFault,
};

const LEN: usize = 20 * JOB_BYTES + 99;

/// Runs as a file and as a pipe; both must give the right bytes, or the same kind of error.
fn both(team: impl Fn() -> Vec<Box<dyn Worker>>) -> [(Result<Report, EngineError>, Vec<Event>); 2] {
    let mut warnings = [Vec::new(), Vec::new()];
    let [file_events, pipe_events] = &mut warnings;
    let keep = |events: &mut Vec<Event>, event| {
        if !matches!(event, Event::Progress(_)) {
            events.push(event);
        }
    };
    let (input, output) = (MemoryFile::new(text(LEN)), MemoryFile::new(Vec::new()));
    let file = engine(team())
        .in_place(cipher(), &input, LEN as u64, &output, &mut |e| keep(file_events, e));
    assert!(file.is_err() || *output.bytes.lock().unwrap() == encrypted(LEN));

    let (input, output) = (Box::new(Cursor::new(text(LEN))), Collected::default());
    let pipe = engine(team())
        .streamed(cipher(), input, Box::new(output.clone()), &mut |e| keep(pipe_events, e));
    assert!(pipe.is_err() || *output.0.lock().unwrap() == encrypted(LEN));
    let [file_events, pipe_events] = warnings;
    [(file, file_events), (pipe, pipe_events)]
}

/// The failing worker is taken out, the user is told, and the bytes are right all the same.
fn survives(name: &str, failing: impl Fn() -> Box<dyn Worker>) {
    let slow = WorkerFault::Slow(Duration::from_millis(2));
    for (outcome, events) in both(|| vec![mock(9, 1, slow), failing()]) {
        let report = outcome.unwrap();
        let [Event::WorkerFailed { worker, reason }] = &events[..] else {
            panic!("one warning, not {events:?}")
        };
        assert_eq!(worker, name);
        let failed = report.workers.iter().find(|w| w.name == name).unwrap();
        assert_eq!(failed.failure.as_ref(), Some(reason));
    }
}

#[test]
fn a_panic_ends_the_run() {
    let slow = WorkerFault::Slow(Duration::from_millis(2));
    for (outcome, _) in both(|| vec![mock(9, 1, slow), mock(0, 1, WorkerFault::PanicAfter(1))]) {
        let error = outcome.unwrap_err();
        assert!(matches!(&error, EngineError::WorkerPanicked { worker } if worker == "mock:0"));
    }
}

#[test]
fn a_failing_worker_is_replaced() {
    for slots in [1, 4] {
        for fault in [
            WorkerFault::NoStart,
            WorkerFault::SubmitAfter(0),
            WorkerFault::SubmitAfter(3),
            WorkerFault::HangAfter(0),
            WorkerFault::HangAfter(2),
        ] {
            survives("mock:0", || mock(0, slots, fault));
        }
    }
}

#[test]
fn a_failing_device_is_replaced() {
    for fault in [
        MockFault::HangAfter(2),
        MockFault::GoneAfter(2),
        MockFault::RefuseReadsAfter(30),
        MockFault::Status { job: 1, status: 8 },
    ] {
        survives("mock-device:0", || device(true, Transfer::Text, vec![fault]));
    }
}

#[test]
fn no_worker_left_is_an_error() {
    for team in [0, 1, 3] {
        let workers = || (0..team).map(|n| mock(n, 2, WorkerFault::HangAfter(1))).collect();
        for (outcome, events) in both(workers) {
            assert!(matches!(outcome, Err(EngineError::NoWorkerLeft)), "{outcome:?}");
            assert_eq!(events.len(), team);
        }
    }
}

#[test]
fn a_file_that_ends_early_or_can_not_be_read_is_an_error() {
    let short = MemoryFile::new(text(LEN - 1));
    let bad = MemoryFile { bad_from: 5 * JOB_BYTES as u64, ..MemoryFile::new(text(LEN)) };
    for (input, from) in [(short, 20 * JOB_BYTES as u64), (bad, 5 * JOB_BYTES as u64)] {
        let output = MemoryFile::new(Vec::new());
        let mut engine = engine(vec![cpu(0), cpu(1)]);
        let error = engine.in_place(cipher(), &input, LEN as u64, &output, &mut |_| {});
        let error = error.unwrap_err();
        assert!(matches!(error, EngineError::Read { offset, .. } if offset >= from), "{error:?}");
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let input = MemoryFile::new(text(LEN));
    let output = MemoryFile { bad_from: JOB_BYTES as u64, ..MemoryFile::new(Vec::new()) };
    let mut engine = engine(vec![cpu(0), device(true, Transfer::Text, vec![])]);
    let error = engine.in_place(cipher(), &input, LEN as u64, &output, &mut |_| {}).unwrap_err();
    let full = |source: &io::Error| source.kind() == io::ErrorKind::StorageFull;
    assert!(matches!(&error, EngineError::Write { source, .. } if full(source)), "{error:?}");
}

/// Fails in the middle.
struct Broken;

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::ConnectionReset.into())
    }
}

#[test]
fn broken_pipes_are_errors() {
    let mut engine = engine(vec![cpu(0), cpu(1)]);
    let input = Box::new(io::repeat(7));
    let error = engine.streamed(cipher(), input, Box::new(Broken), &mut |_| {}).unwrap_err();
    assert!(matches!(error, EngineError::Write { offset: 0, .. }), "{error:?}");
    let input = Box::new(Cursor::new(text(LEN)).chain(Broken));
    let error = engine.streamed(cipher(), input, Box::new(io::sink()), &mut |_| {}).unwrap_err();
    let at = LEN as u64;
    assert!(matches!(error, EngineError::Read { offset, .. } if offset == at), "{error:?}");
}

/// An input that never comes.
struct Stuck;

impl Read for Stuck {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        thread::sleep(Duration::from_secs(3600));
        Ok(0)
    }
}

#[test]
fn cancelling_ends_a_run_at_once() {
    let inputs: [Box<dyn Read + Send>; 2] = [Box::new(Stuck), Box::new(io::repeat(1))];
    for input in inputs {
        let cancel = CancelToken::default();
        let asker = cancel.clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(100));
            asker.cancel();
        });
        let started = Instant::now();
        let slow = mock(0, 2, WorkerFault::Slow(Duration::from_millis(5)));
        let mut engine = Engine::new(vec![cpu(0), slow], Duration::from_secs(10), cancel);
        let outcome = engine.streamed(cipher(), input, Box::new(io::sink()), &mut |_| {});
        assert!(matches!(outcome, Err(EngineError::Cancelled)), "{outcome:?}");
        assert!(started.elapsed() < Duration::from_secs(5));
    }
}

/// A file after the one in which it failed is not its business.
#[test]
fn a_worker_that_has_failed_stays_out() {
    let mut engine = engine(vec![cpu(1), mock(0, 2, WorkerFault::SubmitAfter(0))]);
    let mut failed = 0;
    let mut run = || {
        let (input, output) = (MemoryFile::new(text(LEN)), MemoryFile::new(Vec::new()));
        let report = engine.in_place(cipher(), &input, LEN as u64, &output, &mut |event| {
            failed += usize::from(matches!(event, Event::WorkerFailed { .. }));
        });
        assert!(*output.bytes.lock().unwrap() == encrypted(LEN));
        let workers = report.unwrap().workers.into_iter();
        (failed, workers.map(|worker| worker.name).collect::<Vec<_>>())
    };
    // On a busy machine the other one may do a whole file before this one has started.
    let first = (0..100).map(|_| run()).find(|(failed, _)| *failed > 0);
    assert_eq!(first, Some((1, vec!["cpu:1".into(), "mock:0".into()])));
    for _ in 0..2 {
        assert_eq!(run(), (1, vec!["cpu:1".into()]));
    }
}

/// Tasks side by side: those of a worker that fails or panics are another's, and what fails in a
/// task ends nothing.
#[test]
fn tasks_go_to_others() {
    for fault in
        [WorkerFault::SubmitAfter(0), WorkerFault::PanicAfter(0), WorkerFault::HangAfter(0)]
    {
        let mut engine = engine(vec![cpu(1), mock(0, 2, fault)]);
        let (mut good, mut bad, mut failed) = (0, 0, 0);
        let ended = engine.each(
            usize::MAX,
            &mut (0..200),
            &|worker, number: &usize| {
                let len = 1000 + number;
                let input = MemoryFile::new(text(len));
                let output = MemoryFile::new(Vec::new());
                // One in ten says more than there is.
                let said = len as u64 + u64::from(number.is_multiple_of(10));
                let report = worker.in_place(cipher(), &input, said, &output)?;
                assert!(*output.bytes.lock().unwrap() == encrypted(len));
                Ok::<_, EngineError>(report)
            },
            &mut |told| match told {
                TaskEvent::Ended(_, Ok(_)) => good += 1,
                TaskEvent::Ended(number, Err(EngineError::Read { .. }))
                    if number.is_multiple_of(10) =>
                {
                    bad += 1;
                }
                TaskEvent::Ended(number, Err(error)) => panic!("{number}: {error}"),
                TaskEvent::Waiting => {}
                TaskEvent::Event(_) => failed += 1,
            },
        );
        ended.unwrap();
        assert_eq!((good, bad), (180, 20));
        assert!(failed <= 1, "one worker fails once, if it gets a task");
    }
    let nobody = engine(vec![mock(0, 1, WorkerFault::NoStart)]).each(
        9,
        &mut (0..5),
        &|worker, _| {
            let (input, output) = (MemoryFile::new(text(9)), MemoryFile::new(Vec::new()));
            worker.in_place(cipher(), &input, 9, &output)
        },
        &mut |_| {},
    );
    assert!(matches!(nobody, Err(EngineError::NoWorkerLeft)));
}

/// A panic in what is done with a task, outside the guard around a worker's job: the task is done
/// by another worker, and the one that was there gets no more.
#[test]
fn a_task_that_panics_takes_its_worker_out() {
    let mut engine = engine(vec![cpu(0), cpu(1)]);
    let once = AtomicBool::new(true);
    let (mut done, mut failed) = (Vec::new(), Vec::new());
    let ended = engine.each(
        usize::MAX,
        &mut (0..50),
        &|worker, number: &usize| {
            assert!(*number != 7 || !once.swap(false, Ordering::SeqCst), "a fault of the caller");
            let output = MemoryFile::new(Vec::new());
            worker.in_place(cipher(), &MemoryFile::new(text(100)), 100, &output)
        },
        &mut |told| match told {
            TaskEvent::Ended(number, outcome) => done.push((number, outcome.unwrap().name)),
            TaskEvent::Event(Event::WorkerFailed { worker, reason }) => {
                failed.push((worker, reason));
            }
            TaskEvent::Waiting | TaskEvent::Event(_) => {}
        },
    );
    ended.unwrap();
    let [(worker, reason)] = &failed[..] else { panic!("{failed:?}") };
    assert_eq!(reason, "it crashed");
    let behind = done.iter().position(|(number, _)| *number == 7).unwrap();
    assert!(done[behind..].iter().all(|(_, name)| name != worker), "{done:?}");
    let mut numbers: Vec<_> = done.into_iter().map(|(number, _)| number).collect();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..50), "each of them once");
}
