// SPDX-License-Identifier: Apache-2.0
//! A key of AES.

use saltmill_device::KeySize;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A key of AES (FIPS 197). It is cleared when dropped and can't be printed.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct AesKey {
    /// With zeros behind a short one.
    padded: [u8; 32],
    #[zeroize(skip)]
    size: KeySize,
}

impl AesKey {
    /// Takes the bytes of a key; none if they are not 16, 24 or 32.
    pub fn new(key: &[u8]) -> Option<Self> {
        let size = KeySize::of_bytes(key.len())?;
        let mut padded = [0; 32];
        padded[..key.len()].copy_from_slice(key);
        Some(Self { padded, size })
    }

    pub(crate) fn size(&self) -> KeySize {
        self.size
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.padded[..self.size.bytes()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_other_lengths_are_none() {
        let good: Vec<_> = (0..40).filter(|len| AesKey::new(&vec![1; *len]).is_some()).collect();
        assert_eq!(good, [16, 24, 32]);
    }

    #[test]
    fn a_key_is_cleared() {
        let mut key = AesKey::new(&[1; 24]).unwrap();
        assert_eq!(key.bytes(), [1; 24]);
        key.zeroize();
        assert_eq!(key.padded, [0; 32]);
    }
}
