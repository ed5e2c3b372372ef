// SPDX-License-Identifier: Apache-2.0
//! The payload of a file of the age format in runs of whole chunks: each can be sealed or opened
//! alone, also by another process or on another machine.

use std::{fmt, ops::Range};

use saltmill_engine::{
    CHUNK_BYTES, Chunks, Engine, EngineError, Event, Job, Key, ReadAt, Refused, Report,
    SEALED_CHUNK_BYTES, TAG_BYTES, Work, WriteAt,
};
use saltmill_format::PayloadKey;

use crate::Error;

const CHUNK: u64 = CHUNK_BYTES as u64;
const SEALED_CHUNK: u64 = SEALED_CHUNK_BYTES as u64;
const TAG: u64 = TAG_BYTES as u64;

/// A payload whose key and length are known. Whoever has it can seal and open this one payload, and
/// nothing else. The key is cleared when it is dropped, and can't be printed.
///
/// A key may seal one text only: the nonces of another one would be the same. The same text may be
/// sealed again; the same bytes come out.
#[derive(Clone)]
pub struct Payload {
    key: Key,
    /// Bytes of the file in front of it.
    front: u64,
    /// Bytes of the text.
    text: u64,
}

/// Where a run of chunks is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// In the text.
    pub text: Range<u64>,
    /// In the file.
    pub sealed: Range<u64>,
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Payload").field("text", &self.text).finish_non_exhaustive()
    }
}

impl Payload {
    /// Of a text of so many bytes, behind so many bytes of header and nonce.
    pub fn of_text(key: &PayloadKey, front: u64, text: u64) -> Self {
        Self { key: Key::new(*key.bytes()), front, text }
    }

    /// Of a file of so many bytes.
    ///
    /// # Errors
    /// [`EngineError::Refused`]: no payload has that length.
    pub fn of_file(key: &PayloadKey, front: u64, file: u64) -> Result<Self, Error> {
        let payload = file.saturating_sub(front);
        let chunks = payload.div_ceil(SEALED_CHUNK).max(1);
        let before = (chunks - 1) * SEALED_CHUNK;
        // A chunk has a tag, and only an empty text has an empty chunk.
        if payload - before < TAG + u64::from(chunks > 1) {
            let refused = Refused { chunk: chunks - 1, offset: front + before };
            return Err(EngineError::from(refused).into());
        }
        Ok(Self::of_text(key, front, payload - chunks * TAG))
    }

    pub(crate) fn of_key(key: Key, front: u64, text: u64) -> Self {
        Self { key, front, text }
    }

    pub(crate) fn key(&self) -> &Key {
        &self.key
    }

    /// Bytes of the text.
    pub fn text_bytes(&self) -> u64 {
        self.text
    }

    /// Bytes of the file in front of the first chunk.
    pub fn front_bytes(&self) -> u64 {
        self.front
    }

    /// Bytes of the whole file.
    pub fn file_bytes(&self) -> u64 {
        self.front + self.text + self.chunks() * TAG
    }

    /// Its chunks; at least one.
    pub fn chunks(&self) -> u64 {
        self.text.div_ceil(CHUNK).max(1)
    }

    /// The chunks that a part of the text is in; one at least.
    pub fn chunks_of(&self, text: Range<u64>) -> Range<u64> {
        let first = (text.start / CHUNK).min(self.chunks() - 1);
        let end = text.end.min(self.text).div_ceil(CHUNK);
        first..end.max(first + 1)
    }

    /// Where chunks are; of those behind the last one nothing is anywhere.
    pub fn place(&self, chunks: Range<u64>) -> Place {
        let at = |chunk: u64, size, end| chunk.saturating_mul(size).min(end);
        let payload = self.file_bytes() - self.front;
        let sealed = |chunk| self.front + at(chunk, SEALED_CHUNK, payload);
        Place {
            text: at(chunks.start, CHUNK, self.text)..at(chunks.end, CHUNK, self.text),
            sealed: sealed(chunks.start)..sealed(chunks.end),
        }
    }

