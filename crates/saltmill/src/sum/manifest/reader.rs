// SPDX-License-Identifier: Apache-2.0
//! A manifest, line by line.

use aws_lc_rs::constant_time::verify_slices_are_equal;

use super::{bsd, gnu, hashdeep, version};
use crate::sum::{Digest, HashAlgorithm, Hashed, Version};

/// A file in a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, without escapes. On Unix a name is any bytes.
    pub name: Vec<u8>,
    /// Its bytes, if the manifest says so.
    pub bytes: Option<u64>,
    /// What its digests were: at least one.
    pub digests: Vec<(HashAlgorithm, Digest)>,
    /// The line names the algorithm, as BSD has it.
    pub is_tagged: bool,
}

impl Entry {
    pub(super) fn new(name: Vec<u8>, algorithm: HashAlgorithm, digest: Digest) -> Self {
        Self { name, bytes: None, digests: vec![(algorithm, digest)], is_tagged: false }
    }

    /// Whether a file is what it was. The digests must be those of the entry's algorithms.
    pub fn is_matched_by(&self, found: &Hashed) -> bool {
        // In constant time: of an HMAC nothing is to be learned from how long it took.
        let is_same = |((_, wanted), found): (&(_, Digest), &Digest)| {
            verify_slices_are_equal(wanted.bytes(), found.bytes()).is_ok()
        };
        self.bytes.is_none_or(|bytes| bytes == found.bytes)
            && self.digests.len() == found.digests.len()
            && self.digests.iter().zip(&found.digests).all(is_same)
    }
}

/// What a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A file.
    Entry(Entry),
    /// What the file in the lines that follow was like when they were written.
    Version(Version),
    /// A comment, a header or nothing.
    Skipped,
    /// Nothing that is known.
    Malformed,
}

/// Reads lines of a manifest. What lines mean may depend on those before.
///
/// ```
/// use saltmill::sum::{HashAlgorithm, manifest::{Line, Reader}};
///
/// let mut reader = Reader::new(None);
/// let line = b"MD5 (notes.txt) = d41d8cd98f00b204e9800998ecf8427e";
/// let Line::Entry(entry) = reader.line(line) else { panic!("a file") };
/// assert_eq!((&entry.name[..], entry.digests[0].0), (&b"notes.txt"[..], HashAlgorithm::Md5));
/// assert_eq!(reader.line(b"MD5 (notes.txt) = d41d"), Line::Malformed);
/// ```
#[derive(Debug)]
pub struct Reader {
    wanted: Option<HashAlgorithm>,
    gnu: gnu::Layout,
    hashdeep: Option<hashdeep::Columns>,
}

impl Reader {
    /// Of a manifest with digests of this algorithm only; if none is named, of any. Then a line
    /// that does not say which is of the first algorithm in [`HashAlgorithm::ALL`] whose digests
    /// are as long.
    pub fn new(wanted: Option<HashAlgorithm>) -> Self {
        Self { wanted, gnu: gnu::Layout::default(), hashdeep: None }
    }

    /// Reads the next line, which comes without its end: `\n`, `\r\n` or a zero byte.
    pub fn line(&mut self, line: &[u8]) -> Line {
        if line.is_empty() || line.starts_with(b"#") {
            return version::read(line).map_or(Line::Skipped, Line::Version);
        }
        if let Some(header) = line.strip_prefix(b"%%%% ") {
            return self.header(header);
        }
        let entry = match &self.hashdeep {
            Some(columns) => columns.line(line),
            None => self.sum_line(line),
        };
        entry.map_or(Line::Malformed, Line::Entry)
    }

    fn header(&mut self, header: &[u8]) -> Line {
        if header.starts_with(b"HASHDEEP-1.") {
            return Line::Skipped;
        }
        match hashdeep::Columns::read(header, self.wanted) {
            None => Line::Malformed,
            columns => {
                self.hashdeep = columns;
                Line::Skipped
            }
        }
    }

