// SPDX-License-Identifier: Apache-2.0
//! Where the text comes from.

use std::{
    fs::{File, Metadata},
    io::{self, Read},
    os::{fd::AsFd, unix::fs::FileExt},
    path::Path,
};

use rustix::pipe::fcntl_setpipe_size;
use saltmill_engine::JOB_BYTES;

use crate::{
    failure::{Failure, hint, reason},
    say::shown,
    sources::Sources,
};

/// An opened input.
pub struct Input {
    /// For messages.
    pub name: String,
    /// What it is, if that is known.
    pub metadata: Option<Metadata>,
    /// The file; standard input also when it is one, for its place in it matters.
    pub kind: InputKind,
}

/// What can be done with it.
pub enum InputKind {
    /// Can be read anywhere; so long.
    Regular(File, u64),
    /// Can be read from front to back.
    Stream(Box<dyn Read + Send>),
}

/// Bytes that a pipe holds: more than an unprivileged user can have of a few at once is refused, and then
/// it stays as it is.
const PIPE_BYTES: usize = 1 << 20;

/// Lets a pipe hold more, so that its ends don't wait for each other at every 64 KiB.
pub fn widen(end: impl AsFd) {
    let _ = fcntl_setpipe_size(end, PIPE_BYTES);
}

impl Input {
    /// How many threads it can keep busy, if its length is known.
    pub fn jobs(&self) -> Option<u64> {
        match self.kind {
            InputKind::Regular(_, len) => Some(len.div_ceil(JOB_BYTES as u64).max(1)),
            InputKind::Stream(_) => None,
        }
    }

    /// For the check of what is written.
    pub fn source(&self) -> Sources {
        let mut sources = Sources::default();
        if let Some(file) = &self.metadata {
            sources.file("input", file);
        }
        sources
    }

    /// Opens the named file; standard input if it is `-` or none.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        match path {
            Some(path) if path != Path::new("-") => Self::open_file(path),
            _ => Ok(Self::standard()),
        }
    }

    fn standard() -> Self {
        widen(io::stdin());
        let handle = io::stdin().as_fd().try_clone_to_owned().map(File::from);
        let metadata = handle.and_then(|file| file.metadata()).ok();
        let kind = InputKind::Stream(Box::new(io::stdin()));
        Self { name: "standard input".to_owned(), metadata, kind }
    }

    fn open_file(path: &Path) -> Result<Self, Failure> {
        let name = shown(path);
        let failed = |error: io::Error| {
            Failure::usage(format!("input {name} can't be read: {}", reason(&error)), hint(&error))
        };
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        // Files of some virtual file systems say 0 and have content.
        let said = metadata.is_file()
            && (metadata.len() > 0 || file.read_at(&mut [0], 0).is_ok_and(|bytes| bytes == 0));
        let kind = if said {
            InputKind::Regular(file, metadata.len())
        } else {
            InputKind::Stream(Box::new(file))
        };
        Ok(Self { name, metadata: Some(metadata), kind })
    }
}