    /// Seals chunks. Input and output begin with the first of them.
    ///
    /// # Errors
    /// [`Error::Engine`], with offsets in input and output; [`Error::Range`] for none, or some that
    /// there are not: their nonces are those of others.
    pub fn seal(
        &self,
        engine: &mut Engine,
        chunks: Range<u64>,
        input: &dyn ReadAt,
        output: &dyn WriteAt,
        events: &mut dyn FnMut(Event),
    ) -> Result<Report, Error> {
        self.check(&chunks)?;
        let text = self.place(chunks.clone()).text;
        let work = Work::Seal(self.part(&chunks));
        Ok(engine.in_place(work, input, text.end - text.start, output, events)?)
    }

    /// Opens chunks. Input and output begin with the first of them.
    ///
    /// # Errors
    /// [`Error::Engine`]; a chunk that is refused is at its offset in the file. [`Error::Range`] as
    /// for [`seal`](Self::seal).
    pub fn open(
        &self,
        engine: &mut Engine,
        chunks: Range<u64>,
        input: &dyn ReadAt,
        output: &dyn WriteAt,
        events: &mut dyn FnMut(Event),
    ) -> Result<Report, Error> {
        self.check(&chunks)?;
        let sealed = self.place(chunks.clone()).sealed;
        let work = Work::Open(self.part(&chunks));
        let outcome = engine.in_place(work, input, sealed.end - sealed.start, output, events);
        outcome.map_err(|error| self.placed(error))
    }

    /// Opens one chunk on this thread, from one place to another: both are as long as
    /// [`place`](Self::place) says. Memory for a text that is refused is cleared.
    ///
    /// # Errors
    /// [`EngineError::Refused`]; [`Error::Range`] for one that there is not.
    pub fn open_chunk(&self, chunk: u64, sealed: &[u8], text: &mut [u8]) -> Result<(), Error> {
        self.check(&(chunk..chunk.saturating_add(1)))?;
        let opened = self.part(&(chunk..chunk + 1)).open_single(sealed, text);
        opened.map_err(|refused| self.placed(refused.into()))
    }

    /// Seals one chunk on this thread, in place: `buffer` is its text and room for the tag.
    ///
    /// # Panics
    /// If there is no room for a tag, or no such chunk.
    pub fn seal_chunk(&self, chunk: u64, buffer: &mut [u8]) {
        assert!(chunk < self.chunks(), "there is no chunk {chunk}");
        let work = Work::Seal(self.part(&(chunk..chunk + 1)));
        let job = Job { offset: 0, len: buffer.len() - TAG_BYTES, last: true };
        // Sealing refuses nothing.
        let _ = work.apply(job, buffer);
    }

    fn check(&self, chunks: &Range<u64>) -> Result<(), Error> {
        let there = !chunks.is_empty() && chunks.end <= self.chunks();
        if there { Ok(()) } else { Err(Error::Range { text: self.text }) }
    }

    fn part(&self, chunks: &Range<u64>) -> Chunks {
        Chunks::new(self.key.clone()).part(chunks.start, chunks.end >= self.chunks())
    }

