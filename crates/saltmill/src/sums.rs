// SPDX-License-Identifier: Apache-2.0
//! Digests of what a task reads and writes, computed as it goes by.

use std::{
    io::{self, Read, Write},
    mem,
    sync::{Arc, Mutex, PoisonError},
};

use crate::sum::{HashAlgorithm, Hashed, Hasher, NoKey};

/// Digests of the input and of the output of a task: [`Task::sums`](crate::Task::sums).
#[derive(Clone)]
pub struct Sums {
    input: Side,
    output: Side,
}

#[derive(Clone)]
struct Side(Arc<Mutex<State>>);

struct State {
    bytes: u64,
    hashers: Vec<Hasher>,
}

/// A stream that is hashed as it goes by.
struct Hashing<S> {
    stream: S,
    side: Side,
}

impl Sums {
    pub(crate) fn new(algorithms: &[HashAlgorithm]) -> Result<Self, NoKey> {
        Ok(Self { input: Side::new(algorithms)?, output: Side::new(algorithms)? })
    }

    /// The same streams, and what goes through them is hashed.
    pub(crate) fn around(
        &self,
        input: Box<dyn Read + Send>,
        output: Box<dyn Write + Send>,
    ) -> (Box<dyn Read + Send>, Box<dyn Write + Send>) {
        let input = Hashing { stream: input, side: self.input.clone() };
        let output = Hashing { stream: output, side: self.output.clone() };
        (Box::new(input), Box::new(output))
    }

    /// Of the whole input and of the whole output, when the task has ended well.
    pub fn finish(self) -> (Hashed, Hashed) {
        (self.input.finish(), self.output.finish())
    }
}

impl Side {
    fn new(algorithms: &[HashAlgorithm]) -> Result<Self, NoKey> {
        let hashers = algorithms.iter().map(|algorithm| Hasher::new(*algorithm, None));
        let hashers = hashers.collect::<Result<_, _>>()?;
        Ok(Self(Arc::new(Mutex::new(State { bytes: 0, hashers }))))
    }

    fn update(&self, bytes: &[u8]) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.bytes += bytes.len() as u64;
        for hasher in &mut state.hashers {
            hasher.update(bytes);
        }
    }

    fn finish(self) -> Hashed {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let digests = mem::take(&mut state.hashers).into_iter().map(Hasher::finish).collect();
        Hashed { bytes: state.bytes, digests, version: None }
    }
}

impl<S: Read> Read for Hashing<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer)?;
        self.side.update(&buffer[..read]);
        Ok(read)
    }
}

impl<S: Write> Write for Hashing<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.stream.write(bytes)?;
        self.side.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
