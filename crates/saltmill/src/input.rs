// SPDX-License-Identifier: Apache-2.0
//! What is read: a file that can be read anywhere, or a stream.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use saltmill_engine::{JOB_BYTES, ReadAt};
use saltmill_format::is_armor;

use crate::{
    begin::Stream,
    system::{Ready, widen},
};

/// What is read.
pub struct Input(pub(crate) Kind);

pub(crate) enum Kind {
    /// Can be read anywhere; so long.
    File(File, u64),
    /// Can be read from front to back.
    Stream(Stream),
}

impl Input {
    /// A file by its path.
    ///
    /// # Errors
    /// As [`File::open`]; a folder is an [`io::ErrorKind::IsADirectory`].
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::file(File::open(path)?)
    }

    /// An open file, from its start if it is a regular one; a pipe or a device is a stream.
    ///
    /// # Errors
    /// Its metadata can't be read; a folder is an [`io::ErrorKind::IsADirectory`].
    pub fn file(file: File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // Files of some virtual file systems say 0 and have content.
        let said = metadata.is_file() && (metadata.len() > 0 || is_empty(&file));
        Ok(if said {
            Self(Kind::File(file, metadata.len()))
        } else {
            Self::pipe(Ready::of(&file), file)
        })
    }

    /// A stream, read from front to back.
    pub fn stream(stream: impl Read + Send + 'static) -> Self {
        Self(Kind::Stream(Stream::new(stream)))
    }

    /// A stream of the system.
    fn pipe(ready: Option<Ready>, stream: impl Read + Send + 'static) -> Self {
        Self(Kind::Stream(Stream { ready, ..Stream::new(stream) }))
    }

    /// Standard input as a stream, also when it is a file: its place in it matters.
    pub fn standard() -> Self {
        widen(io::stdin());
        Self::pipe(Ready::of(io::stdin()), io::stdin())
    }

    /// Bytes, if they are known.
    #[expect(clippy::len_without_is_empty, reason = "a stream does not know")]
    pub fn len(&self) -> Option<u64> {
        match self.0 {
            Kind::File(_, len) => Some(len),
            Kind::Stream(_) => None,
        }
    }

    /// How many workers it can keep busy, if its length is known.
    pub fn jobs(&self) -> Option<u64> {
        self.len().map(|len| len.div_ceil(JOB_BYTES as u64).max(1))
    }

    /// Whether it is a file with an armor, as far as that can be told without reading on.
    pub fn is_armored(&self) -> bool {
        let Kind::File(file, len) = &self.0 else { return false };
        let mut start = [0; 2 << 10];
        let start = &mut start[..usize::try_from(*len).unwrap_or(usize::MAX).min(2 << 10)];
        ReadAt::read_exact_at(file, start, 0).is_ok() && is_armor(start)
    }
}

fn is_empty(file: &File) -> bool {
    let read = ReadAt::read_exact_at(file, &mut [0], 0);
    read.is_err_and(|error| error.kind() == io::ErrorKind::UnexpectedEof)
}
