// SPDX-License-Identifier: Apache-2.0
//! AES in CTR mode: a key, the first counter block; and how the CPU computes it.

use std::fmt;

use aws_lc_rs::cipher::{
    AES_128, AES_192, AES_256, EncryptingKey, EncryptionContext, UnboundCipherKey,
};
use saltmill_device::KeySize;

use crate::AesKey;

/// Bytes in a block of AES.
const BLOCK_BYTES: u64 = 16;

/// AES in CTR mode (SP 800-38A, 6.5) with a key and the first counter block, which counts in all
/// its 128 bits, big-endian, as in OpenSSL.
#[derive(Clone)]
pub struct AesCtr {
    key: AesKey,
    iv: [u8; 16],
}

impl fmt::Debug for AesCtr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AesCtr").field("size", &self.key.size()).finish_non_exhaustive()
    }
}

impl AesCtr {
    /// A stream whose first block is made from `iv`.
    pub fn new(key: AesKey, iv: [u8; 16]) -> Self {
        Self { key, iv }
    }

    pub(crate) fn key(&self) -> &AesKey {
        &self.key
    }

    /// The counter block at `offset`, a multiple of the block.
    pub(crate) fn iv_at(&self, offset: u64) -> [u8; 16] {
        u128::from_be_bytes(self.iv).wrapping_add((offset / BLOCK_BYTES).into()).to_be_bytes()
    }

    /// The same stream from `offset` on, a multiple of 16 bytes.
    ///
    /// # Panics
    /// If it is not.
    #[must_use]
    pub fn from_offset(mut self, offset: u64) -> Self {
        assert!(offset.is_multiple_of(BLOCK_BYTES), "{offset} is not at a block");
        self.iv = self.iv_at(offset);
        self
    }

    /// Encrypts or decrypts, on this CPU, `data` that starts at `offset`.
    ///
    /// ```
    /// use saltmill_engine::{AesCtr, AesKey};
    ///
    /// let stream = AesCtr::new(AesKey::new(&[7; 24]).unwrap(), *b"sixteen bytes IV");
    /// let mut whole = [0; 200];
    /// stream.apply(0, &mut whole);
    /// let mut part = [0; 72];
    /// stream.apply(128, &mut part);
    /// assert_eq!(part, whole[128..]);
    /// ```
    ///
    /// # Panics
    /// If `offset` is not a multiple of the block.
    pub fn apply(&self, offset: u64, data: &mut [u8]) {
        assert!(offset.is_multiple_of(BLOCK_BYTES), "{offset} is not at a block");
        let algorithm = match self.key.size() {
            KeySize::Bits128 => &AES_128,
            KeySize::Bits192 => &AES_192,
            KeySize::Bits256 => &AES_256,
        };
        let iv = EncryptionContext::Iv128(self.iv_at(offset).into());
        UnboundCipherKey::new(algorithm, self.key.bytes())
            .and_then(EncryptingKey::ctr)
            .and_then(|key| key.less_safe_encrypt(data, iv))
            .expect("a key and a counter block as long as the algorithm has them");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(text: &str) -> Vec<u8> {
        (0..text.len() / 2)
            .map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
            .collect()
    }

    /// SP 800-38A, F.5.1, F.5.3 and F.5.5: the first two blocks.
    #[test]
    fn examples_of_the_standard() {
        let iv: [u8; 16] = hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff").try_into().unwrap();
        let plain = hex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51");
        for (key, cipher) in [
            (
                "2b7e151628aed2a6abf7158809cf4f3c",
                "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff",
            ),
            (
                "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
                "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94",
            ),
            (
                "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
                "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5",
            ),
        ] {
            let stream = AesCtr::new(AesKey::new(&hex(key)).unwrap(), iv);
            let mut data = plain.clone();
            stream.apply(0, &mut data);
            assert_eq!(data, hex(cipher));
            stream.clone().from_offset(16).apply(0, &mut data[16..]);
            stream.apply(0, &mut data[..16]);
            assert_eq!(data, plain);
        }
    }

    #[test]
    fn the_counter_has_128_bits_and_wraps() {
        let key = || AesKey::new(&[3; 32]).unwrap();
        let (mut whole, mut end) = ([0; 48], [0; 32]);
        AesCtr::new(key(), [0xFF; 16]).apply(0, &mut whole);
        AesCtr::new(key(), [0; 16]).apply(0, &mut end);
        assert_eq!(whole[16..], end);
    }

    #[test]
    fn debug_output_has_no_key() {
        let stream = AesCtr::new(AesKey::new(&[0xAB; 16]).unwrap(), [9; 16]);
        assert_eq!(format!("{stream:?}"), "AesCtr { size: Bits128, .. }");
    }
}
