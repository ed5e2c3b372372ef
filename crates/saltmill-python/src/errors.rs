// SPDX-License-Identifier: Apache-2.0
//! Exceptions: a class for each error enum of the library, and what its variants carry as
//! attributes.

use std::{error::Error as _, io};

use pyo3::{
    create_exception,
    exceptions::{PyException, PyOSError},
    prelude::*,
};
use saltmill::{
    Error as LibraryError,
    engine::EngineError,
    format::{OpenError, PrologueError},
    sum::FileError,
};

create_exception!(saltmill, Error, PyException, "What all of these are.");
create_exception!(
    saltmill,
    FormatError,
    Error,
    "It is no file of the age format that can be read; `kind` says in which way."
);
create_exception!(
    saltmill,
    IdentityError,
    Error,
    "No identity opens it, or one can't be used; `kind` says why."
);
create_exception!(saltmill, RecipientError, Error, "It can't be sealed for these recipients.");
create_exception!(
    saltmill,
    RefusedError,
    Error,
    "Something is not what was sealed: of a file `chunk`, a number from 0, at byte `offset`."
);
create_exception!(
    saltmill,
    CounterError,
    Error,
    "The data is longer than what one nonce is good for: `longest` bytes."
);
create_exception!(
    saltmill,
    EngineError_,
    Error,
    "A run ended early: cancelled, or no worker is left; `kind` says which."
);

/// Adds the classes; one is named like a type of the library.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("Error", py.get_type::<Error>())?;
    module.add("FormatError", py.get_type::<FormatError>())?;
    module.add("IdentityError", py.get_type::<IdentityError>())?;
    module.add("RecipientError", py.get_type::<RecipientError>())?;
    module.add("RefusedError", py.get_type::<RefusedError>())?;
    module.add("CounterError", py.get_type::<CounterError>())?;
    // What an exception does not know is none.
    py.get_type::<FormatError>().setattr("kind", py.None())?;
    py.get_type::<IdentityError>().setattr("kind", py.None())?;
    py.get_type::<RefusedError>().setattr("chunk", py.None())?;
    py.get_type::<RefusedError>().setattr("offset", py.None())?;
    py.get_type::<CounterError>().setattr("longest", py.None())?;
    let engine = py.get_type::<EngineError_>();
    engine.setattr("kind", py.None())?;
    engine.setattr("__name__", "EngineError")?;
    engine.setattr("__qualname__", "EngineError")?;
    module.add("EngineError", engine)
}

/// An exception with attributes.
fn with<'py, const N: usize>(
    py: Python<'py>,
    error: PyErr,
    attributes: [(&str, Bound<'py, PyAny>); N],
) -> PyErr {
    for (name, value) in attributes {
        if let Err(error) = error.value(py).setattr(name, value) {
            return error;
        }
    }
    error
}

/// An error whose variant has a name.
pub fn of_kind(py: Python<'_>, error: PyErr, kind: &str) -> PyErr {
    match kind.into_pyobject(py) {
        Ok(kind) => with(py, error, [("kind", kind.into_any())]),
    }
}

/// What the operating system says, or a Python object that was read or written.
pub fn os(error: io::Error, path: Option<&str>) -> PyErr {
    let Some(code) = error.raw_os_error() else { return error.into() };
    let said = error.to_string();
    let said = said.split(" (os error").next().unwrap_or_default().to_owned();
    match path {
        Some(path) => PyOSError::new_err((code, said, path.to_owned())),
        None => PyOSError::new_err((code, said)),
    }
}

/// An error of the library.
pub fn library(py: Python<'_>, error: LibraryError) -> PyErr {
    let said = error.to_string();
    match error {
        LibraryError::Engine(error) => engine(py, error),
        LibraryError::Prologue(error) | LibraryError::Open(OpenError::Prologue(error)) => {
            prologue(py, error)
        }
        LibraryError::Open(error) => {
            let kind = match error {
                OpenError::NoMatch => "no_match",
                OpenError::HeaderChanged => {
                    return of_kind(py, FormatError::new_err(said), "header_changed");
                }
                OpenError::Unwrap => "unwrap",
                OpenError::ExcessiveWork { .. } => "excessive_work",
                _ => "identity",
            };
            of_kind(py, IdentityError::new_err(said), kind)
        }
        LibraryError::Seal(error) => match error {
            age::EncryptError::Io(error) => os(error, None),
            _ => RecipientError::new_err(said),
        },
        LibraryError::Armor(error) => {
            // A Python object that was read may have said so.
            if error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<PyErr>) {
                return error.into();
            }
            of_kind(py, FormatError::new_err(said), "armor")
        }
        LibraryError::Create(error) | LibraryError::Name(error) => os(error, None),
        _ => Error::new_err(said),
    }
}

/// The same on a thread that is not attached.
pub fn detached(error: LibraryError) -> PyErr {
    Python::attach(|py| library(py, error))
}

fn engine(py: Python<'_>, error: EngineError) -> PyErr {
    let said = error.to_string();
    match error {
        EngineError::Read { source, .. } | EngineError::Write { source, .. } => os(source, None),
        EngineError::Refused(refused) => {
            let (Ok(chunk), Ok(offset)) =
                (refused.chunk.into_pyobject(py), refused.offset.into_pyobject(py));
            let attributes = [("chunk", chunk.into_any()), ("offset", offset.into_any())];
            with(py, RefusedError::new_err(said), attributes)
        }
        EngineError::Counter(error) => too_long(error.longest),
        EngineError::Cancelled => of_kind(py, EngineError_::new_err(said), "cancelled"),
        EngineError::WorkerPanicked { .. } => {
            of_kind(py, EngineError_::new_err(said), "worker_panicked")
        }
        EngineError::WorkerFailed { .. } => {
            of_kind(py, EngineError_::new_err(said), "worker_failed")
        }
        EngineError::NoWorkerLeft => of_kind(py, EngineError_::new_err(said), "no_worker_left"),
        _ => EngineError_::new_err(said),
    }
}

/// The counter would not do for the data.
pub fn too_long(longest: u64) -> PyErr {
    Python::attach(|py| {
        let said = format!("at most {longest} bytes can be encrypted here under one nonce");
        let Ok(longest) = longest.into_pyobject(py);
        with(py, CounterError::new_err(said), [("longest", longest.into_any())])
    })
}

fn prologue(py: Python<'_>, error: PrologueError) -> PyErr {
    let said = error.to_string();
    let kind = match error {
        PrologueError::Read { source, .. } => return os(source, None),
        PrologueError::NotAge => "not_age",
        PrologueError::Version(_) => "version",
        PrologueError::Truncated(_) => "truncated",
        PrologueError::TooLong(_) => "too_long",
        _ => "malformed",
    };
    of_kind(py, FormatError::new_err(said), kind)
}

/// Why a file has no digest.
pub fn file(error: FileError, path: &str) -> PyErr {
    match error {
        FileError::Read(error) => os(error, Some(path)),
        other => {
            let source = other.source().map(|source| format!(": {source}")).unwrap_or_default();
            Error::new_err(format!("{path}: {other}{source}"))
        }
    }
}
