// SPDX-License-Identifier: Apache-2.0
//! Where the result goes: a temporary file beside the target that takes its name at the end, or
//! straight into what is no regular file.

use std::{
    fs::{File, OpenOptions, Permissions},
    io::{self, Write},
    os::{fd::AsFd, unix::fs::PermissionsExt},
};

use tempfile::{Builder, NamedTempFile};

use crate::{
    failure::{Failure, hint, reason},
    input::widen,
    interrupt::Unfinished,
    target::{NewFile, Target, folder},
};

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
    target: NewFile,
}

impl Output {
    /// Opens a target: from here on something may have to be removed.
    pub fn open(target: Target) -> Result<Self, Failure> {
        match target {
            Target::Nothing => Ok(Self::Nothing),
            Target::Standard => Ok(Self::Stream(Box::new(standard_output()?))),
            Target::Special(name) => {
                let file = OpenOptions::new().write(true).open(&name.path);
                Ok(Self::Stream(Box::new(file.map_err(|error| name.unusable(&error))?)))
            }
            Target::File(target) => Ok(Self::Temporary(Temporary::beside(target)?)),
        }
    }

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
    fn beside(target: NewFile) -> Result<Self, Failure> {
        let replaces = target.replaces.clone();
        let permissions = replaces.unwrap_or_else(|| Permissions::from_mode(0o666));
        let file = Builder::new()
            .prefix(".saltmill-")
            .suffix(".part")
            .permissions(permissions)
            .tempfile_in(folder(&target.name.path))
            .map_err(|error| target.name.unusable(&error))?;
        let unfinished = Unfinished::new(file.path());
        Ok(Self { file, unfinished, target })
    }

    /// The file itself.
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<(), Failure> {
        let Self { file, unfinished, target: NewFile { name, force, .. } } = self;
        let renamed =
            if force { file.persist(&name.path) } else { file.persist_noclobber(&name.path) };
        drop(unfinished);
        match renamed {
            Ok(_) => Ok(()),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(name.refused("exists: another program has just made it", "it"))
            }
            Err(error) => Err(name.unusable(&error.error)),
        }
    }
}

/// Standard output without the line buffer of the standard library.
fn standard_output() -> Result<File, Failure> {
    widen(io::stdout());
    let handle = io::stdout().as_fd().try_clone_to_owned();
    handle.map(File::from).map_err(|error| {
        let sentence = format!("output standard output can't be written: {}", reason(&error));
        Failure::usage(sentence, hint(&error))
    })
}
