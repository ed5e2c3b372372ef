// SPDX-License-Identifier: Apache-2.0
//! Python's buffers and file objects as what the library reads and writes.
//!
//! What a `bytes` object holds never changes, so that it is read where it is. Anything else may be
//! changed by another thread: it is copied, piece by piece, where it is needed.

use std::{
    borrow::Cow,
    io::{self, Read, Write},
    sync::{Mutex, PoisonError},
};

use pyo3::{
    buffer::PyBuffer,
    exceptions::{PyBlockingIOError, PyBufferError},
    prelude::*,
    types::{PyBytes, PyMemoryView, PySlice},
};
use saltmill::{Memory, engine::ReadAt};

/// Bytes of any object that has a buffer.
pub enum Buffer<'py> {
    Bytes(Bound<'py, PyBytes>),
    View(View, usize),
}

/// A view of bytes, and how long it is: what is read of it is copied by a thread that is attached.
pub struct View(Py<PyMemoryView>);

impl<'py> Buffer<'py> {
    /// The bytes of an object: contiguous, whatever its items are.
    pub fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.clone()));
        }
        let view = PyMemoryView::from(object)?;
        let len: usize = view.getattr("nbytes")?.extract()?;
        // A view without items can't be cast.
        let view = if len == 0 {
            PyMemoryView::from(&PyBytes::new(object.py(), b""))?
        } else {
            view.call_method1("cast", ("B",))?.cast_into::<PyMemoryView>()?
        };
        Ok(Self::View(View(view.unbind()), len))
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.as_bytes().len(),
            Self::View(_, len) => *len,
        }
    }

    /// To be read on any thread.
    pub fn source(&self) -> BufferSource<'_> {
        match self {
            Self::Bytes(bytes) => BufferSource::Bytes(Memory(bytes.as_bytes())),
            Self::View(view, _) => BufferSource::View(view),
        }
    }

    /// All of it, copied if it could change.
    pub fn whole(&self, py: Python<'_>) -> PyResult<Cow<'_, [u8]>> {
        match self {
            Self::Bytes(bytes) => Ok(Cow::Borrowed(bytes.as_bytes())),
            Self::View(view, len) => {
                let mut copy = vec![0; *len];
                view.copy(py, 0, &mut copy)?;
                Ok(Cow::Owned(copy))
            }
        }
    }
}

impl View {
    fn copy(&self, py: Python<'_>, start: usize, target: &mut [u8]) -> PyResult<()> {
        let end = (start + target.len()).cast_signed();
        let part = PySlice::new(py, start.cast_signed(), end, 1);
        let part = self.0.bind(py).get_item(part)?;
        PyBuffer::<u8>::get(&part)?.copy_to_slice(py, target)
    }
}

/// The bytes of a buffer.
pub enum BufferSource<'a> {
    Bytes(Memory<'a>),
    View(&'a View),
}

impl ReadAt for BufferSource<'_> {
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        match self {
            Self::Bytes(memory) => memory.read_exact_at(buffer, offset),
            Self::View(view) => {
                let start = usize::try_from(offset).map_err(|_| io::ErrorKind::UnexpectedEof)?;
                Ok(Python::attach(|py| view.copy(py, start, buffer))?)
            }
        }
    }
}

/// New bytes, filled while other Python threads run.
pub fn new_bytes<T: Send>(
    py: Python<'_>,
    len: usize,
    fill: impl FnOnce(&mut [u8]) -> PyResult<T> + Send,
) -> PyResult<(Bound<'_, PyBytes>, T)> {
    let mut result = None;
    let bytes = PyBytes::new_with(py, len, |memory| {
        result = Some(py.detach(|| fill(memory))?);
        Ok(())
    })?;
    let result = result.ok_or_else(|| PyBufferError::new_err("nothing was filled"))?;
    Ok((bytes, result))
}

/// A file object that is read or written from front to back.
pub struct Stream {
    object: Py<PyAny>,
}

impl Stream {
    pub fn new(object: Py<PyAny>) -> Self {
        Self { object }
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let read = self.object.bind(py).call_method1("read", (buffer.len(),))?;
            let read = Buffer::of(&read)?;
            let len = read.len();
            if len > buffer.len() {
                return Err(PyBufferError::new_err("read() gave more than it was asked for"));
            }
            match &read {
                Buffer::Bytes(bytes) => buffer[..len].copy_from_slice(bytes.as_bytes()),
                Buffer::View(view, _) => view.copy(py, 0, &mut buffer[..len])?,
            }
            Ok(len)
        })
        .map_err(io::Error::from)
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let object = self.object.bind(py);
            let written = object.call_method1("write", (PyBytes::new(py, bytes),))?;
            if !written.is_none() {
                let written = written.extract::<usize>()?;
                let more = || PyBufferError::new_err("write() took more than it was given");
                return if written > bytes.len() { Err(more()) } else { Ok(written) };
            }
            // A file object that is not raw takes all, and some of those say nothing.
            if object.is_instance(&py.import("io")?.getattr("RawIOBase")?)? {
                return Err(PyBlockingIOError::new_err("write() would block"));
            }
            Ok(bytes.len())
        })
        .map_err(|error: PyErr| error.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Python::attach(|py| match self.object.bind(py).getattr_opt("flush")? {
            Some(flush) => flush.call0().map(drop),
            None => Ok(()),
        })
        .map_err(|error: PyErr| error.into())
    }
}

/// A file object that can be read anywhere: one thread at a time.
pub struct Seekable(Mutex<Stream>);

impl Seekable {
    /// The object, and its size.
    pub fn new(object: &Bound<'_, PyAny>) -> PyResult<(Self, u64)> {
        let size = object.call_method1("seek", (0, 2))?.extract()?;
        Ok((Self(Mutex::new(Stream::new(object.clone().unbind()))), size))
    }
}

impl ReadAt for Seekable {
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let mut stream = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Python::attach(|py| stream.object.bind(py).call_method1("seek", (offset,)).map(drop))?;
        stream.read_exact(buffer)
    }
}
