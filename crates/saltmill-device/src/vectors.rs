// SPDX-License-Identifier: Apache-2.0
//! The project's test vectors, for self-tests and for the conformance suite.

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error},
};

use crate::{KeySize, Nonce, Operation};

/// A key, a nonce and a counter, and what they make of a text.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Vector {
    /// Where it was published.
    pub source: String,
    /// Key.
    #[serde(deserialize_with = "array")]
    pub key: [u8; 32],
    /// Nonce.
    #[serde(deserialize_with = "array")]
    pub nonce: [u8; 12],
    /// Counter of the first block.
    pub counter: u32,
    /// Text.
    #[serde(deserialize_with = "bytes")]
    pub plaintext: Vec<u8>,
    /// The text, encrypted.
    #[serde(deserialize_with = "bytes")]
    pub ciphertext: Vec<u8>,
}

/// A message and its Poly1305 tag (RFC 8439, 2.5).
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Mac {
    /// Where it was published.
    pub source: String,
    /// One-time key: r, then s.
    #[serde(deserialize_with = "array")]
    pub key: [u8; 32],
    /// Message.
    #[serde(deserialize_with = "bytes")]
    pub message: Vec<u8>,
    /// Its tag.
    #[serde(deserialize_with = "array")]
    pub tag: [u8; 16],
}

/// A message and its digest, by SHA-256 (FIPS 180-4) or MD5 (RFC 1321).
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Digest {
    /// Where it was published.
    pub source: String,
    /// Message.
    #[serde(deserialize_with = "bytes")]
    pub message: Vec<u8>,
    /// Its digest.
    #[serde(deserialize_with = "bytes")]
    pub digest: Vec<u8>,
}

/// A message and its HMAC-SHA-256 (RFC 2104), good or forged.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Hmac {
    /// Where it was published.
    pub source: String,
    /// Key, of any length.
    #[serde(deserialize_with = "bytes")]
    pub key: Vec<u8>,
    /// Message.
    #[serde(deserialize_with = "bytes")]
    pub message: Vec<u8>,
    /// Its tag, or the first bytes of it.
    #[serde(deserialize_with = "bytes")]
    pub tag: Vec<u8>,
    /// The tag is right.
    pub valid: bool,
}

/// A mode of AES without a tag (SP 800-38A).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum AesMode {
    /// Electronic codebook (6.1).
    Ecb,
    /// Cipher block chaining (6.2).
    Cbc,
    /// Counter (6.5).
    Ctr,
}

impl AesMode {
    /// What encrypts in it, and what decrypts.
    pub fn operations(self) -> [Operation; 2] {
        match self {
            Self::Ecb => [Operation::EcbEncrypt, Operation::EcbDecrypt],
            Self::Cbc => [Operation::CbcEncrypt, Operation::CbcDecrypt],
            Self::Ctr => [Operation::XorStream; 2],
        }
    }
}

/// A text in a mode of AES.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AesText {
    /// Where it was published.
    pub source: String,
    /// The mode.
    pub mode: AesMode,
    /// Size of the key.
    pub key_size: KeySize,
    /// Key.
    pub key: Vec<u8>,
    /// The first counter block, or the initialisation vector; zeros in ECB.
    pub iv: [u8; 16],
    /// Text: whole blocks.
    pub plaintext: Vec<u8>,
    /// The text, encrypted.
    pub ciphertext: Vec<u8>,
}

/// A message of ChaCha20-Poly1305 (RFC 8439, 2.8), of XChaCha20-Poly1305 or of AES-GCM (SP
/// 800-38D).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Message {
    /// Where it was published.
    pub source: String,
    /// Size of the key, if it is one of AES.
    pub key_size: KeySize,
    /// Key.
    pub key: Vec<u8>,
    /// Nonce; not used if there is an initialisation vector.
    pub nonce: Nonce,
    /// Initialisation vector of AES-GCM that has not 12 bytes; empty if it is the nonce.
    pub iv: Vec<u8>,
    /// Additional data.
    pub aad: Vec<u8>,
    /// Text.
    pub plaintext: Vec<u8>,
    /// The text, encrypted.
    pub ciphertext: Vec<u8>,
    /// The tag.
    pub tag: [u8; 16],
    /// Sealing gives this, and it can be opened. If not, it must be refused.
    pub valid: bool,
}

