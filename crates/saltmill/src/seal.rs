// SPDX-License-Identifier: Apache-2.0
//! Sealing for recipients.

use age::Recipient;
use saltmill_engine::{Chunks, Engine, Event, Key, Report, Work};

use crate::{Error, Input, Output, Sums, Task, sum::HashAlgorithm};

/// Seals files in the age format for recipients; [`Opener`](crate::Opener) has an example.
pub struct Sealer {
    recipients: Vec<Box<dyn Recipient>>,
    armor: bool,
    sums: Vec<HashAlgorithm>,
}

impl Sealer {
    /// For whom files are sealed.
    pub fn new(recipients: Vec<Box<dyn Recipient>>) -> Self {
        Self { recipients, armor: false, sums: Vec::new() }
    }

    /// Whether an armor is written: text of 64 characters a line instead of bytes.
    #[must_use]
    pub fn armored(self, armor: bool) -> Self {
        Self { armor, ..self }
    }

    /// Whether an armor is written.
    pub fn is_armored(&self) -> bool {
        self.armor
    }

    /// Which digests of the input and of the output are computed as they go by: no HMAC. Then files
    /// are read and written from front to back: [`Task::sums`] has an example.
    #[must_use]
    pub fn summed(self, algorithms: impl Into<Vec<HashAlgorithm>>) -> Self {
        Self { sums: algorithms.into(), ..self }
    }

    /// Whether files are read and written from front to back.
    pub fn is_streamed(&self) -> bool {
        self.armor || !self.sums.is_empty()
    }

    /// What is to be done to seal an input: a new file key is wrapped for all recipients.
    ///
    /// # Errors
    /// [`Error::Seal`]: no recipient, some that don't go together, a plugin that fails;
    /// [`Error::NoKey`].
    pub fn task(&self, input: Input) -> Result<Task, Error> {
        let sealed = saltmill_format::seal(&self.recipients)?;
        let work = Work::Seal(Chunks::new(Key::new(*sealed.key.bytes())));
        let sums = (!self.sums.is_empty()).then(|| Sums::new(&self.sums)).transpose()?;
        Ok(Task { prefix: sealed.prologue, armor: self.armor, sums, ..Task::new(input, work) })
    }

    /// Seals an input.
    ///
    /// # Errors
    /// As [`task`](Self::task) and [`Task::run`].
    pub fn seal(
        &self,
        engine: &mut Engine,
        input: Input,
        output: Output,
        events: &mut dyn FnMut(Event),
    ) -> Result<Report, Error> {
        self.task(input)?.run(engine, output, events)
    }
}
