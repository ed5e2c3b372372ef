// SPDX-License-Identifier: Apache-2.0
//! Work on a stream: one that ends within its first job needs no thread to read it, and none to
//! write.

use std::{
    io::{self, Cursor, ErrorKind, Read, Write},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use saltmill_engine::{CancelToken, Engine, EngineError, Event, Report, Work, WriteAt};
use zeroize::Zeroize;

use crate::{Memory, system::Ready};

/// How often cancellation is looked for.
const TICK: Duration = Duration::from_millis(50);

/// What is read from front to back.
pub(crate) struct Stream {
    pub read: Box<dyn Read + Send>,
    /// Tells when a read does not have to wait, if that can be known.
    pub ready: Option<Ready>,
}

impl Stream {
    /// One that may have to be waited for at every read.
    pub fn new(read: impl Read + Send + 'static) -> Self {
        Self { read: Box::new(read), ready: None }
    }
}

/// Does the work, on the caller's thread as far as the first job goes.
pub(crate) fn work_on(
    stream: Stream,
    work: Work,
    engine: &mut Engine,
    output: Box<dyn Write + Send>,
    events: &mut dyn FnMut(Event),
) -> Result<Report, EngineError> {
    let Stream { mut read, ready } = stream;
    let Some(ready) = ready else { return engine.streamed(work, read, output, events) };
    let most = work.job_bytes();
    let mut start = Start::new(most + 1);
    start.fill(&mut *read, &ready, &engine.cancel_token())?;
    if start.len > most {
        let whole = Box::new(Cursor::new(start).chain(read));
        return engine.streamed(work, whole, output, events);
    }
    let bytes = start.as_ref();
    let output = Front(Mutex::new((0, output)));
    engine.in_place(work, &Memory(bytes), bytes.len() as u64, &output, events)
}

/// What a stream starts with. What was used of its memory is cleared.
struct Start {
    bytes: Vec<u8>,
    len: usize,
}

impl Start {
    /// Room for so many bytes; the system gives them as they are used.
    fn new(room: usize) -> Self {
        Self { bytes: vec![0; room], len: 0 }
    }

    /// Reads until it is full or the stream ends.
    fn fill(
        &mut self,
        input: &mut dyn Read,
        ready: &Ready,
        cancel: &CancelToken,
    ) -> Result<(), EngineError> {
        while self.len < self.bytes.len() {
            if cancel.is_cancelled() {
                return Err(EngineError::Cancelled);
            }
            if !ready.wait(TICK) {
                continue;
            }
            match input.read(&mut self.bytes[self.len..]) {
                Ok(0) => break,
                Ok(read) => self.len += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(source) => return Err(EngineError::Read { offset: self.len as u64, source }),
            }
        }
        Ok(())
    }
}

impl AsRef<[u8]> for Start {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl Drop for Start {
    fn drop(&mut self) {
        self.bytes[..self.len].zeroize();
    }
}

/// A stream in the place of a file that is written from its front, and how far that is.
struct Front(Mutex<(u64, Box<dyn Write + Send>)>);

impl WriteAt for Front {
    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let (end, output) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if offset != *end {
            return Err(ErrorKind::NotSeekable.into());
        }
        *end += bytes.len() as u64;
        output.write_all(bytes)?;
        output.flush()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{
        fs::File,
        io::{PipeWriter, pipe},
        os::fd::OwnedFd,
        sync::{Arc, mpsc::channel},
        thread,
    };

    use saltmill_engine::{CHUNK_BYTES, Chunks, CpuWorker, Key, SEALED_CHUNK_BYTES};

    use super::*;
    use crate::{Error, Input, Output, Task};

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Does the work on what `write` puts into a pipe.
    fn run(
        work: Work,
        cancel: &CancelToken,
        write: impl FnOnce(PipeWriter) + Send + 'static,
    ) -> Result<Vec<u8>, Error> {
        let worker = |index| Box::new(CpuWorker::new(index)) as _;
        let workers = vec![worker(0), worker(1)];
        let mut engine = Engine::new(workers, Duration::from_secs(10), cancel.clone());
        let (input, end) = pipe().expect("a pipe");
        let input = Input::file(File::from(OwnedFd::from(input))).expect("no folder");
        let writing = thread::spawn(move || write(end));
        let output = Written::default();
        let done =
            Task::new(input, work).run(&mut engine, Output::stream(output.clone()), &mut |_| {});
        writing.join().expect("no panic");
        let bytes = output.0.lock().expect("no panic").clone();
        done.map(|_| bytes)
    }

    fn chunks() -> Chunks {
        Chunks::new(Key::new([7; 32]))
    }

    #[test]
    fn a_text_of_any_length_comes_back() {
        let never = CancelToken::default();
        for len in [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 5 * CHUNK_BYTES + 9] {
            let text: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
            let given = text.clone();
            let sealed = run(Work::Seal(chunks()), &never, move |mut end| {
                end.write_all(&given).expect("read");
            });
            let sealed = sealed.expect("sealed");
            assert_eq!(sealed.len(), len + len.div_ceil(CHUNK_BYTES).max(1) * 16);
            let opened = run(Work::Open(chunks()), &never, move |mut end| {
                // The reader finds less than a chunk, and has to wait.
                for piece in sealed.chunks(SEALED_CHUNK_BYTES / 2 + 1) {
                    end.write_all(piece).expect("read");
                    thread::sleep(TICK / 5);
                }
            });
            assert!(opened.expect("opened") == text, "{len}");
        }
    }

    #[test]
    fn what_is_no_sealed_chunk_is_refused() {
        let never = CancelToken::default();
        for len in [0, 15, 16, 100] {
            let refused = run(Work::Open(chunks()), &never, move |mut end| {
                end.write_all(&vec![1; len]).expect("read");
            });
            let Err(Error::Engine(EngineError::Refused(refused))) = refused else {
                panic!("{refused:?}")
            };
            assert_eq!((refused.chunk, refused.offset), (0, 0), "{len}");
        }
    }

    #[test]
    fn an_input_that_does_not_come_is_not_waited_for() {
        let cancel = CancelToken::default();
        let (done, ended) = channel();
        let other = cancel.clone();
        let cancelled = thread::spawn(move || {
            let cancelled = run(Work::Seal(chunks()), &other, |mut end| {
                end.write_all(&[1; 1000]).expect("room");
                // Open until the run has ended.
                thread::spawn(move || ended.recv().map(|()| drop(end)));
            });
            done.send(()).expect("somebody waits");
            cancelled
        });
        thread::sleep(TICK);
        cancel.cancel();
        let cancelled = cancelled.join().expect("no panic");
        assert!(matches!(cancelled, Err(Error::Engine(EngineError::Cancelled))));
    }
}
