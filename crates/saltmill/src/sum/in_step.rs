// SPDX-License-Identifier: Apache-2.0
//! Several files at a time on one thread, whose MD5 digests are computed in step.

use std::{fs::File, io::Read};

use super::{
    Digest, FileError, Hashed, Source,
    file::{READ_BYTES, Watch},
    md5::{Block, INITIAL, LANES, compress},
    version::Opened,
};

const BLOCK: usize = size_of::<Block>();

/// Bytes read at a time from each file.
const PIECE: usize = READ_BYTES / LANES;

/// A file under way.
struct Lane {
    /// Which of the files.
    number: usize,
    file: File,
    opened: Opened,
    value: [u32; 4],
    bytes: u64,
    buffer: Vec<u8>,
    /// What is left in the buffer begins here.
    start: usize,
    /// The padding is in the buffer: nothing more is read.
    ended: bool,
}

/// Reads files to their ends. The outcomes are in the order of the files.
pub(super) fn hash_in_step<'a>(
    sources: impl Iterator<Item = &'a Source>,
    watch: &Watch,
) -> Vec<Result<Hashed, FileError>> {
    let mut sources = sources.enumerate().fuse();
    let mut outcomes: Vec<Option<Result<Hashed, FileError>>> = Vec::new();
    let mut lanes: Vec<Lane> = Vec::new();
    loop {
        while lanes.len() < LANES
            && let Some((number, source)) = sources.next()
        {
            outcomes.push(None);
            match Lane::open(number, source) {
                Ok(lane) => lanes.push(lane),
                Err(error) => outcomes[number] = Some(Err(error)),
            }
        }
        if lanes.is_empty() {
            return outcomes.into_iter().flatten().collect();
        }
        lanes.retain_mut(|lane| {
            let outcome = match lane.fill(watch) {
                Ok(()) if lane.blocks().is_empty() => lane.finish(),
                Ok(()) => return true,
                Err(error) => Err(error),
            };
            outcomes[lane.number] = Some(outcome);
            false
        });
        let mut values: Vec<_> = lanes.iter().map(|lane| lane.value).collect();
        let blocks: Vec<_> = lanes.iter().map(Lane::blocks).collect();
        let done = compress(&mut values, &blocks);
        for (lane, value) in lanes.iter_mut().zip(values) {
            lane.value = value;
            lane.start += BLOCK * done;
        }
    }
}

impl Lane {
    fn open(number: usize, source: &Source) -> Result<Self, FileError> {
        let file = source.open()?;
        let opened = Opened::of(&file)?;
        let buffer = Vec::new();
        Ok(Self { number, file, opened, value: INITIAL, bytes: 0, buffer, start: 0, ended: false })
    }

    /// Whole blocks in the buffer.
    fn blocks(&self) -> &[Block] {
        self.buffer[self.start..].as_chunks().0
    }

    /// Reads until there is a block, or the file's end.
    fn fill(&mut self, watch: &Watch) -> Result<(), FileError> {
        while self.blocks().is_empty() && !self.ended {
            self.buffer.drain(..self.start);
            self.start = 0;
            self.buffer.reserve(PIECE);
            let read = (&self.file).take(PIECE as u64).read_to_end(&mut self.buffer)?;
            self.bytes += read as u64;
            watch.advance(read)?;
            if read < PIECE {
                self.pad();
            }
        }
        Ok(())
    }

    /// RFC 1321, 3.1 and 3.2.
    fn pad(&mut self) {
        self.buffer.push(0x80);
        let zeros = (BLOCK + 56 - self.buffer.len() % BLOCK) % BLOCK;
        self.buffer.resize(self.buffer.len() + zeros, 0);
        self.buffer.extend((self.bytes << 3).to_le_bytes());
        self.ended = true;
    }

    fn finish(&mut self) -> Result<Hashed, FileError> {
        let version = self.opened.check(&self.file)?;
        let digest = self.value.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
        Ok(Hashed { bytes: self.bytes, digests: vec![Digest::from(digest)], version })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::sum::{HashAlgorithm, Hasher};

    #[test]
    fn files_in_step_have_the_digests_that_they_have_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut lengths = vec![0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 5000];
        lengths.extend([PIECE - 1, PIECE, PIECE + 1, 2 * PIECE + 56, 3 * PIECE]);
        let text = |length: usize| (0..length).map(|i| ((i + length) % 251) as u8).collect();
        let texts: Vec<Vec<u8>> = lengths.into_iter().map(text).collect();
        let path = |n: usize| folder.path().join(n.to_string());
        for (n, text) in texts.iter().enumerate().filter(|(n, _)| *n != 5) {
            fs::write(path(n), text).expect("written");
        }
        let sources: Vec<_> = (0..texts.len()).map(|n| Source::File(path(n))).collect();
        let watch = Watch::default();
        let outcomes = hash_in_step(sources.iter(), &watch);
        assert_eq!(outcomes.len(), texts.len());
        for (n, (outcome, text)) in outcomes.into_iter().zip(&texts).enumerate() {
            if n == 5 {
                assert!(matches!(outcome, Err(FileError::Read(_))));
                continue;
            }
            let mut hasher = Hasher::new(HashAlgorithm::Md5, None).expect("it takes no key");
            hasher.update(text);
            let digests = vec![hasher.finish()];
            let outcome = outcome.expect("a digest");
            assert_eq!((outcome.bytes, outcome.digests), (text.len() as u64, digests));
        }
        let read: usize = texts.iter().map(Vec::len).sum::<usize>() - texts[5].len();
        assert_eq!(watch.done.into_inner(), read as u64);
    }

    #[test]
    fn they_stop_when_they_are_asked_to() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let source = Source::File(file.path().into());
        let watch = Watch::default();
        watch.cancel.cancel();
        let outcomes = hash_in_step([&source, &source].into_iter(), &watch);
        assert!(outcomes.iter().all(|outcome| matches!(outcome, Err(FileError::Cancelled))));
    }
}
