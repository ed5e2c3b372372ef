// SPDX-License-Identifier: Apache-2.0
//! A file that has no name until it is complete: whatever ends the process, nothing of it is left.
//! Where the file system has no such files, it has a temporary name meanwhile.

use std::{
    collections::BTreeSet,
    fs::{self, File, Permissions},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::{Builder, NamedTempFile};

use crate::{
    output::folder,
    system::{link, set_permissions, unnamed},
};

/// Names of files that are not finished.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The name of a file that is not finished: remembered until this is dropped.
pub(crate) struct Unfinished(PathBuf);

impl Unfinished {
    fn new(path: &Path) -> Self {
        unfinished().insert(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While this lives, no file with a temporary name is begun or finished.
pub struct NoneUnfinished(
    #[expect(dead_code, reason = "held")] MutexGuard<'static, BTreeSet<PathBuf>>,
);

/// Removes all files with temporary names: for a process that has to end without unwinding.
pub fn remove_unfinished() -> NoneUnfinished {
    let unfinished = unfinished();
    for path in &*unfinished {
        let _ = fs::remove_file(path);
    }
    NoneUnfinished(unfinished)
}

/// Such a file.
pub(crate) enum Temporary {
    /// Without a name.
    Unnamed(File),
    /// With a temporary one.
    Named(NamedTempFile, Unfinished),
}

impl Temporary {
    /// A file in the folder of another, which it will replace or become.
    pub fn beside(path: &Path, permissions: Option<&Permissions>) -> io::Result<Self> {
        // Whatever is in the way of the one is not in that of the other, or is told of there.
        unnamed(folder(path), permissions)
            .map_or_else(|_| Self::named(folder(path), permissions), |file| Ok(Self::Unnamed(file)))
    }

    fn named(folder: &Path, permissions: Option<&Permissions>) -> io::Result<Self> {
        let mut builder = builder();
        set_permissions(&mut builder, permissions);
        let file = builder.tempfile_in(folder)?;
        let unfinished = Unfinished::new(file.path());
        Ok(Self::Named(file, unfinished))
    }

    /// The file itself.
    pub fn file(&self) -> &File {
        match self {
            Self::Unnamed(file) => file,
            Self::Named(file, _) => file.as_file(),
        }
    }

    /// Gives it its name, at once and whole; replaces what has it only if it may.
    pub fn name(self, path: &Path, replace: bool) -> io::Result<()> {
        match self {
            Self::Named(file, _unfinished) if replace => {
                file.persist(path).map(drop).map_err(|error| error.error)
            }
            Self::Named(file, _unfinished) => {
                file.persist_noclobber(path).map(drop).map_err(|error| error.error)
            }
            Self::Unnamed(file) => match link(&file, path) {
                Err(error) if replace && error.kind() == ErrorKind::AlreadyExists => {
                    replace_by(&file, path)
                }
                linked => linked,
            },
        }
    }
}

fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".saltmill-").suffix(".part");
    builder
}

/// A name that something else has. Only a rename takes its place at once, so for that instant the
/// file has a temporary name.
fn replace_by(file: &File, path: &Path) -> io::Result<()> {
    let made = builder().make_in(folder(path), |name| {
        let unfinished = Unfinished::new(name);
        link(file, name).map(|()| unfinished)
    })?;
    let (_unfinished, name) = made.into_parts();
    name.persist(path).map_err(|error| error.error)
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use std::{io::Write, os::unix::fs::PermissionsExt};

    use tempfile::TempDir;

    use super::*;

    /// Both kinds, where the file system has them.
    fn both(folder: &Path) -> Vec<Temporary> {
        let permissions = Permissions::from_mode(0o600);
        let mut made = vec![Temporary::named(folder, Some(&permissions)).unwrap()];
        made.extend(unnamed(folder, Some(&permissions)).map(Temporary::Unnamed));
        for temporary in &made {
            temporary.file().write_all(b"new").unwrap();
        }
        made
    }

    fn names(folder: &TempDir) -> Vec<String> {
        let entries = fs::read_dir(folder.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_appears_whole_and_with_its_permissions() {
        let folder = TempDir::new().unwrap();
        for temporary in both(folder.path()) {
            let path = folder.path().join("out");
            assert!(!path.exists());
            temporary.name(&path, false).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"new");
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            assert_eq!(names(&folder), ["out"]);
            fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn what_is_there_is_replaced_only_if_it_may() {
        for replace in [false, true] {
            let folder = TempDir::new().unwrap();
            for temporary in both(folder.path()) {
                let path = folder.path().join("out");
                fs::write(&path, b"old").unwrap();
                match temporary.name(&path, replace) {
                    Ok(()) => assert!(replace && fs::read(&path).unwrap() == b"new"),
                    Err(error) => {
                        assert!(!replace && error.kind() == io::ErrorKind::AlreadyExists);
                        assert_eq!(fs::read(&path).unwrap(), b"old");
                    }
                }
                assert_eq!(names(&folder), ["out"]);
            }
        }
    }

    #[test]
    fn what_is_not_finished_is_gone() {
        let folder = TempDir::new().unwrap();
        drop(both(folder.path()));
        assert_eq!(names(&folder), [""; 0]);
    }

    #[test]
    fn a_link_to_nothing_is_replaced_and_not_followed() {
        let folder = TempDir::new().unwrap();
        for temporary in both(folder.path()) {
            let path = folder.path().join("out");
            std::os::unix::fs::symlink("nowhere", &path).unwrap();
            temporary.name(&path, true).unwrap();
            assert!(!path.is_symlink() && fs::read(&path).unwrap() == b"new");
            assert_eq!(names(&folder), ["out"]);
            fs::remove_file(path).unwrap();
        }
    }
}
