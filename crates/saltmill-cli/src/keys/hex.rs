// SPDX-License-Identifier: Apache-2.0
//! Hex digits.

/// The bytes of exactly `2 * N` hex digits. If they are something else: what was found.
pub fn parse<const N: usize>(text: &str) -> Result<[u8; N], String> {
    if let Some(at) = text.chars().position(|c| !c.is_ascii_hexdigit()) {
        return Err(format!("its character {} is not a hex digit", at + 1));
    }
    if text.len() != 2 * N {
        return Err(format!("it has {} hex digits, not {}", text.len(), 2 * N));
    }
    let digit = |at: usize| (text.as_bytes()[at] as char).to_digit(16).unwrap_or_default() as u8;
    Ok(std::array::from_fn(|i| digit(2 * i) << 4 | digit(2 * i + 1)))
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
