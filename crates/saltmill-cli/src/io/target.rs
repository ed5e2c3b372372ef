// SPDX-License-Identifier: Apache-2.0
//! What is to be written, checked against what is read and what is there before anything is done.

use std::{
    ffi::OsString,
    fs::{self, File, Metadata, Permissions},
    io::{self, IsTerminal, Write},
    os::unix::fs::FileTypeExt,
    path::{Path, PathBuf},
};

use saltmill::Output;

use crate::{
    io::input::NamedInput,
    io::sources::{FileId, Sources, standard},
    report::{
        failure::{Failure, hint, reason},
        say::shown,
    },
};

/// A checked target; nothing is made or opened for writing yet.
#[derive(Clone)]
pub enum Target {
    /// Standard output.
    Standard,
    /// A file that is not there yet, or that may be replaced.
    File(FileTarget),
    /// A device or a pipe with a name.
    Special(Named),
    /// What comes out is not wanted.
    Nothing,
}

/// A name, and what it is the name of, for messages.
#[derive(Clone)]
pub struct Named {
    what: &'static str,
    /// The name.
    pub path: PathBuf,
}

/// A file that is to be made.
#[derive(Clone)]
pub struct FileTarget {
    /// Its name, links resolved.
    pub name: Named,
    /// The permissions of the file that it replaces.
    pub replaces: Option<Permissions>,
    /// Replace also what somebody else makes meanwhile.
    pub force: bool,
}

/// Where a target is: two that are equal are the same file.
#[derive(PartialEq, Eq)]
enum Place {
    Existing(FileId),
    New(FileId, OsString),
}

impl Target {
    /// An output; standard output if it is `-` or none.
    pub fn output(path: Option<&Path>, sources: &Sources, force: bool) -> Result<Self, Failure> {
        if path.is_none() && io::stdout().is_terminal() {
            return Err(Failure::usage(
                "standard output is a terminal",
                "name a file with -o OUT, or redirect; -o - writes to the terminal",
            ));
        }
        Self::check("output", path.unwrap_or(Path::new("-")), sources, force)
    }

    /// An output that may be a file that is its own input, with `force`: that is replaced when it
    /// has been read to its end.
    pub fn renewed(
        path: Option<&Path>,
        input: &NamedInput,
        sources: &Sources,
        force: bool,
    ) -> Result<Self, Failure> {
        let named = path.filter(|path| *path != Path::new("-"));
        let existing = named.and_then(|path| fs::metadata(path).ok());
        let own = |file: &Metadata| file.is_file() && input.is(file) && sources.is_input(file);
        if existing.as_ref().is_some_and(own) {
            return Self::output(path, &Sources::default(), force);
        }
        Self::output(path, sources, force)
    }

    /// What is to be written as `what`.
    pub fn check(
        what: &'static str,
        path: &Path,
        sources: &Sources,
        force: bool,
    ) -> Result<Self, Failure> {
        if path == Path::new("-") {
            sources.refuse_standard_output(what)?;
            return Ok(Self::Standard);
        }
        let name = Named { what, path: path.to_owned() };
        match fs::metadata(path) {
            Ok(existing) => name.existing(&existing, sources, force),
            Err(error) if error.kind() == io::ErrorKind::NotFound => name.new_file(force),
            Err(error) => Err(name.unusable(&error)),
        }
    }

    /// Opens it: what is no file yet is only made by the run.
    pub fn open(&self) -> Result<Output, Failure> {
        match self {
            Self::Nothing => Ok(Output::Nothing),
            Self::Standard => Output::standard().map_err(|error| {
                let sentence = format!("standard output can't be written: {}", reason(&error));
                Failure::usage(sentence, hint(&error))
            }),
            Self::Special(name) => Ok(Output::Special(name.path.clone())),
            Self::File(target) => Ok(Output::File(target.file())),
        }
    }

    /// What to say of an output that can't be made.
    pub fn unusable(&self, error: &io::Error) -> Failure {
        match self {
            Self::File(FileTarget { name, .. }) | Self::Special(name) => name.unusable(error),
            Self::Standard | Self::Nothing => {
                let sentence = format!("{} can't be written: {}", self.name(), reason(error));
                Failure::usage(sentence, hint(error))
            }
        }
    }

    /// What to say of an output that is complete and can't get its name.
    pub fn nameless(&self, error: &io::Error) -> Failure {
        match self {
            Self::File(FileTarget { name, .. }) if error.kind() == io::ErrorKind::AlreadyExists => {
                name.refused("exists: another program has just made it", "it")
            }
            _ => self.unusable(error),
        }
    }

    /// For messages.
    pub fn name(&self) -> String {
        match self {
            Self::Standard | Self::Nothing => "standard output".to_owned(),
            Self::File(FileTarget { name, .. }) | Self::Special(name) => name.shown(),
        }
    }

