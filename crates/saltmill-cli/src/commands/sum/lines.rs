// SPDX-License-Identifier: Apache-2.0
//! Lines of a manifest, of any number and length.

use std::io::{self, BufRead, Read as _};

/// No line of a manifest is longer: names have 4,096 bytes at most, and twice as many with escapes.
const LONGEST: u64 = 64 << 10;

/// What is read.
#[derive(Debug, PartialEq, Eq)]
pub enum Read<'a> {
    /// A line, without its end.
    Line(&'a [u8]),
    /// A line that is too long to be kept.
    TooLong,
    /// There are no more.
    End,
}

/// Reads lines that end with a byte.
pub struct Lines<R> {
    input: R,
    end: u8,
    line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// From an input, with the byte that ends lines.
    pub fn new(input: R, end: u8) -> Self {
        Self { input, end, line: Vec::new() }
    }

    /// The next line.
    pub fn next(&mut self) -> io::Result<Read<'_>> {
        self.line.clear();
        self.input.by_ref().take(LONGEST).read_until(self.end, &mut self.line)?;
        if self.line.is_empty() {
            return Ok(Read::End);
        }
        if self.line.last() == Some(&self.end) {
            self.line.pop();
        } else if self.line.len() as u64 == LONGEST {
            self.input.skip_until(self.end)?;
            return Ok(Read::TooLong);
        }
        let line = &self.line[..];
        let is_text = self.end == b'\n';
        Ok(Read::Line(line.strip_suffix(b"\r").filter(|_| is_text).unwrap_or(line)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Read::*, *};

    #[track_caller]
    fn lines(input: &[u8], end: u8, expected: &[Read<'_>]) {
        let mut lines = Lines::new(input, end);
        for line in expected {
            assert_eq!(lines.next().expect("memory"), *line);
        }
        assert_eq!(lines.next().expect("memory"), End);
    }

    #[test]
    fn ends_of_lines() {
        lines(b"", b'\n', &[]);
        lines(b"a\r\n\nb", b'\n', &[Line(b"a"), Line(b""), Line(b"b")]);
        lines(b"a\r\0b\n\0", 0, &[Line(b"a\r"), Line(b"b\n")]);
    }

    #[test]
    fn a_line_without_end_is_skipped() {
        let longest = usize::try_from(LONGEST).expect("small");
        let mut input = vec![b'x'; 3 * longest];
        lines(&input, b'\n', &[TooLong]);
        input.extend(b"\nb\n");
        lines(&input, b'\n', &[TooLong, Line(b"b")]);
        let long = vec![b'x'; longest - 1];
        lines(&[&long[..], b"\nb"].concat(), b'\n', &[Line(&long), Line(b"b")]);
    }
}
