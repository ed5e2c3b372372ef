// SPDX-License-Identifier: Apache-2.0
//! How calls end: a status, and for each thread what the last call that failed had to say.

use std::{
    cell::RefCell,
    error::Error as StdError,
    ffi::{CString, c_char},
    fmt::Debug,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    ptr,
};

use saltmill::{
    Error as LibraryError,
    engine::{CounterError, EngineError, Refused},
    format::{OpenError, PrologueError},
    keys::KeyError,
    sum::FileError,
};
use saltmill_device::{DeviceError, JobError, queue::QueueError};

/// How a call ended. `saltmill_last_error()` says more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Status {
    /// It was done.
    Ok = 0,
    /// An argument can't be used: a null pointer, a length, a name.
    Argument = 1,
    /// The result does not fit; its length was given, and nothing was written.
    Room = 2,
    /// The operating system refused something: `os_error` is its number (errno), or 0.
    System = 3,
    /// It is no file of the age format that can be read. Kinds: `not_age`, `version`, `truncated`,
    /// `too_long`, `malformed`, `header_changed`, `armor`.
    Format = 4,
    /// No identity opens it, or one can't be used. Kinds: `no_match`, `unwrap`, `excessive_work`,
    /// `identity`.
    Identity = 5,
    /// It can't be sealed for these recipients.
    Recipient = 6,
    /// Something is not what was sealed: of a file chunk number `chunk`, from 0, at byte `offset`.
    /// None of it was given out.
    Refused = 7,
    /// The data is longer than what one nonce is good for: `longest` bytes.
    Counter = 8,
    /// A run ended early. Kinds: `cancelled`, `worker_failed`, `worker_panicked`, `no_worker_left`.
    Engine = 9,
    /// A device can't be used, or does not answer. Kinds: the driver's, such as `no_key_slot`.
    Device = 10,
    /// A device could not do a job. Kinds: the driver's, such as `bad_key_slot`.
    Job = 11,
    /// An earlier call with this object has failed, or it has ended.
    Ended = 12,
    /// A bug in the library, which has stopped at it. The objects of the call can only be freed.
    Bug = 13,
}

/// Why a call failed.
#[repr(C)]
pub struct LastError {
    status: Status,
    /// Number of the operating system's error (errno); 0 if there is none.
    os_error: i32,
    /// A sentence in English, without a full stop. Not null. No secret is in it.
    message: *const c_char,
    /// Which of the errors of that status, or an empty text. Not null.
    kind: *const c_char,
    /// Of `SALTMILL_STATUS_REFUSED` with a file.
    chunk: u64,
    /// Of `SALTMILL_STATUS_REFUSED` with a file.
    offset: u64,
    /// Of `SALTMILL_STATUS_COUNTER`.
    longest: u64,
}

/// An error on its way to C.
#[derive(Debug)]
pub struct Error {
    status: Status,
    message: String,
    kind: String,
    errno: i32,
    refused: Option<Refused>,
    longest: u64,
}

struct Last {
    /// What `message` and `kind` of it point to.
    _texts: [CString; 2],
    told: LastError,
}

thread_local! {
    static LAST: RefCell<Option<Box<Last>>> = const { RefCell::new(None) };
}

/// Why the last call on this thread that failed did so; null if none has. It stays until the next
/// call that fails on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_last_error() -> *const LastError {
    let found = LAST
        .try_with(|last| last.try_borrow().ok()?.as_ref().map(|last| ptr::from_ref(&last.told)));
    found.ok().flatten().unwrap_or(ptr::null())
}

/// Does what C asks for. A panic ends here: C knows of none.
pub fn call(act: impl FnOnce() -> Result<(), Error>) -> Status {
    let outcome = catch_unwind(AssertUnwindSafe(act));
    let error = match outcome {
        Ok(Ok(())) => return Status::Ok,
        Ok(Err(error)) => error,
        Err(_) => Error::new(Status::Bug, "the library has a bug: it panicked".into()),
    };
    let status = error.status;
    // A thread that ends has nowhere to keep it.
    let _ = LAST.try_with(|last| last.replace(Some(Box::new(error.last()))));
    status
}

/// The same for what gives nothing back and can't fail.
pub fn quiet(act: impl FnOnce()) {
    let _ = catch_unwind(AssertUnwindSafe(act));
}

impl Error {
    /// An error without anything else.
    pub fn new(status: Status, message: String) -> Self {
        let kind = String::new();
        Self { status, message, kind, errno: 0, refused: None, longest: 0 }
    }

    /// An argument can't be used.
    pub fn argument(message: impl Into<String>) -> Self {
        Self::new(Status::Argument, message.into())
    }

    /// The result has so many bytes.
    pub fn room(needed: usize) -> Self {
        Self::new(Status::Room, format!("the result has {needed} bytes, which do not fit"))
    }

    /// An object that can't go on.
    pub fn ended() -> Self {
        Self::new(Status::Ended, "it has ended, or an earlier call with it has failed".into())
    }

    /// What the operating system said of a file.
    pub fn system(error: &io::Error, what: &str) -> Self {
        let said = error.to_string();
        let said = said.split(" (os error").next().unwrap_or_default();
        let errno = error.raw_os_error().unwrap_or(0);
        Self { errno, ..Self::new(Status::System, format!("{what}: {said}")) }
    }

