// SPDX-License-Identifier: Apache-2.0
//! What the user is told when something fails, and the exit codes: all of them are here and in
//! `docs/exit-codes.md`.

use std::{fmt, io, process::ExitCode};

use rustix::io::Errno;
use saltmill_device::DeviceError;

use crate::{report::interrupt, say::shown};

/// How the command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything was done.
    Done,
    /// Reading or writing failed: file system, disk, pipe.
    Failed,
    /// The command line, the key, the nonce, the counter or the named files can't be used.
    Usage,
    /// No engine could do the work: every device or worker failed.
    Device,
    /// What was to be decrypted is for somebody else, or was changed or cut off.
    Untrusted,
    /// A signal of this number asked to end; Ctrl-C is 2.
    Signal(u8),
}

impl Exit {
    /// The code that the caller sees.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Device => 3,
            Self::Untrusted => 4,
            Self::Signal(number) => 128 + number,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// One sentence that names the thing, and what to do about it.
#[derive(Clone, Debug)]
pub struct Failure {
    exit: Exit,
    sentence: String,
    hint: String,
}

impl Failure {
    /// The command was called in a way that can't work.
    pub fn usage(sentence: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, sentence: sentence.into(), hint: hint.into() }
    }

    /// The run failed.
    pub fn run(sentence: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { exit: Exit::Failed, sentence: sentence.into(), hint: hint.into() }
    }

    /// The engines failed.
    pub fn device(sentence: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { exit: Exit::Device, sentence: sentence.into(), hint: hint.into() }
    }

    /// What was to be decrypted can't be, or must not be believed.
    pub fn untrusted(sentence: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { exit: Exit::Untrusted, sentence: sentence.into(), hint: hint.into() }
    }

    /// A signal asked to end.
    pub fn interrupted() -> Self {
        let (sentence, hint) = ("interrupted", "no output file was left behind; start again");
        let exit = Exit::Signal(interrupt::signal().unwrap_or_default());
        Self { exit, sentence: sentence.into(), hint: hint.into() }
    }

    /// The same failure if it is an interrupt already, and otherwise one.
    pub fn by_signal(self) -> Self {
        if matches!(self.exit, Exit::Signal(_)) { self } else { Self::interrupted() }
    }

    /// Of many files, some could not be done; each has been told.
    pub fn some(exit: Exit, failed: usize, all: usize) -> Self {
        let others = if failed < all { "all others are done; " } else { "" };
        let sentence = format!("{failed} of {all} files could not be done");
        Self { exit, sentence, hint: format!("{others}the reasons are above") }
    }

    /// The same, when so many of many files were done before it.
    pub fn after(self, done: usize, all: usize) -> Self {
        let sentence = format!("{}, after {done} of {all} files", self.sentence);
        let hint = "the finished files are complete; no partial file was left".to_owned();
        Self { sentence, hint, ..self }
    }

    /// The same with another hint.
    pub fn hinted(self, hint: impl Into<String>) -> Self {
        Self { hint: hint.into(), ..self }
    }

    /// How the command ends because of it.
    pub fn exit(&self) -> Exit {
        self.exit
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names are in it, and what plugins and files say.
        write!(f, "error: {}\nhint: {}", shown(&self.sentence), shown(&self.hint))
    }
}

impl std::error::Error for Failure {}

impl From<DeviceError> for Failure {
    fn from(error: DeviceError) -> Self {
        Self::device(sentence(&error), "`saltmill devices --self-test` shows what works")
    }
}

/// The error with its causes.
fn sentence(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {}", sentence(cause)),
        None => error.to_string(),
    }
}

/// Why a file operation failed, in words for people: without the operating system's number.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        io::ErrorKind::BrokenPipe => "its reader has gone away".to_owned(),
        io::ErrorKind::UnexpectedEof => "it ended too early".to_owned(),
        _ if is_no_file(error) => "it is a socket, or a device that is not there".to_owned(),
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or(&text).to_lowercase()
        }
    }
}

/// What a socket says when it is opened.
fn is_no_file(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::NXIO.raw_os_error())
}

/// What to do about a file operation that failed.
pub fn hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "check the path",
        io::ErrorKind::PermissionDenied => "check the permissions of the file and its folder",
        io::ErrorKind::StorageFull => "free some space, or choose an output on another disk",
        io::ErrorKind::IsADirectory => {
            "name a file; `encrypt` and `decrypt` take a folder with --recursive"
        }
        io::ErrorKind::BrokenPipe => {
            "the program that reads the pipe ended early; see its messages"
        }
        io::ErrorKind::UnexpectedEof => "it became shorter while it was read; start again",
        _ if is_no_file(error) => "name a file, a pipe or a device",
        _ if error.raw_os_error().is_some() => "try another folder, or another disk",
        _ => "check that it is the right file, and that it is not damaged",
    }
}
