// SPDX-License-Identifier: Apache-2.0
//! The files that a call reads. None of them may be written by it, under whatever name.

use std::{
    collections::HashMap,
    fs::{self, File, Metadata},
    io,
    os::{
        fd::AsFd,
        unix::fs::{FileTypeExt, MetadataExt},
    },
    path::Path,
};

use crate::report::failure::Failure;

/// What a file is, whatever it is called: a number of the file system and one in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// Of this file.
    pub fn of(file: &Metadata) -> Self {
        Self { device: file.dev(), inode: file.ino() }
    }
}

/// What the inputs are read as.
pub const INPUT: &str = "input";

/// What a call reads, and what for.
#[derive(Default)]
pub struct Sources(HashMap<FileId, &'static str>);

impl Sources {
    /// Files that are read as `what`; one that is not there is told of by whoever reads it.
    pub fn of<'a>(
        what: &'static str,
        paths: impl IntoIterator<Item = &'a (impl AsRef<Path> + ?Sized + 'a)>,
    ) -> Self {
        let mut sources = Self::default();
        for path in paths {
            sources.path(what, path.as_ref());
        }
        sources
    }

    /// The same with more files.
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    fn path(&mut self, what: &'static str, path: &Path) {
        let found = if path == Path::new("-") { standard(io::stdin()) } else { fs::metadata(path) };
        if let Ok(file) = found {
            self.file(what, &file);
        }
    }

    /// A file that is read as `what`.
    pub fn file(&mut self, what: &'static str, file: &Metadata) {
        // Of a terminal or a pipe nothing is lost when it is written.
        if file.is_file() || file.file_type().is_block_device() {
            self.0.insert(FileId::of(file), what);
        }
    }

    /// Whether a file is read as an input, and as nothing else besides.
    pub fn is_input(&self, file: &Metadata) -> bool {
        self.0.get(&FileId::of(file)) == Some(&INPUT)
    }

    /// Refuses a file that is to be written as `what` and is one of those that are read.
    pub fn refuse(&self, written: &Metadata, what: &str, name: &str) -> Result<(), Failure> {
        match self.0.get(&FileId::of(written)) {
            None => Ok(()),
            Some(read) => Err(Failure::usage(
                format!("{read} and {what} are the same file: {name}"),
                format!("name another {what}; you can rename it afterwards"),
            )),
        }
    }

    /// The same for what standard output leads to.
    pub fn refuse_standard_output(&self, what: &str) -> Result<(), Failure> {
        standard(io::stdout()).map_or(Ok(()), |file| self.refuse(&file, what, "standard output"))
    }
}

/// What is behind standard input or output.
pub fn standard(stream: impl AsFd) -> io::Result<Metadata> {
    File::from(stream.as_fd().try_clone_to_owned()?).metadata()
}
