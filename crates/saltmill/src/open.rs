// SPDX-License-Identifier: Apache-2.0
//! Opening what is sealed.

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
};

use age::{Identity, Recipient};
use saltmill_engine::{Chunks, Engine, Event, Key, Report, Work};
use saltmill_format::{FileKey, Opened, Prologue, PrologueError, is_armor};

use crate::{Error, Input, Output, Task, begin::Stream, input::Kind};

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

/// A sealed input of which the prologue is read: a caller who has to know for whom it is, asks that
/// in between. Armor is taken off on the way.
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
                    from_stream(Stream::new(from_start(file)?))?
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
            Kind::Stream(mut stream) => io::copy(&mut stream.read, &mut io::sink()),
        }
    }

    /// What is to be done to open it: the payload's key is unwrapped with one of the identities.
    ///
    /// # Errors
    /// [`Error::Open`], or [`Error::Prologue`] for a malformed header.
    pub fn task(self, identities: &[impl AsRef<dyn Identity>]) -> Result<Task, Error> {
        Ok(self.unlock(identities)?.open())
    }

    /// Unwraps the file key with one of the identities, and checks the header with it. What is to
    /// be done with the payload is not said yet.
    ///
    /// # Errors
    /// [`Error::Open`], or [`Error::Prologue`] for a malformed header.
    pub fn unlock(self, identities: &[impl AsRef<dyn Identity>]) -> Result<Unlocked, Error> {
        let key = self.prologue.file_key(identities)?;
        Ok(Unlocked { sealed: self, key })
    }

    /// A task on what is behind the prologue; a stream is there already.
    fn payload(self, work: Option<Work>) -> Task {
        let front = self.prologue.len();
        let skip = if matches!(self.input.0, Kind::File(..)) { front } else { 0 };
        Task { skip, front, ..Task::of(self.input, work) }
    }
}

/// A sealed input whose file key is known.
///
/// To give a file to other recipients, its header is written anew, around the same file key; the
/// payload is copied, and not checked:
///
/// ```
/// use std::time::Duration;
/// use saltmill::{Input, Opener, Output, SealedInput, Sealer, age::{Identity, Recipient, x25519}};
/// use saltmill::engine::{CancelToken, CpuWorker, Engine};
///
/// let folder = tempfile::tempdir()?;
/// let path = |name| folder.path().join(name);
/// let workers = vec![Box::new(CpuWorker::new(0)) as _];
/// let mut engine = Engine::new(workers, Duration::from_secs(10), CancelToken::default());
///
/// let (old, new) = (x25519::Identity::generate(), x25519::Identity::generate());
/// let sealer = Sealer::new(vec![Box::new(old.to_public())]);
/// let (text, file) = (Input::stream(&b"a small text"[..]), Output::create(path("text.age")));
/// sealer.seal(&mut engine, text, file, &mut |_| {})?;
///
/// let identities: [Box<dyn Identity>; 1] = [Box::new(old)];
/// let recipients: [Box<dyn Recipient>; 1] = [Box::new(new.to_public())];
/// let unlocked = SealedInput::read(Input::open(path("text.age"))?)?.unlock(&identities)?;
/// let task = unlocked.rekey(&recipients, false)?;
/// task.run(&mut engine, Output::replace(path("text.age")), &mut |_| {})?;
///
/// let opener = Opener::new(vec![Box::new(new)]);
/// let (sealed, text) = (Input::open(path("text.age"))?, Output::create(path("text")));
/// opener.open(&mut engine, sealed, text, &mut |_| {})?;
/// assert_eq!(std::fs::read(path("text"))?, b"a small text");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Unlocked {
    sealed: SealedInput,
    key: FileKey,
}

impl Unlocked {
    /// Whether it has an armor.
    pub fn is_armored(&self) -> bool {
        self.sealed.armored
    }

    /// What is to be done to open it.
    pub fn open(self) -> Task {
        let key = self.sealed.prologue.payload_key(&self.key);
        let work = Work::Open(Chunks::new(Key::new(*key.bytes())));
        self.sealed.payload(Some(work))
    }

    /// What is to be done to give it to these recipients instead of the old ones, with an armor or
    /// without. Its file key stays the same: an old recipient who has kept it can open the new
    /// file, too.
    ///
    /// # Errors
    /// [`Error::Seal`]: no recipient, some that don't go together, a plugin that fails.
    pub fn rekey(
        self,
        recipients: &[impl AsRef<dyn Recipient>],
        armor: bool,
    ) -> Result<Task, Error> {
        let prefix = self.sealed.prologue.rekey(&self.key, recipients)?;
        Ok(Task { prefix, armor, ..self.sealed.payload(None) })
    }
}

fn read_error(source: io::Error) -> PrologueError {
    PrologueError::Read { offset: 0, source }
}

fn from_start(mut file: File) -> Result<File, PrologueError> {
    io::Seek::rewind(&mut file).map_err(read_error)?;
    Ok(file)
}

fn from_stream(stream: Stream) -> Result<(Prologue, Kind, bool), PrologueError> {
    let Opened { prologue, payload, armored } = Opened::read(stream.read)?;
    // The end of a line of armor may have to be waited for.
    let ready = stream.ready.filter(|_| !armored);
    Ok((prologue, Kind::Stream(Stream { read: Box::new(payload), ready }), armored))
}
