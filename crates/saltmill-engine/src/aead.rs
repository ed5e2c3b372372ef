// SPDX-License-Identifier: Apache-2.0
//! ChaCha20-Poly1305 (RFC 8439, 2.8) and AES-GCM (SP 800-38D) on the CPU, in place.

use openssl::cipher::{Cipher as Algorithm, CipherRef};
use saltmill_device::{
    KeySize, Nonce, SelfTest,
    vectors::{self, AesMode, Message},
};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TagMismatch;

/// Up to this many bytes a message of ChaCha20-Poly1305 is a matter of the `chacha20poly1305` crate: OpenSSL takes
/// about 1 ms to get ready (decision 42).
const SMALL: usize = 16 << 10;

impl AeadKey {
    /// The key, as long as it is.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::ChaCha20Poly1305(key) => key.bytes(),
            Self::AesGcm(key) => key.bytes(),
        }
    }

    /// Encrypts `text` and gives the tag of it and of the additional data.
    pub(crate) fn seal(&self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8]) -> [u8; TAG_BYTES] {
        self.library(text.len()).seal(nonce, aad, text)
    }

    /// Decrypts `text`, and clears it if the tag does not match.
    pub(crate) fn open(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        text: &mut [u8],
        tag: &[u8; TAG_BYTES],
    ) -> Result<(), TagMismatch> {
        self.library(text.len()).open(nonce, aad, text, tag)
    }

    /// What does a message of so many bytes.
    fn library(&self, len: usize) -> Library<'_> {
        self.small().filter(|_| len <= SMALL).unwrap_or_else(|| self.openssl())
    }

    fn small(&self) -> Option<Library<'_>> {
        match self {
            Self::ChaCha20Poly1305(key) => Some(Library::Small(key)),
            Self::AesGcm(_) => None,
        }
    }

    fn openssl(&self) -> Library<'_> {
        match self {
            Self::ChaCha20Poly1305(key) => {
                Library::OpenSsl(Algorithm::chacha20_poly1305(), key.bytes())
            }
            Self::AesGcm(key) => {
                let algorithm = match key.size() {
                    KeySize::Bits128 => Algorithm::aes_128_gcm(),
                    KeySize::Bits192 => Algorithm::aes_192_gcm(),
                    KeySize::Bits256 => Algorithm::aes_256_gcm(),
                };
                Library::OpenSsl(algorithm, key.bytes())
            }
        }
    }
}

/// What computes an AEAD, and its key.
enum Library<'a> {
    /// The `chacha20poly1305` crate.
    Small(&'a Key),
    /// OpenSSL. Its context clears its copy of the key when it is freed.
    OpenSsl(&'static CipherRef, &'a [u8]),
}

impl Library<'_> {
    fn seal(&self, nonce: &[u8; 12], aad: &[u8], text: &mut [u8]) -> [u8; TAG_BYTES] {
        match self {
            Self::Small(key) => small::seal(key.bytes(), nonce, aad, text),
            Self::OpenSsl(algorithm, key) => large::seal(algorithm, key, nonce, aad, text),
        }
    }

    fn open(
        &self,
        nonce: &[u8; 12],
        aad: &[u8],
        text: &mut [u8],
        tag: &[u8; TAG_BYTES],
    ) -> Result<(), TagMismatch> {
        match self {
            Self::Small(key) => small::open(key.bytes(), nonce, aad, text, tag),
            Self::OpenSsl(algorithm, key) => large::open(algorithm, key, nonce, aad, text, tag),
        }
    }
}

/// The `chacha20poly1305` crate's, which is there for the age format's headers, too.
mod small {
    use chacha20poly1305::{AeadInPlace, ChaCha20Poly1305, KeyInit};
    use zeroize::Zeroize;

    use super::{TAG_BYTES, TagMismatch};

