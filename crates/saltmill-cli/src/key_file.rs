// SPDX-License-Identifier: Apache-2.0
//! Key files: exactly the key's bytes, or its hex digits with an optional newline.

use std::{fs::File, io::Read, path::Path};

use saltmill_engine::Key;
use zeroize::Zeroizing;

use crate::{
    failure::{Failure, hint, reason},
    hex,
};

/// Bytes of a key.
const KEY_BYTES: usize = 32;
/// The longest good key file is 64 digits and a line end of two bytes; one more shows "too long".
const LONGEST: u64 = 2 * KEY_BYTES as u64 + 3;

/// Reads a key. Errors say what was found, never the content.
pub fn read(path: &Path) -> Result<Key, Failure> {
    let name = path.display();
    let failed = |error: &std::io::Error| {
        Failure::usage(format!("key file {name} can't be read: {}", reason(error)), hint(error))
    };
    let file = File::open(path).map_err(|error| failed(&error))?;
    // No reallocation, which would leave a copy behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(LONGEST as usize + 1));
    file.take(LONGEST).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    parse(&bytes).map_err(|found| {
        Failure::usage(
            format!("key file {name} holds no key: {found}"),
            "a key file holds exactly 32 bytes, or 64 hex digits with an optional newline; \
             make one with: head -c 32 /dev/urandom > secret.key",
        )
    })
}

/// The key in the bytes of a file; if there is none, what was found.
fn parse(bytes: &[u8]) -> Result<Key, String> {
    if let Ok(key) = <[u8; KEY_BYTES]>::try_from(bytes) {
        let key = Zeroizing::new(key);
        return Ok(Key::new(*key));
    }
    let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let digits =
        std::str::from_utf8(line).ok().filter(|s| s.bytes().all(|b| b.is_ascii_hexdigit()));
    match digits {
        _ if bytes.is_empty() => Err("it is empty".to_owned()),
        _ if bytes.len() as u64 == LONGEST => {
            Err(format!("it has more than {} bytes", LONGEST - 1))
        }
        None => Err(format!("it has {} bytes", bytes.len())),
        Some(digits) => {
            let key = Zeroizing::new(hex::parse(digits)?);
            Ok(Key::new(*key))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn bytes_and_hex_are_keys() {
        for good in [&[0xFF; 32][..], &[b'a'; 32], &[b'a'; 64], &[b'7'; 64]] {
            assert!(parse(good).is_ok());
        }
        let digits = "0123456789abcdefABCDEF".repeat(3)[..64].to_owned();
        for end in ["", "\n", "\r\n"] {
            assert!(parse(format!("{digits}{end}").as_bytes()).is_ok(), "{end:?}");
        }
    }

    #[test]
    fn everything_else_is_described_without_its_content() {
        let found = |bytes: &[u8]| parse(bytes).err();
        assert_eq!(found(b"").as_deref(), Some("it is empty"));
        assert_eq!(found(&[1; 31]).as_deref(), Some("it has 31 bytes"));
        assert_eq!(found(&[1; 33]).as_deref(), Some("it has 33 bytes"));
        assert_eq!(found(&[b'a'; 63]).as_deref(), Some("it has 63 hex digits, not 64"));
        assert_eq!(found(&[b'z'; 64]).as_deref(), Some("it has 64 bytes"));
        assert_eq!(found(&[b'a'; 67]).as_deref(), Some("it has more than 66 bytes"));
        assert_eq!(found(&[&[b'a'; 64][..], b"\n\n"].concat()).as_deref(), Some("it has 66 bytes"));
    }
}
