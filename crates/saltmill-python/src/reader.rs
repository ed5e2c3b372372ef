// SPDX-License-Identifier: Apache-2.0
//! A sealed file that is read anywhere: what `saltmill.open` is made of.

use std::{
    fs::File,
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use pyo3::{buffer::PyBuffer, exceptions::PyValueError, prelude::*, types::PyBytes};
use saltmill::{Reader, Source, engine::EngineError};
use zeroize::Zeroizing;

use crate::{
    buffers::{Seekable, new_bytes},
    errors::{detached, library, os},
    files::End,
    keys::{By, Several},
};

/// More is read at once only in pieces of so many bytes: memory stays bounded.
const PIECE: usize = 1 << 20;

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SealedReader>()
}

/// Any part of a text.
#[pyclass(frozen, module = "saltmill._saltmill")]
pub struct SealedReader {
    reader: Reader,
    /// Memory for what goes into a buffer, which is not to be written without the lock of Python.
    /// Who needs it takes it, and whoever reads meanwhile has his own.
    memory: Mutex<Zeroizing<Vec<u8>>>,
}

#[pymethods]
impl SealedReader {
    #[new]
    fn new(
        py: Python<'_>,
        source: End,
        identities: Several<By>,
        cached_chunks: usize,
    ) -> PyResult<Self> {
        let (source, len): (Source, u64) = match source {
            End::Path(path) => {
                let name = path.to_string_lossy();
                let file = File::open(&path).map_err(|error| os(error, Some(&name)))?;
                let metadata = file.metadata().map_err(|error| os(error, Some(&name)))?;
                (Box::new(file), metadata.len())
            }
            End::Object(object) => {
                let (file, len) = Seekable::new(object.bind(py))?;
                (Box::new(file), len)
            }
        };
        let reader = py.detach(|| Reader::open(source, len, &identities.boxed(), cached_chunks));
        let reader = reader.map_err(|error| library(py, error))?;
        Ok(Self { reader, memory: Mutex::default() })
    }

    #[getter]
    fn size(&self) -> u64 {
        self.reader.payload().text_bytes()
    }

    fn read_at<'py>(
        &self,
        py: Python<'py>,
        offset: u64,
        size: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let left = self.size().saturating_sub(offset);
        let len = usize::try_from(left).unwrap_or(usize::MAX).min(size);
        new_bytes(py, len, |memory| {
            let read = self.reader.read_at(offset, memory).map_err(detached)?;
            debug_assert_eq!(read, len, "the text is as long as the file says");
            if read == len { Ok(()) } else { Err(detached(short(offset))) }
        })
        .map(|(bytes, ())| bytes)
    }

    fn read_into(&self, py: Python<'_>, offset: u64, target: PyBuffer<u8>) -> PyResult<usize> {
        let left = usize::try_from(self.size().saturating_sub(offset)).unwrap_or(usize::MAX);
        let whole = target.item_count();
        if left >= whole && whole <= PIECE {
            let mut memory = mem::take(&mut *self.memory());
            if memory.len() < whole {
                memory = Zeroizing::new(vec![0; whole]);
            }
            let piece = &mut memory[..whole];
            let read = py.detach(|| self.reader.read_at(offset, piece));
            read.map_err(|error| library(py, error))?;
            target.copy_from_slice(py, piece)?;
            *self.memory() = memory;
            return Ok(whole);
        }
        Err(PyValueError::new_err("the buffer is longer than what is left, or than 1 MiB"))
    }
}

impl SealedReader {
    fn memory(&self) -> MutexGuard<'_, Zeroizing<Vec<u8>>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn short(offset: u64) -> saltmill::Error {
    let source = std::io::ErrorKind::UnexpectedEof.into();
    EngineError::Read { offset, source }.into()
}
