// SPDX-License-Identifier: Apache-2.0
//! Files hashed, and a manifest of them printed.

use std::{collections::BTreeMap, os::unix::ffi::OsStrExt, path::Path, sync::Arc};

use saltmill::{
    engine::{Key, TaskEvent},
    sum::{FileError, HashAlgorithm, Hashed, Request, hash_files, manifest::Style},
};
use serde::Serialize;

use super::{
    about, ended, engine,
    find::{find, total},
    output::{JsonName, Output},
    reason, source,
};
use crate::{
    args::SumArguments,
    report::failure::{Exit, Failure},
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
pub fn run(arguments: &SumArguments, key: Option<&Key>) -> Result<Exit, Failure> {
    let algorithms: Arc<[_]> = match &arguments.algorithms[..] {
        [] => [HashAlgorithm::Sha256].into(),
        algorithms => Arc::from(algorithms),
    };
    let files = find(arguments);
    let (names, mut failed) = (files.names, !files.unreadable.is_empty());
    // Only BLAKE3 hashes one file with several threads.
    let jobs = (names.len() == 1 && *algorithms != [HashAlgorithm::Blake3]).then_some(1);
    let mut engine = engine(arguments, jobs)?;
    let mut output = Output::new(arguments, engine.cancel_token(), || total(&names));
    // A line of an HMAC that does not name it would be taken for SHA-256.
    let tag = arguments.tag || algorithms.len() > 1 || key.is_some();
    let printer = Printer {
        style: Style { tag, zero: arguments.zero },
        json: arguments.json,
        algorithms: &algorithms,
    };
    let mut requests = names.iter().map(|name| {
        let (source, algorithms) = (source(name), Arc::clone(&algorithms));
        Request { source, algorithms, tag: name }
    });
    let outcome = hash_files(&mut engine, key, &mut requests, &mut |event| match event {
        TaskEvent::Ended(name, found) => {
            failed |= found.is_err();
            printer.print(&mut output, name, found);
        }
        TaskEvent::Waiting => output.flush(),
        TaskEvent::Event(event) => output.event(&event),
    });
    ended(outcome, output.finish(), failed)
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
