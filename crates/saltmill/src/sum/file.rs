// SPDX-License-Identifier: Apache-2.0
//! One file, read once for all its digests.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
};

use saltmill_engine::{CancelToken, Key};
use thiserror::Error;

use super::{Digest, HashAlgorithm, Hasher, NoKey, Version, version::Opened};
use crate::system::unbuffered;

/// Bytes read at a time by a thread: with 256 KiB, reading takes three times as long (decision 65).
pub(super) const READ_BYTES: usize = 64 << 10;

/// What is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file, a pipe with a name or a device.
    File(PathBuf),
    /// Standard input.
    Standard,
}

impl Source {
    /// Bytes that there are to read, if that is known: none of what is not there.
    pub(super) fn len(&self) -> Option<u64> {
        let Self::File(path) = self else { return None };
        match fs::metadata(path) {
            Ok(metadata) => metadata.is_file().then_some(metadata.len()),
            Err(_) => Some(0),
        }
    }

    pub(super) fn open(&self) -> io::Result<File> {
        match self {
            Self::File(path) => File::open(path),
            Self::Standard => unbuffered(io::stdin()),
        }
    }
}

/// What was found in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hashed {
    /// Bytes of the file.
    pub bytes: u64,
    /// One for each algorithm that was asked for, in that order.
    pub digests: Vec<Digest>,
    /// What the file was like, if every later change is seen by it: not of what is no regular file,
    /// and not of what was written to moments ago.
    pub version: Option<Version>,
}

/// Why a file has no digest.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// It can't be opened or read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// Its size or the time of its last change was another one after it had been read: the digest
    /// may be that of no file that ever was.
    #[error("it changed while it was read")]
    Changed,
    /// Its digest is an HMAC.
    #[error(transparent)]
    NoKey(#[from] NoKey),
    /// Somebody asked to stop.
    #[error("cancelled")]
    Cancelled,
}

/// What the threads that read share, also with whoever shows progress and asks to stop.
#[derive(Default)]
pub(super) struct Watch {
    pub cancel: CancelToken,
    /// Bytes that have been read.
    pub done: AtomicU64,
    /// Of HMACs.
    pub key: Option<Key>,
}

impl Watch {
    /// So many more bytes are done.
    pub fn advance(&self, bytes: usize) -> Result<(), FileError> {
        self.done.fetch_add(bytes as u64, Ordering::Relaxed);
        if self.cancel.is_cancelled() { Err(FileError::Cancelled) } else { Ok(()) }
    }
}

/// Reads a file to its end.
pub(super) fn hash_file(
    source: &Source,
    algorithms: &[HashAlgorithm],
    buffer: &mut [u8],
    watch: &Watch,
) -> Result<Hashed, FileError> {
    let file = source.open()?;
    let opened = Opened::of(&file)?;
    // Files of some virtual file systems say 0 and have content.
    let bytes = opened.bytes().filter(|bytes| *bytes > 0);
    let (bytes, digests) = hash_stream(&file, bytes, algorithms, buffer, watch)?;
    Ok(Hashed { bytes, digests, version: opened.check(&file)? })
}

/// Reads to the end, or so many bytes, behind which there is nothing: small files are many.
fn hash_stream(
    mut stream: impl Read,
    end: Option<u64>,
    algorithms: &[HashAlgorithm],
    buffer: &mut [u8],
    watch: &Watch,
) -> Result<(u64, Vec<Digest>), FileError> {
    let hashers = algorithms.iter().map(|algorithm| Hasher::new(*algorithm, watch.key.as_ref()));
    let mut hashers = hashers.collect::<Result<Vec<_>, _>>()?;
    let mut bytes = 0;
    while Some(bytes) != end {
        let read = match stream.read(buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.into()),
        };
        for hasher in &mut hashers {
            hasher.update(&buffer[..read]);
        }
        bytes += read as u64;
        watch.advance(read)?;
    }
    Ok((bytes, hashers.into_iter().map(Hasher::finish).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(stream: impl Read, watch: &Watch) -> Result<(u64, Vec<Digest>), FileError> {
        hash_stream(stream, None, &HashAlgorithm::ALL, &mut [0; 7], watch)
    }

    fn keyed() -> Watch {
        Watch { key: Some(Key::new([7; 32])), ..Watch::default() }
    }

    #[test]
    fn an_hmac_needs_a_key() {
        assert!(matches!(hash(&b"abc"[..], &Watch::default()), Err(FileError::NoKey(_))));
    }

    #[test]
    fn a_stream_is_read_once_for_all_digests() {
        let watch = keyed();
        let hashed = hash(&b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"[..], &watch);
        let (bytes, digests) = hashed.expect("digests");
        assert_eq!((bytes, watch.done.into_inner()), (56, 56));
        // RFC 1321's algorithm by Python's hashlib; FIPS 180-4's examples; b3sum.
        let expected = [
            "8215ef0796a20bcaaae116d3876c664a",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
            "75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ];
        for (digest, expected) in digests.iter().zip(expected) {
            assert_eq!(digest.to_string(), expected);
        }
    }

    #[test]
    fn it_stops_when_it_is_asked_to() {
        let watch = keyed();
        watch.cancel.cancel();
        assert!(matches!(hash(&b"abc"[..], &watch), Err(FileError::Cancelled)));
    }
}
