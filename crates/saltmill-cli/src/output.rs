// SPDX-License-Identifier: Apache-2.0
//! Where the result goes: a temporary file beside the target that takes its name at the end, or
//! straight into what is no regular file.

use std::{
    fs::{self, File, Metadata, OpenOptions, Permissions},
    io::{self, IsTerminal, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use tempfile::{Builder, NamedTempFile};

use crate::{
    failure::{Failure, hint, reason},
    input::widen,
    interrupt::Unfinished,
    sources::Sources,
};

/// A checked target; nothing is made or opened for writing yet.
#[derive(Clone)]
pub enum Target {
    /// Standard output.
    Standard,
    /// A file that is not there yet, or that may be replaced.
    File {
        /// Its name, links resolved.
        path: PathBuf,
        /// The permissions of the file that it replaces.
        replaces: Option<Permissions>,
    },
    /// A device or a pipe with a name.
    Special(PathBuf),
    /// What comes out is not wanted.
    Nothing,
}

/// An output that is being written.
pub enum Output {
    /// Standard output, a device or a pipe.
    Stream(Box<dyn Write + Send>),
    /// A regular file under a temporary name.
    Temporary(Temporary),
    /// What comes out is not wanted.
    Nothing,
}

/// A file that is removed unless it is finished.
pub struct Temporary {
    file: NamedTempFile,
    unfinished: Unfinished,
    target: PathBuf,
    replace: bool,
}

impl Target {
    /// Checks the target against what is read and against what is there.
    pub fn check(path: Option<&Path>, sources: &Sources, force: bool) -> Result<Self, Failure> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            if path.is_none() && io::stdout().is_terminal() {
                return Err(Failure::usage(
                    "standard output is a terminal",
                    "name a file with -o OUT, or redirect; -o - writes to the terminal",
                ));
            }
            sources.refuse_standard_output("output")?;
            return Ok(Self::Standard);
        };
        match fs::metadata(path) {
            Ok(existing) => Self::existing(path, &existing, sources, force),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::new_file(path, force),
            Err(error) => Err(unusable(path, &error)),
        }
    }

    /// For messages.
    pub fn name(&self) -> String {
        match self {
            Self::Standard | Self::Nothing => "standard output".to_owned(),
            Self::File { path, .. } | Self::Special(path) => path.display().to_string(),
        }
    }

    fn existing(
        path: &Path,
        existing: &Metadata,
        sources: &Sources,
        force: bool,
    ) -> Result<Self, Failure> {
        let name = path.display();
        if existing.is_dir() {
            return Err(unusable(path, &io::ErrorKind::IsADirectory.into()));
        }
        sources.refuse(existing, "output", &name.to_string())?;
        if !existing.is_file() {
            return Ok(Self::Special(path.to_owned()));
        }
        if !force {
            return Err(Failure::usage(
                format!("output {name} exists"),
                "name another output, or replace it with --force",
            ));
        }
        let path = path.canonicalize().map_err(|error| unusable(path, &error))?;
        Ok(Self::File { path, replaces: Some(existing.permissions()) })
    }

    fn new_file(path: &Path, force: bool) -> Result<Self, Failure> {
        if !force && path.is_symlink() {
            return Err(Failure::usage(
                format!("output {} is a link to nothing", path.display()),
                "name another output, or replace the link with --force",
            ));
        }
        let folder = folder(path);
        match fs::metadata(folder) {
            Ok(metadata) if metadata.is_dir() && path.file_name().is_some() => {
                Ok(Self::File { path: path.to_owned(), replaces: None })
            }
            _ => Err(Failure::usage(
                format!(
                    "output {} can't be made: {} is not a folder",
                    path.display(),
                    folder.display()
                ),
                "make the folder first, or name another output",
            )),
        }
    }

    /// Opens the output: from here on something may have to be removed.
    pub fn open(self, force: bool) -> Result<Output, Failure> {
        match self {
            Self::Nothing => Ok(Output::Nothing),
            Self::Standard => Ok(Output::Stream(Box::new(RawStandardOutput::new()?))),
            Self::Special(path) => {
                let file = OpenOptions::new().write(true).open(&path);
                Ok(Output::Stream(Box::new(file.map_err(|error| unusable(&path, &error))?)))
            }
            Self::File { path, replaces } => {
                let permissions = replaces.unwrap_or_else(|| Permissions::from_mode(0o666));
                let file = Builder::new()
                    .prefix(".saltmill-")
                    .suffix(".part")
                    .permissions(permissions)
                    .tempfile_in(folder(&path))
                    .map_err(|error| unusable(&path, &error))?;
                let unfinished = Unfinished::new(file.path());
                Ok(Output::Temporary(Temporary { file, unfinished, target: path, replace: force }))
            }
        }
    }
}

impl Output {
    /// It can be written anywhere, by several threads, or not at all.
    pub fn is_in_place(&self) -> bool {
        matches!(self, Self::Temporary(_) | Self::Nothing)
    }

    /// What is still to be given its name.
    pub fn temporary(self) -> Option<Temporary> {
        if let Self::Temporary(temporary) = self { Some(temporary) } else { None }
    }
}

impl Temporary {
    /// The file itself.
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<(), Failure> {
        let Self { file, unfinished, target, replace } = self;
        let renamed = if replace { file.persist(&target) } else { file.persist_noclobber(&target) };
        drop(unfinished);
        match renamed {
            Ok(_) => Ok(()),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(Failure::usage(
                    format!("output {} exists: another program has just made it", target.display()),
                    "name another output, or replace it with --force",
                ))
            }
            Err(error) => Err(unusable(&target, &error.error)),
        }
    }
}

/// Standard output without the line buffer of the standard library.
struct RawStandardOutput(File);

impl RawStandardOutput {
    fn new() -> Result<Self, Failure> {
        use std::os::fd::AsFd;
        widen(io::stdout());
        let handle = io::stdout().as_fd().try_clone_to_owned();
        let failed = |error: io::Error| unusable(Path::new("standard output"), &error);
        Ok(Self(handle.map_err(failed)?.into()))
    }
}

impl Write for RawStandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

fn unusable(path: &Path, error: &io::Error) -> Failure {
    let sentence = format!("output {} can't be written: {}", path.display(), reason(error));
    Failure::usage(sentence, hint(error))
}
