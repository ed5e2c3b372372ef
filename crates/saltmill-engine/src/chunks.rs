// SPDX-License-Identifier: Apache-2.0
//! Chunks that are sealed one by one, so that each can be opened, and is checked, on its own.

use std::fmt;

use thiserror::Error;
use zeroize::Zeroize;

use crate::aead::{AeadKey, TAG_BYTES, TagMismatch};

/// Bytes of text in a chunk; the last one of an input may have fewer.
pub const CHUNK_BYTES: usize = 64 << 10;
/// Bytes of a whole chunk with its tag.
pub const SEALED_CHUNK_BYTES: usize = CHUNK_BYTES + TAG_BYTES;

/// Chunks of [`CHUNK_BYTES`], each sealed with ChaCha20-Poly1305 (RFC 8439, 2.8) or AES-GCM (SP
/// 800-38D) under one key, without additional data, and followed by its tag of [`TAG_BYTES`].
///
/// The nonce of 12 bytes is the chunk's number in 11 bytes, big-endian, and a byte that is 1 in the
/// last chunk and 0 in the others: the STREAM construction as version 1 of the age format has it
/// (C2SP, age.md, "Payload"), which knows ChaCha20-Poly1305 only. An input of no bytes is one empty
/// chunk; no other chunk is empty. A chunk that was changed, moved, left out or doubled is noticed,
/// and an end that is not the end too.
///
/// A key may seal one input only: the nonces of the next would be the same.
#[derive(Clone)]
pub struct Chunks {
    key: AeadKey,
    /// Number of the first chunk of the run's input.
    first: u64,
    /// The run's input ends where the whole does.
    ends: bool,
}

/// A chunk is not what was sealed there.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("chunk {chunk}, at byte {offset}, is not what was sealed there")]
pub struct Refused {
    /// Number of the chunk, from 0.
    pub chunk: u64,
    /// Its first byte in the whole of the sealed chunks.
    pub offset: u64,
}

impl fmt::Debug for Chunks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunks").finish_non_exhaustive()
    }
}

impl Chunks {
    /// Chunks under this key: [`Key`](crate::Key) is one of ChaCha20-Poly1305,
    /// [`AesKey`](crate::AesKey) one of AES-GCM.
    pub fn new(key: impl Into<AeadKey>) -> Self {
        Self { key: key.into(), first: 0, ends: true }
    }

    /// For runs whose input is only a part of these: from chunk number `first` on, and to the
    /// whole's end or not.
    #[must_use]
    pub fn part(self, first: u64, ends: bool) -> Self {
        Self { first, ends, ..self }
    }

    /// Opens the only chunk of a run from one place to another, on this thread: `sealed` ends with
    /// its tag, and `text` is [`TAG_BYTES`] shorter. A text that is refused is cleared.
    ///
    /// # Errors
    /// [`Refused`] for a chunk that is not what was sealed there.
    pub fn open_single(&self, sealed: &[u8], text: &mut [u8]) -> Result<(), Refused> {
        let opened = match sealed.split_last_chunk() {
            Some((sealed, tag)) => self.key.open_to(&self.nonce(0, true), sealed, tag, text),
            None => Err(TagMismatch),
        };
        opened.map_err(|TagMismatch| {
            text.zeroize();
            Refused { chunk: self.first, offset: self.first * SEALED_CHUNK_BYTES as u64 }
        })
    }

    /// Number in the whole of a chunk that is the run's `number`th, from 0.
    pub(crate) fn place(&self, number: u64) -> u64 {
        self.first + number
    }

    pub(crate) fn key(&self) -> &AeadKey {
        &self.key
    }

    /// The nonce of the run's `number`th chunk; `last`: the run's input ends with it.
    pub(crate) fn nonce(&self, number: u64, last: bool) -> [u8; 12] {
        let mut nonce = [0; 12];
        nonce[3..11].copy_from_slice(&self.place(number).to_be_bytes());
        nonce[11] = (last && self.ends).into();
        nonce
    }

    /// Seals the text, all of `buffer` but its last [`TAG_BYTES`], which take the tag.
    pub(crate) fn seal(&self, number: u64, last: bool, buffer: &mut [u8]) {
        let (text, place) = buffer.split_at_mut(buffer.len() - TAG_BYTES);
        place.copy_from_slice(&self.key.seal(&self.nonce(number, last), &[], text));
    }

    /// Opens the text, all of `buffer` but its last [`TAG_BYTES`], which hold the tag. If the tag
    /// does not match, the text is cleared.
    pub(crate) fn open(
        &self,
        number: u64,
        last: bool,
        buffer: &mut [u8],
    ) -> Result<(), TagMismatch> {
        let (text, tag) = buffer.split_last_chunk_mut().ok_or(TagMismatch)?;
        self.key.open(&self.nonce(number, last), &[], text, tag)
    }
}
