// SPDX-License-Identifier: Apache-2.0
//! What a run does with its input, and how that cuts it into jobs.

use std::cmp::Ordering;

use crate::{
    AeadKey, AesCtr, Algorithm, Chunks, Cipher, EngineError, JOB_BYTES, Job, Refused,
    aead::TAG_BYTES,
    chunks::{CHUNK_BYTES, SEALED_CHUNK_BYTES},
};

// A slot has room for every job and its result.
const _: () = assert!(SEALED_CHUNK_BYTES <= JOB_BYTES);

/// What a run does. A job's place in the input tells all that it needs, and where its result goes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Work {
    /// Encrypts or decrypts: as many bytes out as in. Jobs of [`JOB_BYTES`].
    Cipher(Cipher),
    /// The same with AES in CTR mode.
    AesCtr(AesCtr),
    /// Seals chunks. A job is a chunk of [`CHUNK_BYTES`]; its result is [`TAG_BYTES`] longer.
    Seal(Chunks),
    /// Opens sealed chunks. A job is a chunk with its tag; its result is [`TAG_BYTES`] shorter.
    Open(Chunks),
}

impl From<Cipher> for Work {
    fn from(cipher: Cipher) -> Self {
        Self::Cipher(cipher)
    }
}

impl From<AesCtr> for Work {
    fn from(stream: AesCtr) -> Self {
        Self::AesCtr(stream)
    }
}

impl Work {
    /// The key, as long as it is.
    pub(crate) fn key(&self) -> &[u8] {
        match self {
            Self::Cipher(cipher) => cipher.key(),
            Self::AesCtr(stream) => stream.key().bytes(),
            Self::Seal(chunks) | Self::Open(chunks) => chunks.key().bytes(),
        }
    }

    /// What computes it.
    pub fn algorithm(&self) -> Algorithm {
        match self {
            Self::Cipher(_) => Algorithm::ChaCha20,
            Self::AesCtr(stream) => Algorithm::AesCtr(stream.key().size()),
            Self::Seal(chunks) | Self::Open(chunks) => match chunks.key() {
                AeadKey::ChaCha20Poly1305(_) => Algorithm::ChaCha20Poly1305,
                AeadKey::AesGcm(key) => Algorithm::AesGcm(key.size()),
            },
        }
    }

    /// Bytes that a job reads; only the last may read fewer.
    pub fn job_bytes(&self) -> usize {
        match self {
            Self::Cipher(_) | Self::AesCtr(_) => JOB_BYTES,
            Self::Seal(_) => CHUNK_BYTES,
            Self::Open(_) => SEALED_CHUNK_BYTES,
        }
    }

    /// Job number `number` of an input of `len` bytes. There is always a first one, if need be an
    /// empty one.
    pub(crate) fn job(&self, number: u64, len: u64) -> Option<Job> {
        let (whole, last) = (self.job_bytes(), self.last_job(len));
        let offset = number * whole as u64;
        match offset.cmp(&last.offset) {
            Ordering::Less => Some(Job { offset, len: whole, last: false }),
            Ordering::Equal => Some(last),
            Ordering::Greater => None,
        }
    }

    /// The job that an input of `len` bytes ends with.
    pub(crate) fn last_job(&self, len: u64) -> Job {
        let whole = self.job_bytes() as u64;
        let offset = len.saturating_sub(1) / whole * whole;
        Job { offset, len: (len - offset) as usize, last: true }
    }

    /// The job's number, from 0.
    pub(crate) fn number(&self, job: Job) -> u64 {
        job.offset / self.job_bytes() as u64
    }

    /// Where the job's result begins in the output.
    pub fn output_offset(&self, job: Job) -> u64 {
        self.number(job) * self.output_len(Job { len: self.job_bytes(), ..job }) as u64
    }

    /// Bytes of the job's result.
    pub fn output_len(&self, job: Job) -> usize {
        match self {
            Self::Cipher(_) | Self::AesCtr(_) => job.len,
            Self::Seal(_) => job.len + TAG_BYTES,
            Self::Open(_) => job.len.saturating_sub(TAG_BYTES),
        }
    }

