// SPDX-License-Identifier: Apache-2.0
//! Hex digits, and what is said of others.

/// The bytes of exactly `2 * N` hex digits. If they are something else: what was found.
pub fn parse<const N: usize>(text: &str) -> Result<[u8; N], String> {
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes).map_err(|_| {
        match text.chars().position(|c| !c.is_ascii_hexdigit()) {
            Some(at) => format!("its character {} is not a hex digit", at + 1),
            None => format!("it has {} hex digits, not {}", text.len(), 2 * N),
        }
    })?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn digits_of_both_cases_become_bytes() {
        assert_eq!(parse("00fFA9"), Ok([0x00, 0xFF, 0xA9]));
        assert_eq!(parse(""), Ok([]));
    }

    #[test]
    fn anything_else_is_named() {
        assert_eq!(parse::<2>("12g4"), Err("its character 3 is not a hex digit".to_owned()));
        assert_eq!(parse::<2>("123"), Err("it has 3 hex digits, not 4".to_owned()));
        assert_eq!(parse::<2>("é234"), Err("its character 1 is not a hex digit".to_owned()));
    }
}
