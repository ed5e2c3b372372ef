// SPDX-License-Identifier: Apache-2.0
//! Streams that C reads and writes.

use std::{
    io::{self, Read, Write},
    sync::{Arc, Mutex, PoisonError},
};

use saltmill::{Input, Opener, Output, Sealer};

use crate::{
    engine::{Options, run},
    error::{Error, Status, call},
    keys::{Identities, Recipients},
    raw::{Context, needed},
};

/// Where bytes come from.
#[repr(C)]
pub struct Source {
    /// Puts up to `size` bytes into `buffer`, which has room for them, and gives their number: 0 at
    /// the end, or a negative number, -errno, if reading fails. Must not be null.
    pub read: Option<extern "C" fn(context: Context, buffer: *mut u8, size: usize) -> isize>,
    /// Given back to `read`.
    pub context: Context,
}

/// Where bytes go.
#[repr(C)]
pub struct Target {
    /// Takes some of `size` bytes of `data`, and gives their number: at least 1, or a negative
    /// number, -errno, if writing fails. Must not be null.
    pub write: Option<extern "C" fn(context: Context, data: *const u8, size: usize) -> isize>,
    /// Given back to `write`.
    pub context: Context,
}

/// Seals what is read, and writes it: in order, with bounded memory (some MiB). The functions are
/// called on other threads, `read` and `write` at the same time, each by one thread at a time, and
/// not any more when this returns.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_encrypt_stream(
    source: Option<&Source>,
    target: Option<&Target>,
    recipients: Option<&Recipients>,
    options: Option<&Options<'_>>,
) -> Status {
    call(|| {
        let ends = Ends::new(source, target)?;
        let armor = options.is_some_and(|options| options.armor);
        let sealer = Sealer::new(needed(recipients)?.boxed()).armored(armor);
        let task = sealer.task(ends.input())?;
        let output = ends.output();
        run(options, u64::MAX, |engine, events| task.run(engine, output, events)).map(drop)
    })
}

/// Opens what is read, with an armor or without, and writes the text, of which each byte was
/// authenticated. If this fails, the end is missing in what was written. Functions are called as by
/// `saltmill_encrypt_stream()`.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_decrypt_stream(
    source: Option<&Source>,
    target: Option<&Target>,
    identities: Option<&Identities>,
    options: Option<&Options<'_>>,
) -> Status {
    call(|| {
        let ends = Ends::new(source, target)?;
        let task = Opener::new(needed(identities)?.boxed()).task(ends.input())?;
        let output = ends.output();
        run(options, u64::MAX, |engine, events| task.run(engine, output, events)).map(drop)
    })
}

type ReadFunction = extern "C" fn(Context, *mut u8, usize) -> isize;
type WriteFunction = extern "C" fn(Context, *const u8, usize) -> isize;

/// Both ends. When it is dropped, a call that is under way is waited for, and none comes after it:
/// the engine's threads may outlive a run that failed.
struct Ends {
    read: Shared<ReadFunction>,
    write: Shared<WriteFunction>,
}

struct Shared<F>(Arc<Mutex<Option<(F, Context)>>>);

impl<F: Copy> Shared<F> {
    fn new(function: F, context: Context) -> Self {
        Self(Arc::new(Mutex::new(Some((function, context)))))
    }

    fn another(&self) -> Self {
        Self(Arc::clone(&self.0))
    }

    fn close(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn call(&self, size: usize, act: impl FnOnce(F, Context) -> isize) -> io::Result<usize> {
        let function = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (function, context) = function.ok_or(io::ErrorKind::BrokenPipe)?;
        let done = act(function, context);
        match usize::try_from(done) {
            Ok(done) if done <= size => Ok(done),
            Ok(_) => Err(io::ErrorKind::InvalidInput.into()),
            Err(_) => {
                let number = i32::try_from(done.unsigned_abs()).unwrap_or(0);
                Err(io::Error::from_raw_os_error(number))
            }
        }
    }
}

impl Ends {
    fn new(source: Option<&Source>, target: Option<&Target>) -> Result<Self, Error> {
        let (source, target) = (needed(source)?, needed(target)?);
        let read = Shared::new(needed(source.read)?, source.context);
        Ok(Self { read, write: Shared::new(needed(target.write)?, target.context) })
    }

    fn input(&self) -> Input {
        Input::stream(Reading(self.read.another()))
    }

    fn output(&self) -> Output {
        Output::stream(Writing(self.write.another()))
    }
}

impl Drop for Ends {
    fn drop(&mut self) {
        self.read.close();
        self.write.close();
    }
}

struct Reading(Shared<ReadFunction>);

impl Read for Reading {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (place, size) = (buffer.as_mut_ptr(), buffer.len());
        self.0.call(size, |read, context| read(context, place, size))
    }
}

struct Writing(Shared<WriteFunction>);

impl Write for Writing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (place, size) = (bytes.as_ptr(), bytes.len());
        self.0.call(size, |write, context| write(context, place, size))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
