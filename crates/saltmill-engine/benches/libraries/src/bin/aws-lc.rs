// SPDX-License-Identifier: Apache-2.0
//! AWS-LC. aws-lc-rs has no ChaCha20 without Poly1305: that is the C function.

use aws_lc_rs::{
    aead::{
        AES_128_GCM, AES_192_GCM, AES_256_GCM, Aad, Algorithm, CHACHA20_POLY1305, LessSafeKey,
        Nonce, UnboundKey,
    },
    cipher::{self, AES_128, AES_192, AES_256, EncryptingKey, EncryptionContext, UnboundCipherKey},
};
use saltmill_libraries::{BLOCK, COUNTER, KEY, NONCE, Operation, Tag, run};

fn main() {
    run(|algorithm| {
        Some(match algorithm {
            "chacha20" => Operation::Stream(chacha20),
            "aes-128-ctr" => Operation::Stream(|text| ctr(&AES_128, 16, text)),
            "aes-192-ctr" => Operation::Stream(|text| ctr(&AES_192, 24, text)),
            "aes-256-ctr" => Operation::Stream(|text| ctr(&AES_256, 32, text)),
            "chacha20-poly1305" => Operation::Message {
                seal: |text| seal(&CHACHA20_POLY1305, text),
                open: |text, tag| open(&CHACHA20_POLY1305, text, tag),
            },
            "aes-128-gcm" => Operation::Message {
                seal: |text| seal(&AES_128_GCM, text),
                open: |text, tag| open(&AES_128_GCM, text, tag),
            },
            "aes-192-gcm" => Operation::Message {
                seal: |text| seal(&AES_192_GCM, text),
                open: |text, tag| open(&AES_192_GCM, text, tag),
            },
            "aes-256-gcm" => Operation::Message {
                seal: |text| seal(&AES_256_GCM, text),
                open: |text, tag| open(&AES_256_GCM, text, tag),
            },
            _ => return None,
        })
    });
}

fn chacha20(text: &mut [u8]) {
    let at = text.as_mut_ptr();
    // SAFETY: The text may be its own result; key and nonce have the lengths that the function
    // reads. It looks at the processor by itself.
    unsafe {
        aws_lc_sys::CRYPTO_chacha_20(at, at, text.len(), KEY.as_ptr(), NONCE.as_ptr(), COUNTER);
    }
}

fn ctr(algorithm: &'static cipher::Algorithm, bytes: usize, text: &mut [u8]) {
    let key = UnboundCipherKey::new(algorithm, &KEY[..bytes]).expect("a key");
    let key = EncryptingKey::ctr(key).expect("a key");
    key.less_safe_encrypt(text, EncryptionContext::Iv128(BLOCK.into())).expect("a text");
}

fn key(algorithm: &'static Algorithm) -> LessSafeKey {
    let key = UnboundKey::new(algorithm, &KEY[..algorithm.key_len()]);
    LessSafeKey::new(key.expect("a key"))
}

fn seal(algorithm: &'static Algorithm, text: &mut [u8]) -> Tag {
    let nonce = Nonce::assume_unique_for_key(NONCE);
    let tag = key(algorithm).seal_in_place_separate_tag(nonce, Aad::empty(), text);
    tag.expect("a tag").as_ref().try_into().expect("16 bytes")
}

fn open(algorithm: &'static Algorithm, text: &mut [u8], tag: &Tag) {
    let nonce = Nonce::assume_unique_for_key(NONCE);
    key(algorithm)
        .open_in_place_separate_tag(nonce, Aad::empty(), tag, text)
        .expect("the right tag");
}
