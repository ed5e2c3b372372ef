// SPDX-License-Identifier: Apache-2.0
//! Opening a file that comes piece by piece.

use saltmill_engine::{
    CHUNK_BYTES, Chunks, Engine, EngineError, Key, Refused, SEALED_CHUNK_BYTES, TAG_BYTES, Work,
};
use saltmill_format::{Prologue, PrologueError, is_armor};
use zeroize::Zeroizing;

use crate::{Error, Memory, MemoryMut};

/// A file that is opened as it comes, without an armor: for whoever is called with its bytes, and
/// can't give it as an [`Input`](crate::Input). No byte comes out before its chunk is known to be
/// what was sealed.
///
/// ```
/// use std::time::Duration;
/// use saltmill::{Opening, Sealing, age::{Identity, Recipient, x25519}};
/// use saltmill::engine::{CancelToken, CpuWorker, Engine};
///
/// let workers = vec![Box::new(CpuWorker::new(0)) as _];
/// let mut engine = Engine::new(workers, Duration::from_secs(10), CancelToken::default());
/// let identity = x25519::Identity::generate();
/// let recipients: [Box<dyn Recipient>; 1] = [Box::new(identity.to_public())];
/// let (sealing, mut file) = Sealing::begin(&recipients)?;
/// file.extend(sealing.finish(&mut engine)?);
///
/// let mut opening = Opening::begin(vec![Box::new(identity) as Box<dyn Identity>]);
/// assert!(opening.push(&mut engine, &file[..50])?.is_empty());
/// assert!(opening.push(&mut engine, &file[50..])?.is_empty());
/// assert!(opening.finish(&mut engine)?.is_empty());
/// # Ok::<(), saltmill::Error>(())
/// ```
pub struct Opening<I> {
    identities: Vec<I>,
    payload: Option<OpenPayload>,
    /// What is not opened yet: of the prologue, or up to a chunk, which may be the last one.
    pending: Vec<u8>,
    failed: bool,
}

/// A payload whose key is known, and how far it is.
struct OpenPayload {
    key: Key,
    /// Bytes in front of it.
    front: u64,
    /// Chunks that are opened.
    done: u64,
}

impl<I: AsRef<dyn age::Identity>> Opening<I> {
    /// Nothing of the file is known yet.
    pub fn begin(identities: Vec<I>) -> Self {
        Self { identities, payload: None, pending: Vec::new(), failed: false }
    }

    /// Takes the bytes of the file that follow; gives the text of the chunks that are complete by
    /// them and are not the last.
    ///
    /// # Errors
    /// [`Error::Prologue`], [`Error::Open`], [`Error::Engine`]; an armor is an [`Error::Armor`].
    /// Nothing comes out after an error, which is [`Error::Unsealed`] from then on.
    pub fn push(&mut self, engine: &mut Engine, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.guarded(|opening| {
            if opening.payload.is_none() {
                opening.pending.extend_from_slice(bytes);
                if !opening.read_prologue(false)? {
                    return Ok(Zeroizing::default());
                }
                return opening.open_pending(engine);
            }
            // Only with a byte behind it is it known that a chunk is not the last one.
            let missing = SEALED_CHUNK_BYTES - opening.pending.len();
            let (first, rest) = bytes.split_at(missing.min(bytes.len()));
            opening.pending.extend_from_slice(first);
            if rest.is_empty() {
                return Ok(Zeroizing::default());
            }
            let whole = (rest.len() - 1) / SEALED_CHUNK_BYTES;
            let (now, later) = rest.split_at(whole * SEALED_CHUNK_BYTES);
            let mut text = Zeroizing::new(vec![0; (1 + whole) * CHUNK_BYTES]);
            let (front, behind) = text.split_at_mut(CHUNK_BYTES);
            let pending = std::mem::take(&mut opening.pending);
            opening.open(engine, &pending, front, false)?;
            if !now.is_empty() {
                opening.open(engine, now, behind, false)?;
            }
            opening.pending = later.to_vec();
            Ok(text)
        })
    }

