// SPDX-License-Identifier: Apache-2.0
//! Where the text comes from.

use std::{
    fs::{File, Metadata},
    io,
    os::fd::AsFd,
    path::Path,
};

use crate::{
    io::sources::{FileId, INPUT, Sources},
    report::{
        failure::{Failure, hint, reason},
        say::shown,
    },
};

/// An opened input.
pub struct NamedInput {
    /// For messages.
    pub name: String,
    /// What it is, if that is known.
    metadata: Option<Metadata>,
    /// The input itself.
    pub content: saltmill::Input,
}

impl NamedInput {
    /// For the check of what is written.
    pub fn source(&self) -> Sources {
        let mut sources = Sources::default();
        if let Some(file) = &self.metadata {
            sources.file(INPUT, file);
        }
        sources
    }

    /// Whether it is this file.
    pub fn is(&self, file: &Metadata) -> bool {
        self.metadata.as_ref().is_some_and(|own| FileId::of(own) == FileId::of(file))
    }

    /// Opens the named file; standard input if it is `-` or none.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        match path {
            Some(path) if path != Path::new("-") => Self::open_file(path),
            _ => Ok(Self::standard()),
        }
    }

    fn standard() -> Self {
        let handle = io::stdin().as_fd().try_clone_to_owned().map(File::from);
        let metadata = handle.and_then(|file| file.metadata()).ok();
        let (name, content) = ("standard input".to_owned(), saltmill::Input::standard());
        Self { name, metadata, content }
    }

    fn open_file(path: &Path) -> Result<Self, Failure> {
        let name = shown(path);
        let failed = |error: io::Error| {
            Failure::usage(format!("input {name} can't be read: {}", reason(&error)), hint(&error))
        };
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        let content = saltmill::Input::file(file).map_err(failed)?;
        Ok(Self { name, metadata: Some(metadata), content })
    }
}
