// SPDX-License-Identifier: Apache-2.0
//! `saltmill cipher`.

use std::{fs, io::Write, path::Path};

use saltmill_engine::{
    BLOCK_BYTES, CancelToken, Cipher, CounterError, Engine, EngineError, Event, Report,
};

use crate::{
    args::{Algorithm, CipherArguments},
    engines,
    failure::{Failure, hint, reason},
    input::{Input, InputKind},
    interrupt, key_file,
    output::{Output, Target},
    progress::Progress,
    stats,
};

/// Runs the command. Nothing is made or changed before everything that can be checked is.
pub fn run(arguments: &CipherArguments) -> Result<(), Failure> {
    let Algorithm::Chacha20 = arguments.algorithm;
    let key = key_file::read(&arguments.key_file)?;
    let cipher = Cipher::new(key, arguments.nonce.0, arguments.counter);
    let input = Input::open(arguments.input.as_deref())?;
    if let InputKind::Regular(_, len) = input.kind {
        cipher.check_length(len).map_err(|error| too_long(error, &input.name))?;
    }
    let target =
        Target::check(arguments.output.as_deref(), input.metadata.as_ref(), arguments.force)?;
    check_stats(arguments.stats.as_deref(), &target)?;
    let workers = engines::workers(&arguments.engines)?;
    let cancel = CancelToken::default();
    interrupt::watch(cancel.clone()).map_err(|error| {
        Failure::run(format!("signals can't be caught: {}", reason(&error)), hint(&error))
    })?;
    let mut engine = Engine::new(workers, arguments.engines.deadline.0, cancel);
    let names = Names {
        input: input.name.clone(),
        output: arguments
            .output
            .as_ref()
            .map_or("standard output".into(), |o| o.display().to_string()),
    };
    let output = target.open(arguments.force)?;
    let report = transfer(&mut engine, cipher, input, output, arguments, &names)?;
    write_stats(arguments.stats.as_deref(), &report)
}

/// What to call things in messages.
struct Names {
    input: String,
    output: String,
}

fn transfer(
    engine: &mut Engine,
    cipher: Cipher,
    input: Input,
    output: Output,
    arguments: &CipherArguments,
    names: &Names,
) -> Result<Report, Failure> {
    let total = if let InputKind::Regular(_, len) = input.kind { Some(len) } else { None };
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
    let (outcome, temporary) = match (input.kind, output) {
        (InputKind::Regular(file, len), Output::Temporary(temporary)) => {
            (engine.in_place(cipher, &file, len, temporary.file(), &mut events), Some(temporary))
        }
        (input, Output::Temporary(temporary)) => {
            let file = temporary
                .file()
                .try_clone()
                .map_err(|source| failure(EngineError::Write { offset: 0, source }, names))?;
            (engine.streamed(cipher, stream(input), Box::new(file), &mut events), Some(temporary))
        }
        (input, Output::Stream(output)) => {
            (engine.streamed(cipher, stream(input), output, &mut events), None)
        }
    };
    progress.finish(done);
    let report = outcome.map_err(|error| failure(error, names))?;
    temporary.map_or(Ok(()), crate::output::Temporary::finish)?;
    Ok(report)
}

fn stream(input: InputKind) -> Box<dyn std::io::Read + Send> {
    match input {
        InputKind::Regular(file, _) => Box::new(file),
        InputKind::Stream(stream) => stream,
    }
}

fn failure(error: EngineError, names: &Names) -> Failure {
    match error {
        EngineError::Read { offset, source } => Failure::run(
            format!("reading {} failed at byte {offset}: {}", names.input, reason(&source)),
            hint(&source),
        ),
        EngineError::Write { offset, source } => Failure::run(
            format!("writing {} failed at byte {offset}: {}", names.output, reason(&source)),
            hint(&source),
        ),
        EngineError::Counter(error) => too_long(error, &names.input),
        EngineError::Cancelled => Failure::interrupted(interrupt::signal()),
        EngineError::NoWorkerLeft => Failure::device(
            "no engine is left to do the work",
            "try --engine cpu, or a longer --deadline; `saltmill devices --self-test` shows what works",
        ),
        other => Failure::run(other.to_string(), "this is a fault of saltmill; please report it"),
    }
}

fn too_long(error: CounterError, input: &str) -> Failure {
    let CounterError { counter, longest, .. } = error;
    Failure::usage(
        format!(
            "{input} is too long: from counter {counter} on, one nonce is good for {longest} bytes"
        ),
        format!(
            "use a smaller --counter, or cut the input into parts of at most {longest} bytes \
                 ({} blocks), each with a nonce of its own",
            longest / BLOCK_BYTES
        ),
    )
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
        std::io::stdout().write_all(text.as_bytes())
    } else {
        fs::write(path, text)
    };
    written.map_err(|error| {
        let sentence =
            format!("statistics {} can't be written: {}", path.display(), reason(&error));
        Failure::run(sentence, "the output itself is complete")
    })
}
