// SPDX-License-Identifier: Apache-2.0
//! Why a file can't be opened.

use std::io;

use age::DecryptError;
use thiserror::Error;

/// What is in front of the payload can't be read or understood.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PrologueError {
    /// The input could not be read.
    #[error("reading failed at byte {offset}")]
    Read {
        /// Where.
        offset: u64,
        /// Why.
        source: io::Error,
    },
    /// It does not begin as age files do.
    #[error("it is not an age file")]
    NotAge,
    /// It begins as the files of a version of the format do that is not known here.
    #[error("it is of version {0:?} of the age format; this program knows v1")]
    Version(String),
    /// The input ends inside the header, or inside the nonce behind it.
    #[error("it ends inside its header, after {0} bytes")]
    Truncated(u64),
    /// No end of the header within the bytes that are looked at.
    #[error("its header has no end within {0} bytes")]
    TooLong(usize),
    /// The header is not one of version 1.
    #[error("its header is malformed")]
    Malformed,
}

/// The payload's key can't be had.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The header is not one of version 1.
    #[error(transparent)]
    Prologue(#[from] PrologueError),
    /// The file is not for any of the identities.
    #[error("none of the identities fits")]
    NoMatch,
    /// The header is not what was written: its authentication code does not match.
    #[error("its header was changed: the authentication code does not match")]
    HeaderChanged,
    /// A stanza fits an identity, and its content can't be opened; with a passphrase: it is a wrong
    /// one.
    #[error("its file key can't be unwrapped")]
    Unwrap,
    /// The passphrase was made slower than is accepted.
    #[error("its passphrase has work factor {required}, which is more than the identity tries")]
    ExcessiveWork {
        /// Binary logarithm of scrypt's N that the header asks for.
        required: u8,
    },
    /// An identity could not be asked: a plugin, or a file behind it.
    #[error("an identity could not be used: {0}")]
    Identity(String),
}

impl From<DecryptError> for OpenError {
    fn from(error: DecryptError) -> Self {
        match error {
            DecryptError::NoMatchingKeys => Self::NoMatch,
            DecryptError::InvalidMac => Self::HeaderChanged,
            DecryptError::DecryptionFailed | DecryptError::KeyDecryptionFailed => Self::Unwrap,
            // What the error calls a target is a guess at this machine, not the identity's limit.
            DecryptError::ExcessiveWork { required, .. } => Self::ExcessiveWork { required },
            DecryptError::InvalidHeader | DecryptError::UnknownFormat => {
                Self::Prologue(PrologueError::Malformed)
            }
            other => Self::Identity(other.to_string()),
        }
    }
}