    /// Whether an input can end with this job.
    pub(crate) fn check(&self, job: Job) -> Result<(), EngineError> {
        match self {
            Self::Cipher(cipher) => cipher.check_length(job.offset + job.len as u64)?,
            // A chunk has a tag, and only an empty input has an empty chunk.
            Self::Open(chunks)
                if job.len < TAG_BYTES + usize::from(chunks.place(self.number(job)) > 0) =>
            {
                return Err(self.refused(job).into());
            }
            Self::AesCtr(_) | Self::Seal(_) | Self::Open(_) => {}
        }
        Ok(())
    }

    /// Does a job on this CPU. `buffer` begins with what the job reads, and afterwards with its
    /// result; the result of a chunk that is refused is zeros.
    ///
    /// ```
    /// use saltmill_engine::{Chunks, Job, Key, Work};
    ///
    /// let chunks = || Chunks::new(Key::new([7; 32]));
    /// let mut buffer = *b"a small text. and its tag ...";
    /// let job = Job { offset: 0, len: 13, last: true };
    /// Work::Seal(chunks()).apply(job, &mut buffer)?;
    /// assert_ne!(buffer[..13], *b"a small text.");
    /// Work::Open(chunks()).apply(Job { len: 29, ..job }, &mut buffer)?;
    /// assert_eq!(buffer[..13], *b"a small text.");
    /// # Ok::<(), saltmill_engine::Refused>(())
    /// ```
    ///
    /// # Errors
    /// [`Refused`] for a chunk that is not what was sealed there.
    ///
    /// # Panics
    /// If the buffer is too short for either, or if a cipher's job is not at a block or past the
    /// counter.
    pub fn apply(&self, job: Job, buffer: &mut [u8]) -> Result<(), Refused> {
        let (number, last) = (self.number(job), job.last);
        match self {
            Self::Cipher(cipher) => cipher.apply(job.offset, &mut buffer[..job.len]),
            Self::AesCtr(stream) => stream.apply(job.offset, &mut buffer[..job.len]),
            Self::Seal(chunks) => chunks.seal(number, last, &mut buffer[..self.output_len(job)]),
            Self::Open(chunks) => {
                let opened = chunks.open(number, last, &mut buffer[..job.len]);
                opened.map_err(|_| self.refused(job))?;
            }
        }
        Ok(())
    }

    /// What to say of a chunk whose tag does not match.
    pub(crate) fn refused(&self, job: Job) -> Refused {
        let before = match self {
            Self::Seal(chunks) | Self::Open(chunks) => chunks.place(0),
            Self::Cipher(_) | Self::AesCtr(_) => 0,
        };
        let offset = before * self.job_bytes() as u64 + job.offset;
        Refused { chunk: before + self.number(job), offset }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AesKey, Key};

    #[test]
    fn jobs_and_results_lie_end_to_end() {
        let chunks = || Chunks::new(Key::new([1; 32]));
        let cipher = Cipher::new(Key::new([1; 32]), [0; 12], 0);
        let aes_key = || AesKey::new(&[1; 16]).expect("a key of 16 bytes");
        let (aes, gcm) = (AesCtr::new(aes_key(), [0; 16]), || Chunks::new(aes_key()));
        let streams = [cipher.into(), aes.into()];
        let sealed = [Work::Seal(chunks()), Work::Open(chunks())];
        let gcm = [Work::Seal(gcm()), Work::Open(gcm())];
        for work in streams.into_iter().chain(sealed).chain(gcm) {
            let whole = work.job_bytes() as u64;
            for len in [0, 1, whole - 1, whole, whole + 1, 2 * whole, 5 * whole + 99] {
                let jobs: Vec<_> = (0..).map_while(|n| work.job(n, len)).collect();
                let (mut input, mut output) = (0, 0);
                for (number, job) in jobs.iter().enumerate() {
                    assert_eq!((job.offset, work.output_offset(*job)), (input, output));
                    assert_eq!(work.number(*job), number as u64);
                    assert_eq!(job.last, number + 1 == jobs.len());
                    input += job.len as u64;
                    output += work.output_len(*job) as u64;
                }
                assert_eq!(input, len);
                assert_eq!(jobs.last(), Some(&work.last_job(len)), "{len}: at least one job");
            }
        }
    }
}
