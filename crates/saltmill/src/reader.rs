// SPDX-License-Identifier: Apache-2.0
//! A sealed file that is read anywhere.

mod cache;

use std::{
    io::{self, BufReader, Read},
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use age::Identity;
use saltmill_engine::{CHUNK_BYTES, EngineError, ReadAt, TAG_BYTES};
use saltmill_format::Prologue;

use self::cache::{Cache, Text};
use crate::{Error, Payload};

/// What can be read anywhere, by several threads, and kept.
pub type Source = Box<dyn ReadAt + Send>;

/// Reads any part of the text of a sealed file: only the chunks that it is in are read, and each is
/// authenticated. Those that were read in part are kept, the last ones that were used; one that is
/// read as a whole goes to its reader alone, so that a long read leaves the others where they are.
/// Several threads may read at once.
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
        let reader = Self { source, payload, cache: Mutex::new(Cache::new(cached)) };
        reader.read_part(reader.payload.chunks() - 1, 0, &mut [])?;
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
        let (mut at, mut rest) = (offset, &mut buffer[..wanted]);
        while !rest.is_empty() {
            let within = (at % CHUNK_BYTES as u64) as usize;
            let (part, behind) = rest.split_at_mut(rest.len().min(CHUNK_BYTES - within));
            self.read_part(at / CHUNK_BYTES as u64, within, part)?;
            (at, rest) = (at + part.len() as u64, behind);
        }
        Ok(wanted)
    }

    /// Text of one chunk, from a place within it on.
    fn read_part(&self, number: u64, within: usize, part: &mut [u8]) -> Result<(), Error> {
        let wanted = within..within + part.len();
        let place = self.payload.place(number..number + 1).text;
        let mut cache = self.cache();
        if let Some(text) = cache.find(number) {
            part.copy_from_slice(&text[wanted]);
            return Ok(());
        }
        let mut sealed = mem::take(&mut cache.sealed);
        let whole = wanted.len() as u64 == place.end - place.start;
        let mut text = if whole { Text::default() } else { cache.spare() };
        // Others use the cache while this chunk is read and opened.
        drop(cache);
        if whole {
            self.read_chunk(number, &mut sealed, part)?;
        } else {
            // A chunk's length fits.
            text.set_len((place.end - place.start) as usize);
            self.read_chunk(number, &mut sealed, text.bytes())?;
            part.copy_from_slice(&text.bytes()[wanted]);
        }
        let mut cache = self.cache();
        cache.sealed = sealed;
        if !whole {
            cache.keep(number, text);
        }
        Ok(())
    }

    /// The text of one chunk, by way of memory for what is sealed.
    fn read_chunk(&self, number: u64, memory: &mut Vec<u8>, text: &mut [u8]) -> Result<(), Error> {
        let len = text.len() + TAG_BYTES;
        if memory.len() < len {
            memory.resize(len, 0);
        }
        let (sealed, offset) =
            (&mut memory[..len], self.payload.place(number..number).sealed.start);
        let read = self.source.read_exact_at(sealed, offset);
        read.map_err(|source| EngineError::Read { offset, source })?;
        self.payload.open_chunk(number, sealed, text)
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
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
    use std::{
        io::Write,
        iter,
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering},
        },
        thread,
    };

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
            let kept = reader.cache().len();
            assert!(kept <= cached.max(1), "{kept} of {cached}");
        }
    }

    #[test]
    fn only_chunks_that_are_read_in_part_are_kept() {
        struct Counted(Vec<u8>, Arc<AtomicUsize>);
        impl ReadAt for Counted {
            fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
                self.1.fetch_add(1, Ordering::Relaxed);
                crate::Memory(&self.0).read_exact_at(buffer, offset)
            }
        }
        let text = vec![9; 4 * CHUNK_BYTES + 5];
        let (file, identities) = sealed(&text);
        let (len, reads) = (file.len() as u64, Arc::new(AtomicUsize::new(0)));
        let source = Box::new(Counted(file, reads.clone()));
        let reader = Reader::open(source, len, &identities, 2).expect("opened");
        let read = |offset, len| {
            let before = reads.load(Ordering::Relaxed);
            let mut buffer = vec![0; len];
            assert_eq!(reader.read_at(offset, &mut buffer).expect("read"), len);
            assert_eq!(buffer, text[..len]);
            reads.load(Ordering::Relaxed) - before
        };
        let chunk = CHUNK_BYTES as u64;
        assert_eq!((read(4 * chunk, 4), read(7, 9)), (0, 1), "the last one is kept");
        assert_eq!(read(chunk, 3 * CHUNK_BYTES), 3);
        assert_eq!((read(4 * chunk, 5), read(8, 1), read(0, CHUNK_BYTES)), (0, 0, 0), "they are");
        assert_eq!((read(chunk, 1), read(4 * chunk, 5), read(9, 1)), (1, 1, 0), "the oldest went");
    }

    #[test]
    fn several_threads_read_at_once() {
        let text: Vec<u8> = (0..9 * CHUNK_BYTES + 3).map(|i| (i % 251) as u8).collect();
        let (file, identities) = sealed(&text);
        let len = file.len() as u64;
        let reader = Reader::open(Box::new(Bytes(file)), len, &identities, 3).expect("opened");
        thread::scope(|scope| {
            for thread in 1..=4 {
                let (reader, text) = (&reader, &text);
                scope.spawn(move || {
                    let (mut place, mut buffer) = (thread, vec![0; CHUNK_BYTES + 9]);
                    for _ in 0..100 {
                        place = place * 7919 % text.len();
                        let read = reader.read_at(place as u64, &mut buffer).expect("read");
                        assert_eq!(buffer[..read], text[place..place + read]);
                    }
                });
            }
        });
        assert!(reader.cache().len() <= 3);
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
