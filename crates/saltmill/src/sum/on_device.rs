// SPDX-License-Identifier: Apache-2.0
//! Many files side by side on a device that hashes: a part of each is under way.

use std::{
    fs::File,
    io::Read,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use saltmill_engine::{DigestAlgorithm, DigestWorker, Job, PART_BYTES, WorkerError};

use super::{Digest, FileError, HashAlgorithm, Hashed, Source, file::Watch, version::Opened};

/// Files that keep a device busy.
pub(super) const FILES: usize = 26;

/// Bytes read at a time from each file.
const PIECE: usize = 64 << 10;

/// What a device has to have for these digests, if there are such devices: they compute one digest
/// of a message.
pub fn device_algorithm(algorithms: &[HashAlgorithm]) -> Option<DigestAlgorithm> {
    match algorithms {
        [HashAlgorithm::Sha256] => Some(DigestAlgorithm::Sha256),
        [HashAlgorithm::Md5] => Some(DigestAlgorithm::Md5),
        [HashAlgorithm::HmacSha256] => Some(DigestAlgorithm::HmacSha256),
        _ => None,
    }
}

/// A file under way.
struct Lane {
    /// Which of the files.
    number: usize,
    file: File,
    opened: Opened,
    /// The chaining value of the parts before; the digest at the end.
    value: Vec<u8>,
    /// Bytes in the parts before.
    offset: u64,
    buffer: Vec<u8>,
    /// What is left in the buffer begins here.
    start: usize,
    /// Nothing more is read.
    ended: bool,
    /// The last part is under way.
    last: bool,
}

/// Reads files to their ends. The outcomes are in the order of the files.
pub(super) fn hash_on_device<'a>(
    sources: impl Iterator<Item = &'a Source>,
    device: &mut dyn DigestWorker,
    patience: Duration,
    watch: &Watch,
) -> Result<Vec<Result<Hashed, FileError>>, WorkerError> {
    let mut read = 0;
    hash_all(sources, device, patience, watch, &mut read).inspect_err(|_| {
        // Another worker reads these files again.
        watch.done.fetch_sub(read, Ordering::Relaxed);
    })
}

/// The same, and counts what is read.
fn hash_all<'a>(
    sources: impl Iterator<Item = &'a Source>,
    device: &mut dyn DigestWorker,
    patience: Duration,
    watch: &Watch,
    read: &mut u64,
) -> Result<Vec<Result<Hashed, FileError>>, WorkerError> {
    let mut sources = sources.enumerate().fuse();
    let mut outcomes: Vec<Option<Result<Hashed, FileError>>> = Vec::new();
    let mut lanes: Vec<Option<Lane>> = (0..device.slots()).map(|_| None).collect();
    let mut free: Vec<usize> = (0..lanes.len()).rev().collect();
    loop {
        while let Some(slot) = free.pop() {
            let Some((number, source)) = sources.next() else { break };
            outcomes.push(None);
            match Lane::open(number, source).and_then(|lane| lane.filled(watch, read)) {
                Ok(lane) => lanes[slot] = Some(lane.submit(slot, device)?),
                Err(error) => {
                    outcomes[number] = Some(Err(error));
                    free.push(slot);
                }
            }
        }
        if lanes.iter().all(Option::is_none) {
            return Ok(outcomes.into_iter().flatten().collect());
        }
        let deadline = Instant::now().checked_add(patience);
        let (slot, value) = device.finish(deadline.unwrap_or_else(far))?;
        let Some(mut lane) = lanes[slot].take() else { continue };
        lane.value = value;
        let number = lane.number;
        let outcome = if lane.last {
            lane.finish()
        } else {
            match lane.filled(watch, read) {
                Ok(lane) => {
                    lanes[slot] = Some(lane.submit(slot, device)?);
                    continue;
                }
                Err(error) => Err(error),
            }
        };
        outcomes[number] = Some(outcome);
        free.push(slot);
    }
}

/// Later than any deadline that matters.
fn far() -> Instant {
    Instant::now() + Duration::from_secs(1 << 30)
}

impl Lane {
    fn open(number: usize, source: &Source) -> Result<Self, FileError> {
        let file = source.open()?;
        let opened = Opened::of(&file)?;
        let (value, buffer) = (Vec::new(), Vec::new());
        let (offset, start, ended, last) = (0, 0, false, false);
        Ok(Self { number, file, opened, value, offset, buffer, start, ended, last })
    }

    /// With more than a part in the buffer, or the file's end: so it is known which part is last.
    fn filled(mut self, watch: &Watch, total: &mut u64) -> Result<Self, FileError> {
        while self.buffer.len() - self.start <= PART_BYTES && !self.ended {
            self.buffer.drain(..self.start);
            self.start = 0;
            let read = (&self.file).take(PIECE as u64).read_to_end(&mut self.buffer)?;
            self.ended = read < PIECE;
            *total += read as u64;
            watch.advance(read)?;
        }
        Ok(self)
    }

