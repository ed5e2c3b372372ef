// SPDX-License-Identifier: Apache-2.0
//! Key files: exactly the key's bytes, or its hex digits with an optional newline.

use std::{
    fs::File,
    io::{ErrorKind, Read},
    path::Path,
};

use zeroize::Zeroizing;

use crate::{
    keys::hex,
    report::failure::{Failure, hint, reason},
    report::say::shown,
};

/// The longest good key file of so many bytes is their digits and a line end of two bytes; one more
/// shows "too long".
const fn longest(bytes: usize) -> u64 {
    2 * bytes as u64 + 3
}

/// Reads a key of `N` bytes. Errors say what was found, never the content.
pub fn read<const N: usize>(path: &Path) -> Result<Zeroizing<[u8; N]>, Failure> {
    let name = shown(path);
    let failed = |error: &std::io::Error| {
        let hint = match error.kind() {
            ErrorKind::IsADirectory => "name the file with the key",
            _ => hint(error),
        };
        Failure::usage(format!("key file {name} can't be read: {}", reason(error)), hint)
    };
    let file = File::open(path).map_err(|error| failed(&error))?;
    // No reallocation, which would leave a copy behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(longest(N) as usize + 1));
    file.take(longest(N)).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    parse(&bytes).map_err(|found| {
        Failure::usage(
            format!("key file {name} holds no key: {found}"),
            format!(
                "a key file holds exactly {N} bytes, or {} hex digits with an optional newline; \
                 make one with: head -c {N} /dev/urandom > secret.key",
                2 * N
            ),
        )
    })
}

/// The key in the bytes of a file; if there is none, what was found.
fn parse<const N: usize>(bytes: &[u8]) -> Result<Zeroizing<[u8; N]>, String> {
    if let Ok(key) = <[u8; N]>::try_from(bytes) {
        return Ok(Zeroizing::new(key));
    }
    let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let digits =
        std::str::from_utf8(line).ok().filter(|s| s.bytes().all(|b| b.is_ascii_hexdigit()));
    match digits {
        _ if bytes.is_empty() => Err("it is empty".to_owned()),
        _ if bytes.len() as u64 == longest(N) => {
            Err(format!("it has more than {} bytes", longest(N) - 1))
        }
        None => Err(format!("it has {} bytes", bytes.len())),
        Some(digits) => Ok(Zeroizing::new(hex::parse(digits)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn bytes_and_hex_are_keys() {
        for good in [&[0xFF; 32][..], &[b'a'; 32], &[b'a'; 64], &[b'7'; 64]] {
            assert!(parse::<32>(good).is_ok());
        }
        assert_eq!(*parse::<16>(&[b'a'; 16]).unwrap(), [b'a'; 16]);
        assert_eq!(*parse::<16>(&[b'a'; 32]).unwrap(), [0xAA; 16]);
        assert_eq!(parse::<24>(&[b'a'; 32]).err().as_deref(), Some("it has 32 hex digits, not 48"));
        let digits = "0123456789abcdefABCDEF".repeat(3)[..64].to_owned();
        for end in ["", "\n", "\r\n"] {
            assert!(parse::<32>(format!("{digits}{end}").as_bytes()).is_ok(), "{end:?}");
        }
    }

    #[test]
    fn everything_else_is_described_without_its_content() {
        let found = |bytes: &[u8]| parse::<32>(bytes).err();
        assert_eq!(found(b"").as_deref(), Some("it is empty"));
        assert_eq!(found(&[1; 31]).as_deref(), Some("it has 31 bytes"));
        assert_eq!(found(&[1; 33]).as_deref(), Some("it has 33 bytes"));
        assert_eq!(found(&[b'a'; 63]).as_deref(), Some("it has 63 hex digits, not 64"));
        assert_eq!(found(&[b'z'; 64]).as_deref(), Some("it has 64 bytes"));
        assert_eq!(found(&[b'a'; 67]).as_deref(), Some("it has more than 66 bytes"));
        assert_eq!(found(&[&[b'a'; 64][..], b"\n\n"].concat()).as_deref(), Some("it has 66 bytes"));
    }
}
