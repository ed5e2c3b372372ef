// SPDX-License-Identifier: Apache-2.0
//! Names of files in lines of text, as coreutils 9 writes them.

use std::borrow::Cow;

const ESCAPES: [(u8, u8); 3] = [(b'\\', b'\\'), (b'\n', b'n'), (b'\r', b'r')];

/// The name with backslashes, newlines and carriage returns escaped; `None` if it has none of them,
/// and its line needs no backslash in front.
pub fn escaped(name: &[u8]) -> Option<Vec<u8>> {
    let escape = |byte: u8| ESCAPES.iter().find(|(plain, _)| *plain == byte);
    if !name.iter().any(|byte| escape(*byte).is_some()) {
        return None;
    }
    let mut text = Vec::with_capacity(name.len() + 1);
    for byte in name {
        match escape(*byte) {
            Some((_, letter)) => text.extend([b'\\', *letter]),
            None => text.push(*byte),
        }
    }
    Some(text)
}

/// The name that was escaped so; `None` if nobody escapes so.
pub(super) fn unescaped(text: &[u8]) -> Option<Vec<u8>> {
    let mut name = Vec::with_capacity(text.len());
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        name.push(if *byte == b'\\' {
            let letter = bytes.next()?;
            ESCAPES.iter().find(|(_, escape)| escape == letter)?.0
        } else {
            *byte
        });
    }
    Some(name)
}

/// A name in a line that has a backslash in front or not; `None` if it can't be one.
pub(super) fn name(text: &[u8], is_escaped: bool) -> Option<Vec<u8>> {
    let name = if is_escaped { unescaped(text).map(Cow::Owned) } else { Some(Cow::Borrowed(text)) };
    name.filter(|name| !name.contains(&0)).map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_there_and_back() {
        for plain in [&b""[..], b"a b", b"\xff\t", b"*"] {
            assert_eq!(escaped(plain), None);
        }
        assert_eq!(escaped(b"a\\b\nc\rd").as_deref(), Some(&b"a\\\\b\\nc\\rd"[..]));
        assert_eq!(unescaped(b"a\\\\b\\nc\\rd").as_deref(), Some(&b"a\\b\nc\rd"[..]));
        for bad in [&b"\\"[..], b"a\\t", b"\\\\\\"] {
            assert_eq!(unescaped(bad), None);
        }
    }
}
