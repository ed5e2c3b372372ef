// SPDX-License-Identifier: Apache-2.0
//! Why an input could not be sealed, opened or encrypted.

use std::io;

use age::EncryptError;
use saltmill_engine::EngineError;
use saltmill_format::{OpenError, PrologueError};
use thiserror::Error;

use crate::sum::NoKey;

/// Why something could not be done. No output file is left then.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The run ended early. Offsets are those of the input and of the output as they are, headers
    /// included.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The input is not what it should be in front of its payload.
    #[error(transparent)]
    Prologue(PrologueError),
    /// The key of the payload could not be had.
    #[error(transparent)]
    Open(OpenError),
    /// The recipients can't be used.
    #[error(transparent)]
    Seal(#[from] EncryptError),
    /// The input's armor is malformed.
    #[error("the armor is malformed")]
    Armor(#[source] io::Error),
    /// The output file can't be made.
    #[error("the output can't be made")]
    Create(#[source] io::Error),
    /// The output file is complete and can't be given its name; [`io::ErrorKind::AlreadyExists`] if
    /// another file has it, which was not to be replaced.
    #[error("the output can't be given its name")]
    Name(#[source] io::Error),
    /// The range is not within the text.
    #[error("the range is not in the text, which has {text} bytes")]
    Range {
        /// Bytes of the whole text.
        text: u64,
    },
    /// An earlier piece of the text could not be sealed.
    #[error("an earlier piece of the text could not be sealed: the file can't be completed")]
    Unsealed,
    /// A range of a stream, of an armored file, or of what is to be sealed or copied.
    #[error("a range can only be had of a file that is not armored")]
    NoRange,
    /// A digest that was to be computed is an HMAC.
    #[error(transparent)]
    NoKey(#[from] NoKey),
}

impl From<PrologueError> for Error {
    fn from(error: PrologueError) -> Self {
        match error {
            PrologueError::Read { source, .. } if source.kind() == io::ErrorKind::InvalidData => {
                Self::Armor(source)
            }
            other => Self::Prologue(other),
        }
    }
}

impl From<OpenError> for Error {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Prologue(error) => error.into(),
            other => Self::Open(other),
        }
    }
}
