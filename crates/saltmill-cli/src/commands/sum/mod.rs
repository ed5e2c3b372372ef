// SPDX-License-Identifier: Apache-2.0
//! `saltmill sum`: what it prints, and how it ends, is what `sha256sum` does (decision 65).

mod check;
mod duplicates;
mod entries;
mod find;
mod hash;
mod lines;
mod output;
mod update;

use std::{
    ffi::OsStr,
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::Duration,
};

use saltmill::{
    engine::{Engine, EngineError},
    sum::{FileError, Source, manifest::escaped},
};

use super::explain::call_ended;
use crate::{
    args::SumArguments,
    report::{
        failure::{Exit, Failure},
        interrupt, say,
    },
    workers,
};

/// Runs the command.
pub fn run(arguments: &SumArguments) -> Result<Exit, Failure> {
    match &arguments.update {
        Some(manifest) => update::run(arguments, manifest),
        None if arguments.check => check::run(arguments),
        None if arguments.duplicates => duplicates::run(arguments),
        None => hash::run(arguments),
    }
}

/// The named inputs; standard input if there are none.
fn inputs(arguments: &SumArguments) -> Vec<PathBuf> {
    let inputs = arguments.inputs.clone();
    if inputs.is_empty() { vec![PathBuf::from("-")] } else { inputs }
}

/// What a name on the command line stands for.
fn source(name: &Path) -> Source {
    if name == Path::new("-") { Source::Standard } else { Source::File(name.to_owned()) }
}

/// CPU threads, no more than are of use for so many pieces of work.
fn engine(arguments: &SumArguments, jobs: Option<u64>) -> Result<Engine, Failure> {
    let workers = workers::cpu(arguments.workers, jobs.unwrap_or(u64::MAX)).collect();
    Ok(Engine::new(workers, Duration::MAX, interrupt::token()?))
}

/// How all files ended, if what was printed arrived.
fn ended(
    outcome: Result<(), EngineError>,
    printed: io::Result<()>,
    failed: bool,
) -> Result<Exit, Failure> {
    // What can't be printed has cancelled the run.
    if printed.is_err() {
        say::printed(printed)?;
    } else {
        outcome.map_err(call_ended)?;
    }
    Ok(if failed { Exit::Failed } else { Exit::Done })
}

/// So many things.
fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// A sentence about a file, in the form that coreutils has.
fn about(name: impl AsRef<OsStr>, what: &str) -> String {
    format!("saltmill: {}: {what}", say::shown(name))
}

/// A name with a newline is escaped, as coreutils does it: a line must not look like two.
fn on_one_line(name: &Path) -> Vec<u8> {
    let name = name.as_os_str().as_bytes();
    match escaped(name).filter(|_| name.contains(&b'\n')) {
        Some(escaped) => [b"\\", &escaped[..]].concat(),
        None => name.to_owned(),
    }
}

/// Why a file has no digest, in the operating system's words, as coreutils says it.
fn reason(error: &FileError) -> String {
    match error {
        FileError::Read(error) => system_reason(error),
        FileError::Changed => "file changed while it was read".to_owned(),
        other => other.to_string(),
    }
}

fn system_reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}
