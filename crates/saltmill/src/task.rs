// SPDX-License-Identifier: Apache-2.0
//! One input through the engine into one output, whatever is done with it.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    ops::Range,
};

use saltmill_engine::{
    Algorithm, Engine, EngineError, Event, Offset, ReadAt, Refused, Report, SingleWorker, Work,
    WorkerReport, WriteAt,
};

use crate::{
    Error, Input, Output, Sums,
    armor::Framed,
    begin::{Stream, work_on},
    copy::copy,
    crop::{Crop, Nowhere},
    input::Kind,
    output::PendingFile,
    system::Ready,
};

/// An input, and what is to be done with it. [`Sealer`](crate::Sealer), [`Opener`](crate::Opener)
/// and [`Unlocked`](crate::Unlocked) make them.
pub struct Task {
    pub(crate) input: Input,
    /// None: it is copied as it is.
    pub(crate) work: Option<Work>,
    /// Bytes in front of what is worked on; a stream is behind them already.
    pub(crate) skip: u64,
    /// Bytes in front of the first chunk, for messages.
    pub(crate) front: u64,
    /// Bytes to be written first.
    pub(crate) prefix: Vec<u8>,
    /// Write the armor of the age format around all.
    pub(crate) armor: bool,
    /// Which bytes of what comes out are wanted, if not all.
    pub(crate) kept: Option<Range<u64>>,
    /// Digests that are computed.
    pub(crate) sums: Option<Sums>,
}

impl Task {
    /// Work on the whole input, with nothing in front of it: a raw stream of ChaCha20 or of AES in
    /// CTR mode.
    ///
    /// ```
    /// use std::time::Duration;
    /// use saltmill::{Input, Output, Task, engine::{CancelToken, Cipher, CpuWorker, Engine, Key}};
    ///
    /// let cipher = Cipher::new(Key::new([7; 32]), *b"twelve bytes", 0);
    /// let task = Task::new(Input::stream(&b"a text"[..]), cipher);
    /// let workers = vec![Box::new(CpuWorker::new(0)) as _];
    /// let mut engine = Engine::new(workers, Duration::from_secs(10), CancelToken::default());
    /// let report = task.run(&mut engine, Output::stream(std::io::sink()), &mut |_| {})?;
    /// assert_eq!(report.bytes, 6);
    /// # Ok::<(), saltmill::Error>(())
    /// ```
    pub fn new(input: Input, work: impl Into<Work>) -> Self {
        Self::of(input, Some(work.into()))
    }

    pub(crate) fn of(input: Input, work: Option<Work>) -> Self {
        let prefix = Vec::new();
        Self { input, work, skip: 0, front: 0, prefix, armor: false, kept: None, sums: None }
    }

    /// What computes it; none if it is copied.
    pub fn algorithm(&self) -> Option<Algorithm> {
        self.work.as_ref().map(Work::algorithm)
    }

    /// Bytes that are worked on, if they are known: what progress goes up to.
    pub fn work_bytes(&self) -> Option<u64> {
        self.input.len().map(|len| len.saturating_sub(self.skip))
    }

    /// Digests of the input and of the output, computed while the task is done:
    /// [`Sealer::summed`](crate::Sealer::summed).
    ///
    /// ```
    /// use std::time::Duration;
    /// use saltmill::{Input, Output, Sealer, engine::{CancelToken, CpuWorker, Engine}};
    /// use saltmill::{age, sum::HashAlgorithm};
    ///
    /// let identity = age::x25519::Identity::generate();
    /// let sealer = Sealer::new(vec![Box::new(identity.to_public())]);
    /// let sealer = sealer.summed([HashAlgorithm::Md5]);
    /// let task = sealer.task(Input::stream(&b"abc"[..]))?;
    /// let sums = task.sums().expect("they were asked for");
    /// let workers = vec![Box::new(CpuWorker::new(0)) as _];
    /// let mut engine = Engine::new(workers, Duration::from_secs(10), CancelToken::default());
    /// task.run(&mut engine, Output::stream(std::io::sink()), &mut |_| {})?;
    /// let (text, sealed) = sums.finish();
    /// assert_eq!(text.digests[0].to_string(), "900150983cd24fb0d6963f7d28e17f72");
    /// assert_eq!((text.bytes, sealed.bytes > 200), (3, true));
    /// # Ok::<(), saltmill::Error>(())
    /// ```
    pub fn sums(&self) -> Option<Sums> {
        self.sums.clone()
    }

    /// Whether workers can use both ends anywhere and at once.
    pub fn is_in_place(&self, output: &Output) -> bool {
        let file = matches!(self.input.0, Kind::File(..));
        let streamed = self.armor || self.sums.is_some();
        file && output.is_in_place() && !streamed && self.work.is_some()
    }