    fn sum_line(&mut self, line: &[u8]) -> Option<Entry> {
        let line = bsd::without_blanks(line);
        let (line, is_escaped) = match line.strip_prefix(b"\\") {
            Some(line) => (line, true),
            None => (line, false),
        };
        match bsd::tagged(line, self.wanted) {
            Some((algorithm, rest)) => bsd::entry(rest, algorithm, is_escaped),
            None => self.gnu.entry(line, self.wanted, is_escaped),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MD5: &str = "900150983cd24fb0d6963f7d28e17f72";

    fn names(wanted: Option<HashAlgorithm>, lines: &[String]) -> Vec<Option<Vec<u8>>> {
        let mut reader = Reader::new(wanted);
        let read = |line: &String| match reader.line(line.as_bytes()) {
            Line::Entry(entry) => Some(entry.name),
            Line::Version(_) | Line::Skipped | Line::Malformed => None,
        };
        lines.iter().map(read).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let digest = Digest::from_hex(MD5.as_bytes()).expect("hex");
        for name in [&b"a"[..], b" a", b"*a", b"a ", b"a) = b", b"\xff\xfe", b"a\nb", b"\\", b"#"] {
            for tag in [false, true] {
                let style = super::super::Style { tag, zero: false };
                let mut line = Vec::new();
                style.line(&mut line, HashAlgorithm::Md5, &digest, name);
                let entry = Entry::new(name.to_vec(), HashAlgorithm::Md5, digest.clone());
                let entry = Entry { is_tagged: tag, ..entry };
                let line = line.strip_suffix(b"\n").expect("a line");
                for wanted in [None, Some(HashAlgorithm::Md5)] {
                    assert_eq!(Reader::new(wanted).line(line), Line::Entry(entry.clone()));
                }
                assert_eq!(Reader::new(Some(HashAlgorithm::Sha1)).line(line), Line::Malformed);
            }
        }
    }

    #[test]
    fn two_layouts_are_not_mixed() {
        let (gnu, single) = (format!("{MD5}  a"), format!("{MD5} a"));
        let lines = [gnu.clone(), single.clone(), gnu.clone()];
        assert_eq!(names(None, &lines), [Some(b"a".to_vec()), None, Some(b"a".to_vec())]);
        // Then the second space belongs to the name.
        assert_eq!(names(None, &[single, gnu]), [Some(b"a".to_vec()), Some(b" a".to_vec())]);
    }

    #[test]
    fn openssl_has_names_of_its_own() {
        let digest = MD5.repeat(2);
        let mut reader = Reader::new(None);
        let line = format!("SHA2-256(a)= {digest}");
        let Line::Entry(entry) = reader.line(line.as_bytes()) else { panic!("{line}") };
        assert_eq!((entry.digests[0].0, &entry.name[..]), (HashAlgorithm::Sha256, &b"a"[..]));
    }

    #[test]
    fn hashdeep() {
        let mut reader = Reader::new(None);
        let mut read = |line: &str| reader.line(line.as_bytes());
        assert_eq!(read("%%%% HASHDEEP-1.0"), Line::Skipped);
        assert_eq!(read("%%%% size,md5,tiger,filename"), Line::Skipped);
        assert_eq!(read("## $ hashdeep a,b"), Line::Skipped);
        let line = format!("3,{MD5},0123,/a,b");
        let Line::Entry(entry) = read(&line) else { panic!("{line}") };
        assert_eq!((&entry.name[..], entry.bytes), (&b"/a,b"[..], Some(3)));
        let digests = entry.digests.iter().map(|(_, digest)| digest.clone()).collect();
        assert!(entry.is_matched_by(&Hashed { bytes: 3, digests, version: None }));
        assert!(!entry.is_matched_by(&Hashed { bytes: 3, digests: Vec::new(), version: None }));
        let digests = vec![Digest::from_hex(MD5.as_bytes()).expect("hex")];
        assert!(!entry.is_matched_by(&Hashed { bytes: 4, digests, version: None }));
        for bad in [format!("x,{MD5},,a"), format!("3,{MD5}"), "3,12,,a".to_owned()] {
            assert_eq!(read(&bad), Line::Malformed, "{bad}");
        }
        assert_eq!(read("%%%% size,tiger,filename"), Line::Malformed);
    }
}
