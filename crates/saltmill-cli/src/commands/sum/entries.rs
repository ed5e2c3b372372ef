// SPDX-License-Identifier: Apache-2.0
//! What a manifest asks for, line by line, and which of its lines are good.

use std::{
    ffi::OsString,
    fs::File,
    io::{self, BufRead, BufReader},
    os::unix::ffi::OsStringExt,
    path::{Path, PathBuf},
};

use saltmill::sum::{
    HashAlgorithm, Request,
    manifest::{Entry, Line, Reader},
};

use super::{
    lines::{Lines, Read},
    source,
};
use crate::args::SumArguments;

/// A file in a manifest, and what it is to be.
pub struct Listed {
    /// Its name.
    pub name: PathBuf,
    /// What the manifest says about it.
    pub entry: Entry,
}

/// A manifest that is read.
pub struct Entries<'a> {
    lines: Lines<Box<dyn BufRead>>,
    reader: Reader,
    is_standard: bool,
    line: u64,
    /// Is told the number of each line that is malformed.
    warn: &'a dyn Fn(u64),
    /// Lines with a file.
    pub good: u64,
    /// Lines that are malformed.
    pub malformed: u64,
    /// Why it could not be read to its end.
    pub error: Option<io::Error>,
}

impl<'a> Entries<'a> {
    /// Opens a manifest of digests of that algorithm, or of any.
    pub fn open(
        manifest: &Path,
        wanted: Option<HashAlgorithm>,
        arguments: &SumArguments,
        warn: &'a dyn Fn(u64),
    ) -> io::Result<Self> {
        let is_standard = manifest == Path::new("-");
        let input: Box<dyn BufRead> = if is_standard {
            Box::new(io::stdin().lock())
        } else {
            Box::new(BufReader::with_capacity(64 << 10, File::open(manifest)?))
        };
        Ok(Self {
            lines: Lines::new(input, if arguments.zero { 0 } else { b'\n' }),
            reader: Reader::new(wanted),
            is_standard,
            line: 0,
            warn,
            good: 0,
            malformed: 0,
            error: None,
        })
    }

    /// The entry of the next line that has one.
    fn entry(&mut self) -> io::Result<Option<Entry>> {
        loop {
            let line = match self.lines.next()? {
                Read::End => return Ok(None),
                Read::TooLong => Line::Malformed,
                Read::Line(line) => self.reader.line(line),
            };
            self.line += 1;
            match line {
                Line::Version(_) | Line::Skipped => {}
                // Standard input is the manifest itself.
                Line::Entry(entry) if !(self.is_standard && entry.name == b"-") => {
                    self.good += 1;
                    return Ok(Some(entry));
                }
                Line::Entry(_) | Line::Malformed => {
                    self.malformed += 1;
                    (self.warn)(self.line);
                }
            }
        }
    }
}

impl Iterator for Entries<'_> {
    type Item = Request<Listed>;

    fn next(&mut self) -> Option<Request<Listed>> {
        match self.entry() {
            Ok(entry) => entry.map(|entry| {
                let name = PathBuf::from(OsString::from_vec(entry.name.clone()));
                let algorithms = entry.digests.iter().map(|(algorithm, _)| *algorithm).collect();
                Request { source: source(&name), algorithms, tag: Listed { name, entry } }
            }),
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
    }
}
