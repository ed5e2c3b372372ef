// SPDX-License-Identifier: Apache-2.0
//! What has been hashed and is in no manifest yet: a file beside the manifest, to which lines are
//! appended as files are done. Whatever ends the run, even a `SIGKILL` leaves it.

use std::{
    ffi::OsString,
    fs::{self, File, TryLockError},
    io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use saltmill::sum::manifest::Style;

use super::listing::{Listed, Listing};
use crate::report::{
    failure::{Failure, hint, reason},
    say::shown,
};

/// Its first line: a file of that name that begins otherwise is not ours.
const HEAD: &[u8] = b"# saltmill sum --update: what was hashed by a run that has not ended\n";

/// As a manifest that says everything.
const STYLE: Style = Style { tag: true, zero: false };

/// What a `SIGKILL` may cost.
const FLUSH_EVERY: Duration = Duration::from_millis(100);

/// The journal of a manifest; there is no file before something is in it.
pub struct Journal {
    path: PathBuf,
    file: Option<BufWriter<File>>,
    flushed: Instant,
}

impl Journal {
    /// What an earlier run has left, to be continued.
    pub fn open(manifest: &Path) -> Result<(Self, Listing), Failure> {
        let mut path = OsString::from(manifest);
        path.push(".part");
        let mut journal = Self { path: path.into(), file: None, flushed: Instant::now() };
        let listing = journal.resume()?;
        Ok((journal, listing))
    }

    /// Its name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn resume(&mut self) -> Result<Listing, Failure> {
        match fs::symlink_metadata(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Listing::default()),
            Ok(metadata) if !metadata.is_file() => return Err(self.in_the_way()),
            _ => {}
        }
        let opened = File::options().read(true).write(true).open(&self.path);
        let mut file = opened.map_err(|error| self.failed("opening", &error))?;
        self.lock(&file)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(|error| self.failed("reading", &error))?;
        if !text.starts_with(HEAD) && !HEAD.starts_with(&text) {
            return Err(self.in_the_way());
        }
        // The last line may be half a line.
        text.truncate(text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1));
        let len = text.len() as u64;
        let cut = file.set_len(len).and_then(|()| file.seek(SeekFrom::Start(len)));
        cut.map_err(|error| self.failed("writing", &error))?;
        self.begin(file, text.is_empty())?;
        // After a power failure, other lines may be none.
        let skip = |_, _| Ok(());
        Listing::read(&text, None, STYLE.end(), skip)
    }

    /// A file is done. What was read a moment after it was written to is not worth remembering: it
    /// would be read again.
    pub fn add(&mut self, listed: &Listed) -> Result<(), Failure> {
        if listed.version.is_none() {
            return Ok(());
        }
        if self.file.is_none() {
            self.create()?;
        }
        let mut lines = Vec::new();
        listed.write(&mut lines, STYLE);
        self.write(&lines)?;
        self.flush()
    }

    /// Lets what is in it be found, if it was not lately.
    pub fn flush(&mut self) -> Result<(), Failure> {
        if self.flushed.elapsed() < FLUSH_EVERY {
            return Ok(());
        }
        self.flushed = Instant::now();
        let flushed = self.file.as_mut().map_or(Ok(()), Write::flush);
        flushed.map_err(|error| self.failed("writing", &error))
    }

    /// What to say when the run ends early: what it has done is found by the next one.
    pub fn resumable(&mut self, failure: Failure) -> Failure {
        let Some(file) = &mut self.file else { return failure };
        if let Err(error) = file.flush() {
            return self.failed("writing", &error);
        }
        let path = shown(&self.path);
        failure.hinted(format!("run it again: {path} has what was hashed"))
    }

    /// Everything that is in it is in the manifest.
    pub fn remove(self) -> Result<(), Failure> {
        if self.file.is_none() {
            return Ok(());
        }
        fs::remove_file(&self.path).map_err(|error| self.failed("removing", &error))
    }

    fn create(&mut self) -> Result<(), Failure> {
        // Names may be nobody else's business.
        let created = File::options().write(true).create_new(true).mode(0o600).open(&self.path);
        let file = created.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => self.in_use(),
            _ => self.failed("making", &error),
        })?;
        self.lock(&file)?;
        self.begin(file, true)
    }

    fn begin(&mut self, file: File, is_new: bool) -> Result<(), Failure> {
        self.file = Some(BufWriter::with_capacity(64 << 10, file));
        if is_new { self.write(HEAD) } else { Ok(()) }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.file.as_mut().map_or(Ok(()), |file| file.write_all(bytes));
        written.map_err(|error| self.failed("writing", &error))
    }

    /// File systems without locks do without.
    fn lock(&self, file: &File) -> Result<(), Failure> {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(self.in_use()),
            _ => Ok(()),
        }
    }

    fn failed(&self, what: &str, error: &io::Error) -> Failure {
        let sentence = format!("{what} {} failed: {}", shown(&self.path), reason(error));
        Failure::run(sentence, hint(error))
    }

    fn in_use(&self) -> Failure {
        Failure::usage(
            format!("another saltmill is at work on this manifest: {} is its", shown(&self.path)),
            "wait until it has ended",
        )
    }

    fn in_the_way(&self) -> Failure {
        Failure::usage(
            format!("{} is in the way: it is not a file of saltmill", shown(&self.path)),
            "rename it, or name another manifest",
        )
    }
}