/// A message as it stands in the file.
#[derive(Deserialize)]
struct Published {
    source: String,
    extended: bool,
    #[serde(deserialize_with = "bytes")]
    key: Vec<u8>,
    #[serde(deserialize_with = "bytes")]
    nonce: Vec<u8>,
    #[serde(deserialize_with = "bytes")]
    aad: Vec<u8>,
    #[serde(deserialize_with = "bytes")]
    plaintext: Vec<u8>,
    #[serde(deserialize_with = "bytes")]
    ciphertext: Vec<u8>,
    #[serde(deserialize_with = "bytes")]
    tag: Vec<u8>,
    valid: bool,
}

impl Published {
    /// None if the nonce is not of the algorithm's length: the types already refuse that.
    fn message(self) -> Option<Message> {
        let Self { source, key, aad, plaintext, ciphertext, valid, .. } = self;
        let nonce = if self.extended {
            Nonce::Extended(self.nonce.try_into().ok()?)
        } else {
            Nonce::Short(self.nonce.try_into().ok()?)
        };
        let (key_size, iv) = (KeySize::default(), Vec::new());
        let tag = self.tag.try_into().ok()?;
        Some(Message { source, key_size, key, nonce, iv, aad, plaintext, ciphertext, tag, valid })
    }
}

/// A text in a mode of AES as it stands in the file.
#[derive(Deserialize)]
struct PublishedText {
    source: String,
    mode: AesMode,
    #[serde(deserialize_with = "bytes")]
    key: Vec<u8>,
    #[serde(deserialize_with = "array")]
    iv: [u8; 16],
    #[serde(deserialize_with = "bytes")]
    plaintext: Vec<u8>,
    #[serde(deserialize_with = "bytes")]
    ciphertext: Vec<u8>,
}

/// A message of AES-GCM as it stands in the file.
#[derive(Deserialize)]
struct PublishedGcm {
    source: String,
    #[serde(deserialize_with = "bytes")]
    key: Vec<u8>,
    #[serde(deserialize_with = "bytes")]
    iv: Vec<u8>,
    #[serde(deserialize_with = "bytes")]
    aad: Vec<u8>,
    #[serde(deserialize_with = "bytes")]
    plaintext: Vec<u8>,
    #[serde(deserialize_with = "bytes")]
    ciphertext: Vec<u8>,
    #[serde(deserialize_with = "array")]
    tag: [u8; 16],
    valid: bool,
}

impl PublishedText {
    /// None if the key has no length that AES knows.
    fn text(self) -> Option<AesText> {
        let Self { source, mode, key, iv, plaintext, ciphertext } = self;
        let key_size = KeySize::of_bytes(key.len())?;
        Some(AesText { source, mode, key_size, key, iv, plaintext, ciphertext })
    }
}

impl PublishedGcm {
    fn message(self) -> Option<Message> {
        let Self { source, key, aad, plaintext, ciphertext, tag, valid, .. } = self;
        let key_size = KeySize::of_bytes(key.len())?;
        let (nonce, iv) = match <[u8; 12]>::try_from(self.iv) {
            Ok(nonce) => (Nonce::Short(nonce), Vec::new()),
            Err(iv) => (Nonce::default(), iv),
        };
        Some(Message { source, key_size, key, nonce, iv, aad, plaintext, ciphertext, tag, valid })
    }
}

#[derive(Deserialize)]
struct File<V> {
    vectors: Vec<V>,
}

/// All vectors of ChaCha20.
///
/// ```
/// let vectors = saltmill_device::vectors::chacha20();
/// assert!(vectors.iter().any(|vector| vector.source.contains("RFC 8439, 2.4.2")));
/// ```
///
/// # Panics
/// Never, for the file is part of the program and tested with it.
pub fn chacha20() -> Vec<Vector> {
    read(include_str!("../vectors/chacha20.json"))
}

