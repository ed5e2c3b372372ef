// SPDX-License-Identifier: Apache-2.0
//! Which files the command line means.

use std::{
    fs::{self, Metadata},
    path::{Path, PathBuf},
};

use super::{about, inputs, system_reason};
use crate::{
    args::SumArguments,
    io::walk::{Found, tell_skipped, walk},
    report::say,
};

/// What was found.
#[derive(Default)]
pub struct Files {
    /// The files that are named, and those in the folders that are.
    pub names: Vec<PathBuf>,
    /// Links and special files in folders.
    pub skipped: Vec<PathBuf>,
    /// What can't be read in folders; it has been told.
    pub unreadable: Vec<PathBuf>,
}

/// Finds the files. What is skipped or can't be read is told.
pub fn find(arguments: &SumArguments) -> Files {
    let mut files = Files::default();
    for input in inputs(arguments) {
        if !arguments.recursive || !input.is_dir() {
            files.names.push(input);
            continue;
        }
        walk(&input, &|_| true, &mut |found| match found {
            Found::File(path, ..) => files.names.push(path),
            Found::Other(path) => files.skipped.push(path),
            Found::Unreadable(path, error) => {
                say::tell(about(&path, &system_reason(&error)));
                files.unreadable.push(path);
            }
        });
    }
    tell_skipped(&files.skipped);
    files
}

/// Bytes of all files, if they are known.
pub fn total<'a>(names: impl IntoIterator<Item = &'a PathBuf>) -> Option<u64> {
    let len = |name: &Path| fs::metadata(name).ok().filter(Metadata::is_file).map(|m| m.len());
    names.into_iter().map(|name| len(name)).sum()
}

/// The name without `./` in front of it.
pub fn plain(name: &Path) -> &Path {
    name.strip_prefix(".").unwrap_or(name)
}