    pub fn seal(key: &[u8; 32], nonce: &[u8; 12], aad: &[u8], text: &mut [u8]) -> [u8; TAG_BYTES] {
        let cipher = ChaCha20Poly1305::new(key.into());
        let tag = cipher.encrypt_in_place_detached(nonce.into(), aad, text);
        tag.expect("the text is far below 2^38 bytes").into()
    }

    pub fn open(
        key: &[u8; 32],
        nonce: &[u8; 12],
        aad: &[u8],
        text: &mut [u8],
        tag: &[u8; TAG_BYTES],
    ) -> Result<(), TagMismatch> {
        let cipher = ChaCha20Poly1305::new(key.into());
        let opened = cipher.decrypt_in_place_detached(nonce.into(), aad, text, tag.into());
        opened.map_err(|_| {
            text.zeroize();
            TagMismatch
        })
    }
}

/// OpenSSL's.
mod large {
    use openssl::{cipher::CipherRef, cipher_ctx::CipherCtx, error::ErrorStack};
    use zeroize::Zeroize;

    use super::{TAG_BYTES, TagMismatch};

    pub fn seal(
        algorithm: &CipherRef,
        key: &[u8],
        nonce: &[u8; 12],
        aad: &[u8],
        text: &mut [u8],
    ) -> [u8; TAG_BYTES] {
        let mut run = || {
            let mut context = CipherCtx::new()?;
            context.encrypt_init(Some(algorithm), Some(key), Some(nonce))?;
            through(&mut context, aad, text)?;
            let mut tag = [0; TAG_BYTES];
            context.cipher_final(&mut [])?;
            context.tag(&mut tag)?;
            Ok::<_, ErrorStack>(tag)
        };
        run().expect("OpenSSL, which is built in, has these AEADs")
    }

    pub fn open(
        algorithm: &CipherRef,
        key: &[u8],
        nonce: &[u8; 12],
        aad: &[u8],
        text: &mut [u8],
        tag: &[u8; TAG_BYTES],
    ) -> Result<(), TagMismatch> {
        let mut run = || {
            let mut context = CipherCtx::new()?;
            context.decrypt_init(Some(algorithm), Some(key), Some(nonce))?;
            context.set_tag(tag)?;
            through(&mut context, aad, text)?;
            Ok::<_, ErrorStack>(context)
        };
        let mut context = run().expect("OpenSSL, which is built in, has these AEADs");
        // Everything else has worked: what fails here is the comparison.
        context.cipher_final(&mut []).map(|_| ()).map_err(|_| {
            text.zeroize();
            TagMismatch
        })
    }

    /// Additional data, then the text in place. OpenSSL's lengths are C ints; chunks are far below.
    fn through(context: &mut CipherCtx, aad: &[u8], text: &mut [u8]) -> Result<(), ErrorStack> {
        context.cipher_update(aad, None)?;
        context.cipher_update_inplace(text, text.len())?;
        Ok(())
    }
}

/// Puts the project's messages with nonces of 12 bytes through all that seals and opens, and its texts of AES in
/// CTR mode.
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
        if !key.small().into_iter().chain([key.openssl()]).all(|it| is_right(&it, &nonce, &vector))
        {
            return Err(wrong(&vector.source));
        }
        *(if vector.valid { &mut done.sealed } else { &mut done.refused }) += 1;
    }
    Ok(done)
}

/// The message is opened and sealed as published; a forgery is refused, and nothing of it is left.
fn is_right(library: &Library, nonce: &[u8; 12], vector: &Message) -> bool {
    let mut data = vector.ciphertext.clone();
    let opened = library.open(nonce, &vector.aad, &mut data, &vector.tag);
    if !vector.valid {
        return opened == Err(TagMismatch) && data.iter().all(|byte| *byte == 0);
    }
    let text = opened == Ok(()) && data == vector.plaintext;
    text && library.seal(nonce, &vector.aad, &mut data) == vector.tag && data == vector.ciphertext
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
