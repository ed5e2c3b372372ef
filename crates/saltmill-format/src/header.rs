// SPDX-License-Identifier: Apache-2.0
//! The grammar of a header (C2SP, age.md, "Header"), to the letter. The `age` crate also takes what
//! its own early versions wrote: stanzas without a last line, or without a body.

/// Columns of a line of a stanza's body; the last one has fewer.
const COLUMNS: usize = 64;
/// Characters of the authentication code.
pub const MAC: usize = 43;

/// Whether a header, from its first line, which is known, to the end of its last one, keeps to the
/// grammar.
pub fn is_well_formed(header: &[u8]) -> bool {
    stanzas(header).is_some_and(|stanzas| stanzas > 0)
}

/// How many there are, if all is well formed.
fn stanzas(header: &[u8]) -> Option<usize> {
    let mut lines = header.strip_suffix(b"\n")?.split(|byte| *byte == b'\n').skip(1);
    let mut count = 0;
    loop {
        let line = lines.next()?;
        if let Some(mac) = line.strip_prefix(b"--- ") {
            let good = mac.len() == MAC && is_base64(mac) && lines.next().is_none();
            return good.then_some(count);
        }
        let arguments = line.strip_prefix(b"-> ")?;
        arguments.split(|byte| *byte == b' ').all(is_argument).then_some(())?;
        while is_full(lines.next()?)? {}
        count += 1;
    }
}

fn is_argument(argument: &[u8]) -> bool {
    !argument.is_empty() && argument.iter().all(u8::is_ascii_graphic)
}

/// Whether a line of a body is not its last one; none if it is no such line.
fn is_full(line: &[u8]) -> Option<bool> {
    (line.len() <= COLUMNS && is_base64(line)).then_some(line.len() == COLUMNS)
}

/// Base64 without padding, in its only form: what the last character has more than bytes need is 0.
fn is_base64(text: &[u8]) -> bool {
    let spare = match text.len() % 4 {
        0 => 0,
        1 => return false,
        2 => 0b1111,
        _ => 0b11,
    };
    let last = text.last().map_or(Some(0), |last| value(*last));
    text.iter().all(|c| value(*c).is_some()) && last.is_some_and(|last| last & spare == 0)
}

fn value(c: u8) -> Option<u8> {
    match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERSION: &str = "age-encryption.org/v1\n";
    const END: &str = "--- AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n";

    fn good(stanzas: &str) -> bool {
        is_well_formed(format!("{VERSION}{stanzas}{END}").as_bytes())
    }

    #[test]
    fn bodies_end_with_a_line_that_is_not_full() {
        let full = "A".repeat(64);
        for stanza in ["-> a\n\n", "-> a !~ b\nAAAA\n", "-> a\nAA\n", "-> a\nAAA\n"] {
            assert!(good(stanza), "{stanza}");
            assert!(good(&format!("{stanza}{stanza}")), "{stanza}");
        }
        assert!(good(&format!("-> a\n{full}\n\n")) && good(&format!("-> a\n{full}\n{full}\nAA\n")));
        for stanza in ["", "-> a\n", "-> a\nA\n", "-> a\nAB\n", "-> a\nAAB\n", "-> a\nAA==\n"] {
            assert!(!good(stanza), "{stanza}");
        }
        assert!(!good(&format!("-> a\n{full}\n")) && !good(&format!("-> a\n{full}A\n\n")));
        assert!(!good("-> a\nAA\nAA\n") && !good("-> a\n\n\n"));
    }

    #[test]
    fn arguments_are_visible_and_one_space_apart() {
        for line in ["->", "-> ", "->  a", "-> a ", "-> a  b", "->a", "-- a", "-> a\t", "-> \u{e9}"]
        {
            assert!(!good(&format!("{line}\n\n")), "{line}");
        }
        assert!(!good("-> a\r\n\n") && !good("-> a\n\r\n"));
    }

    #[test]
    fn the_end_is_one_line_of_43_characters() {
        let with = |end: &str| is_well_formed(format!("{VERSION}-> a\n\n{end}").as_bytes());
        assert!(with(END));
        for end in [&END[..20], &END[..END.len() - 1], "---\n", "--- \n"] {
            assert!(!with(end), "{end}");
        }
        for (at, by) in
            [("--- ", "---"), ("--- ", "---  "), ("A\n", "B\n"), ("A\n", "A \n"), ("A\n", "AA\n")]
        {
            assert!(!with(&END.replacen(at, by, 1)), "{at} by {by}");
        }
        assert!(!with(&format!("{END}\n")));
    }
}
