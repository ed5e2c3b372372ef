// SPDX-License-Identifier: Apache-2.0
//! Opening what is sealed.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
};

use age::Identity;
use saltmill_engine::{Chunks, Engine, Event, Key, Report, Work};
use saltmill_format::{Opened, Prologue, PrologueError, is_armor};

use crate::{Error, Input, Output, Task, input::Kind};

/// Opens files of the age format for identities.
///
/// ```
/// use std::time::Duration;
/// use saltmill::{Input, Opener, Output, Sealer, age::x25519};
/// use saltmill::engine::{CancelToken, CpuWorker, Engine};
///
/// let folder = tempfile::tempdir()?;
/// let path = |name| folder.path().join(name);
/// std::fs::write(path("text"), "a small text")?;
/// let workers = vec![Box::new(CpuWorker::new(0)) as _, Box::new(CpuWorker::new(1)) as _];
/// let mut engine = Engine::new(workers, Duration::from_secs(10), CancelToken::default());
///
/// let identity = x25519::Identity::generate();
/// let sealer = Sealer::new(vec![Box::new(identity.to_public())]);
/// let (text, sealed) = (Input::open(path("text"))?, Output::create(path("text.age")));
/// sealer.seal(&mut engine, text, sealed, &mut |_| {})?;
///
/// let opener = Opener::new(vec![Box::new(identity)]);
/// let (sealed, text) = (Input::open(path("text.age"))?, Output::create(path("again")));
/// opener.open(&mut engine, sealed, text, &mut |_| {})?;
/// assert_eq!(std::fs::read(path("again"))?, b"a small text");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Opener {
    identities: Vec<Box<dyn Identity>>,
}

impl Opener {
    /// For whom files are opened.
    pub fn new(identities: Vec<Box<dyn Identity>>) -> Self {
        Self { identities }
    }

    /// What is to be done to open an input; [`Task::range`] makes it less.
    ///
    /// # Errors
    /// [`Error::Prologue`], [`Error::Open`], [`Error::Armor`].
    pub fn task(&self, input: Input) -> Result<Task, Error> {
        SealedInput::read(input)?.task(&self.identities)
    }

    /// Opens an input; no byte comes out before its chunk is known to be what was sealed.
    ///
    /// # Errors
    /// As [`task`](Self::task) and [`Task::run`].
    pub fn open(
        &self,
        engine: &mut Engine,
        input: Input,
        output: Output,
        events: &mut dyn FnMut(Event),
    ) -> Result<Report, Error> {
        self.task(input)?.run(engine, output, events)
    }
}

/// A sealed input of which the prologue is read: a caller who has to know for whom it is, asks that in between.
/// Armor is taken off on the way.
pub struct SealedInput {
    prologue: Prologue,
    /// A file, or a stream that is behind the prologue.
    input: Input,
    armored: bool,
}

impl SealedInput {
    /// Reads the prologue.
    ///
    /// # Errors
    /// [`Error::Prologue`], [`Error::Armor`].
    pub fn read(input: Input) -> Result<Self, Error> {
        let (prologue, kind, armored) = match input.0 {
            Kind::File(file, len) => {
                let mut front = BufReader::new(&file);
                if is_armor(front.fill_buf().map_err(read_error)?) {
                    from_stream(Box::new(from_start(file)?))?
                } else {
                    let prologue = Prologue::read(&mut front)?;
                    (prologue, Kind::File(file, len), false)
                }
            }
            Kind::Stream(stream) => from_stream(stream)?,
        };
        Ok(Self { prologue, input: Input(kind), armored })
    }

    /// The prologue.
    pub fn prologue(&self) -> &Prologue {
        &self.prologue
    }

    /// Whether it has an armor.
    pub fn is_armored(&self) -> bool {
        self.armored
    }

    /// Bytes of the payload, as it is sealed. A stream is read to its end for that.
    ///
    /// # Errors
    /// The stream can't be read.
    pub fn payload_bytes(self) -> io::Result<u64> {
        match self.input.0 {
            Kind::File(_, len) => Ok(len.saturating_sub(self.prologue.len())),
            Kind::Stream(mut stream) => io::copy(&mut stream, &mut io::sink()),
        }
    }

    /// What is to be done to open it: the payload's key is unwrapped with one of the identities.
    ///
    /// # Errors
    /// [`Error::Open`], or [`Error::Prologue`] for a malformed header.
    pub fn task(self, identities: &[impl AsRef<dyn Identity>]) -> Result<Task, Error> {
        let key = self.prologue.open(identities)?;
        let work = Work::Open(Chunks::new(Key::new(*key.bytes())));
        let (skip, front) = (self.skip(), self.prologue.len());
        Ok(Task { skip, front, ..Task::new(self.input, work) })
    }

    /// Bytes of the input in front of the payload that are still to be skipped.
    fn skip(&self) -> u64 {
        match self.input.0 {
            Kind::File(..) => self.prologue.len(),
            Kind::Stream(_) => 0,
        }
    }
}

fn read_error(source: io::Error) -> PrologueError {
    PrologueError::Read { offset: 0, source }
}

fn from_start(mut file: File) -> Result<File, PrologueError> {
    io::Seek::rewind(&mut file).map_err(read_error)?;
    Ok(file)
}

fn from_stream(stream: Box<dyn Read + Send>) -> Result<(Prologue, Kind, bool), PrologueError> {
    let Opened { prologue, payload, armored } = Opened::read(stream)?;
    Ok((prologue, Kind::Stream(Box::new(payload)), armored))
}