/// All vectors of Poly1305.
///
/// # Panics
/// Never, as above.
pub fn poly1305() -> Vec<Mac> {
    read(include_str!("../vectors/poly1305.json"))
}

/// All vectors of SHA-256.
///
/// # Panics
/// Never, as above.
pub fn sha256() -> Vec<Digest> {
    read(include_str!("../vectors/sha256.json"))
}

/// All vectors of HMAC-SHA-256: RFC 4231 and Wycheproof.
///
/// # Panics
/// Never, as above.
pub fn hmac_sha256() -> Vec<Hmac> {
    read(include_str!("../vectors/hmac_sha256.json"))
}

/// All vectors of MD5.
///
/// # Panics
/// Never, as above.
pub fn md5() -> Vec<Digest> {
    read(include_str!("../vectors/md5.json"))
}

/// All vectors of ChaCha20-Poly1305 and XChaCha20-Poly1305, good and forged, but for those with a
/// nonce of a length that [`Nonce`] can't have.
///
/// ```
/// let vectors = saltmill_device::vectors::chacha20_poly1305();
/// assert!(vectors.iter().any(|vector| !vector.valid));
/// ```
///
/// # Panics
/// Never, as above.
pub fn chacha20_poly1305() -> Vec<Message> {
    let published = read(include_str!("../vectors/chacha20_poly1305.json"));
    published.into_iter().filter_map(Published::message).collect()
}

/// All texts in AES's modes: those of SP 800-38A, appendix F.
///
/// ```
/// let vectors = saltmill_device::vectors::aes();
/// assert!(vectors.iter().any(|vector| vector.source.contains("F.5.1")));
/// ```
///
/// # Panics
/// Never, as above.
pub fn aes() -> Vec<AesText> {
    let published = read(include_str!("../vectors/aes.json"));
    published.into_iter().filter_map(PublishedText::text).collect()
}

/// Messages of AES-GCM: of the proposal of GCM (appendix B) those with additional data, and
/// forgeries made of them.
///
/// # Panics
/// Never, as above.
pub fn aes_gcm() -> Vec<Message> {
    let published = read(include_str!("../vectors/aes_gcm.json"));
    published.into_iter().filter_map(PublishedGcm::message).collect()
}

fn read<V: DeserializeOwned>(text: &str) -> Vec<V> {
    let file: File<V> =
        serde_json::from_str(text).expect("the vectors that the program was built with");
    file.vectors
}

fn bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(16)).collect();
    match digits {
        Some(digits) if digits.len() % 2 == 0 => Ok(digits
            .as_chunks::<2>()
            .0
            .iter()
            .map(|[high, low]| (high << 4 | low) as u8)
            .collect()),
        _ => Err(D::Error::custom("not hex digits in pairs")),
    }
}

fn array<'de, const N: usize, D: Deserializer<'de>>(deserializer: D) -> Result<[u8; N], D::Error> {
    bytes(deserializer)?.try_into().map_err(|_| D::Error::custom(format!("not {N} bytes")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_message_is_lost_but_those_with_an_impossible_nonce() {
        let text = include_str!("../vectors/chacha20_poly1305.json");
        let impossible = text.matches("InvalidNonceSize").count();
        let all = read::<Published>(text).len();
        assert_eq!((chacha20_poly1305().len(), impossible), (all - impossible, 18));
    }

    #[test]
    fn nothing_of_aes_is_lost() {
        assert_eq!(aes().len(), 3 * KeySize::ALL.len());
        let (valid, forged): (Vec<_>, Vec<_>) = aes_gcm().into_iter().partition(|m| m.valid);
        assert_eq!((valid.len(), forged.len()), (5, 20));
        let mut ivs: Vec<_> = valid.iter().map(|message| message.iv.len()).collect();
        ivs.sort_unstable();
        assert_eq!(ivs, [0, 0, 0, 8, 60]);
    }
}
