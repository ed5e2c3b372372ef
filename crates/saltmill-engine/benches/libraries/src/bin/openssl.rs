// SPDX-License-Identifier: Apache-2.0
//! OpenSSL, built from source.

use openssl::{
    cipher::{Cipher, CipherRef},
    cipher_ctx::CipherCtx,
};
use saltmill_libraries::{BLOCK, COUNTER, KEY, NONCE, Operation, Tag, run};

fn main() {
    run(|algorithm| {
        Some(match algorithm {
            "chacha20" => Operation::Stream(chacha20),
            "aes-128-ctr" => Operation::Stream(|text| stream(Cipher::aes_128_ctr(), &BLOCK, text)),
            "aes-192-ctr" => Operation::Stream(|text| stream(Cipher::aes_192_ctr(), &BLOCK, text)),
            "aes-256-ctr" => Operation::Stream(|text| stream(Cipher::aes_256_ctr(), &BLOCK, text)),
            "chacha20-poly1305" => Operation::Message {
                seal: |text| seal(Cipher::chacha20_poly1305(), text),
                open: |text, tag| open(Cipher::chacha20_poly1305(), text, tag),
            },
            "aes-128-gcm" => Operation::Message {
                seal: |text| seal(Cipher::aes_128_gcm(), text),
                open: |text, tag| open(Cipher::aes_128_gcm(), text, tag),
            },
            "aes-192-gcm" => Operation::Message {
                seal: |text| seal(Cipher::aes_192_gcm(), text),
                open: |text, tag| open(Cipher::aes_192_gcm(), text, tag),
            },
            "aes-256-gcm" => Operation::Message {
                seal: |text| seal(Cipher::aes_256_gcm(), text),
                open: |text, tag| open(Cipher::aes_256_gcm(), text, tag),
            },
            _ => return None,
        })
    });
}

fn chacha20(text: &mut [u8]) {
    let mut iv = [0; 16];
    iv[..4].copy_from_slice(&COUNTER.to_le_bytes());
    iv[4..].copy_from_slice(&NONCE);
    stream(Cipher::chacha20(), &iv, text);
}

fn stream(cipher: &CipherRef, iv: &[u8], text: &mut [u8]) {
    let mut context = CipherCtx::new().expect("a context");
    let key = &KEY[..cipher.key_length()];
    context.encrypt_init(Some(cipher), Some(key), Some(iv)).expect("a start");
    context.cipher_update_inplace(text, text.len()).expect("a text");
}

fn seal(cipher: &CipherRef, text: &mut [u8]) -> Tag {
    let (mut context, mut tag) = (CipherCtx::new().expect("a context"), Tag::default());
    let key = &KEY[..cipher.key_length()];
    context.encrypt_init(Some(cipher), Some(key), Some(&NONCE)).expect("a start");
    context.cipher_update_inplace(text, text.len()).expect("a text");
    context.cipher_final(&mut []).expect("an end");
    context.tag(&mut tag).expect("a tag");
    tag
}

fn open(cipher: &CipherRef, text: &mut [u8], tag: &Tag) {
    let mut context = CipherCtx::new().expect("a context");
    let key = &KEY[..cipher.key_length()];
    context.decrypt_init(Some(cipher), Some(key), Some(&NONCE)).expect("a start");
    context.set_tag(tag).expect("a tag");
    context.cipher_update_inplace(text, text.len()).expect("a text");
    context.cipher_final(&mut []).expect("the right tag");
}
