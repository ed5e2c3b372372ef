// SPDX-License-Identifier: Apache-2.0
//! A manifest in memory: what it says of each file, and the order of its lines.

use std::{
    collections::HashMap,
    ffi::OsString,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use saltmill::sum::{
    Digest, HashAlgorithm, Version,
    manifest::{Entry, Line, Reader, Style},
};

use crate::commands::sum::{
    find::plain,
    lines::{Lines, Read},
};

/// Behind all that has a place already.
const LAST: usize = usize::MAX;

/// A file in a manifest.
pub struct Listed {
    /// Its name, as it is written.
    pub name: PathBuf,
    /// None: it has no line.
    pub digests: Vec<(HashAlgorithm, Digest)>,
    /// What it was like when they were computed, if that is known.
    pub version: Option<Version>,
    /// Where its lines are; several files may have one place, and are in their order there. Line
    /// `n` of the manifest that was read leaves places before and behind it.
    place: usize,
}

impl Listed {
    /// Whether there are digests of all these algorithms.
    pub fn has(&self, algorithms: &[HashAlgorithm]) -> bool {
        let has = |wanted| self.digests.iter().any(|(algorithm, _)| algorithm == wanted);
        algorithms.iter().all(has)
    }

    /// Takes over these digests of another one, which has them.
    pub fn take(&mut self, other: &Self, algorithms: &[HashAlgorithm]) {
        let wanted = |(algorithm, _): &&(HashAlgorithm, Digest)| algorithms.contains(algorithm);
        self.digests = other.digests.iter().filter(wanted).cloned().collect();
        self.version = other.version;
    }

    /// Adds its lines to a manifest.
    pub fn write(&self, text: &mut Vec<u8>, style: Style) {
        if let Some(version) = self.version.as_ref().filter(|_| !self.digests.is_empty()) {
            style.version(text, version);
        }
        for (algorithm, digest) in &self.digests {
            style.line(text, *algorithm, digest, self.name.as_os_str().as_bytes());
        }
    }
}

/// Why a line can't be kept.
#[derive(Debug, PartialEq, Eq)]
pub enum BadLine {
    /// It is malformed, or of another algorithm.
    Malformed,
    /// It is one of hashdeep, which has another layout.
    Hashdeep,
    /// An earlier line has another digest of this file.
    Contradicts(PathBuf),
}

/// A manifest.
#[derive(Default)]
pub struct Listing {
    /// All files; their numbers don't change.
    pub files: Vec<Listed>,
    numbers: HashMap<PathBuf, usize>,
    /// Comments of people, and their places.
    comments: Vec<(usize, Vec<u8>)>,
    /// Its lines name their algorithms.
    pub is_tagged: bool,
}

impl Listing {
    /// Reads a manifest with digests of this algorithm, or of any, whose lines end with this byte.
    /// `bad` is asked whether to go on after a line of that number.
    pub fn read<E>(
        text: &[u8],
        wanted: Option<HashAlgorithm>,
        end: u8,
        mut bad: impl FnMut(u64, BadLine) -> Result<(), E>,
    ) -> Result<Self, E> {
        let (mut listing, mut version) = (Self::default(), None);
        let (mut lines, mut reader) = (Lines::new(text, end), Reader::new(wanted));
        for number in 1.. {
            // Nothing fails in memory.
            let Ok(read) = lines.next() else { break };
            let (line, read) = match read {
                Read::End => break,
                Read::TooLong => (&b""[..], Line::Malformed),
                Read::Line(line) => (line, reader.line(line)),
            };
            let outcome = match read {
                Line::Version(said) => {
                    version = Some(said);
                    continue;
                }
                Line::Skipped if line.starts_with(b"%") => Err(BadLine::Hashdeep),
                Line::Skipped => {
                    let place = 3 * listing.files.len();
                    listing.comments.push((place, [line, &[end]].concat()));
                    Ok(())
                }
                Line::Malformed => Err(BadLine::Malformed),
                Line::Entry(entry) => listing.add(entry, version.take()),
            };
            outcome.or_else(|what| bad(number, what))?;
        }
        Ok(listing)
    }

    fn add(&mut self, entry: Entry, version: Option<Version>) -> Result<(), BadLine> {
        self.is_tagged |= entry.is_tagged;
        let name = PathBuf::from(OsString::from_vec(entry.name));
        let place = 3 * self.files.len() + 1;
        let number = self.number(&name);
        let file = &mut self.files[number];
        if file.digests.is_empty() {
            file.place = place;
        }
        if version.is_some() {
            // What is said with it replaces what was said before.
            file.digests.clear();
            file.version = version;
        }
        for (algorithm, digest) in entry.digests {
            match file.digests.iter().find(|(known, _)| *known == algorithm) {
                Some((_, known)) if *known == digest => {}
                Some(_) => return Err(BadLine::Contradicts(name)),
                None => file.digests.push((algorithm, digest)),
            }
        }
        Ok(())
    }

    /// What is said of a file.
    pub fn get(&self, name: &Path) -> Option<&Listed> {
        self.numbers.get(plain(name)).map(|number| &self.files[*number])
    }

    /// The number of a file, which may be new.
    pub fn number(&mut self, name: &Path) -> usize {
        if let Some(number) = self.numbers.get(plain(name)) {
            return *number;
        }
        let (name, number) = (name.to_owned(), self.files.len());
        self.numbers.insert(plain(&name).to_owned(), number);
        self.files.push(Listed { name, digests: Vec::new(), version: None, place: LAST });
        number
    }

    /// Gives files without a place the one behind the file that is before them in this order, or
    /// in front of all of them.
    pub fn arrange(&mut self, order: &[usize]) {
        let mut places = order.iter().map(|number| self.files[*number].place);
        let mut place = places.find(|place| *place != LAST).map_or(LAST, |place| place - 1);
        for number in order {
            let file = &mut self.files[*number];
            if file.place == LAST {
                file.place = place;
            } else {
                place = file.place + 1;
            }
        }
    }

    /// Algorithms of its digests, in the order of its lines.
    pub fn algorithms(&self) -> Vec<HashAlgorithm> {
        let mut algorithms = Vec::new();
        for (algorithm, _) in self.files.iter().flat_map(|file| &file.digests) {
            if !algorithms.contains(algorithm) {
                algorithms.push(*algorithm);
            }
        }
        algorithms
    }

    /// All lines.
    pub fn text(&self, style: Style) -> Vec<u8> {
        let mut pieces: Vec<_> = self.comments.clone();
        pieces.extend(self.files.iter().map(|file| {
            let mut lines = Vec::new();
            file.write(&mut lines, style);
            (file.place, lines)
        }));
        pieces.sort_by_key(|(place, _)| *place);
        pieces.into_iter().flat_map(|(_, lines)| lines).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MD5: &str = "900150983cd24fb0d6963f7d28e17f72";
    const OTHER: &str = "d41d8cd98f00b204e9800998ecf8427e";
    const COMMENT: &str = "# saltmill: size=1 mtime=2 inode=3";

    fn read(text: &str) -> Result<Listing, (u64, BadLine)> {
        Listing::read(text.as_bytes(), None, b'\n', |number, what| Err((number, what)))
    }

    fn good(text: &str) -> Listing {
        read(text).unwrap_or_else(|_| panic!("{text}"))
    }

    fn written(listing: &Listing) -> String {
        String::from_utf8(listing.text(Style::default())).expect("text")
    }

    #[test]
    fn what_was_read_is_written() {
        let text = format!("# one\n\n{MD5}  b\n{COMMENT}\n{MD5}  ./a\n# two\n{OTHER}  c\n# end\n");
        let listing = good(&text);
        assert_eq!(written(&listing), text);
        let version = Version { bytes: 1, modified: 2, inode: 3 };
        for (name, expected) in [("b", None), ("a", Some(version)), ("./a", Some(version))] {
            assert_eq!(listing.get(Path::new(name)).expect(name).version, expected);
        }
        assert!(listing.get(Path::new("d")).is_none());
    }

    #[test]
    fn new_files_are_where_a_walk_finds_them() {
        let text = format!("{MD5}  z\n# about b\n{MD5}  b\n{MD5}  d\n{MD5}  y\n");
        let mut listing = good(&text);
        let order: Vec<_> = ["a", "b", "c", "c2", "d", "e"].map(Path::new).to_vec();
        let order: Vec<_> = order.iter().map(|name| listing.number(name)).collect();
        let digest = Digest::from_hex(OTHER.as_bytes()).expect("hex");
        for number in &order {
            listing.files[*number].digests = vec![(HashAlgorithm::Md5, digest.clone())];
        }
        listing.arrange(&order);
        let lines: Vec<_> =
            written(&listing).lines().map(|line| line[34.min(line.len())..].to_owned()).collect();
        assert_eq!(lines, ["z", "", "a", "b", "c", "c2", "d", "e", "y"]);
        // Nothing is known of where they belong.
        let mut listing = good(&format!("{MD5}  z\n"));
        let order = [listing.number(Path::new("a"))];
        listing.files[order[0]].digests = vec![(HashAlgorithm::Md5, digest)];
        listing.arrange(&order);
        assert!(written(&listing).ends_with("  a\n"));
    }

    #[test]
    fn lines_of_one_file_belong_together() {
        let sha1 = "0000000000000000000000000000000000000000";
        let listing = good(&format!("{COMMENT}\nMD5 (a) = {MD5}\nSHA1 (a) = {sha1}\n"));
        assert!(
            listing.is_tagged && listing.files.len() == 1 && listing.files[0].version.is_some()
        );
        assert_eq!(listing.algorithms(), [HashAlgorithm::Md5, HashAlgorithm::Sha1]);
        assert!(listing.files[0].has(&[HashAlgorithm::Sha1, HashAlgorithm::Md5]));
        assert!(!listing.files[0].has(&[HashAlgorithm::Sha256]));
        // The same again, and later something else.
        assert_eq!(good(&format!("{MD5}  a\n{MD5}  a\n")).files.len(), 1);
        let renewed = good(&format!("{MD5}  a\n{COMMENT}\n{OTHER}  a\n"));
        assert_eq!(renewed.files[0].digests[0].1.to_string(), OTHER);
    }

    #[test]
    fn lines_that_can_not_be_kept() {
        for (text, number, what) in [
            (format!("{MD5}  a\nnonsense\n"), 2, BadLine::Malformed),
            (format!("{MD5}  a\n{OTHER}  ./a\n"), 2, BadLine::Contradicts("./a".into())),
            (
                format!("%%%% HASHDEEP-1.0\n%%%% size,md5,filename\n3,{MD5},a\n"),
                1,
                BadLine::Hashdeep,
            ),
        ] {
            assert_eq!(read(&text).err(), Some((number, what)), "{text}");
        }
        let tolerant = Listing::read(b"nonsense\n# a\n", None, b'\n', |_, _| Ok::<_, ()>(()));
        assert_eq!(written(&tolerant.expect("all is skipped")), "# a\n");
    }
}
