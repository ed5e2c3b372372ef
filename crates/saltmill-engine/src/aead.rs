// SPDX-License-Identifier: Apache-2.0
//! ChaCha20-Poly1305 (RFC 8439, 2.8) on the CPU: OpenSSL's, in place.

use openssl::{cipher::Cipher as Algorithm, cipher_ctx::CipherCtx, error::ErrorStack};
use saltmill_device::{Nonce, SelfTest, vectors};
use zeroize::Zeroize;

/// Bytes of a tag.
pub const TAG_BYTES: usize = 16;

/// The tag is not that of the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TagMismatch;

/// Encrypts `text` and gives the tag of it and of the additional data.
pub(crate) fn seal(
    key: &[u8; 32],
    nonce: &[u8; 12],
    aad: &[u8],
    text: &mut [u8],
) -> [u8; TAG_BYTES] {
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

/// Decrypts `text`, and clears it if the tag does not match.
pub(crate) fn open(
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

/// Puts the project's vectors with nonces of 12 bytes through `seal` and `open`.
pub(crate) fn self_test() -> Result<SelfTest, String> {
    let mut done = SelfTest::default();
    for vector in vectors::chacha20_poly1305() {
        let Nonce::Short(nonce) = vector.nonce else { continue };
        let (key, aad) = (&vector.key, &vector.aad);
        let mut data = vector.ciphertext.clone();
        let opened = open(key, &nonce, aad, &mut data, &vector.tag);
        let right = if vector.valid {
            done.sealed += 1;
            let text = opened == Ok(()) && data == vector.plaintext;
            text && seal(key, &nonce, aad, &mut data) == vector.tag && data == vector.ciphertext
        } else {
            done.refused += 1;
            opened == Err(TagMismatch) && data.iter().all(|byte| *byte == 0)
        };
        if !right {
            return Err(format!("wrong answer to {}", vector.source));
        }
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