    fn kind(self, kind: &str) -> Self {
        Self { kind: kind.to_owned(), ..self }
    }

    /// Why a device could not be opened.
    pub fn device(error: &impl StdError) -> Self {
        Self::new(Status::Device, error.to_string()).kind(&variant(error))
    }

    fn last(self) -> Last {
        // A zero byte is in no message of ours.
        let texts = [self.message, self.kind].map(|text| CString::new(text).unwrap_or_default());
        let (chunk, offset) = self.refused.map_or((0, 0), |found| (found.chunk, found.offset));
        let told = LastError {
            status: self.status,
            os_error: self.errno,
            message: texts[0].as_ptr(),
            kind: texts[1].as_ptr(),
            chunk,
            offset,
            longest: self.longest,
        };
        Last { _texts: texts, told }
    }
}

/// The name of an error's variant in lower case.
fn variant(error: &impl Debug) -> String {
    let said = format!("{error:?}");
    let name = said.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let mut kind = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !kind.is_empty() {
            kind.push('_');
        }
        kind.push(letter.to_ascii_lowercase());
    }
    kind
}

impl From<LibraryError> for Error {
    fn from(error: LibraryError) -> Self {
        let said = error.to_string();
        match error {
            LibraryError::Engine(error) => error.into(),
            LibraryError::Prologue(error) | LibraryError::Open(OpenError::Prologue(error)) => {
                error.into()
            }
            LibraryError::Open(OpenError::HeaderChanged) => {
                Self::new(Status::Format, said).kind("header_changed")
            }
            LibraryError::Open(error) => Self::new(Status::Identity, said).kind(match error {
                OpenError::NoMatch => "no_match",
                OpenError::Unwrap => "unwrap",
                OpenError::ExcessiveWork { .. } => "excessive_work",
                _ => "identity",
            }),
            LibraryError::Seal(age::EncryptError::Io(error)) => Self::system(&error, "sealing"),
            LibraryError::Seal(_) => Self::new(Status::Recipient, said),
            LibraryError::Armor(_) => Self::new(Status::Format, said).kind("armor"),
            LibraryError::Create(error) | LibraryError::Name(error) => Self::system(&error, &said),
            LibraryError::Unsealed => Self::ended(),
            _ => Self::argument(said),
        }
    }
}

impl From<EngineError> for Error {
    fn from(error: EngineError) -> Self {
        let said = error.to_string();
        let kind = match error {
            EngineError::Read { source, .. } | EngineError::Write { source, .. } => {
                return Self::system(&source, &said);
            }
            EngineError::Refused(refused) => {
                return Self { refused: Some(refused), ..Self::new(Status::Refused, said) };
            }
            EngineError::Counter(error) => return error.into(),
            EngineError::Cancelled => "cancelled",
            EngineError::WorkerPanicked { .. } => "worker_panicked",
            EngineError::WorkerFailed { .. } => "worker_failed",
            EngineError::NoWorkerLeft => "no_worker_left",
            _ => "",
        };
        Self::new(Status::Engine, said).kind(kind)
    }
}

impl From<CounterError> for Error {
    fn from(error: CounterError) -> Self {
        Self { longest: error.longest, ..Self::new(Status::Counter, error.to_string()) }
    }
}

impl From<PrologueError> for Error {
    fn from(error: PrologueError) -> Self {
        let said = error.to_string();
        let kind = match error {
            PrologueError::Read { source, .. } => return Self::system(&source, &said),
            PrologueError::NotAge => "not_age",
            PrologueError::Version(_) => "version",
            PrologueError::Truncated(_) => "truncated",
            PrologueError::TooLong(_) => "too_long",
            _ => "malformed",
        };
        Self::new(Status::Format, said).kind(kind)
    }
}

impl From<KeyError> for Error {
    fn from(error: KeyError) -> Self {
        let status = match error {
            KeyError::NoRecipient | KeyError::Recipient(_) => Status::Recipient,
            _ => Status::Identity,
        };
        Self::new(status, error.to_string())
    }
}

impl From<FileError> for Error {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Read(error) => Self::system(&error, "reading"),
            FileError::Cancelled => EngineError::Cancelled.into(),
            other => Self::argument(other.to_string()),
        }
    }
}

impl From<DeviceError> for Error {
    fn from(error: DeviceError) -> Self {
        Self::device(&error)
    }
}

impl From<QueueError> for Error {
    fn from(error: QueueError) -> Self {
        let said = error.to_string();
        match error {
            QueueError::Device(error) => Self::device(&*error),
            QueueError::Job(JobError::TagMismatch) => Self::tag(),
            QueueError::Job(error) => Self::new(Status::Job, said).kind(&variant(&error)),
            QueueError::Counter { longest } => Self { longest, ..Self::new(Status::Counter, said) },
            QueueError::Closed => Self::ended(),
            _ => Self::argument(said),
        }
    }
}

impl Error {
    /// The tag of a message does not match.
    pub fn tag() -> Self {
        Self::new(Status::Refused, "the tag is not that of the message".into())
    }

    /// The data is too long for a nonce.
    pub fn too_long(longest: u64) -> Self {
        let said = format!("at most {longest} bytes can be encrypted here under one nonce");
        Self { longest, ..Self::new(Status::Counter, said) }
    }
}
