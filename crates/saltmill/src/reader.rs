// SPDX-License-Identifier: Apache-2.0
//! A sealed file that is read anywhere.

use std::{
    io::{self, BufReader, Read},
    sync::{Mutex, MutexGuard, PoisonError},
};

use age::Identity;
use saltmill_engine::{CHUNK_BYTES, EngineError, ReadAt};
use saltmill_format::Prologue;
use zeroize::Zeroizing;

use crate::{Error, Payload};

/// What can be read anywhere, by several threads, and kept.
pub type Source = Box<dyn ReadAt + Send>;

/// Reads any part of the text of a sealed file: only the chunks that it is in are read, each is
/// authenticated, and the last ones that were used are kept. Several threads may read at once.
///
/// ```
/// use std::{fs::File, io::Write, time::Duration};
/// use saltmill::{Input, Output, Reader, Sealer, age::{Identity, x25519}};
/// use saltmill::engine::{CancelToken, CpuWorker, Engine};
///
/// let path = tempfile::tempdir()?.keep().join("text.age");
/// let identity = x25519::Identity::generate();
/// let sealer = Sealer::new(vec![Box::new(identity.to_public())]);
/// let workers = vec![Box::new(CpuWorker::new(0)) as _];
/// let mut engine = Engine::new(workers, Duration::from_secs(10), CancelToken::default());
/// let text = Input::stream(&b"a small text"[..]);
/// sealer.seal(&mut engine, text, Output::create(&path), &mut |_| {})?;
///
/// let identities: [Box<dyn Identity>; 1] = [Box::new(identity)];
/// let (file, len) = (File::open(&path)?, path.metadata()?.len());
/// let reader = Reader::open(Box::new(file), len, &identities, 8)?;
/// let mut part = [0; 5];
/// assert_eq!(reader.read_at(2, &mut part)?, 5);
/// assert_eq!((part, reader.payload().text_bytes()), (*b"small", 12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reader {
    source: Source,
    payload: Payload,
    cache: Mutex<Cache>,
}

/// The text of the chunks that were used last.
struct Cache {
    most: usize,
    chunks: Vec<Cached>,
    /// Counts uses.
    clock: u64,
}

struct Cached {
    number: u64,
    used: u64,
    text: Zeroizing<Vec<u8>>,
}

impl Reader {
    /// Opens a file of so many bytes. Its last chunk is opened first, so that a file that was cut
    /// off is noticed (C2SP, age.md, "Payload"). At most so many chunks of 64 KiB are kept, and at
    /// least one.
    ///
    /// # Errors
    /// [`Error::Prologue`], [`Error::Open`], and [`Error::Engine`] for an end that is not that of
    /// the text.
    pub fn open(
        source: Source,
        file: u64,
        identities: &[impl AsRef<dyn Identity>],
        cached: usize,
    ) -> Result<Self, Error> {
        let prologue = read_prologue(&*source, file)?;
        let key = prologue.open(identities)?;
        let payload = Payload::of_file(&key, prologue.len(), file)?;
        let cache = Cache { most: cached.max(1), chunks: Vec::new(), clock: 0 };
        let reader = Self { source, payload, cache: Mutex::new(cache) };
        reader.with_chunk(reader.payload.chunks() - 1, |_| ())?;
        Ok(reader)
    }

    /// The payload.
    pub fn payload(&self) -> &Payload {
        &self.payload
    }

    /// Fills the buffer with the text from `offset` on, and gives the number of bytes: fewer only
    /// if the text ends.
    ///
    /// # Errors
    /// [`Error::Engine`]: reading fails, or a chunk is not what was sealed there. The buffer may
    /// have text of the chunks in front of it.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Error> {
        let left = self.payload.text_bytes().saturating_sub(offset);
        let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let mut done = 0;
        while done < wanted {
            let at = offset + done as u64;
            let within = (at % CHUNK_BYTES as u64) as usize;
            done += self.with_chunk(at / CHUNK_BYTES as u64, |text| {
                let len = (text.len() - within).min(wanted - done);
                buffer[done..done + len].copy_from_slice(&text[within..within + len]);
                len
            })?;
        }
        Ok(done)
    }

    /// Lets `act` see the text of a chunk.
    fn with_chunk<T>(&self, number: u64, act: impl FnOnce(&[u8]) -> T) -> Result<T, Error> {
        let mut cache = self.cache();
        cache.clock += 1;
        let used = cache.clock;
        if let Some(found) = cache.chunks.iter_mut().find(|chunk| chunk.number == number) {
            found.used = used;
            return Ok(act(&found.text));
        }
        let memory = cache.spare();
        // Others use the cache while this chunk is read and opened.
        drop(cache);
        let text = self.read_chunk(number, memory)?;
        let result = act(&text);
        self.cache().keep(Cached { number, used, text });
        Ok(result)
    }

    fn read_chunk(
        &self,
        number: u64,
        mut buffer: Zeroizing<Vec<u8>>,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let place = self.payload.place(number..number + 1);
        let offset = place.sealed.start;
        // A chunk's length fits.
        buffer.resize((place.sealed.end - offset) as usize, 0);
        let read = self.source.read_exact_at(&mut buffer, offset);
        read.map_err(|source| EngineError::Read { offset, source })?;
        self.payload.open_chunk(number, &mut buffer)?;
        buffer.truncate((place.text.end - place.text.start) as usize);
        Ok(buffer)
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cache {
    /// Memory for one more chunk: that of the one whose last use is the longest ago.
    fn spare(&mut self) -> Zeroizing<Vec<u8>> {
        if self.chunks.len() < self.most {
            return Zeroizing::default();
        }
        let oldest = self.chunks.iter().enumerate().min_by_key(|(_, chunk)| chunk.used);
        let oldest = oldest.map(|(index, _)| index);
        oldest.map(|index| self.chunks.swap_remove(index).text).unwrap_or_default()
    }

    /// Another thread may have had the same chunk, or filled the place.
    fn keep(&mut self, chunk: Cached) {
        if self.chunks.len() < self.most && self.chunks.iter().all(|c| c.number != chunk.number) {
            self.chunks.push(chunk);
        }
    }
}

/// Header and nonce of a file of so many bytes.
///
/// # Errors
/// [`Error::Prologue`].
pub fn read_prologue(source: &dyn ReadAt, file: u64) -> Result<Prologue, Error> {
    let front = At { source, offset: 0, end: file };
    Ok(Prologue::read(&mut BufReader::with_capacity(1 << 12, front))?)
}

/// The front of a source as a stream.
struct At<'a> {
    source: &'a dyn ReadAt,
    offset: u64,
    end: u64,
}

