// SPDX-License-Identifier: Apache-2.0
//! Files hashed, and a manifest of them printed.

use std::{
    collections::BTreeMap,
    fs::{self, Metadata},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::Arc,
};

use saltmill::{
    engine::{Engine, TaskEvent},
    sum::{
        FileError, HashAlgorithm, Hashed, Request, device_algorithm, hash_files, manifest::Style,
    },
};
use serde::Serialize;

use super::{
    about, ended, engine, inputs,
    output::{JsonName, Output},
    reason, source, system_reason,
};
use crate::{
    args::{EngineName, SumArguments},
    io::walk::{Found, tell_skipped, walk},
    report::{
        failure::{Exit, Failure},
        say,
    },
};

/// A file in JSON.
#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    name: JsonName,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    digests: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Runs `saltmill sum` without `--check`.
pub fn run(arguments: &SumArguments) -> Result<Exit, Failure> {
    let algorithms: Arc<[_]> = match &arguments.algorithms[..] {
        [] => [HashAlgorithm::Sha256].into(),
        algorithms => Arc::from(algorithms),
    };
    let (names, mut failed) = find(arguments);
    // Only BLAKE3 hashes one file with several threads.
    let jobs = (names.len() == 1 && *algorithms != [HashAlgorithm::Blake3]).then_some(1);
    let mut engine = engine(arguments, jobs)?;
    devices_can(&mut engine, arguments, &algorithms)?;
    let mut output = Output::new(arguments, engine.cancel_token(), || total(&names));
    let printer = Printer {
        style: Style { tag: arguments.tag || algorithms.len() > 1, zero: arguments.zero },
        json: arguments.json,
        algorithms: &algorithms,
    };
    let mut requests = names.iter().map(|name| {
        let (source, algorithms) = (source(name), Arc::clone(&algorithms));
        Request { source, algorithms, tag: name }
    });
    let outcome = hash_files(&mut engine, &mut requests, &mut |event| match event {
        TaskEvent::Ended(name, found) => {
            failed |= found.is_err();
            printer.print(&mut output, name, found);
        }
        TaskEvent::Waiting => output.flush(),
        TaskEvent::Event(event) => output.event(&event),
    });
    ended(outcome, output.finish(), failed)
}

/// Whether the devices that are named, if any, have this.
fn devices_can(
    engine: &mut Engine,
    arguments: &SumArguments,
    algorithms: &[HashAlgorithm],
) -> Result<(), Failure> {
    let engines = &arguments.engines.engines;
    if !engines.iter().any(|engine| matches!(engine, EngineName::Sim(_))) {
        return Ok(());
    }
    let Some(algorithm) = device_algorithm(algorithms) else {
        let names: Vec<_> = algorithms.iter().map(|algorithm| algorithm.name()).collect();
        return Err(Failure::usage(
            format!("no device hashes with {}", names.join(", ")),
            "devices hash with sha256 or md5, one of them at a time; the engine cpu with all",
        ));
    };
    if !engine.has_digests(algorithm) {
        return Err(Failure::usage(
            format!("no device hashes with {}", algorithms[0].name()),
            "`saltmill devices` shows what each engine can do; --sim-variant names a simulated device",
        ));
    }
    Ok(())
}

/// The files that are named, and those in the folders that are; whether there was something that
/// can't be read.
fn find(arguments: &SumArguments) -> (Vec<PathBuf>, bool) {
    let (mut names, mut skipped, mut failed) = (Vec::new(), Vec::new(), false);
    for input in inputs(arguments) {
        if !arguments.recursive || !input.is_dir() {
            names.push(input);
            continue;
        }
        walk(&input, &|_| true, &mut |found| match found {
            Found::File(path, ..) => names.push(path),
            Found::Other(path) => skipped.push(path),
            Found::Unreadable(path, error) => {
                failed = true;
                say::tell(about(path, &system_reason(&error)));
            }
        });
    }
    tell_skipped(&skipped);
    (names, failed)
}

/// Bytes of all files, if they are known.
fn total(names: &[PathBuf]) -> Option<u64> {
    let len = |name: &PathBuf| fs::metadata(name).ok().filter(Metadata::is_file).map(|m| m.len());
    names.iter().map(len).sum()
}

/// How lines are printed.
struct Printer<'a> {
    style: Style,
    json: bool,
    algorithms: &'a [HashAlgorithm],
}

impl Printer<'_> {
    fn print(&self, output: &mut Output, name: &Path, found: Result<Hashed, FileError>) {
        if let Err(error) = &found {
            output.tell(about(name, &reason(error)));
        }
        if self.json {
            return output.print_json(&self.json(name, &found));
        }
        let Ok(hashed) = found else { return };
        let mut lines = Vec::new();
        for (algorithm, digest) in self.algorithms.iter().zip(&hashed.digests) {
            self.style.line(&mut lines, *algorithm, digest, name.as_os_str().as_bytes());
        }
        output.print(&lines);
    }

    fn json(&self, name: &Path, found: &Result<Hashed, FileError>) -> Line {
        let digests = found.iter().flat_map(|hashed| &hashed.digests);
        let named = self.algorithms.iter().zip(digests);
        Line {
            name: JsonName::new(name),
            bytes: found.as_ref().ok().map(|hashed| hashed.bytes),
            digests: named
                .map(|(algorithm, digest)| (algorithm.name(), digest.to_string()))
                .collect(),
            error: found.as_ref().err().map(reason),
        }
    }
}
