// SPDX-License-Identifier: Apache-2.0
//! Which files of a call with many are read, and what their outputs are called.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs::{self, Metadata},
    io,
    path::{Path, PathBuf},
};

use crate::{
    args::FilesArguments,
    io::{
        sources::{FileId, INPUT, Sources},
        walk::{Found, walk},
    },
    report::failure::{Failure, hint, reason},
    report::say::shown,
};

/// The end of the names of encrypted files.
const SEALED: &str = "age";

/// How outputs are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// As the input, with `.age` behind it.
    Sealed,
    /// As the input, without `.age`.
    Opened,
    /// As the input.
    Kept,
    /// There are none.
    None,
}

/// One file of many.
#[derive(Debug, PartialEq, Eq)]
pub struct Planned {
    /// What is read.
    pub input: PathBuf,
    /// What is written, if anything.
    pub output: Option<PathBuf>,
    /// Bytes of a regular file.
    pub bytes: Option<u64>,
}

/// All files of a call.
#[derive(Default)]
pub struct Plan {
    /// Those that can be tried, in the order in which they were named and found.
    pub files: Vec<Planned>,
    /// Those that can't.
    pub failures: Vec<Failure>,
    /// Links and what is neither file nor folder, in folders.
    pub left_out: Vec<PathBuf>,
    /// All that is read: an output must not replace what is still to be read, or was.
    pub sources: Sources,
}

/// Finds the files; nothing is opened or made.
pub fn plan(arguments: &FilesArguments, naming: Naming) -> Result<Plan, Failure> {
    if arguments.inputs.is_empty() {
        return Err(Failure::usage(
            "no files are named",
            "name files, or folders with --recursive; for a pipe, leave out --out-dir and --recursive",
        ));
    }
    let folder = match (naming, &arguments.out_dir) {
        (Naming::None, _) => None,
        (_, Some(folder)) => Some(folder.as_path()),
        (_, None) => {
            return Err(Failure::usage(
                "several files can't have one output",
                "name a folder for them with --out-dir FOLDER",
            ));
        }
    };
    let mut walk = Walk { plan: Plan::default(), folder, naming, taken: BTreeMap::new() };
    for input in &arguments.inputs {
        walk.named(input, arguments.recursive);
    }
    Ok(walk.plan)
}

struct Walk<'a> {
    plan: Plan,
    folder: Option<&'a Path>,
    naming: Naming,
    /// Outputs and what they are made of.
    taken: BTreeMap<PathBuf, PathBuf>,
}

impl Walk<'_> {
    /// An input of the command line: a link there is meant.
    fn named(&mut self, input: &Path, recursive: bool) {
        if input == Path::new("-") {
            self.failed("standard input has no name for its output", "run saltmill for it alone");
            return;
        }
        match fs::metadata(input) {
            Ok(metadata) if metadata.is_dir() && recursive => self.enter(input),
            Ok(metadata) if metadata.is_dir() => self.failed(
                format!("input {} can't be read: it is a directory", shown(input)),
                "use --recursive for the files in it",
            ),
            Ok(metadata) => {
                let name = input.file_name().map_or_else(|| input.into(), PathBuf::from);
                self.file(input.to_owned(), &name, &metadata);
            }
            Err(error) => self.unreadable(input, &error),
        }
    }

    /// Everything below a folder.
    fn enter(&mut self, folder: &Path) {
        // Outputs below the inputs must not become inputs.
        let output = self.folder.and_then(|folder| fs::metadata(folder).ok());
        let output = output.as_ref().map(FileId::of);
        let enters = |folder: &Metadata| output != Some(FileId::of(folder));
        walk(folder, &enters, &mut |found| match found {
            Found::File(path, place, metadata) => self.file(path, &place, &metadata),
            Found::Other(path) => self.plan.left_out.push(path),
            Found::Unreadable(path, error) => self.unreadable(&path, &error),
        });
    }

    fn file(&mut self, input: PathBuf, place: &Path, metadata: &Metadata) {
        let bytes = metadata.is_file().then_some(metadata.len());
        self.plan.sources.file(INPUT, metadata);
        let Some(folder) = self.folder else {
            return self.plan.files.push(Planned { input, output: None, bytes });
        };
        let Some(name) = self.renamed(place) else {
            return self.failed(
                format!("{} does not end in .{SEALED}: its output has no name", shown(&input)),
                "rename it, or decrypt it alone with -o OUT",
            );
        };
        let output = folder.join(name);
        if let Some(other) = self.taken.get(&output) {
            let (other, input) = (shown(other), shown(&input));
            let sentence = format!("{other} and {input} would both be {}", shown(&output));
            return self.failed(sentence, "run saltmill for one of them alone");
        }
        self.taken.insert(output.clone(), input.clone());
        self.plan.files.push(Planned { input, output: Some(output), bytes });
    }

    fn renamed(&self, place: &Path) -> Option<PathBuf> {
        if self.naming == Naming::Kept {
            return Some(place.to_owned());
        }
        if self.naming == Naming::Sealed {
            let mut name = OsString::from(place);
            name.push(".");
            name.push(SEALED);
            return Some(name.into());
        }
        let sealed = place.extension().is_some_and(|extension| extension == SEALED);
        if sealed { Some(place.with_extension("")) } else { None }
    }

    fn unreadable(&mut self, path: &Path, error: &io::Error) {
        let sentence = format!("input {} can't be read: {}", shown(path), reason(error));
        self.failed(sentence, hint(error));
    }

    fn failed(&mut self, sentence: impl Into<String>, hint: &str) {
        self.plan.failures.push(Failure::usage(sentence, hint));
    }
}
