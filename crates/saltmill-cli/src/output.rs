// SPDX-License-Identifier: Apache-2.0
//! Where the result goes: a file that gets its name when it is complete, or straight into what is no regular
//! file.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    os::fd::AsFd,
};

use crate::{
    failure::{Failure, hint, reason},
    input::widen,
    target::{NewFile, Target},
    temporary::Temporary,
};

/// An output that is being written.
pub enum Output {
    /// Standard output, a device or a pipe.
    Stream(Box<dyn Write + Send>),
    /// A regular file without its name.
    New(Unnamed),
    /// What comes out is not wanted.
    Nothing,
}

/// A file that is gone unless it is finished.
pub struct Unnamed {
    file: Temporary,
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
            Target::File(target) => {
                let file = Temporary::beside(&target.name.path, target.replaces.as_ref());
                let file = file.map_err(|error| target.name.unusable(&error))?;
                Ok(Self::New(Unnamed { file, target }))
            }
        }
    }

    /// It can be written anywhere, by several threads, or not at all.
    pub fn is_in_place(&self) -> bool {
        matches!(self, Self::New(_) | Self::Nothing)
    }

    /// What is still to be given its name.
    pub fn unnamed(self) -> Option<Unnamed> {
        if let Self::New(unnamed) = self { Some(unnamed) } else { None }
    }
}

impl Unnamed {
    /// The file itself.
    pub fn file(&self) -> &File {
        self.file.file()
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<(), Failure> {
        let Self { file, target: NewFile { name, force, .. } } = self;
        file.name(&name.path, force).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                name.refused("exists: another program has just made it", "it")
            }
            _ => name.unusable(&error),
        })
    }
}

/// Standard output without the line buffer of the standard library.
fn standard_output() -> Result<File, Failure> {
    widen(io::stdout());
    let handle = io::stdout().as_fd().try_clone_to_owned();
    handle.map(File::from).map_err(|error| {
        let sentence = format!("standard output can't be written: {}", reason(&error));
        Failure::usage(sentence, hint(&error))
    })
}
