// SPDX-License-Identifier: Apache-2.0
//! Files checked against manifests.

use std::{
    cell::RefCell,
    io,
    path::{Path, PathBuf},
};

use saltmill::{
    engine::{Engine, EngineError, Key, TaskEvent},
    sum::{FileError, HashAlgorithm, Hashed, hash_files},
};
use serde::Serialize;

use super::{
    about, ended, engine,
    entries::{Entries, Listed},
    inputs, on_one_line,
    output::{JsonName, Output},
    reason, system_reason,
};
use crate::{
    args::SumArguments,
    report::failure::{Exit, Failure},
};

/// What has become of a file.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
    Failed,
    Unreadable,
}

/// A file in JSON.
#[derive(Serialize)]
struct JsonLine {
    #[serde(flatten)]
    name: JsonName,
    status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Runs `saltmill sum --check`.
pub fn run(arguments: &SumArguments, key: Option<&Key>) -> Result<Exit, Failure> {
    let wanted = match arguments.algorithms[..] {
        [] => None,
        [algorithm] => Some(algorithm),
        _ => {
            return Err(Failure::usage(
                "--check takes one --algorithm at most",
                "leave it out: then each line tells its algorithm",
            ));
        }
    };
    let mut engine = engine(arguments, None)?;
    let output = RefCell::new(Output::new(arguments, engine.cancel_token(), || None));
    let (mut failed, mut outcome) = (false, Ok(()));
    for manifest in inputs(arguments) {
        let mut check = Check::new(arguments, wanted, manifest, &output);
        outcome = check.run(&mut engine, key);
        if outcome.is_err() {
            break;
        }
        failed |= !check.is_good;
    }
    ended(outcome, output.into_inner().finish(), failed)
}

/// The check of one manifest.
struct Check<'a> {
    arguments: &'a SumArguments,
    wanted: Option<HashAlgorithm>,
    manifest: PathBuf,
    output: &'a RefCell<Output>,
    matched: u64,
    mismatched: u64,
    unreadable: u64,
    is_good: bool,
}

impl<'a> Check<'a> {
    fn new(
        arguments: &'a SumArguments,
        wanted: Option<HashAlgorithm>,
        manifest: PathBuf,
        output: &'a RefCell<Output>,
    ) -> Self {
        let (matched, mismatched, unreadable, is_good) = (0, 0, 0, false);
        Self { arguments, wanted, manifest, output, matched, mismatched, unreadable, is_good }
    }

    fn run(&mut self, engine: &mut Engine, key: Option<&Key>) -> Result<(), EngineError> {
        let (output, warns, wanted) = (self.output, self.arguments.warn, self.wanted);
        let name = self.name().to_owned();
        let warn = |line| {
            if warns {
                let tag = wanted.map(|algorithm| format!("{} ", algorithm.tag()));
                let tag = tag.unwrap_or_default();
                let what = format!("{line}: improperly formatted {tag}checksum line");
                output.borrow_mut().tell(about(&name, &what));
            }
        };
        match Entries::open(&self.manifest, wanted, self.arguments, &warn) {
            Err(error) => self.tell(&system_reason(&error)),
            Ok(mut entries) => {
                hash_files(engine, key, &mut entries, &mut |event| match event {
                    TaskEvent::Ended(listed, found) => self.file(&listed, found),
                    TaskEvent::Waiting => output.borrow_mut().flush(),
                    TaskEvent::Event(event) => output.borrow_mut().event(&event),
                })?;
                self.summary(&entries);
            }
        }
        Ok(())
    }

    fn name(&self) -> &Path {
        let is_standard = self.manifest == Path::new("-");
        if is_standard { Path::new("standard input") } else { &self.manifest }
    }

    /// Tells about the manifest.
    fn tell(&self, what: &str) {
        self.output.borrow_mut().tell(about(self.name(), what));
    }

    /// A file has been read, or could not be.
    fn file(&mut self, listed: &Listed, found: Result<Hashed, FileError>) {
        let is_missing = matches!(&found, Err(FileError::Read(error)) if is_missing(error));
        if is_missing && self.arguments.ignore_missing {
            return;
        }
        let error = found.as_ref().err().map(reason);
        let (status, count) = match found {
            Ok(found) if listed.entry.is_matched_by(&found) => (Status::Ok, &mut self.matched),
            Ok(_) => (Status::Failed, &mut self.mismatched),
            Err(_) => (Status::Unreadable, &mut self.unreadable),
        };
        *count += 1;
        let mut output = self.output.borrow_mut();
        if let Some(error) = &error {
            output.tell(about(&listed.name, error));
        }
        if self.arguments.status || (self.arguments.quiet && status == Status::Ok) {
            return;
        }
        if self.arguments.json {
            output.print_json(&JsonLine { name: JsonName::new(&listed.name), status, error });
        } else {
            output.print(&line(&listed.name, status));
        }
    }

    /// All files of the manifest have been checked.
    fn summary(&mut self, entries: &Entries) {
        if let Some(error) = &entries.error {
            return self.tell(&system_reason(error));
        }
        if entries.good == 0 {
            return self.tell("no properly formatted checksum lines found");
        }
        if !self.arguments.status {
            self.warnings(entries.malformed);
        }
        self.is_good = self.mismatched == 0
            && self.unreadable == 0
            && (!self.arguments.ignore_missing || self.matched > 0)
            && (!self.arguments.strict || entries.malformed == 0);
    }

    fn warnings(&self, malformed: u64) {
        for (count, one, more) in [
            (malformed, "line is improperly formatted", "lines are improperly formatted"),
            (self.unreadable, "listed file could not be read", "listed files could not be read"),
            (
                self.mismatched,
                "computed checksum did NOT match",
                "computed checksums did NOT match",
            ),
        ] {
            if count > 0 {
                let what = if count == 1 { one } else { more };
                let sentence = format!("saltmill: WARNING: {count} {what}");
                self.output.borrow_mut().tell(sentence);
            }
        }
        if self.arguments.ignore_missing && self.matched == 0 {
            self.tell("no file was verified");
        }
    }
}

fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

fn line(name: &Path, status: Status) -> Vec<u8> {
    let mut line = on_one_line(name);
    line.extend(match status {
        Status::Ok => &b": OK\n"[..],
        Status::Failed => b": FAILED\n",
        Status::Unreadable => b": FAILED open or read\n",
    });
    line
}
