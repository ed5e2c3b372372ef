// SPDX-License-Identifier: Apache-2.0
//! Lines that begin with the algorithm's name: BSD's, `--tag` of coreutils and b3sum, and those of
//! `openssl dgst`.

use super::{Entry, escape};
use crate::sum::{Digest, HashAlgorithm};

/// What else these algorithms are called: OpenSSL 3 does.
const OTHER_TAGS: [(&str, HashAlgorithm); 5] = [
    ("SHA2-224", HashAlgorithm::Sha224),
    ("SHA2-256", HashAlgorithm::Sha256),
    ("SHA2-384", HashAlgorithm::Sha384),
    ("SHA2-512", HashAlgorithm::Sha512),
    ("HMAC-SHA2-256", HashAlgorithm::HmacSha256),
];

/// The algorithm of such a line, and what is behind the parenthesis.
pub(super) fn tagged(line: &[u8], wanted: Option<HashAlgorithm>) -> Option<(HashAlgorithm, &[u8])> {
    let tags = HashAlgorithm::ALL.map(|algorithm| (algorithm.tag(), algorithm));
    let mut tags = tags.into_iter().chain(OTHER_TAGS);
    tags.find_map(|(tag, algorithm)| {
        let rest = line.strip_prefix(tag.as_bytes())?;
        let rest = rest.strip_prefix(b" ").unwrap_or(rest).strip_prefix(b"(")?;
        wanted.is_none_or(|wanted| wanted == algorithm).then_some((algorithm, rest))
    })
}

/// `NAME) = DIGEST`: names may have parentheses, digests don't.
pub(super) fn entry(text: &[u8], algorithm: HashAlgorithm, is_escaped: bool) -> Option<Entry> {
    let end = text.iter().rposition(|byte| *byte == b')')?;
    let name = escape::name(&text[..end], is_escaped)?;
    let digest = without_blanks(&text[end + 1..]).strip_prefix(b"=")?;
    let digest = Digest::from_hex(without_blanks(digest))?;
    let fits = digest.bytes().len() == algorithm.digest_bytes();
    fits.then(|| Entry { is_tagged: true, ..Entry::new(name, algorithm, digest) })
}

/// The text behind leading spaces and tabs.
pub(super) fn without_blanks(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !is_blank(*byte));
    &text[start.unwrap_or(text.len())..]
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
