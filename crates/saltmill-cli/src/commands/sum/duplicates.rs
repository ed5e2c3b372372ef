// SPDX-License-Identifier: Apache-2.0
//! Files with the same content. Only those are read whose size another one has.

use std::{
    collections::{BTreeMap, HashMap},
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::Arc,
};

use rustix::io::Errno;
use saltmill::{
    engine::TaskEvent,
    sum::{Digest, HashAlgorithm, Request, Source, hash_files},
};
use serde::Serialize;

use super::{
    about, ended, engine,
    find::{find, plain},
    on_one_line,
    output::{JsonName, Output},
    reason, system_reason,
};
use crate::{
    args::SumArguments,
    io::sources::FileId,
    report::{
        failure::{Exit, Failure},
        say,
    },
};

/// A file, whatever it is called.
struct Same {
    bytes: u64,
    /// Hard links are names of one file.
    names: Vec<PathBuf>,
}

/// Files with one content, in the order in which they were found.
struct Group<'a> {
    bytes: u64,
    digests: Vec<Digest>,
    files: Vec<&'a Same>,
}

/// A group in JSON.
#[derive(Serialize)]
struct JsonGroup {
    bytes: u64,
    digests: BTreeMap<&'static str, String>,
    files: Vec<JsonFile>,
}

/// A file in it.
#[derive(Serialize)]
struct JsonFile {
    #[serde(flatten)]
    name: JsonName,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    links: Vec<JsonName>,
}

/// Runs `saltmill sum --duplicates`.
pub fn run(arguments: &SumArguments) -> Result<Exit, Failure> {
    let algorithms: Arc<[_]> = match &arguments.algorithms[..] {
        [] => [HashAlgorithm::Blake3].into(),
        algorithms => Arc::from(algorithms),
    };
    let found = find(arguments);
    let (files, mut failed) = files(&found.names);
    failed |= !found.unreadable.is_empty();
    let candidates = of_one_size(&files);
    let mut engine = engine(arguments, None)?;
    let total = || Some(candidates.iter().map(|file| file.bytes).sum());
    let mut output = Output::new(arguments, engine.cancel_token(), total);
    let mut requests = candidates.iter().map(|file| {
        let (source, algorithms) = (Source::File(file.names[0].clone()), Arc::clone(&algorithms));
        Request { source, algorithms, tag: *file }
    });
    let mut groups = Groups::default();
    let outcome = hash_files(&mut engine, None, &mut requests, &mut |event| match event {
        TaskEvent::Ended(file, Ok(hashed)) => groups.add(file, hashed.bytes, hashed.digests),
        TaskEvent::Ended(file, Err(error)) => {
            failed = true;
            output.tell(about(&file.names[0], &reason(&error)));
        }
        TaskEvent::Waiting => {}
        TaskEvent::Event(event) => output.event(&event),
    });
    if outcome.is_ok() {
        groups.print(&mut output, arguments, &algorithms);
    }
    ended(outcome, output.finish(), failed)
}

/// The regular files of these names; whether there are others, which are told.
fn files(names: &[PathBuf]) -> (Vec<Same>, bool) {
    let (mut files, mut numbers, mut failed) = (Vec::<Same>::new(), HashMap::new(), false);
    for name in names {
        let metadata = fs::metadata(name).and_then(|metadata| match metadata.file_type() {
            kind if kind.is_dir() => Err(Errno::ISDIR.into()),
            kind if !kind.is_file() => Err(io::Error::other("not a regular file")),
            _ => Ok(metadata),
        });
        match metadata {
            Ok(metadata) => {
                let number = *numbers.entry(FileId::of(&metadata)).or_insert(files.len());
                if number == files.len() {
                    files.push(Same { bytes: metadata.len(), names: Vec::new() });
                }
                let known = &mut files[number].names;
                if known.iter().all(|known| plain(known) != plain(name)) {
                    known.push(name.clone());
                }
            }
            Err(error) => {
                failed = true;
                say::tell(about(name, &system_reason(&error)));
            }
        }
    }
    (files, failed)
}

/// Those whose size is that of another one.
fn of_one_size(files: &[Same]) -> Vec<&Same> {
    let mut counts = HashMap::new();
    for file in files {
        *counts.entry(file.bytes).or_insert(0) += 1;
    }
    files.iter().filter(|file| counts[&file.bytes] > 1).collect()
}

/// Files by content, in the order in which the first one of each was found.
#[derive(Default)]
struct Groups<'a> {
    groups: Vec<Group<'a>>,
    numbers: HashMap<(u64, Vec<Digest>), usize>,
}

impl<'a> Groups<'a> {
    fn add(&mut self, file: &'a Same, bytes: u64, digests: Vec<Digest>) {
        let next = self.groups.len();
        let number = *self.numbers.entry((bytes, digests.clone())).or_insert(next);
        if number == next {
            self.groups.push(Group { bytes, digests, files: Vec::new() });
        }
        self.groups[number].files.push(file);
    }

    fn print(&self, output: &mut Output, arguments: &SumArguments, algorithms: &[HashAlgorithm]) {
        let groups: Vec<_> = self.groups.iter().filter(|group| group.files.len() > 1).collect();
        for (number, group) in groups.iter().enumerate() {
            if arguments.json {
                output.print_json(&group.json(algorithms));
            } else {
                output.print(&group.text(arguments.zero, number > 0));
            }
        }
        let files = groups.iter().flat_map(|group| &group.files);
        let links: Vec<_> = files.flat_map(|file| &file.names[1..]).collect();
        if let ([first, others @ ..], false) = (&links[..], arguments.json) {
            let (first, others) = (say::shown(first), others.len());
            let more = if others == 0 { String::new() } else { format!(" and {others} more") };
            output.tell(format_args!(
                "saltmill: left out, as hard links to files above: {first}{more}"
            ));
        }
    }
}

impl Group<'_> {
    /// A name a line, and an empty line in front of all but the first group.
    fn text(&self, zero: bool, is_next: bool) -> Vec<u8> {
        let end = if zero { 0 } else { b'\n' };
        let mut text = vec![end; usize::from(is_next)];
        for file in &self.files {
            let name: &Path = &file.names[0];
            text.extend(if zero { name.as_os_str().as_bytes().into() } else { on_one_line(name) });
            text.push(end);
        }
        text
    }

    fn json(&self, algorithms: &[HashAlgorithm]) -> JsonGroup {
        let digests = algorithms.iter().zip(&self.digests);
        let file = |file: &&Same| JsonFile {
            name: JsonName::new(&file.names[0]),
            links: file.names[1..].iter().map(|name| JsonName::new(name)).collect(),
        };
        JsonGroup {
            bytes: self.bytes,
            digests: digests.map(|(name, digest)| (name.name(), digest.to_string())).collect(),
            files: self.files.iter().map(file).collect(),
        }
    }
}
