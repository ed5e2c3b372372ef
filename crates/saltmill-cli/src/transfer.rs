// SPDX-License-Identifier: Apache-2.0
//! One input through the engine into one output, whatever is done with it.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    ops::Range,
    time::Duration,
};

use saltmill_engine::{
    Engine, EngineError, Event, Offset, ReadAt, Report, Work, Worker, WorkerReport, WriteAt,
};

use crate::{
    cipher,
    failure::{Failure, hint, reason},
    framed::Framed,
    input::{Input, InputKind},
    output::{Output, Unnamed},
    sealed_input::bad_armor,
    target::Target,
    window::{Nowhere, Window},
};

/// What goes through the engine, and what stands in front of it.
pub struct Job {
    /// What is done.
    pub work: Work,
    /// Bytes in front of what is worked on; a stream is behind them already.
    pub skip: u64,
    /// Bytes in front of the first chunk, for messages.
    pub front: u64,
    /// Bytes to be written first.
    pub prefix: Vec<u8>,
    /// Write the armor of the age format around all.
    pub armor: bool,
    /// Which bytes of what comes out are wanted, if not all.
    pub window: Option<Range<u64>>,
}

impl From<Work> for Job {
    fn from(work: Work) -> Self {
        Self { work, skip: 0, front: 0, prefix: Vec::new(), armor: false, window: None }
    }
}

/// What to call things in messages, and where what is worked on begins in them.
#[derive(Default)]
pub struct Names {
    input: String,
    skip: u64,
    front: u64,
    output: String,
    prefix: u64,
}

impl Names {
    /// Those of a job.
    pub fn new(input: &Input, job: &Job, target: &Target) -> Self {
        let (input, output) = (input.name.clone(), target.name());
        let prefix = job.prefix.len() as u64;
        Self { input, skip: job.skip, front: job.front, output, prefix }
    }
}

/// One input through the engine into one output.
pub fn through(
    engine: &mut Engine,
    input: Input,
    job: Job,
    target: Target,
    events: &mut dyn FnMut(Event),
) -> Result<Report, Failure> {
    let names = Names::new(&input, &job, &target);
    let (outcome, unnamed) = run(engine, job, input, Output::open(target)?, events);
    let report = outcome.map_err(|error| failure(error, &names))?;
    unnamed.map_or(Ok(()), Unnamed::finish)?;
    Ok(report)
}

/// One file through one worker into another file, or to nowhere; what is to be a stream is refused.
pub fn alone(
    worker: &mut dyn Worker,
    deadline: Duration,
    file: &File,
    len: u64,
    job: &Job,
    output: &Output,
) -> Result<WorkerReport, EngineError> {
    in_place(job, file, len, output, |input, len, output| {
        saltmill_engine::alone(worker, job.work.clone(), input, len, output, deadline)
    })
}

/// Lets `act` work on what is behind the skipped bytes and in front of which the prefix is written.
fn in_place<T>(
    job: &Job,
    file: &File,
    len: u64,
    output: &Output,
    act: impl FnOnce(&dyn ReadAt, u64, &dyn WriteAt) -> Result<T, EngineError>,
) -> Result<T, EngineError> {
    let (source, len) = (Offset::new(file, job.skip), len.saturating_sub(job.skip));
    let Output::New(unnamed) = output else { return act(&source, len, &Nowhere) };
    let target = unnamed.file();
    target.write_all_at(&job.prefix, 0).map_err(write_error)?;
    let target = Offset::new(target, job.prefix.len() as u64);
    match job.window.clone() {
        Some(kept) => act(&source, len, &Window::new(&target as &dyn WriteAt, kept)),
        None => act(&source, len, &target),
    }
}

fn write_error(source: io::Error) -> EngineError {
    EngineError::Write { offset: 0, source }
}

/// In place where both ends allow it, and otherwise as a stream.
fn run(
    engine: &mut Engine,
    job: Job,
    input: Input,
    output: Output,
    events: &mut dyn FnMut(Event),
) -> (Result<Report, EngineError>, Option<Unnamed>) {
    match (input.kind, output) {
        (InputKind::Regular(file, len), output) if output.is_in_place() && !job.armor => {
            let outcome = in_place(&job, &file, len, &output, |input, len, output| {
                engine.in_place(job.work.clone(), input, len, output, events)
            });
            (outcome, output.unnamed())
        }
        (input, output) => {
            let Job { work, skip, prefix, armor, window, .. } = job;
            let (target, unnamed): (Box<dyn Write + Send>, _) = match output {
                Output::Stream(stream) => (stream, None),
                Output::Nothing => (Box::new(io::sink()), None),
                Output::New(unnamed) => match unnamed.file().try_clone() {
                    Ok(file) => (Box::new(file), Some(unnamed)),
                    Err(error) => return (Err(write_error(error)), Some(unnamed)),
                },
            };
            let outcome = stream(input, skip).and_then(|source| {
                let mut target = Framed::new(target, armor).map_err(write_error)?;
                target.write_all(&prefix).map_err(write_error)?;
                let output = target.clone();
                let output: Box<dyn Write + Send> = match window {
                    Some(kept) => Box::new(Window::new(output, kept)),
                    None => Box::new(output),
                };
                let report = engine.streamed(work, source, output, events)?;
                target.finish().map_err(write_error)?;
                Ok(report)
            });
            (outcome, unnamed)
        }
    }
}

fn stream(input: InputKind, skip: u64) -> Result<Box<dyn Read + Send>, EngineError> {
    match input {
        InputKind::Regular(mut file, len) => {
            let sought = file.seek(SeekFrom::Start(skip));
            sought.map_err(|source| EngineError::Read { offset: 0, source })?;
            Ok(Box::new(file.take(len.saturating_sub(skip))))
        }
        InputKind::Stream(stream) => Ok(stream),
    }
}

/// What to say of a run that ended early.
pub fn failure(error: EngineError, names: &Names) -> Failure {
    match error {
        EngineError::Read { source, .. } if source.kind() == io::ErrorKind::InvalidData => {
            bad_armor(&names.input, &source)
        }
        EngineError::Read { offset, source } => {
            let (input, at) = (&names.input, offset + names.skip);
            let sentence = format!("reading {input} failed at byte {at}: {}", reason(&source));
            Failure::run(sentence, hint(&source))
        }
        EngineError::Write { offset, source } => {
            let (output, at) = (&names.output, offset + names.prefix);
            let sentence = format!("writing {output} failed at byte {at}: {}", reason(&source));
            Failure::run(sentence, hint(&source))
        }
        EngineError::Counter(error) => cipher::too_long(error, &names.input),
        EngineError::Refused(refused) => Failure::untrusted(
            format!(
                "{} was changed or cut off: chunk {}, at byte {}, is not what was encrypted there",
                names.input,
                refused.chunk,
                refused.offset + names.front
            ),
            "get the file again; nothing of this chunk was written, and no output file is left",
        ),
        EngineError::Cancelled => Failure::interrupted(),
        EngineError::NoWorkerLeft => Failure::device(
            "no engine is left to do the work",
            "try --engine cpu, or a longer --deadline; `saltmill devices --self-test` shows what works",
        ),
        other => Failure::run(other.to_string(), "this is a fault of saltmill; please report it"),
    }
}
