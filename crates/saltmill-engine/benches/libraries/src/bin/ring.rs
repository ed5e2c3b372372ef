// SPDX-License-Identifier: Apache-2.0
//! ring: messages only, and AES of two sizes.

use ring::aead::{
    AES_128_GCM, AES_256_GCM, Aad, Algorithm, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey,
};
use saltmill_libraries::{KEY, NONCE, Operation, Tag, run};

fn main() {
    run(|algorithm| {
        Some(match algorithm {
            "chacha20-poly1305" => Operation::Message {
                seal: |text| seal(&CHACHA20_POLY1305, text),
                open: |text, tag| open(&CHACHA20_POLY1305, text, tag),
            },
            "aes-128-gcm" => Operation::Message {
                seal: |text| seal(&AES_128_GCM, text),
                open: |text, tag| open(&AES_128_GCM, text, tag),
            },
            "aes-256-gcm" => Operation::Message {
                seal: |text| seal(&AES_256_GCM, text),
                open: |text, tag| open(&AES_256_GCM, text, tag),
            },
            _ => return None,
        })
    });
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
        .open_in_place_separate_tag(nonce, Aad::empty(), (*tag).into(), text, 0..)
        .expect("the right tag");
}