    fn placed(&self, error: EngineError) -> Error {
        match error {
            EngineError::Refused(Refused { chunk, offset }) => {
                EngineError::Refused(Refused { chunk, offset: offset + self.front }).into()
            }
            other => other.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use age::x25519;
    use saltmill_engine::{CancelToken, CpuWorker};
    use saltmill_format::seal;

    use super::*;
    use crate::{Memory, MemoryMut};

    fn key() -> PayloadKey {
        let recipient = Box::new(x25519::Identity::generate().to_public());
        seal(&[recipient as Box<dyn age::Recipient>]).expect("a key").key
    }

    #[test]
    fn lengths_of_a_file_tell_those_of_its_text() {
        let key = key();
        for text in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 7 * CHUNK, 7 * CHUNK + 5] {
            let payload = Payload::of_text(&key, 200, text);
            let again = Payload::of_file(&key, 200, payload.file_bytes()).expect("a length");
            assert_eq!((again.text_bytes(), again.chunks()), (text, payload.chunks()));
            let all = payload.place(0..payload.chunks());
            assert_eq!(all, Place { text: 0..text, sealed: 200..payload.file_bytes() });
        }
        for file in [0, 200, 215, 200 + SEALED_CHUNK + 16] {
            let error = Payload::of_file(&key, 200, file).expect_err("no such length");
            assert!(matches!(error, Error::Engine(EngineError::Refused(_))), "{file}: {error}");
        }
    }

    #[test]
    fn every_cut_into_runs_gives_the_same_file() {
        let text: Vec<u8> = (0..3 * CHUNK_BYTES + 9).map(|i| (i % 251) as u8).collect();
        let payload = Payload::of_text(&key(), 0, text.len() as u64);
        let worker = Box::new(CpuWorker::new(0)) as _;
        let patience = std::time::Duration::from_secs(10);
        let mut engine = Engine::new(vec![worker], patience, CancelToken::default());
        let size = |range: &Range<u64>| range.end.saturating_sub(range.start) as usize;
        let mut run = |chunks: Range<u64>, open: bool, input: &[u8]| {
            let Place { text, sealed } = payload.place(chunks.clone());
            let mut output = vec![0; size(if open { &text } else { &sealed })];
            let target = MemoryMut::new(&mut output, if open { CHUNK_BYTES } else { 65552 });
            let act = if open { Payload::open } else { Payload::seal };
            act(&payload, &mut engine, chunks, &Memory(input), &target, &mut |_| {})?;
            drop(target);
            Ok::<_, Error>(output)
        };
        let whole = run(0..4, false, &text).expect("sealed");
        let mut last = [&text[3 * CHUNK_BYTES..], &[0; TAG_BYTES]].concat();
        payload.seal_chunk(3, &mut last);
        assert_eq!(last, whole[3 * SEALED_CHUNK_BYTES..]);
        for cut in 1..4 {
            let parts = [(0..cut), (cut..4)].map(|chunks| {
                let at = payload.place(chunks.clone()).text;
                run(chunks, false, &text[at.start as usize..at.end as usize]).expect("sealed")
            });
            assert_eq!(parts.concat(), whole);
            let at = payload.place(cut..4).sealed;
            let mut end = whole[at.start as usize..].to_vec();
            let opened = run(cut..4, true, &end).expect("opened");
            assert_eq!(opened, text[cut as usize * CHUNK_BYTES..]);
            end[3] ^= 1;
            let refused = run(cut..4, true, &end).expect_err("changed");
            let Error::Engine(EngineError::Refused(refused)) = refused else { panic!("{refused}") };
            assert_eq!(refused, Refused { chunk: cut, offset: at.start });
        }
        for (start, end) in [(0, 0), (2, 2), (3, 1), (4, 4), (3, 5), (9, u64::MAX)] {
            for open in [false, true] {
                let refused = run(start..end, open, &[]).expect_err("there are no such chunks");
                assert!(matches!(refused, Error::Range { .. }), "{start} to {end}: {refused}");
            }
        }
        let refused = payload.open_chunk(4, &[0; 20], &mut [0; 4]).expect_err("there is no chunk");
        assert!(matches!(refused, Error::Range { .. }), "{refused}");
        let (last, mut end) = (&whole[3 * SEALED_CHUNK_BYTES..], [7; 9]);
        payload.open_chunk(3, last, &mut end).expect("opened");
        assert_eq!(end, text[3 * CHUNK_BYTES..]);
        for (sealed, len) in [(&last[1..], 8), (last, 8), (&last[..15], 0), (&[][..], 0)] {
            let (mut text, offset) = ([7; 9], 3 * SEALED_CHUNK);
            let refused = payload.open_chunk(3, sealed, &mut text[..len]).expect_err("not whole");
            let Error::Engine(EngineError::Refused(refused)) = refused else { panic!("{refused}") };
            assert_eq!(refused, Refused { chunk: 3, offset });
            assert!(text[..len].iter().all(|byte| *byte == 0), "{text:?}");
        }
    }
}
