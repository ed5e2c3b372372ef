// SPDX-License-Identifier: Apache-2.0
//! Sealing a text that comes piece by piece.

use age::Recipient;
use saltmill_engine::{CHUNK_BYTES, Chunks, Engine, Key, SEALED_CHUNK_BYTES, Work};
use zeroize::Zeroizing;

use crate::{Error, Memory, MemoryMut};

/// A file that is sealed as its text comes: for whoever is called with the text, and can't give it
/// as an [`Input`](crate::Input).
///
/// ```
/// use std::time::Duration;
/// use saltmill::{Input, Opener, Output, Sealing, age::{Recipient, x25519}};
/// use saltmill::engine::{CancelToken, CpuWorker, Engine};
///
/// let workers = vec![Box::new(CpuWorker::new(0)) as _];
/// let mut engine = Engine::new(workers, Duration::from_secs(10), CancelToken::default());
/// let identity = x25519::Identity::generate();
/// let recipients: [Box<dyn Recipient>; 1] = [Box::new(identity.to_public())];
/// let (mut sealing, mut file) = Sealing::begin(&recipients)?;
/// file.extend(sealing.push(&mut engine, b"a small ")?);
/// file.extend(sealing.push(&mut engine, b"text")?);
/// file.extend(sealing.finish(&mut engine)?);
///
/// let opener = Opener::new(vec![Box::new(identity)]);
/// let input = Input::stream(std::io::Cursor::new(file));
/// let report = opener.open(&mut engine, input, Output::Nothing, &mut |_| {})?;
/// # Ok::<(), saltmill::Error>(())
/// ```
pub struct Sealing {
    key: Key,
    /// Chunks that are sealed.
    done: u64,
    /// Text that is not sealed yet: up to a chunk, which may be the last one.
    pending: Zeroizing<Vec<u8>>,
    /// Text was lost: without it, what follows would still make an authentic file.
    failed: bool,
}

impl Sealing {
    /// Begins: gives header and nonce, too.
    ///
    /// # Errors
    /// [`Error::Seal`].
    pub fn begin(recipients: &[impl AsRef<dyn Recipient>]) -> Result<(Self, Vec<u8>), Error> {
        let sealed = saltmill_format::seal(recipients)?;
        let (key, pending) = (Key::new(*sealed.key.bytes()), Zeroizing::default());
        Ok((Self { key, done: 0, pending, failed: false }, sealed.prologue))
    }

    /// Takes the text that follows; gives the chunks that are complete by it, sealed.
    ///
    /// # Errors
    /// [`Error::Engine`]: no worker is left, or it was cancelled; from then on
    /// [`Error::Unsealed`], since that text is lost.
    pub fn push(&mut self, engine: &mut Engine, text: &[u8]) -> Result<Vec<u8>, Error> {
        self.check()?;
        let fill = (CHUNK_BYTES - self.pending.len()).min(text.len());
        let (first, rest) = text.split_at(fill);
        let room = CHUNK_BYTES - self.pending.len();
        self.pending.reserve_exact(room);
        self.pending.extend_from_slice(first);
        if rest.is_empty() {
            return Ok(Vec::new());
        }
        // At least one byte is left: only then it is known that these are not the last chunk.
        let whole = (rest.len() - 1) / CHUNK_BYTES;
        let mut sealed = vec![0; (1 + whole) * SEALED_CHUNK_BYTES];
        let (front, behind) = sealed.split_at_mut(SEALED_CHUNK_BYTES);
        let pending = std::mem::take(&mut self.pending);
        self.failed = true;
        self.seal(engine, &pending, front, false)?;
        let (now, later) = rest.split_at(whole * CHUNK_BYTES);
        if !now.is_empty() {
            self.seal(engine, now, behind, false)?;
        }
        self.pending = pending;
        self.pending.clear();
        self.pending.extend_from_slice(later);
        self.failed = false;
        Ok(sealed)
    }

    /// The last chunk, sealed.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn finish(mut self, engine: &mut Engine) -> Result<Vec<u8>, Error> {
        self.check()?;
        let pending = std::mem::take(&mut self.pending);
        let mut sealed = vec![0; pending.len() + SEALED_CHUNK_BYTES - CHUNK_BYTES];
        self.seal(engine, &pending, &mut sealed, true)?;
        Ok(sealed)
    }

    fn check(&self) -> Result<(), Error> {
        if self.failed { Err(Error::Unsealed) } else { Ok(()) }
    }

    fn seal(
        &mut self,
        engine: &mut Engine,
        text: &[u8],
        sealed: &mut [u8],
        ends: bool,
    ) -> Result<(), Error> {
        let work = Work::Seal(Chunks::new(self.key.clone()).part(self.done, ends));
        let output = MemoryMut::new(sealed, SEALED_CHUNK_BYTES);
        engine.in_place(work, &Memory(text), text.len() as u64, &output, &mut |_| {})?;
        self.done += text.len().div_ceil(CHUNK_BYTES) as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Read, iter, time::Duration};

    use age::{Decryptor, x25519};
    use saltmill_engine::{CancelToken, CpuWorker};

    use super::*;

    #[test]
    fn a_text_in_any_pieces_opens_with_the_age_crate() {
        let worker = || Box::new(CpuWorker::new(0)) as _;
        let patience = Duration::from_secs(10);
        let mut engine = Engine::new(vec![worker(), worker()], patience, CancelToken::default());
        let identity = x25519::Identity::generate();
        let recipients = [Box::new(identity.to_public()) as Box<dyn Recipient>];
        for len in [0, 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES, 300_000] {
            let text: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
            for piece in [1000, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 1 << 20] {
                let (mut sealing, mut file) = Sealing::begin(&recipients).expect("begun");
                for piece in text.chunks(piece) {
                    file.extend(sealing.push(&mut engine, piece).expect("sealed"));
                }
                file.extend(sealing.finish(&mut engine).expect("sealed"));
                let opened = Decryptor::new(&file[..]).expect("a header");
                let mut opened = opened.decrypt(iter::once(&identity as _)).expect("opened");
                let mut again = Vec::new();
                opened.read_to_end(&mut again).expect("authentic");
                assert!(again == text, "{len} in pieces of {piece}");
            }
        }
    }

    #[test]
    fn nothing_is_sealed_behind_text_that_was_lost() {
        let patience = Duration::from_secs(10);
        let workers = || vec![Box::new(CpuWorker::new(0)) as _];
        let cancelled = CancelToken::default();
        cancelled.cancel();
        let mut stopped = Engine::new(workers(), patience, cancelled);
        let mut engine = Engine::new(workers(), patience, CancelToken::default());
        let recipient = x25519::Identity::generate().to_public();
        let recipients = [Box::new(recipient) as Box<dyn Recipient>];
        let (mut sealing, _) = Sealing::begin(&recipients).expect("begun");
        let text = vec![7; 3 * CHUNK_BYTES];
        let error = sealing.push(&mut stopped, &text).expect_err("it was cancelled");
        assert!(matches!(error, Error::Engine(_)), "{error}");
        let error = sealing.push(&mut engine, &text).expect_err("text is lost");
        assert!(matches!(error, Error::Unsealed), "{error}");
        let error = sealing.finish(&mut engine).expect_err("text is lost");
        assert!(matches!(error, Error::Unsealed), "{error}");
    }
}
