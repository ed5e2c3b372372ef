// SPDX-License-Identifier: Apache-2.0
//! The project's test vectors, for self-tests and for the conformance suite.

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error},
};

use crate::Nonce;

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

/// A message of ChaCha20-Poly1305 (RFC 8439, 2.8) or XChaCha20-Poly1305.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Message {
    /// Where it was published.
    pub source: String,
    /// Key.
    pub key: [u8; 32],
    /// Nonce.
    pub nonce: Nonce,
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
    #[serde(deserialize_with = "array")]
    key: [u8; 32],
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
        let tag = self.tag.try_into().ok()?;
        Some(Message { source, key, nonce, aad, plaintext, ciphertext, tag, valid })
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
    read(include_str!("../../../vectors/chacha20.json"))
}

/// All vectors of Poly1305.
///
/// # Panics
/// Never, as above.
pub fn poly1305() -> Vec<Mac> {
    read(include_str!("../../../vectors/poly1305.json"))
}

/// All vectors of ChaCha20-Poly1305 and XChaCha20-Poly1305, good and forged, but for those with a nonce of a
/// length that [`Nonce`] can't have.
///
/// ```
/// let vectors = saltmill_device::vectors::chacha20_poly1305();
/// assert!(vectors.iter().any(|vector| !vector.valid));
/// ```
///
/// # Panics
/// Never, as above.
pub fn chacha20_poly1305() -> Vec<Message> {
    let published = read(include_str!("../../../vectors/chacha20_poly1305.json"));
    published.into_iter().filter_map(Published::message).collect()
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
        let text = include_str!("../../../vectors/chacha20_poly1305.json");
        let impossible = text.matches("InvalidNonceSize").count();
        let all = read::<Published>(text).len();
        assert_eq!((chacha20_poly1305().len(), impossible), (all - impossible, 18));
    }
}