    /// Refuses another target that is the same file.
    pub fn refuse(&self, other: &Self, what: &str) -> Result<(), Failure> {
        if matches!((self, other), (Self::Standard, Self::Standard)) {
            return Err(Failure::usage(
                format!("{what} and output can't both go to standard output"),
                "name a file for one of them",
            ));
        }
        if matches!(other, Self::Nothing) {
            return Ok(());
        }
        let place = self.place();
        if place.is_none() || place != other.place() {
            return Ok(());
        }
        Err(Failure::usage(
            format!("output and {what} are the same file: {}", self.name()),
            "name another file for one of them",
        ))
    }

    fn place(&self) -> Option<Place> {
        let existing = match self {
            Self::Standard => standard(io::stdout()).ok(),
            Self::File(FileTarget { name, .. }) | Self::Special(name) => {
                fs::metadata(&name.path).ok()
            }
            Self::Nothing => return None,
        };
        match (existing, self) {
            // Several things may go to a terminal, or to /dev/null.
            (Some(file), _) if file.file_type().is_char_device() => None,
            (Some(file), _) => Some(Place::Existing(FileId::of(&file))),
            (None, Self::File(FileTarget { name, .. })) => {
                let folder = fs::metadata(folder(&name.path)).ok()?;
                Some(Place::New(FileId::of(&folder), name.path.file_name()?.to_owned()))
            }
            (None, _) => None,
        }
    }

    /// Writes all of it; `prepare` is for the file before something is in it.
    pub fn put(
        self,
        bytes: &[u8],
        prepare: impl FnOnce(&File) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let name = match &self {
            Self::File(FileTarget { name, .. }) | Self::Special(name) => {
                format!("{} {}", name.what, name.shown())
            }
            Self::Standard | Self::Nothing => self.name(),
        };
        let failed = |error: io::Error| {
            Failure::run(format!("writing {name} failed: {}", reason(&error)), hint(&error))
        };
        match self.open()? {
            Output::File(new) => {
                let pending = new.begin().map_err(|error| self.unusable(&error))?;
                let mut file = pending.file();
                prepare(file).and_then(|()| file.write_all(bytes)).map_err(failed)?;
                pending.finish().map_err(|error| self.nameless(&error))
            }
            Output::Special(path) => {
                let file = File::options().write(true).open(path);
                let mut file = file.map_err(|error| self.unusable(&error))?;
                file.write_all(bytes).map_err(failed)
            }
            Output::Stream(mut stream) => stream.write_all(bytes).map_err(failed),
            Output::Nothing => Ok(()),
        }
    }
}

impl FileTarget {
    fn file(&self) -> saltmill::NewFile {
        let Self { name, replaces, force } = self;
        let (path, permissions) = (name.path.clone(), replaces.clone());
        saltmill::NewFile { path, permissions, replace: *force }
    }
}

impl Named {
    /// What to say of one that can't be written.
    pub fn unusable(&self, error: &io::Error) -> Failure {
        let sentence =
            format!("{} {} can't be written: {}", self.what, self.shown(), reason(error));
        let hint = match error.kind() {
            io::ErrorKind::IsADirectory => {
                "name a file; `encrypt` and `decrypt` put files into a folder with --out-dir"
            }
            _ => hint(error),
        };
        Failure::usage(sentence, hint)
    }

    /// What to say of one that must not be written.
    pub fn refused(&self, why: &str, replace: &str) -> Failure {
        let Self { what, .. } = self;
        Failure::usage(
            format!("{what} {} {why}", self.shown()),
            format!("name another {what}, or replace {replace} with --force"),
        )
    }

    fn shown(&self) -> String {
        shown(&self.path)
    }

    fn existing(
        self,
        existing: &Metadata,
        sources: &Sources,
        force: bool,
    ) -> Result<Target, Failure> {
        if existing.is_dir() {
            return Err(self.unusable(&io::ErrorKind::IsADirectory.into()));
        }
        sources.refuse(existing, self.what, &self.shown())?;
        if !existing.is_file() {
            return Ok(Target::Special(self));
        }
        if !force {
            return Err(self.refused("exists", "it"));
        }
        let path = self.path.canonicalize().map_err(|error| self.unusable(&error))?;
        let replaces = Some(existing.permissions());
        Ok(Target::File(FileTarget { name: Self { path, ..self }, replaces, force }))
    }

    fn new_file(self, force: bool) -> Result<Target, Failure> {
        if !force && self.path.is_symlink() {
            return Err(self.refused("is a link to nothing", "the link"));
        }
        let folder = folder(&self.path);
        match fs::metadata(folder) {
            Ok(metadata) if metadata.is_dir() && self.path.file_name().is_some() => {
                Ok(Target::File(FileTarget { name: self, replaces: None, force }))
            }
            _ => {
                let (what, name, folder) = (self.what, self.shown(), shown(folder));
                Err(Failure::usage(
                    format!("{what} {name} can't be made: {folder} is not a folder"),
                    format!("make the folder first, or name another {what}"),
                ))
            }
        }
    }
}

/// The folder that a file is in.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}
