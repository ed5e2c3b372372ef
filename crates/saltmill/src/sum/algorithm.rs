// SPDX-License-Identifier: Apache-2.0
//! Hash algorithms and their names.

use std::fmt;

/// A hash algorithm. Shown by its name on the command line, such as `sha256`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HashAlgorithm {
    /// RFC 1321. Collisions can be made: it finds damage, not attacks.
    Md5,
    /// FIPS 180-4. Collisions can be made: it finds damage, not attacks.
    Sha1,
    /// FIPS 180-4.
    Sha224,
    /// FIPS 180-4.
    Sha256,
    /// FIPS 180-4.
    Sha384,
    /// FIPS 180-4.
    Sha512,
    /// BLAKE3, 32 bytes, without a key.
    Blake3,
    /// HMAC (RFC 2104) with SHA-256, with a key of 32 bytes: who has none can make no digest.
    HmacSha256,
}

impl HashAlgorithm {
    /// All of them. Of two whose digests are equally long, the more common one is first.
    pub const ALL: [Self; 8] = [
        Self::Md5,
        Self::Sha1,
        Self::Sha224,
        Self::Sha256,
        Self::Sha384,
        Self::Sha512,
        Self::Blake3,
        Self::HmacSha256,
    ];

    /// Its name on the command line and in hashdeep's manifests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Md5 => "md5",
            Self::Sha1 => "sha1",
            Self::Sha224 => "sha224",
            Self::Sha256 => "sha256",
            Self::Sha384 => "sha384",
            Self::Sha512 => "sha512",
            Self::Blake3 => "blake3",
            Self::HmacSha256 => "hmac-sha256",
        }
    }

    /// Its name in BSD manifests.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Md5 => "MD5",
            Self::Sha1 => "SHA1",
            Self::Sha224 => "SHA224",
            Self::Sha256 => "SHA256",
            Self::Sha384 => "SHA384",
            Self::Sha512 => "SHA512",
            Self::Blake3 => "BLAKE3",
            Self::HmacSha256 => "HMAC-SHA256",
        }
    }

    /// Bytes of a digest.
    pub fn digest_bytes(self) -> usize {
        match self {
            Self::Md5 => 16,
            Self::Sha1 => 20,
            Self::Sha224 => 28,
            Self::Sha256 | Self::Blake3 | Self::HmacSha256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }
}

impl fmt::Display for HashAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