    /// Does it, with all workers of the engine. If it fails, no output file is left; into a stream
    /// nothing goes that was not what had been sealed.
    ///
    /// # Errors
    /// [`Error::Engine`], [`Error::Armor`], [`Error::Create`], [`Error::Name`].
    pub fn run(
        self,
        engine: &mut Engine,
        output: Output,
        events: &mut dyn FnMut(Event),
    ) -> Result<Report, Error> {
        if self.is_in_place(&output) {
            return self.in_place(&output, |work, input, len, output| {
                engine.in_place(work, input, len, output, events)
            });
        }
        let (target, pending): (Box<dyn Write + Send>, _) = match output {
            Output::Stream(stream) => (stream, None),
            Output::Nothing => (Box::new(io::sink()), None),
            Output::Special(path) => {
                let file = File::options().write(true).open(path).map_err(Error::Create)?;
                (Box::new(file), None)
            }
            Output::File(file) => {
                let pending = file.begin().map_err(Error::Create)?;
                let target = pending.file().try_clone().map_err(write_error)?;
                (Box::new(target), Some(pending))
            }
        };
        let report = self.streamed(engine, target, events)?;
        pending.map_or(Ok(()), PendingFile::finish).map_err(Error::Name)?;
        Ok(report)
    }

    /// Does it with one worker, where [`is_in_place`](Self::is_in_place); another worker can do it
    /// again.
    ///
    /// # Errors
    /// As [`run`](Self::run); an input or output that is not in place is an [`EngineError::Read`].
    pub fn run_single(
        &self,
        worker: &mut SingleWorker<'_>,
        output: &Output,
    ) -> Result<WorkerReport, Error> {
        self.in_place(output, |work, input, len, output| worker.in_place(work, input, len, output))
    }

    /// Lets `act` work on what is behind the skipped bytes and in front of which the prefix is
    /// written.
    fn in_place<T>(
        &self,
        output: &Output,
        act: impl FnOnce(Work, &dyn ReadAt, u64, &dyn WriteAt) -> Result<T, EngineError>,
    ) -> Result<T, Error> {
        let (Kind::File(file, len), Some(work)) = (&self.input.0, self.work.clone()) else {
            let source = io::ErrorKind::NotSeekable.into();
            return Err(EngineError::Read { offset: 0, source }.into());
        };
        let (source, len) = (Offset::new(file, self.skip), len.saturating_sub(self.skip));
        let Output::File(new) = output else {
            return act(work, &source, len, &Nowhere).map_err(|error| self.placed(error));
        };
        let pending = new.begin().map_err(Error::Create)?;
        let target = pending.file();
        target.write_all_at(&self.prefix, 0).map_err(write_error)?;
        let target = Offset::new(target, self.prefix.len() as u64);
        let done = match self.kept.clone() {
            Some(kept) => act(work, &source, len, &Crop::new(&target as &dyn WriteAt, kept)),
            None => act(work, &source, len, &target),
        };
        let done = done.map_err(|error| self.placed(error))?;
        pending.finish().map_err(Error::Name)?;
        Ok(done)
    }

    fn streamed(
        mut self,
        engine: &mut Engine,
        target: Box<dyn Write + Send>,
        events: &mut dyn FnMut(Event),
    ) -> Result<Report, Error> {
        let bytes = self.work_bytes();
        let input = std::mem::replace(&mut self.input, Input::stream(io::empty()));
        let Stream { read, ready } = stream(input, self.skip)?;
        let (read, target) = match &self.sums {
            Some(sums) => sums.around(read, target),
            None => (read, target),
        };
        let mut target = Framed::new(target, self.armor).map_err(write_error)?;
        target.write_all(&self.prefix).map_err(write_error)?;
        let output = target.clone();
        let output: Box<dyn Write + Send> = match self.kept.clone() {
            Some(kept) => Box::new(Crop::new(output, kept)),
            None => Box::new(output),
        };
        let report = match self.work.clone() {
            Some(work) => work_on(Stream { read, ready }, work, engine, output, events),
            None => copy(read, output, bytes, &engine.cancel_token(), events),
        };
        let report = report.map_err(|error| self.placed(error))?;
        target.finish().map_err(write_error)?;
        Ok(report)
    }

    /// The error with offsets of the files as they are.
    fn placed(&self, error: EngineError) -> Error {
        match error {
            EngineError::Read { source, .. } if source.kind() == io::ErrorKind::InvalidData => {
                Error::Armor(source)
            }
            EngineError::Read { offset, source } => {
                EngineError::Read { offset: offset + self.skip, source }.into()
            }
            EngineError::Write { offset, source } => {
                let offset = offset + self.prefix.len() as u64;
                EngineError::Write { offset, source }.into()
            }
            EngineError::Refused(Refused { chunk, offset }) => {
                EngineError::Refused(Refused { chunk, offset: offset + self.front }).into()
            }
            other => other.into(),
        }
    }
}

fn write_error(source: io::Error) -> Error {
    EngineError::Write { offset: 0, source }.into()
}

fn stream(input: Input, skip: u64) -> Result<Stream, Error> {
    match input.0 {
        Kind::File(file, len) => {
            let sought = at(file, skip);
            let file = sought.map_err(|source| EngineError::Read { offset: 0, source })?;
            let ready = Ready::of(&file);
            Ok(Stream { ready, ..Stream::new(file.take(len.saturating_sub(skip))) })
        }
        Kind::Stream(stream) => Ok(stream),
    }
}

fn at(mut file: File, offset: u64) -> io::Result<File> {
    file.seek(SeekFrom::Start(offset))?;
    Ok(file)
}
