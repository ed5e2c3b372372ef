// SPDX-License-Identifier: Apache-2.0
//! Sealing for recipients.

use age::Recipient;
use saltmill_engine::{Chunks, Engine, Event, Key, Report, Work};

use crate::{Error, Input, Output, Task};

/// Seals files in the age format for recipients; [`Opener`](crate::Opener) has an example.
pub struct Sealer {
    recipients: Vec<Box<dyn Recipient>>,
    armor: bool,
}

impl Sealer {
    /// For whom files are sealed.
    pub fn new(recipients: Vec<Box<dyn Recipient>>) -> Self {
        Self { recipients, armor: false }
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

    /// What is to be done to seal an input: a new file key is wrapped for all recipients.
    ///
    /// # Errors
    /// [`Error::Seal`]: no recipient, some that don't go together, a plugin that fails.
    pub fn task(&self, input: Input) -> Result<Task, Error> {
        let sealed = saltmill_format::seal(&self.recipients)?;
        let work = Work::Seal(Chunks::new(Key::new(*sealed.key.bytes())));
        Ok(Task { prefix: sealed.prologue, armor: self.armor, ..Task::new(input, work) })
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
