// SPDX-License-Identifier: Apache-2.0
//! Who computes a digest on the CPU: AWS-LC, and for what it has not, a crate for each algorithm.

use std::fmt;

use aws_lc_rs::{
    digest::{Context, SHA1_FOR_LEGACY_USE_ONLY, SHA224, SHA256, SHA384, SHA512},
    hmac::{self, HMAC_SHA256},
};
use saltmill_engine::{Key, Md5};
use thiserror::Error;

use super::HashAlgorithm;

/// A digest. Shown as hex digits in lower case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Digest(Box<[u8]>);

impl Digest {
    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// From hex digits in either case; `None` if they are none, or of half a byte.
    pub fn from_hex(digits: &[u8]) -> Option<Self> {
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|d| u8::try_from(d).ok());
        let (pairs, []) = digits.as_chunks::<2>() else { return None };
        let bytes = pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?));
        bytes.collect::<Option<_>>().map(Self)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl From<Vec<u8>> for Digest {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

impl From<blake3::Hash> for Digest {
    fn from(hash: blake3::Hash) -> Self {
        Self(hash.as_bytes().as_slice().into())
    }
}

/// An HMAC needs a key.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("its HMAC can't be computed without the key")]
pub struct NoKey;

/// Computes a digest of bytes that come piece by piece.
///
/// ```
/// use saltmill::sum::{HashAlgorithm, Hasher};
///
/// let mut hasher = Hasher::new(HashAlgorithm::Md5, None)?;
/// hasher.update(b"a");
/// hasher.update(b"bc");
/// assert_eq!(hasher.finish().to_string(), "900150983cd24fb0d6963f7d28e17f72");
/// # Ok::<(), saltmill::sum::NoKey>(())
/// ```
pub struct Hasher(State);

enum State {
    AwsLc(Context),
    Hmac(Box<hmac::Context>),
    Md5(Md5),
    Blake3(Box<blake3::Hasher>),
}

impl Hasher {
    /// Of nothing yet. The key is for [`HashAlgorithm::HmacSha256`]; the others take none.
    ///
    /// # Errors
    /// [`NoKey`].
    pub fn new(algorithm: HashAlgorithm, key: Option<&Key>) -> Result<Self, NoKey> {
        let sha = match algorithm {
            HashAlgorithm::Md5 => return Ok(Self(State::Md5(Md5::default()))),
            HashAlgorithm::Blake3 => return Ok(Self(State::Blake3(Box::default()))),
            HashAlgorithm::HmacSha256 => {
                let key = hmac::Key::new(HMAC_SHA256, key.ok_or(NoKey)?.bytes());
                return Ok(Self(State::Hmac(Box::new(hmac::Context::with_key(&key)))));
            }
            HashAlgorithm::Sha1 => &SHA1_FOR_LEGACY_USE_ONLY,
            HashAlgorithm::Sha224 => &SHA224,
            HashAlgorithm::Sha256 => &SHA256,
            HashAlgorithm::Sha384 => &SHA384,
            HashAlgorithm::Sha512 => &SHA512,
        };
        Ok(Self(State::AwsLc(Context::new(sha))))
    }

    /// Takes the bytes that follow.
    pub fn update(&mut self, bytes: &[u8]) {
        match &mut self.0 {
            State::AwsLc(context) => context.update(bytes),
            State::Hmac(context) => context.update(bytes),
            State::Md5(context) => context.update(bytes),
            State::Blake3(context) => {
                context.update(bytes);
            }
        }
    }

    /// The digest of all bytes.
    pub fn finish(self) -> Digest {
        match self.0 {
            State::AwsLc(context) => Digest(context.finish().as_ref().into()),
            State::Hmac(context) => Digest(context.sign().as_ref().into()),
            State::Md5(context) => Digest(context.finish().into()),
            State::Blake3(context) => context.finalize().into(),
        }
    }
}
