// SPDX-License-Identifier: Apache-2.0
//! ChaCha20-Poly1305 (RFC 8439, 2.8) and AES-GCM (SP 800-38D) on the CPU, in place.

use aws_lc_rs::aead::{
    AES_128_GCM, AES_192_GCM, AES_256_GCM, Aad, CHACHA20_POLY1305, LessSafeKey,
    Nonce as LibraryNonce, UnboundKey,
};
use saltmill_device::{
    KeySize, Nonce, SelfTest,
    vectors::{self, AesMode, Message},
};
use thiserror::Error;
use zeroize::Zeroize;

use crate::{AesCtr, AesKey, Key};

/// Bytes of a tag.
pub const TAG_BYTES: usize = 16;

/// An AEAD and its key, which is cleared when dropped and can't be printed.
#[derive(Clone)]
#[non_exhaustive]
pub enum AeadKey {
    /// ChaCha20-Poly1305 (RFC 8439, 2.8).
    ChaCha20Poly1305(Key),
    /// AES-GCM (SP 800-38D) with initialisation vectors of 12 bytes and tags of 16.
    AesGcm(AesKey),
}

impl From<Key> for AeadKey {
    fn from(key: Key) -> Self {
        Self::ChaCha20Poly1305(key)
    }
}

impl From<AesKey> for AeadKey {
    fn from(key: AesKey) -> Self {
        Self::AesGcm(key)
    }
}

/// The tag is not that of the message.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the tag is not that of the message")]
pub struct TagMismatch;

impl AeadKey {
    /// The key, as long as it is.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::ChaCha20Poly1305(key) => key.bytes(),
            Self::AesGcm(key) => key.bytes(),
        }
    }

    /// Encrypts `text` and gives the tag of it and of the additional data. No two messages may
    /// have the same nonce under one key.
    ///
    /// # Panics
    /// If the text is longer than the AEADs allow: about 64 GiB.
    pub fn seal(&self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8]) -> [u8; TAG_BYTES] {
        let nonce = LibraryNonce::assume_unique_for_key(*nonce);
        let tag = self.ready().seal_in_place_separate_tag(nonce, Aad::from(aad), text);
        let tag = tag.expect("a text that is shorter than the AEADs allow");
        tag.as_ref().try_into().expect("a tag of 16 bytes")
    }

    /// Decrypts `text`, and clears it if the tag does not match.
    ///
    /// # Errors
    /// [`TagMismatch`].
    pub fn open(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        text: &mut [u8],
        tag: &[u8; TAG_BYTES],
    ) -> Result<(), TagMismatch> {
        let nonce = LibraryNonce::assume_unique_for_key(*nonce);
        let ready = self.ready();
        let opened = ready.open_in_place_separate_tag(nonce, Aad::from(aad), tag, text).is_ok();
        if opened {
            return Ok(());
        }
        text.zeroize();
        Err(TagMismatch)
    }

    /// The same from one place to another, which is not cleared. A text that is not as long as
    /// what was sealed is none.
    pub(crate) fn open_to(
        &self,
        nonce: &[u8; 12],
        sealed: &[u8],
        tag: &[u8; TAG_BYTES],
        text: &mut [u8],
    ) -> Result<(), TagMismatch> {
        let nonce = LibraryNonce::assume_unique_for_key(*nonce);
        let opened = self.ready().open_separate_gather(nonce, Aad::empty(), sealed, tag, text);
        opened.map_err(|_| TagMismatch)
    }

    /// The key as the library takes it. It is cleared when it is freed.
    fn ready(&self) -> LessSafeKey {
        let algorithm = match self {
            Self::ChaCha20Poly1305(_) => &CHACHA20_POLY1305,
            Self::AesGcm(key) => match key.size() {
                KeySize::Bits128 => &AES_128_GCM,
                KeySize::Bits192 => &AES_192_GCM,
                KeySize::Bits256 => &AES_256_GCM,
            },
        };
        let key = UnboundKey::new(algorithm, self.bytes());
        LessSafeKey::new(key.expect("a key as long as the algorithm has it"))
    }
}

/// Puts the project's messages with nonces of 12 bytes through all that seals and opens, and its
/// texts of AES in CTR mode.
pub(crate) fn self_test() -> Result<SelfTest, String> {
    let mut done = SelfTest::default();
    let wrong = |source: &str| format!("wrong answer to {source}");
    let aes_key = |key: &[u8]| AesKey::new(key).expect("a key of AES");
    let chacha20_key = |key: &[u8]| Key::new(key.try_into().expect("a key of 32 bytes"));
    for vector in vectors::aes().iter().filter(|vector| vector.mode == AesMode::Ctr) {
        let mut data = vector.plaintext.clone();
        AesCtr::new(aes_key(&vector.key), vector.iv).apply(0, &mut data);
        if data != vector.ciphertext {
            return Err(wrong(&vector.source));
        }
        done.encrypted += 1;
    }
    let chacha20 = vectors::chacha20_poly1305().into_iter();
    let chacha20 = chacha20.map(|vector| (AeadKey::from(chacha20_key(&vector.key)), vector));
    let aes = vectors::aes_gcm().into_iter();
    let aes = aes.map(|vector| (aes_key(&vector.key).into(), vector));
    for (key, vector) in chacha20.chain(aes) {
        let nonce = match vector.nonce {
            Nonce::Short(nonce) if vector.iv.is_empty() => nonce,
            _ => continue,
        };
        if !is_right(&key, &nonce, &vector) {
            return Err(wrong(&vector.source));
        }
        *(if vector.valid { &mut done.sealed } else { &mut done.refused }) += 1;
    }
    Ok(done)
}

/// The message is opened and sealed as published; a forgery is refused, and nothing of it is left.
fn is_right(key: &AeadKey, nonce: &[u8; 12], vector: &Message) -> bool {
    let mut data = vector.ciphertext.clone();
    let opened = key.open(nonce, &vector.aad, &mut data, &vector.tag);
    if !vector.valid {
        return opened == Err(TagMismatch) && data.iter().all(|byte| *byte == 0);
    }
    let text = opened == Ok(()) && data == vector.plaintext;
    text && key.seal(nonce, &vector.aad, &mut data) == vector.tag && data == vector.ciphertext
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All with nonces of 12 bytes: of Wycheproof, and of GCM's proposal.
    #[test]
    fn messages_are_sealed_opened_and_refused() {
        let done = self_test().unwrap();
        assert_eq!((done.encrypted, done.sealed, done.refused), (3, 256 + 3, 60 + 12));
    }
}
