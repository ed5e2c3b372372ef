// SPDX-License-Identifier: Apache-2.0
//! What is encrypted, and with what: the same everywhere, and told with each result, so that others
//! can compute it too.

use hex::encode;
use saltmill::{
    engine::{AesCtr, AesKey, Cipher, Key},
    sum::{HashAlgorithm, Hasher},
};
use serde::Serialize;

/// No secret: the first bytes of it are the key of a cipher with a shorter one.
pub const KEY: [u8; 32] = {
    let mut key = [0; 32];
    let mut index = 0;
    while index < key.len() {
        key[index] = index as u8;
        index += 1;
    }
    key
};
pub const NONCE: [u8; 12] = [0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0];
/// The initial counter block of AES; its lower half does not carry.
pub const IV: [u8; 16] = [0xf0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 0, 0, 0];
/// The text repeats after so many bytes: blocks that change places are seen.
const PERIOD: usize = 251;

/// The inputs of a result, as far as the cipher takes them.
#[derive(Serialize)]
pub struct Inputs {
    pub key: String,
    pub iv: String,
    pub text_period: usize,
}

pub fn text(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|index| (index % PERIOD) as u8).collect()
}

pub fn aes_inputs() -> Inputs {
    Inputs { key: encode(&KEY[..16]), iv: encode(IV), text_period: PERIOD }
}

pub fn chacha20_inputs() -> Inputs {
    Inputs { key: encode(KEY), iv: encode(NONCE), text_period: PERIOD }
}

pub fn aes_ctr() -> AesCtr {
    AesCtr::new(AesKey::new(&KEY[..16]).expect("16 bytes are a key"), IV)
}

pub fn chacha20() -> Cipher {
    Cipher::new(Key::new(KEY), NONCE, 0)
}

pub fn sha256(bytes: &[u8]) -> String {
    let mut hasher = Hasher::new(HashAlgorithm::Sha256, None).expect("SHA-256 has no key");
    hasher.update(bytes);
    encode(hasher.finish().bytes())
}
