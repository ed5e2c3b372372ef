// SPDX-License-Identifier: Apache-2.0
//! What tells that a file has changed, without reading it.

use std::{
    fs::{File, Metadata},
    io,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use super::FileError;
use crate::system::inode;

/// The coarsest clock of a file system, which is that of FAT. Two changes within a tick of it can't
/// be told apart.
const TICK: Duration = Duration::from_secs(2);

/// What changes when a regular file is written to, or another one takes its name.
///
/// The device's number is not in it: some file systems have another one after each start. A
/// program that changes a file and sets its time back is not noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// Bytes of the file.
    pub bytes: u64,
    /// When it was written to: nanoseconds since 1970.
    pub modified: i128,
    /// Its number in the file system; 0 where files have none.
    pub inode: u64,
}

impl Version {
    /// Of a regular file.
    pub fn of(metadata: &Metadata) -> Option<Self> {
        let modified = nanoseconds(metadata.modified().ok()?);
        let version = Self { bytes: metadata.len(), modified, inode: inode(metadata) };
        metadata.is_file().then_some(version)
    }

    /// Whether a change at that time, or later, gives it another one.
    fn is_older_than(&self, time: SystemTime) -> bool {
        let tick = i128::try_from(TICK.as_nanos()).unwrap_or(i128::MAX);
        self.modified.saturating_add(tick) <= nanoseconds(time)
    }
}

fn nanoseconds(time: SystemTime) -> i128 {
    let count = |time: Duration| i128::try_from(time.as_nanos()).unwrap_or(i128::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => count(after),
        Err(before) => -count(before.duration()),
    }
}

/// What a file was like when it was opened; of what is no regular file nothing is known.
#[derive(Clone, Copy)]
pub(super) struct Opened {
    version: Option<Version>,
    at: SystemTime,
}

impl Opened {
    /// A file of which nothing has been read yet.
    pub fn of(file: &File) -> io::Result<Self> {
        let at = SystemTime::now();
        Ok(Self { version: Version::of(&file.metadata()?), at })
    }

    /// Bytes of a regular file.
    pub fn bytes(self) -> Option<u64> {
        self.version.map(|version| version.bytes)
    }

    /// The version, if any change since then gives another one; an error if it is another one now.
    pub fn check(self, file: &File) -> Result<Option<Version>, FileError> {
        if Version::of(&file.metadata()?) != self.version {
            return Err(FileError::Changed);
        }
        Ok(self.version.filter(|version| version.is_older_than(self.at)))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_file_that_was_written_to_is_another_version() {
        let mut file = tempfile::tempfile().expect("a file");
        let opened = Opened::of(&file).expect("a version");
        assert!(opened.check(&file).is_ok());
        file.write_all(b"more").expect("written");
        assert!(matches!(opened.check(&file), Err(FileError::Changed)));
    }

    #[test]
    fn the_version_of_a_file_that_may_change_within_a_tick_is_worth_nothing() {
        let file = tempfile::tempfile().expect("a file");
        let now = SystemTime::now();
        let minute = Duration::from_secs(60);
        for (modified, is_settled) in [
            (now, false),
            (now + minute, false),
            (now - TICK / 2, false),
            (now - TICK, true),
            (UNIX_EPOCH - minute, true),
        ] {
            file.set_modified(modified).expect("a time");
            let version = Opened::of(&file).expect("a version").check(&file).expect("unchanged");
            assert_eq!(version.is_some(), is_settled, "{modified:?}");
            let version = Version::of(&file.metadata().expect("metadata")).expect("a version");
            assert_eq!(version.modified, nanoseconds(modified));
        }
    }
}
