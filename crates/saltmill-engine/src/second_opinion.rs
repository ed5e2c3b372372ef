// SPDX-License-Identifier: Apache-2.0
//! Every way through the library's assembly, chosen by length: the same bytes as OpenSSL's.

use openssl::symm::{self, Cipher as Algorithm};

use crate::{AeadKey, AesCtr, AesKey, Cipher, Key};

const KEY: [u8; 32] = *b"a key that two libraries use ...";
const NONCE: [u8; 12] = *b"twelve bytes";

/// All lengths up to four times the widest step, and that of a chunk with what is around it.
fn texts() -> impl Iterator<Item = Vec<u8>> {
    let lengths = (0..=2048).chain([4095, 4096, 16_385, 65_535, 65_536, 65_537, 1 << 20]);
    lengths.map(|len| (0_usize..len).map(|i| (i % 251) as u8).collect())
}

fn aes_key(bytes: usize) -> AesKey {
    AesKey::new(&KEY[..bytes]).expect("a key of AES")
}

#[test]
fn chacha20_of_every_length() {
    for text in texts() {
        for counter in [0, 1, u32::MAX - (1 << 14)] {
            let iv = [&counter.to_le_bytes()[..], &NONCE].concat();
            let expected = symm::encrypt(Algorithm::chacha20(), &KEY, Some(&iv), &text).unwrap();
            let mut data = text.clone();
            Cipher::new(Key::new(KEY), NONCE, counter).apply(0, &mut data);
            assert!(data == expected, "{} bytes from counter {counter}", text.len());
        }
    }
}

/// The counter passes 2^32 and 2^64 on the way.
#[test]
fn aes_ctr_of_every_length() {
    let algorithms = [
        (16, Algorithm::aes_128_ctr()),
        (24, Algorithm::aes_192_ctr()),
        (32, Algorithm::aes_256_ctr()),
    ];
    for text in texts() {
        for (bytes, algorithm) in algorithms {
            for ones in [0, 5, 9] {
                let mut iv = *b"sixteen bytes IV";
                iv[16 - ones..].fill(0xFF);
                let key = &KEY[..bytes];
                let expected = symm::encrypt(algorithm, key, Some(&iv), &text).unwrap();
                let mut data = text.clone();
                AesCtr::new(aes_key(bytes), iv).apply(0, &mut data);
                assert!(data == expected, "{} bytes, key of {bytes}", text.len());
            }
        }
    }
}

#[test]
fn messages_of_every_length() {
    let algorithms: [(AeadKey, Algorithm); 4] = [
        (Key::new(KEY).into(), Algorithm::chacha20_poly1305()),
        (aes_key(16).into(), Algorithm::aes_128_gcm()),
        (aes_key(24).into(), Algorithm::aes_192_gcm()),
        (aes_key(32).into(), Algorithm::aes_256_gcm()),
    ];
    for text in texts() {
        let aad = &text[..text.len() % 37];
        for (key, algorithm) in &algorithms {
            let (mut tag, nonce) = ([0; 16], Some(&NONCE[..]));
            let bytes = key.bytes();
            let expected = symm::encrypt_aead(*algorithm, bytes, nonce, aad, &text, &mut tag);
            let mut data = text.clone();
            assert_eq!(key.seal(&NONCE, aad, &mut data), tag, "{} bytes", text.len());
            assert!(data == expected.unwrap(), "{} bytes", text.len());
            assert_eq!(key.open(&NONCE, aad, &mut data, &tag), Ok(()), "{} bytes", text.len());
            assert!(data == text, "{} bytes", text.len());
        }
    }
}
