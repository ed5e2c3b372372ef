// SPDX-License-Identifier: Apache-2.0
//! What is written: a file that gets its name when it is complete, a stream, or nothing.

use std::{
    fs::{File, Permissions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{system::unbuffered, temporary::Temporary};

/// What is written.
pub enum Output {
    /// A file that is made by the run.
    File(NewFile),
    /// What is there already and is no regular file: a device, or a pipe with a name. It is opened
    /// when the run begins.
    Special(PathBuf),
    /// A stream, written from front to back.
    Stream(Box<dyn Write + Send>),
    /// Nothing: to verify.
    Nothing,
}

impl Output {
    /// A new file; one that is there already is an [`Error::Name`](crate::Error::Name) at the end.
    pub fn create(path: impl Into<PathBuf>) -> Self {
        Self::File(NewFile { path: path.into(), permissions: None, replace: false })
    }

    /// A new file, or one in the place of another.
    pub fn replace(path: impl Into<PathBuf>) -> Self {
        Self::File(NewFile { path: path.into(), permissions: None, replace: true })
    }

    /// A stream, written from front to back.
    pub fn stream(stream: impl Write + Send + 'static) -> Self {
        Self::Stream(Box::new(stream))
    }

    /// Standard output without the line buffer of the standard library.
    ///
    /// # Errors
    /// It is closed.
    pub fn standard() -> io::Result<Self> {
        Ok(Self::stream(unbuffered(io::stdout())?))
    }

    /// Whether it can be written anywhere, by several threads, or not at all.
    pub fn is_in_place(&self) -> bool {
        matches!(self, Self::File(_) | Self::Nothing)
    }
}

/// A file that is to be made.
#[derive(Clone, Debug)]
pub struct NewFile {
    /// Its name. A link there is replaced, not followed.
    pub path: PathBuf,
    /// Its permissions, if not those of any new file.
    pub permissions: Option<Permissions>,
    /// Replace what has the name.
    pub replace: bool,
}

impl NewFile {
    /// Makes the file; until it is finished it has no name, or where the system has no such files a
    /// temporary one.
    ///
    /// # Errors
    /// The file can't be made in that folder.
    pub fn begin(&self) -> io::Result<PendingFile> {
        let file = Temporary::beside(&self.path, self.permissions.as_ref())?;
        Ok(PendingFile { file, path: self.path.clone(), replace: self.replace })
    }
}

/// A file that is gone unless it is finished.
pub struct PendingFile {
    file: Temporary,
    path: PathBuf,
    replace: bool,
}

impl PendingFile {
    /// The file itself.
    pub fn file(&self) -> &File {
        self.file.file()
    }

    /// Gives the file its name, at once and whole.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if another file has the name and is not to be replaced.
    pub fn finish(self) -> io::Result<()> {
        self.file.name(&self.path, self.replace)
    }
}

/// The folder that a file is in.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}
