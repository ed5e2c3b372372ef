// SPDX-License-Identifier: Apache-2.0
//! `saltmill bench throughput`: tasks of 256 KiB through stub and software workers, to stub and
//! file sinks. The rows and their names are those of experiments A, B1, B2 and C of `FpgaCha`
//! (Semenov 2020); rows with devices have no wall-clock time here, only cycles (`bench device`).

use std::{
    fmt::Write as _,
    fs::File,
    io,
    path::Path,
    process,
    time::{Duration, Instant},
};

use saltmill::engine::{
    CancelToken, CpuWorker, Engine, EngineError, JOB_BYTES, ReadAt, StubWorker, Worker, WriteAt,
    cpu_implementation,
};
use serde::Serialize;

use super::{data, median, print, sinks};
use crate::{
    args::ThroughputArguments,
    report::{
        failure::{Failure, hint, reason},
        say,
    },
};

/// A task takes milliseconds.
const DEADLINE: Duration = Duration::from_secs(60);
const MIB: f64 = (1 << 20) as f64;

struct Experiment {
    name: &'static str,
    software: bool,
    workers: usize,
    to_file: bool,
}

const EXPERIMENTS: [Experiment; 4] = [
    Experiment { name: "A", software: false, workers: 1, to_file: true },
    Experiment { name: "B1", software: true, workers: 1, to_file: false },
    Experiment { name: "B2", software: true, workers: 2, to_file: false },
    Experiment { name: "C", software: true, workers: 2, to_file: true },
];

#[derive(Serialize)]
struct Found {
    label: &'static str,
    bytes: u64,
    task_bytes: usize,
    software: &'static str,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    worker: &'static str,
    workers: usize,
    sink: &'static str,
    seconds: Vec<f64>,
    mib_per_second: f64,
}

/// Runs the command.
pub fn run(arguments: &ThroughputArguments) -> Result<(), Failure> {
    if !arguments.bytes.is_multiple_of(JOB_BYTES as u64) {
        let sentence = format!("{} bytes are no whole number of tasks", arguments.bytes);
        return Err(Failure::usage(sentence, format!("a task has {JOB_BYTES} bytes")));
    }
    let folder = arguments.folder.as_path();
    let failed = |error: EngineError| unusable(folder, &error.to_string());
    let input = random(folder, arguments.bytes)?;
    let rows = EXPERIMENTS
        .iter()
        .map(|experiment| experiment.measure(arguments, &input))
        .collect::<Result<Vec<_>, _>>()?;
    // What was measured is worth nothing if it is not what it claims to be.
    let sealed = nameless(folder)?;
    let mut engine = EXPERIMENTS[3].engine();
    work(&mut engine, &input, arguments.bytes, &sealed).map_err(failed)?;
    work(&mut engine, &sealed, arguments.bytes, &sinks::SameAs(&input)).map_err(failed)?;
    // Any stream, applied twice, gives the input back: two tasks are looked at.
    for offset in [0, arguments.bytes.saturating_sub(JOB_BYTES as u64)] {
        let read = |file: &File| {
            let mut task = vec![0; JOB_BYTES.min(arguments.bytes as usize)];
            file.read_exact_at(&mut task, offset).map(|()| task)
        };
        let both = read(&input).and_then(|input| Ok((input, read(&sealed)?)));
        let (mut task, found) = both.map_err(|error| unusable(folder, &reason(&error)))?;
        data::chacha20().apply(offset, &mut task);
        if task != found {
            return Err(unusable(folder, "what was written is not what was to be written"));
        }
    }

    let found = Found {
        label: "measured",
        bytes: arguments.bytes,
        task_bytes: JOB_BYTES,
        software: cpu_implementation(),
        rows,
    };
    print(&found, arguments.json, table)
}

impl Experiment {
    fn measure(&self, arguments: &ThroughputArguments, input: &File) -> Result<Row, Failure> {
        let (folder, bytes) = (arguments.folder.as_path(), arguments.bytes);
        let mut seconds = Vec::new();
        for _ in 0..arguments.runs {
            let output = if self.to_file { Some(nameless(folder)?) } else { None };
            let started = Instant::now();
            let mut engine = self.engine();
            match &output {
                Some(file) => work(&mut engine, input, bytes, file),
                None => work(&mut engine, &sinks::Stub, bytes, &sinks::Stub),
            }
            .map_err(|error| unusable(folder, &error.to_string()))?;
            seconds.push(started.elapsed().as_secs_f64());
        }
        Ok(Row {
            name: self.name,
            worker: if self.software { "software" } else { "stub" },
            workers: self.workers,
            sink: if self.to_file { "file" } else { "stub" },
            mib_per_second: bytes as f64 / MIB / median(&seconds),
            seconds,
        })
    }

    fn engine(&self) -> Engine {
        let worker = |index| -> Box<dyn Worker> {
            if self.software {
                Box::new(CpuWorker::new(index))
            } else {
                Box::new(StubWorker::new(index, 1))
            }
        };
        let workers = (0..self.workers).map(worker).collect();
        Engine::new(workers, DEADLINE, CancelToken::default())
    }
}

fn work(
    engine: &mut Engine,
    input: &dyn ReadAt,
    bytes: u64,
    output: &dyn WriteAt,
) -> Result<(), EngineError> {
    engine.in_place(data::chacha20(), input, bytes, output, &mut |_| {}).map(drop)
}

/// A file of bytes that look random, as the published runs had.
fn random(folder: &Path, bytes: u64) -> Result<File, Failure> {
    let file = nameless(folder)?;
    let mut block = vec![0; JOB_BYTES];
    data::chacha20().apply(0, &mut block);
    for offset in (0..bytes).step_by(JOB_BYTES) {
        block[..8].copy_from_slice(&offset.to_le_bytes());
        file.write_all_at(&block, offset).map_err(|error| unwritable(folder, &error))?;
    }
    Ok(file)
}

/// A file that is gone when the command ends, however it ends.
fn nameless(folder: &Path) -> Result<File, Failure> {
    let name = folder.join(format!(".saltmill-bench-{}", process::id()));
    let open = || {
        let file = File::options().read(true).write(true).create_new(true).open(&name)?;
        std::fs::remove_file(&name)?;
        Ok(file)
    };
    open().map_err(|error| unwritable(folder, &error))
}

fn unwritable(folder: &Path, error: &io::Error) -> Failure {
    let sentence = format!("{} can't be written to: {}", say::shown(folder), reason(error));
    Failure::run(sentence, hint(error))
}

fn unusable(folder: &Path, error: &str) -> Failure {
    let sentence = format!("the run in {} failed: {error}", say::shown(folder));
    Failure::run(sentence, "look for free space there, or name another folder with --folder")
}

fn table(found: &Found) -> String {
    let mut text = format!(
        "{} bytes in tasks of {}, wall clock of this machine ({}), median of {} runs\n",
        found.bytes,
        found.task_bytes,
        found.software,
        found.rows[0].seconds.len()
    );
    for row in &found.rows {
        let _ = writeln!(
            text,
            "{:3} {:8} x{} to {:4} {:9.3} s {:9.1} MiB/s",
            row.name,
            row.worker,
            row.workers,
            row.sink,
            median(&row.seconds),
            row.mib_per_second
        );
    }
    text
}
