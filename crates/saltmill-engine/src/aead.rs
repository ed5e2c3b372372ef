// SPDX-License-Identifier: Apache-2.0
//! ChaCha20-Poly1305 (RFC 8439, 2.8) on the CPU, in place.

use saltmill_device::{Nonce, SelfTest, vectors};

/// Bytes of a tag.
pub const TAG_BYTES: usize = 16;

/// The tag is not that of the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TagMismatch;

/// Up to this many bytes a message is a matter of the `chacha20poly1305` crate: OpenSSL takes about 1 ms
/// to get ready (decision 42).
const SMALL: usize = 16 << 10;

/// Encrypts `text` and gives the tag of it and of the additional data.
pub(crate) fn seal(
    key: &[u8; 32],
    nonce: &[u8; 12],
    aad: &[u8],
    text: &mut [u8],
) -> [u8; TAG_BYTES] {
    let seal = if text.len() <= SMALL { small::seal } else { large::seal };
    seal(key, nonce, aad, text)
}

/// Decrypts `text`, and clears it if the tag does not match.
pub(crate) fn open(
    key: &[u8; 32],
    nonce: &[u8; 12],
    aad: &[u8],
    text: &mut [u8],
    tag: &[u8; TAG_BYTES],
) -> Result<(), TagMismatch> {
    let open = if text.len() <= SMALL { small::open } else { large::open };
    open(key, nonce, aad, text, tag)
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
    use openssl::{cipher::Cipher as Algorithm, cipher_ctx::CipherCtx, error::ErrorStack};
    use zeroize::Zeroize;

    use super::{TAG_BYTES, TagMismatch};

    pub fn seal(key: &[u8; 32], nonce: &[u8; 12], aad: &[u8], text: &mut [u8]) -> [u8; TAG_BYTES] {
        let mut run = || {
            let mut context = CipherCtx::new()?;
            context.encrypt_init(Some(Algorithm::chacha20_poly1305()), Some(key), Some(nonce))?;
            through(&mut context, aad, text)?;
            let mut tag = [0; TAG_BYTES];
            context.cipher_final(&mut [])?;
            context.tag(&mut tag)?;
            Ok::<_, ErrorStack>(tag)
        };
        run().expect("OpenSSL, which is built in, has ChaCha20-Poly1305")
    }

    pub fn open(
        key: &[u8; 32],
        nonce: &[u8; 12],
        aad: &[u8],
        text: &mut [u8],
        tag: &[u8; TAG_BYTES],
    ) -> Result<(), TagMismatch> {
        let mut run = || {
            let mut context = CipherCtx::new()?;
            context.decrypt_init(Some(Algorithm::chacha20_poly1305()), Some(key), Some(nonce))?;
            context.set_tag(tag)?;
            through(&mut context, aad, text)?;
            Ok::<_, ErrorStack>(context)
        };
        let mut context = run().expect("OpenSSL, which is built in, has ChaCha20-Poly1305");
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

type Seal = fn(&[u8; 32], &[u8; 12], &[u8], &mut [u8]) -> [u8; TAG_BYTES];
type Open = fn(&[u8; 32], &[u8; 12], &[u8], &mut [u8], &[u8; TAG_BYTES]) -> Result<(), TagMismatch>;

/// Puts the project's vectors with nonces of 12 bytes through both implementations.
pub(crate) fn self_test() -> Result<SelfTest, String> {
    let mut done = SelfTest::default();
    for vector in vectors::chacha20_poly1305() {
        let Nonce::Short(nonce) = vector.nonce else { continue };
        let (key, aad) = (&vector.key, &vector.aad);
        for (seal, open) in [(small::seal as Seal, small::open as Open), (large::seal, large::open)]
        {
            let mut data = vector.ciphertext.clone();
            let opened = open(key, &nonce, aad, &mut data, &vector.tag);
            let right = if vector.valid {
                let text = opened == Ok(()) && data == vector.plaintext;
                text && seal(key, &nonce, aad, &mut data) == vector.tag && data == vector.ciphertext
            } else {
                opened == Err(TagMismatch) && data.iter().all(|byte| *byte == 0)
            };
            if !right {
                return Err(format!("wrong answer to {}", vector.source));
            }
        }
        *(if vector.valid { &mut done.sealed } else { &mut done.refused }) += 1;
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wycheproof_is_sealed_opened_and_refused() {
        let done = self_test().unwrap();
        assert_eq!((done.sealed, done.refused), (256, 60), "all with nonces of 12 bytes");
    }
}
