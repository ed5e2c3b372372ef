// SPDX-License-Identifier: Apache-2.0
//! A part of a text: which whole chunks or blocks of the input it takes, and what of those is
//! wanted.

use std::ops::Range;

use saltmill_engine::{BLOCK_BYTES, CHUNK_BYTES, TAG_BYTES, Work};

use crate::{Error, Input, Task, input::Kind};

/// How a text lies in the input.
struct Layout {
    /// Bytes of the input in front of it.
    front: u64,
    /// Bytes of the text in a chunk or block.
    text: u64,
    /// Bytes of the input behind each of them.
    tag: u64,
}

/// Whole chunks or blocks around a part of a text.
struct Part {
    /// Number of the first one.
    first: u64,
    /// The last one is the last of all.
    ends: bool,
    /// Bytes of the input in front of the first one.
    skip: u64,
    /// Bytes of the input up to the end of the last one.
    end: u64,
    /// Which bytes of what comes out are wanted.
    kept: Range<u64>,
}

impl Task {
    /// Only `length` bytes of the text from `offset` on, or all from there: no more of the input is
    /// read than the chunks or blocks that they are in.
    ///
    /// # Errors
    /// [`Error::NoRange`] for a stream and for what is to be sealed or copied; [`Error::Range`] if
    /// the text has no such part.
    pub fn range(self, offset: u64, length: Option<u64>) -> Result<Self, Error> {
        let (text, tag) = match self.work {
            Some(Work::Open(_)) => (CHUNK_BYTES as u64, TAG_BYTES as u64),
            Some(Work::Cipher(_) | Work::AesCtr(_)) => (BLOCK_BYTES, 0),
            _ => return Err(Error::NoRange),
        };
        let Kind::File(file, len) = self.input.0 else { return Err(Error::NoRange) };
        let part = cut(&Layout { front: self.skip, text, tag }, len, offset, length)?;
        let work = self.work.map(|work| match work {
            Work::Open(chunks) => Work::Open(chunks.part(part.first, part.ends)),
            Work::Cipher(cipher) => cipher.from_block(part.first).into(),
            Work::AesCtr(stream) => stream.from_offset(part.first * BLOCK_BYTES).into(),
            other => other,
        });
        let input = Input(Kind::File(file, len.min(part.end)));
        Ok(Self { input, work, skip: part.skip, kept: Some(part.kept), ..self })
    }
}

fn cut(layout: &Layout, len: u64, offset: u64, length: Option<u64>) -> Result<Part, Error> {
    let Layout { front, text, tag } = *layout;
    let payload = len.saturating_sub(front);
    let pieces = payload.div_ceil(text + tag).max(1);
    let all = payload.saturating_sub(pieces * tag);
    let end = length.map_or(Some(all), |length| offset.checked_add(length));
    let end = end.filter(|end| offset <= *end && *end <= all);
    let end = end.ok_or(Error::Range { text: all })?;
    let first = (offset / text).min(pieces - 1);
    let last = (end.saturating_sub(1) / text).clamp(first, pieces - 1);
    Ok(Part {
        first,
        ends: last + 1 == pieces,
        skip: front + first * (text + tag),
        end: front + (last + 1) * (text + tag),
        kept: offset - first * text..end - first * text,
    })
}
