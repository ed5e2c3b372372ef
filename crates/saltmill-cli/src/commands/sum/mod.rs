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
};

use saltmill::{
    engine::{Engine, EngineError, Key},
    sum::{FileError, HashAlgorithm, Source, device_algorithm, manifest::escaped},
};

use super::explain::call_ended;
use crate::{
    args::{EngineName, SumArguments},
    keys::key_file,
    report::{
        failure::{Exit, Failure},
        interrupt, say,
    },
    workers,
};

/// Runs the command.
pub fn run(mut arguments: SumArguments) -> Result<Exit, Failure> {
    let key = key(&mut arguments)?;
    let (arguments, key) = (&arguments, key.as_ref());
    match &arguments.update {
        Some(manifest) => update::run(arguments, key, manifest),
        None if arguments.check => check::run(arguments, key),
        None if arguments.duplicates => duplicates::run(arguments),
        None => hash::run(arguments, key),
    }
}

/// The key of HMACs: who names one wants no other digests of a manifest that is read.
fn key(arguments: &mut SumArguments) -> Result<Option<Key>, Failure> {
    let has_hmac = arguments.algorithms.contains(&HashAlgorithm::HmacSha256);
    let Some(path) = &arguments.key_file else {
        if has_hmac {
            let hint = "name the file with the key: --key-file secret.key";
            return Err(Failure::usage("hmac-sha256 needs a key", hint));
        }
        return Ok(None);
    };
    if arguments.algorithms.is_empty() {
        arguments.algorithms.push(HashAlgorithm::HmacSha256);
    } else if !has_hmac {
        let hint = "leave out --algorithm, or name hmac-sha256 with it";
        return Err(Failure::usage("--key-file is for hmac-sha256 only", hint));
    }
    Ok(Some(Key::new(*key_file::read(path)?)))
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

/// CPU threads, no more than are of use for so many pieces of work, or the named engines. What a
/// device can't hash, the thread that serves it does.
fn engine(arguments: &SumArguments, jobs: Option<u64>) -> Result<Engine, Failure> {
    let md5 = arguments.algorithms == [HashAlgorithm::Md5];
    let variant = if md5 { "md5-ring" } else { "sha256-ring" };
    let workers = workers::workers(&arguments.engines, variant, jobs)?;
    let mut engine = Engine::new(workers, arguments.engines.deadline.0, interrupt::token()?);
    if !arguments.check {
        devices_can(&mut engine, arguments)?;
    }
    Ok(engine)
}

/// Whether the devices that are named, if any, have what is asked for.
fn devices_can(engine: &mut Engine, arguments: &SumArguments) -> Result<(), Failure> {
    let algorithms = match &arguments.algorithms[..] {
        [] if arguments.duplicates => &[HashAlgorithm::Blake3],
        [] => &[HashAlgorithm::Sha256],
        algorithms => algorithms,
    };
    let engines = &arguments.engines.engines;
    if engines.iter().all(|engine| *engine == EngineName::Cpu) {
        return Ok(());
    }
    let named = || algorithms.iter().map(|algorithm| algorithm.name()).collect::<Vec<_>>();
    let Some(algorithm) = device_algorithm(algorithms) else {
        return Err(Failure::usage(
            format!("no device hashes with {}", named().join(", ")),
            "devices hash with sha256, hmac-sha256 or md5, one at a time; the engine cpu with all",
        ));
    };
    if !engine.has_digests(algorithm) {
        return Err(Failure::usage(
            format!("no device hashes with {}", named().join(", ")),
            "`saltmill devices` shows what each engine can do; --sim-variant names a simulated device",
        ));
    }
    Ok(())
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
        FileError::NoKey(_) => "its HMAC can't be computed without --key-file".to_owned(),
        FileError::Changed => "file changed while it was read".to_owned(),
        other => other.to_string(),
    }
}

fn system_reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}
