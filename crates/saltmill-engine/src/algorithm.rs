// SPDX-License-Identifier: Apache-2.0
//! What a run computes, without its keys.

use std::fmt;

use saltmill_device::KeySize;

/// An algorithm that workers have or have not. Shown by OpenSSL's name for it.
///
/// ```
/// use saltmill_device::KeySize;
/// use saltmill_engine::Algorithm;
///
/// assert_eq!(Algorithm::AesGcm(KeySize::Bits192).to_string(), "aes-192-gcm");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Algorithm {
    /// RFC 8439, 2.4.
    ChaCha20,
    /// RFC 8439, 2.8: sealed and opened.
    ChaCha20Poly1305,
    /// AES (FIPS 197) in CTR mode (SP 800-38A, 6.5).
    AesCtr(KeySize),
    /// AES-GCM (SP 800-38D): sealed and opened.
    AesGcm(KeySize),
}

impl Algorithm {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let aes =
            KeySize::ALL.into_iter().flat_map(|size| [Self::AesCtr(size), Self::AesGcm(size)]);
        [Self::ChaCha20, Self::ChaCha20Poly1305].into_iter().chain(aes)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ChaCha20 => f.write_str("chacha20"),
            Self::ChaCha20Poly1305 => f.write_str("chacha20-poly1305"),
            Self::AesCtr(size) => write!(f, "aes-{size}-ctr"),
            Self::AesGcm(size) => write!(f, "aes-{size}-gcm"),
        }
    }
}
