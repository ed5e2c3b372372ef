// SPDX-License-Identifier: Apache-2.0
//! What is in a folder and below it.

use std::{
    fs::{self, Metadata},
    io,
    path::{Path, PathBuf},
};

use crate::report::say::{self, shown};

/// Something below a folder.
pub enum Found {
    /// A regular file, and where it is below the folder.
    File(PathBuf, PathBuf, Metadata),
    /// A link, or neither file nor folder.
    Other(PathBuf),
    /// What can't be read.
    Unreadable(PathBuf, io::Error),
}

/// Finds everything below a folder, by name. Folders that are not to be entered are passed by.
pub fn walk(folder: &Path, enters: &dyn Fn(&Metadata) -> bool, found: &mut dyn FnMut(Found)) {
    enter(folder, Path::new(""), enters, found);
}

/// `place` is where the folder is below the one that was named.
fn enter(
    folder: &Path,
    place: &Path,
    enters: &dyn Fn(&Metadata) -> bool,
    found: &mut dyn FnMut(Found),
) {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return found(Found::Unreadable(folder.to_owned(), error)),
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, place) = (entry.path(), place.join(entry.file_name()));
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {
                if enters(&metadata) {
                    enter(&path, &place, enters, found);
                }
            }
            Ok(metadata) if metadata.is_file() => found(Found::File(path, place, metadata)),
            Ok(_) => found(Found::Other(path)),
            Err(error) => found(Found::Unreadable(path, error)),
        }
    }
}

/// Says which links and special files were skipped, if any were.
pub fn tell_skipped(skipped: &[PathBuf]) {
    let Some(first) = skipped.first() else { return };
    let (first, others) = (shown(first), skipped.len() - 1);
    let more = if others == 0 { String::new() } else { format!(" and {others} more") };
    let sentence = format!("skipped, because they are links or special files: {first}{more}");
    say::warn(&sentence, "a link that is named on the command line is followed");
}
