// SPDX-License-Identifier: Apache-2.0
//! The cipher of a run: key, nonce, first counter; and how the CPU computes it.

use std::fmt;

use thiserror::Error;
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::aws_lc;

/// Bytes in a block of the cipher.
pub const BLOCK_BYTES: u64 = 64;

/// A 256-bit key. It is cleared when dropped and can't be printed.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Key([u8; 32]);

impl Key {
    /// Takes the bytes of a key.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes. Copies of them are not cleared.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// The counter would pass 2^32 blocks.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("with counter {counter} at most {longest} bytes can be encrypted under one nonce")]
pub struct CounterError {
    /// Counter of the first block.
    pub counter: u32,
    /// The largest length possible, in bytes.
    pub longest: u64,
}

/// ChaCha20 (RFC 8439) with a key, a nonce and the counter of the first block.
#[derive(Clone)]
pub struct Cipher {
    key: Key,
    nonce: [u8; 12],
    counter: u32,
}

impl fmt::Debug for Cipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cipher").field("counter", &self.counter).finish_non_exhaustive()
    }
}

impl Cipher {
    /// A cipher whose first block has number `counter`.
    pub fn new(key: Key, nonce: [u8; 12], counter: u32) -> Self {
        Self { key, nonce, counter }
    }

    pub(crate) fn key(&self) -> &[u8; 32] {
        self.key.bytes()
    }

    pub(crate) fn nonce(&self) -> &[u8; 12] {
        &self.nonce
    }

    /// The largest number of bytes before the block counter would pass 2^32 blocks.
    pub fn longest(&self) -> u64 {
        ((1 << 32) - u64::from(self.counter)) * BLOCK_BYTES
    }

    /// Whether so many bytes can be encrypted.
    ///
    /// # Errors
    /// [`CounterError`] if they can't.
    pub fn check_length(&self, bytes: u64) -> Result<(), CounterError> {
        let longest = self.longest();
        if bytes <= longest { Ok(()) } else { Err(CounterError { counter: self.counter, longest }) }
    }

    /// Counter of the block at `offset`, a multiple of the block, inside the checked length.
    pub(crate) fn counter_at(&self, offset: u64) -> u32 {
        debug_assert!(offset.is_multiple_of(BLOCK_BYTES) && offset <= self.longest());
        (u64::from(self.counter) + offset / BLOCK_BYTES) as u32
    }

    /// The same stream from block number `first` of it on.
    ///
    /// # Panics
    /// If that is not a block before the counter's end.
    #[must_use]
    pub fn from_block(mut self, first: u64) -> Self {
        assert!(first * BLOCK_BYTES <= self.longest(), "the block counter would pass 2^32");
        self.counter = self.counter_at(first * BLOCK_BYTES);
        self
    }

    /// Encrypts or decrypts, on this CPU, `data` that starts at `offset`.
    ///
    /// ```
    /// use saltmill_engine::{Cipher, Key};
    ///
    /// let cipher = Cipher::new(Key::new([7; 32]), *b"twelve bytes", 1);
    /// let mut whole = [0; 200];
    /// cipher.apply(0, &mut whole);
    /// let mut part = [0; 72];
    /// cipher.apply(128, &mut part);
    /// assert_eq!(part, whole[128..]);
    /// ```
    ///
    /// # Panics
    /// If `offset` is not a multiple of the block, or the data passes [`longest`](Self::longest).
    pub fn apply(&self, offset: u64, data: &mut [u8]) {
        assert!(offset.is_multiple_of(BLOCK_BYTES), "{offset} is not at a block");
        assert!(offset + data.len() as u64 <= self.longest(), "the block counter would pass 2^32");
        aws_lc::chacha20_xor(self.key(), &self.nonce, self.counter_at(offset), data);
    }
}

/// What the CPU computes the cipher with, for people.
pub fn cpu_implementation() -> &'static str {
    "AWS-LC"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8439, appendix A.2, test vector 1, and A.1, test vector 2: a zero key, counters 0 and 1.
    #[test]
    fn zero_key_of_the_standard() {
        let cipher = Cipher::new(Key::new([0; 32]), [0; 12], 0);
        let mut data = [0; 128];
        cipher.apply(0, &mut data);
        assert_eq!(data[..8], [0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90]);
        assert_eq!(data[64..72], [0x9f, 0x07, 0xe7, 0xbe, 0x55, 0x51, 0x38, 0x7a]);
    }

    #[test]
    fn any_cut_at_a_block_gives_the_same_bytes() {
        let cipher = Cipher::new(Key::new([3; 32]), [9; 12], 77);
        let text: Vec<u8> = (0..5000_u32).map(|i| (i % 251) as u8).collect();
        let mut whole = text.clone();
        cipher.apply(0, &mut whole);
        for cut in (0..5000).step_by(64) {
            let mut parts = text.clone();
            let (first, second) = parts.split_at_mut(cut);
            cipher.apply(cut as u64, second);
            cipher.apply(0, first);
            assert_eq!(parts, whole, "cut at {cut}");
        }
    }

    #[test]
    fn the_last_block_of_the_counter_is_usable_and_no_more() {
        let cipher = Cipher::new(Key::new([3; 32]), [9; 12], u32::MAX - 1);
        assert_eq!(cipher.longest(), 128);
        assert_eq!(cipher.check_length(128), Ok(()));
        let error = cipher.check_length(129).unwrap_err();
        assert_eq!(error, CounterError { counter: u32::MAX - 1, longest: 128 });
        let (mut both, mut last) = ([0; 128], [0; 64]);
        cipher.apply(0, &mut both);
        Cipher::new(Key::new([3; 32]), [9; 12], u32::MAX).apply(0, &mut last);
        assert_eq!(both[64..], last);
    }

    #[test]
    #[should_panic(expected = "would pass 2^32")]
    fn a_wrapped_counter_is_never_used() {
        Cipher::new(Key::new([3; 32]), [9; 12], u32::MAX).apply(0, &mut [0; 65]);
    }

    #[test]
    fn debug_output_has_no_key() {
        let cipher = Cipher::new(Key::new([0xAB; 32]), [9; 12], 5);
        assert_eq!(format!("{cipher:?}"), "Cipher { counter: 5, .. }");
    }
}
