// SPDX-License-Identifier: Apache-2.0
//! One input through the engine into one output, whatever is done with it.

use std::{
    fs,
    io::{self, Read, Seek, SeekFrom, Write},
    ops::Range,
    path::Path,
};

use saltmill_engine::{
    CancelToken, Engine, EngineError, Event, Offset, Report, Work, Worker, WriteAt,
};

use crate::{
    args::RunArguments,
    cipher, engines,
    failure::{Failure, hint, reason},
    framed::Framed,
    input::{Input, InputKind},
    interrupt,
    output::{Output, Target, Temporary},
    progress::Progress,
    stats,
    window::{Nowhere, Window},
};

/// Everything that can be checked before the work is known: nothing is made or changed yet.
pub struct Run<'a> {
    arguments: &'a RunArguments,
    target: Target,
    workers: Vec<Box<dyn Worker>>,
}

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

impl<'a> Run<'a> {
    /// Checks the output against the input, the statistics and the engines; `variant` is the simulated
    /// device if none is named.
    pub fn prepare(
        arguments: &'a RunArguments,
        input: &Input,
        target: Option<Target>,
        variant: &str,
    ) -> Result<Self, Failure> {
        let (output, force) = (arguments.output.as_deref(), arguments.force);
        let target = match target {
            Some(target) => target,
            None => Target::check(output, input.metadata.as_ref(), force)?,
        };
        check_stats(arguments.stats.as_deref(), &target)?;
        let workers = engines::workers(&arguments.engines, variant)?;
        Ok(Self { arguments, target, workers })
    }

    /// Does the job. If it fails, no output file is left.
    pub fn work(self, input: Input, job: Job) -> Result<(), Failure> {
        let Self { arguments, target, workers } = self;
        if let Some(worker) = workers.iter().find(|worker| !worker.supports(&job.work)) {
            return Err(Failure::usage(
                format!("{} can't do this", worker.name()),
                "`saltmill devices` shows what each engine can do",
            ));
        }
        let cancel = CancelToken::default();
        interrupt::watch(cancel.clone()).map_err(|error| {
            Failure::run(format!("signals can't be caught: {}", reason(&error)), hint(&error))
        })?;
        let mut engine = Engine::new(workers, arguments.engines.deadline.0, cancel);
        let names = Names {
            input: input.name.clone(),
            skip: job.skip,
            front: job.front,
            output: match &arguments.output {
                Some(path) if path != Path::new("-") => path.display().to_string(),
                _ => "standard output".into(),
            },
            prefix: job.prefix.len() as u64,
        };
        let output = target.open(arguments.force)?;
        let report = transfer(&mut engine, job, input, output, arguments, &names)?;
        write_stats(arguments.stats.as_deref(), &report)
    }
}

/// What to call things in messages, and where what is worked on begins in them.
struct Names {
    input: String,
    skip: u64,
    front: u64,
    output: String,
    prefix: u64,
}

fn transfer(
    engine: &mut Engine,
    job: Job,
    input: Input,
    output: Output,
    arguments: &RunArguments,
    names: &Names,
) -> Result<Report, Failure> {
    let total = match input.kind {
        InputKind::Regular(_, len) => Some(len.saturating_sub(job.skip)),
        InputKind::Stream(_) => None,
    };
    let mut progress = Progress::new(arguments.progress, total);
    let mut done = 0;
    let mut events = |event| match event {
        Event::Progress(bytes) => {
            done = bytes;
            progress.update(bytes);
        }
        Event::WorkerFailed { worker, reason } => progress.warn(&format!(
            "warning: {worker} was taken out: {reason}\nhint: its jobs go to the other workers"
        )),
        other => progress.warn(&format!("warning: {other:?}")),
    };
    let (outcome, temporary) = run(engine, job, input, output, &mut events);
    progress.finish(done);
    let report = outcome.map_err(|error| failure(error, names))?;
    temporary.map_or(Ok(()), Temporary::finish)?;
    Ok(report)
}

/// In place where both ends allow it, and otherwise as a stream.
fn run(
    engine: &mut Engine,
    job: Job,
    input: Input,
    output: Output,
    events: &mut dyn FnMut(Event),
) -> (Result<Report, EngineError>, Option<Temporary>) {
    let Job { work, skip, prefix, armor, window, .. } = job;
    let write_error = |source| EngineError::Write { offset: 0, source };
    match (input.kind, output) {
        (InputKind::Regular(file, len), Output::Temporary(temporary)) if !armor => {
            let target = temporary.file();
            let begun = target.write_all_at(&prefix, 0).map_err(write_error);
            let outcome = begun.and_then(|()| {
                let target = Offset::new(target, prefix.len() as u64);
                let clipped = window.map(|kept| Window::new(&target as &dyn WriteAt, kept));
                let target = clipped.as_ref().map_or(&target as &dyn WriteAt, |clipped| clipped);
                let len = len.saturating_sub(skip);
                engine.in_place(work, &Offset::new(&file, skip), len, target, events)
            });
            (outcome, Some(temporary))
        }
        (InputKind::Regular(file, len), Output::Nothing) => {
            let len = len.saturating_sub(skip);
            let source = Offset::new(&file, skip);
            (engine.in_place(work, &source, len, &Nowhere, events), None)
        }
        (input, output) => {
            let (target, temporary): (Box<dyn Write + Send>, _) = match output {
                Output::Stream(stream) => (stream, None),
                Output::Nothing => (Box::new(io::sink()), None),
                Output::Temporary(temporary) => match temporary.file().try_clone() {
                    Ok(file) => (Box::new(file), Some(temporary)),
                    Err(error) => return (Err(write_error(error)), Some(temporary)),
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
            (outcome, temporary)
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

fn failure(error: EngineError, names: &Names) -> Failure {
    match error {
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
        EngineError::Cancelled => Failure::interrupted(interrupt::signal()),
        EngineError::NoWorkerLeft => Failure::device(
            "no engine is left to do the work",
            "try --engine cpu, or a longer --deadline; `saltmill devices --self-test` shows what works",
        ),
        other => Failure::run(other.to_string(), "this is a fault of saltmill; please report it"),
    }
}

/// Statistics must not land in the output.
fn check_stats(stats: Option<&Path>, target: &Target) -> Result<(), Failure> {
    if stats == Some(Path::new("-")) && matches!(target, Target::Standard) {
        return Err(Failure::usage(
            "statistics and output can't both go to standard output",
            "name a file with --stats FILE or with -o OUT",
        ));
    }
    Ok(())
}

fn write_stats(path: Option<&Path>, report: &Report) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let mut text = serde_json::to_string_pretty(&stats::Run::from(report)).unwrap_or_default();
    text.push('\n');
    let written = if path == Path::new("-") {
        io::stdout().write_all(text.as_bytes())
    } else {
        fs::write(path, text)
    };
    written.map_err(|error| {
        let sentence =
            format!("statistics {} can't be written: {}", path.display(), reason(&error));
        Failure::run(sentence, "the output itself is complete")
    })
}