    /// The file has ended: the text of its last chunk.
    ///
    /// # Errors
    /// As [`push`](Self::push); an end that is not that of the file is an [`EngineError::Refused`]
    /// or [`Error::Prologue`].
    pub fn finish(mut self, engine: &mut Engine) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.guarded(|opening| {
            if opening.payload.is_none() {
                opening.read_prologue(true)?;
            }
            let text = opening.open_pending(engine)?;
            let pending = std::mem::take(&mut opening.pending);
            let before = text.len();
            let room = pending.len().saturating_sub(TAG_BYTES);
            let mut all = Zeroizing::new(vec![0; before + room]);
            all[..before].copy_from_slice(&text);
            opening.open(engine, &pending, &mut all[before..], true)?;
            Ok(all)
        })
    }

    /// Bytes that it has taken and not opened yet; what comes out of the next call is not longer
    /// than they and what it is given.
    pub fn pending_bytes(&self) -> usize {
        self.pending.len()
    }

    fn guarded<T>(&mut self, act: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.failed {
            return Err(Error::Unsealed);
        }
        let outcome = act(self);
        self.failed = outcome.is_err();
        outcome
    }

    /// Whether the whole prologue is there; `ends`: no more comes.
    fn read_prologue(&mut self, ends: bool) -> Result<bool, Error> {
        if is_armor(&self.pending) {
            return Err(Error::Armor(std::io::ErrorKind::Unsupported.into()));
        }
        let prologue = match Prologue::read(&mut &self.pending[..]) {
            // What has begun well may go on well.
            Err(PrologueError::Truncated(_)) if !ends => return Ok(false),
            Err(PrologueError::NotAge) if !ends && self.pending.len() < VERSION_LINE => {
                return Ok(false);
            }
            read => read?,
        };
        let key = prologue.open(&self.identities)?;
        let front = prologue.len();
        self.payload = Some(OpenPayload { key: Key::new(*key.bytes()), front, done: 0 });
        self.pending.drain(..front as usize);
        Ok(true)
    }

    /// The chunks that were behind the prologue when it became complete.
    fn open_pending(&mut self, engine: &mut Engine) -> Result<Zeroizing<Vec<u8>>, Error> {
        let whole = self.pending.len().saturating_sub(1) / SEALED_CHUNK_BYTES;
        if whole == 0 {
            return Ok(Zeroizing::default());
        }
        let later = self.pending.split_off(whole * SEALED_CHUNK_BYTES);
        let now = std::mem::replace(&mut self.pending, later);
        let mut text = Zeroizing::new(vec![0; whole * CHUNK_BYTES]);
        self.open(engine, &now, &mut text, false)?;
        Ok(text)
    }

    fn open(
        &mut self,
        engine: &mut Engine,
        sealed: &[u8],
        text: &mut [u8],
        ends: bool,
    ) -> Result<(), Error> {
        let payload = self.payload.as_mut().ok_or(Error::Unsealed)?;
        let work = Work::Open(Chunks::new(payload.key.clone()).part(payload.done, ends));
        let output = MemoryMut::new(text, CHUNK_BYTES);
        let opened =
            engine.in_place(work, &Memory(sealed), sealed.len() as u64, &output, &mut |_| {});
        opened.map_err(|error| match error {
            EngineError::Refused(Refused { chunk, offset }) => {
                EngineError::Refused(Refused { chunk, offset: offset + payload.front })
            }
            other => other,
        })?;
        payload.done += sealed.len().div_ceil(SEALED_CHUNK_BYTES) as u64;
        Ok(())
    }
}

/// Bytes after which it is known whether a file begins as those of the format do.
const VERSION_LINE: usize = "age-encryption.org/".len();

#[cfg(test)]
mod tests {
    use std::{io::Write, iter, time::Duration};

    use age::{Encryptor, Identity, x25519};
    use saltmill_engine::{CancelToken, CpuWorker};

    use super::*;