impl Read for At<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.offset).unwrap_or(usize::MAX);
        let len = left.min(buffer.len());
        self.source.read_exact_at(&mut buffer[..len], self.offset)?;
        self.offset += len as u64;
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Write, iter};

    use age::{Encryptor, x25519};

    use super::*;

    struct Bytes(Vec<u8>);

    impl ReadAt for Bytes {
        fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
            crate::Memory(&self.0).read_exact_at(buffer, offset)
        }
    }

    /// A file that the `age` crate made.
    fn sealed(text: &[u8]) -> (Vec<u8>, [Box<dyn Identity>; 1]) {
        let identity = x25519::Identity::generate();
        let recipient = identity.to_public();
        let encryptor = Encryptor::with_recipients(iter::once(&recipient as _)).expect("one");
        let mut writer = encryptor.wrap_output(Vec::new()).expect("a header");
        writer.write_all(text).expect("memory");
        (writer.finish().expect("memory"), [Box::new(identity)])
    }

    #[test]
    fn any_part_is_read_with_a_cache_of_any_size() {
        let text: Vec<u8> = (0..4 * CHUNK_BYTES + 77).map(|i| (i % 251) as u8).collect();
        let (file, identities) = sealed(&text);
        for cached in [0, 1, 2, 100] {
            let len = file.len() as u64;
            let source = Box::new(Bytes(file.clone()));
            let reader = Reader::open(source, len, &identities, cached).expect("opened");
            let mut place = 1;
            for len in [0, 1, 100, CHUNK_BYTES, 3 * CHUNK_BYTES] {
                for _ in 0..7 {
                    place = place * 7919 % text.len();
                    let (mut buffer, end) = (vec![0; len], text.len().min(place + len));
                    let read = reader.read_at(place as u64, &mut buffer).expect("read");
                    assert_eq!(buffer[..read], text[place..end]);
                }
            }
            let kept = reader.cache().chunks.len();
            assert!(kept <= cached.max(1), "{kept} of {cached}");
        }
    }

    #[test]
    fn a_file_that_was_cut_off_is_not_opened() {
        let (file, identities) = sealed(&vec![7; 3 * CHUNK_BYTES]);
        for cut in [1, 65_552, 2 * 65_552] {
            let file = file[..file.len() - cut].to_vec();
            let len = file.len() as u64;
            let error = Reader::open(Box::new(Bytes(file)), len, &identities, 1).err();
            assert!(matches!(error, Some(Error::Engine(EngineError::Refused(_)))), "{cut}");
        }
    }

    #[test]
    fn a_chunk_that_was_changed_is_refused_and_the_others_are_not() {
        let (mut file, identities) = sealed(&vec![7; 3 * CHUNK_BYTES]);
        let len = file.len();
        file[len - 2 * 65_552 + 5] ^= 1;
        let source = Box::new(Bytes(file));
        let reader = Reader::open(source, len as u64, &identities, 4).expect("opened");
        let mut buffer = [0; 10];
        assert!(reader.read_at(0, &mut buffer).is_ok());
        let error = reader.read_at(CHUNK_BYTES as u64 + 3, &mut buffer).expect_err("changed");
        let Error::Engine(EngineError::Refused(refused)) = error else { panic!("{error}") };
        assert_eq!((refused.chunk, refused.offset), (1, (len - 2 * 65_552) as u64));
        assert!(reader.read_at(2 * CHUNK_BYTES as u64, &mut buffer).is_ok());
    }
}