    /// Gives its next part to the device.
    fn submit(mut self, slot: usize, device: &mut dyn DigestWorker) -> Result<Self, WorkerError> {
        let left = &self.buffer[self.start..];
        let len = left.len().min(PART_BYTES);
        self.last = left.len() == len;
        device.buffer(slot, len)?.copy_from_slice(&left[..len]);
        let job = Job { offset: self.offset, len, last: self.last };
        device.submit(slot, job, &self.value)?;
        self.start += len;
        self.offset += len as u64;
        Ok(self)
    }

    fn finish(self) -> Result<Hashed, FileError> {
        let version = self.opened.check(&self.file)?;
        Ok(Hashed { bytes: self.offset, digests: vec![Digest::from(self.value)], version })
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::VecDeque, fs, io};

    use saltmill_engine::Key;

    use super::*;
    use crate::sum::Hasher;

    /// Its chaining value is all of the message so far.
    #[derive(Default)]
    struct Device {
        buffers: [Vec<u8>; 3],
        submitted: VecDeque<(usize, Vec<u8>)>,
        fails_after: Option<usize>,
    }

    impl DigestWorker for Device {
        fn start(&mut self, _: Option<&Key>) -> Result<(), WorkerError> {
            Ok(())
        }

        fn slots(&self) -> usize {
            self.buffers.len()
        }

        fn buffer(&mut self, slot: usize, len: usize) -> Result<&mut [u8], WorkerError> {
            self.buffers[slot].resize(len, 0);
            Ok(&mut self.buffers[slot])
        }

        fn submit(&mut self, slot: usize, job: Job, value: &[u8]) -> Result<(), WorkerError> {
            assert_eq!(job.offset, value.len() as u64);
            assert!(job.last || (job.len > 0 && job.len.is_multiple_of(64)));
            let message = [value, &self.buffers[slot][..job.len]].concat();
            let result = if job.last {
                let mut hasher = Hasher::new(HashAlgorithm::Md5, None).expect("it takes no key");
                hasher.update(&message);
                hasher.finish().bytes().to_vec()
            } else {
                message
            };
            self.submitted.push_back((slot, result));
            Ok(())
        }

        fn finish(&mut self, _: Instant) -> Result<(usize, Vec<u8>), WorkerError> {
            if let Some(left) = &mut self.fails_after {
                let reason = "it fell asleep".to_owned();
                let asleep = WorkerError::Stopped { worker: "device".to_owned(), reason };
                *left = left.checked_sub(1).ok_or(asleep)?;
            }
            Ok(self.submitted.pop_front().expect("a part is under way"))
        }
    }

    const PATIENCE: Duration = Duration::from_secs(1);

    #[test]
    fn files_side_by_side_have_the_digests_that_they_have_alone() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let lengths = [0, 1, 64, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, 2 * PART_BYTES];
        let lengths = [&lengths[..], &[5000, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE]].concat();
        let path = |n: usize| folder.path().join(n.to_string());
        let text = |n: usize| (0..lengths[n]).map(|i| ((i + n) % 251) as u8).collect::<Vec<_>>();
        for n in 0..lengths.len() {
            fs::write(path(n), text(n))?;
        }
        fs::remove_file(path(7))?;
        let sources: Vec<_> = (0..lengths.len()).map(|n| Source::File(path(n))).collect();
        let watch = Watch::default();
        let outcomes = hash_on_device(sources.iter(), &mut Device::default(), PATIENCE, &watch);
        for (n, outcome) in outcomes.expect("it works").into_iter().enumerate() {
            if n == 7 {
                assert!(matches!(outcome, Err(FileError::Read(_))));
                continue;
            }
            let mut hasher = Hasher::new(HashAlgorithm::Md5, None).expect("it takes no key");
            hasher.update(&text(n));
            let outcome = outcome.expect("a digest");
            let digests = vec![hasher.finish()];
            assert_eq!((outcome.bytes, outcome.digests), (lengths[n] as u64, digests));
        }
        let read = lengths.iter().sum::<usize>() - lengths[7];
        assert_eq!(watch.done.into_inner(), read as u64);
        Ok(())
    }

    #[test]
    fn what_a_device_that_fails_has_read_is_not_done() -> io::Result<()> {
        let file = tempfile::NamedTempFile::new()?;
        fs::write(file.path(), [7; 5 * PART_BYTES])?;
        let short = tempfile::NamedTempFile::new()?;
        fs::write(short.path(), [7; 100])?;
        let source = |file: &tempfile::NamedTempFile| Source::File(file.path().into());
        let sources = [source(&short), source(&file), source(&file), source(&file)];
        let watch = Watch::default();
        let mut device = Device { fails_after: Some(4), ..Device::default() };
        assert!(hash_on_device(sources.iter(), &mut device, PATIENCE, &watch).is_err());
        assert_eq!(watch.done.into_inner(), 0);
        Ok(())
    }

    #[test]
    fn they_stop_when_they_are_asked_to() -> io::Result<()> {
        let file = tempfile::NamedTempFile::new()?;
        let sources = [Source::File(file.path().into())];
        let watch = Watch::default();
        watch.cancel.cancel();
        let outcomes = hash_on_device(sources.iter(), &mut Device::default(), PATIENCE, &watch);
        let outcomes = outcomes.expect("it works");
        assert!(outcomes.iter().all(|outcome| matches!(outcome, Err(FileError::Cancelled))));
        Ok(())
    }
}