    fn engine() -> Engine {
        let worker = || Box::new(CpuWorker::new(0)) as _;
        Engine::new(vec![worker(), worker()], Duration::from_secs(10), CancelToken::default())
    }

    /// A file that the `age` crate made.
    fn sealed(text: &[u8], identity: &x25519::Identity) -> Vec<u8> {
        let recipient = identity.to_public();
        let encryptor = Encryptor::with_recipients(iter::once(&recipient as _)).expect("one");
        let mut writer = encryptor.wrap_output(Vec::new()).expect("a header");
        writer.write_all(text).expect("memory");
        writer.finish().expect("memory")
    }

    fn open(file: &[u8], piece: usize, identity: &x25519::Identity) -> Result<Vec<u8>, Error> {
        let mut engine = engine();
        let mut opening = Opening::begin(vec![Box::new(identity.clone()) as Box<dyn Identity>]);
        let mut text = Vec::new();
        for piece in file.chunks(piece) {
            text.extend_from_slice(&opening.push(&mut engine, piece)?);
        }
        text.extend_from_slice(&opening.finish(&mut engine)?);
        Ok(text)
    }

    #[test]
    fn a_file_in_any_pieces_opens() {
        let identity = x25519::Identity::generate();
        for len in [0, 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES, 300_000] {
            let text: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
            let file = sealed(&text, &identity);
            let whole = SEALED_CHUNK_BYTES;
            for piece in [100, 1000, whole - 1, whole, whole + 1, 200 + whole, 1 << 20] {
                let again = open(&file, piece, &identity).expect("opened");
                assert!(again == text, "{len} in pieces of {piece}");
            }
        }
        let file = sealed(b"abc", &identity);
        assert_eq!(open(&file, 1, &identity).expect("opened"), b"abc");
    }

    #[test]
    fn what_was_cut_off_or_changed_is_refused() {
        let identity = x25519::Identity::generate();
        let file = sealed(&vec![7; 3 * CHUNK_BYTES], &identity);
        let front = file.len() - 3 * SEALED_CHUNK_BYTES;
        for piece in [1000, SEALED_CHUNK_BYTES, 1 << 20] {
            for cut in [front + 5, front + SEALED_CHUNK_BYTES, file.len() - 1] {
                let error = open(&file[..cut], piece, &identity).expect_err("cut off");
                assert!(matches!(error, Error::Engine(EngineError::Refused(_))), "{cut}: {error}");
            }
            let mut changed = file.clone();
            let place = front + SEALED_CHUNK_BYTES;
            changed[place + 9] ^= 1;
            let error = open(&changed, piece, &identity).expect_err("changed");
            let Error::Engine(EngineError::Refused(refused)) = error else { panic!("{error}") };
            assert_eq!(refused, Refused { chunk: 1, offset: place as u64 });
            let longer = [&file[..], b"x"].concat();
            assert!(open(&longer, piece, &identity).is_err());
        }
        let error = open(&file[..60], 7, &identity).expect_err("cut off");
        assert!(matches!(error, Error::Prologue(PrologueError::Truncated(_))), "{error}");
        let error = open(b"something else", 3, &identity).expect_err("no age file");
        assert!(matches!(error, Error::Prologue(PrologueError::NotAge)), "{error}");
    }

    #[test]
    fn nothing_comes_out_after_an_error() {
        let identity = x25519::Identity::generate();
        let mut file = sealed(&vec![7; 4 * CHUNK_BYTES], &identity);
        let front = file.len() - 4 * SEALED_CHUNK_BYTES;
        file[front] ^= 1;
        let mut engine = engine();
        let mut opening = Opening::begin(vec![Box::new(identity) as Box<dyn Identity>]);
        let half = front + 2 * SEALED_CHUNK_BYTES;
        assert!(opening.push(&mut engine, &file[..half]).is_err());
        let error = opening.push(&mut engine, &file[half..]).expect_err("it has failed");
        assert!(matches!(error, Error::Unsealed), "{error}");
    }
}
