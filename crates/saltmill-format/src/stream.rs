// SPDX-License-Identifier: Apache-2.0
//! Files that are read from front to back; armor is taken off on the way.

use std::io::{BufRead, BufReader, Cursor, Read};

use age::armor::ArmoredReader;

use crate::{Prologue, PrologueError};

/// More than any white space in front of an armor that is put up with.
const LOOK_AHEAD: usize = 1 << 10;
const ARMOR: &[u8] = b"-----BEGIN";

/// A file of which the prologue is read.
pub struct Opened {
    /// The prologue.
    pub prologue: Prologue,
    /// The payload.
    pub payload: Box<dyn BufRead + Send>,
    /// It has an armor.
    pub armored: bool,
}

impl Opened {
    /// Reads the prologue of a file, with an armor around it or without. White space may be in
    /// front of an armor. Nothing behind the prologue is waited for but the rest of an armor's
    /// line.
    ///
    /// # Errors
    /// As [`Prologue::read`]; a line that is none of an armor's is a [`PrologueError::Read`] of the
    /// kind [`std::io::ErrorKind::InvalidData`], also when the payload is read.
    pub fn read(mut input: Box<dyn Read + Send>) -> Result<Self, PrologueError> {
        let mut start = Vec::new();
        // As far as it takes to tell; a pipe may bring a byte at a time.
        while !is_told(&start) {
            let before = start.len();
            let read = (&mut input).take(1).read_to_end(&mut start);
            read.map_err(|source| PrologueError::Read { offset: before as u64, source })?;
            if start.len() == before {
                break;
            }
        }
        let armored = is_armor(&start);
        if armored {
            // Nothing but white space is in front of it; the crate's reader takes none.
            start.drain(..start.len() - start.trim_ascii_start().len());
        }
        let whole = Cursor::new(start).chain(input);
        let mut payload: Box<dyn BufRead + Send> = if armored {
            Box::new(BufReader::new(ArmoredReader::new(whole)))
        } else {
            Box::new(BufReader::new(whole))
        };
        let prologue = Prologue::read(&mut *payload)?;
        Ok(Self { prologue, payload, armored })
    }
}

/// Whether a file that starts like this has an armor.
pub fn is_armor(start: &[u8]) -> bool {
    start.trim_ascii_start().starts_with(ARMOR)
}

/// Whether it can't become an armor any more, or is one.
fn is_told(start: &[u8]) -> bool {
    let text = start.trim_ascii_start();
    text.len() >= ARMOR.len() || !ARMOR.starts_with(text) || start.len() >= LOOK_AHEAD
}
