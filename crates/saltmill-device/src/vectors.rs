// SPDX-License-Identifier: Apache-2.0
//! The project's test vectors, for self-tests and for the conformance suite.

use serde::{Deserialize, Deserializer, de::Error};

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

#[derive(Deserialize)]
struct File {
    vectors: Vec<Vector>,
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
    let text = include_str!("../../../vectors/chacha20.json");
    let file: File =
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
