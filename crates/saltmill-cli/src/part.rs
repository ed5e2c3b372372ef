// SPDX-License-Identifier: Apache-2.0
//! A part of a text: what of the input it takes, and what of that is wanted.

use std::ops::Range;

use saltmill_engine::{BLOCK_BYTES, CHUNK_BYTES, SEALED_CHUNK_BYTES, TAG_BYTES};

use crate::{
    args::TextRange,
    failure::Failure,
    input::{Input, InputKind},
};

/// Whole chunks or blocks around a part of a text.
pub struct Part {
    /// Number of the first one.
    pub first: u64,
    /// The last one is the last of all.
    pub ends: bool,
    /// Bytes of the input in front of the first one.
    pub skip: u64,
    /// Which bytes of what comes out are wanted.
    pub window: Range<u64>,
}

/// How a text lies in the input.
struct Layout {
    /// Bytes of the input in front of it.
    front: u64,
    /// Bytes of the text in a chunk or block.
    text: u64,
    /// Bytes of the input behind each of them.
    tag: u64,
}

/// The input up to the last sealed chunk that is needed; `front` bytes are in front of the first of all.
pub fn of_chunks(input: Input, front: u64, range: TextRange) -> Result<(Input, Part), Failure> {
    let (text, tag) = (CHUNK_BYTES as u64, TAG_BYTES as u64);
    debug_assert_eq!(text + tag, SEALED_CHUNK_BYTES as u64);
    cut(input, &Layout { front, text, tag }, range)
}

/// The input up to the last byte of a raw stream that is needed, from the start of a block.
pub fn of_blocks(input: Input, range: TextRange) -> Result<(Input, Part), Failure> {
    cut(input, &Layout { front: 0, text: BLOCK_BYTES, tag: 0 }, range)
}

fn cut(input: Input, layout: &Layout, range: TextRange) -> Result<(Input, Part), Failure> {
    let Input { name, metadata, kind: InputKind::Regular(file, len) } = input else {
        return Err(Failure::usage(
            format!("a range of {} can't be had: it is read from front to back", input.name),
            "name a file that is not armored; of a pipe, take all and cut",
        ));
    };
    let Layout { front, text, tag } = *layout;
    let payload = len.saturating_sub(front);
    let pieces = payload.div_ceil(text + tag).max(1);
    let all = payload.saturating_sub(pieces * tag);
    let end = range.length.map_or(Some(all), |length| range.offset.checked_add(length));
    let Some(end) = end.filter(|end| range.offset <= *end && *end <= all) else {
        return Err(Failure::usage(
            format!("the range {range} is not in {name}, whose text has {all} bytes"),
            "a range is OFFSET:LENGTH in bytes of the text, or OFFSET: to its end",
        ));
    };
    let first = (range.offset / text).min(pieces - 1);
    let last = (end.saturating_sub(1) / text).clamp(first, pieces - 1);
    let part = Part {
        first,
        ends: last + 1 == pieces,
        skip: front + first * (text + tag),
        window: range.offset - first * text..end - first * text,
    };
    let kind = InputKind::Regular(file, len.min(front + (last + 1) * (text + tag)));
    Ok((Input { name, metadata, kind }, part))
}
