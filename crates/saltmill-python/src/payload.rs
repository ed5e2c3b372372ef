// SPDX-License-Identifier: Apache-2.0
//! Runs of chunks of a file that is somewhere else, and plans: whoever has the bytes of a part gets
//! those of its result.

use std::{ops::Range, sync::Arc};

use pyo3::{
    exceptions::{PyIndexError, PyValueError},
    prelude::*,
    types::{PyBytes, PyType},
};
use saltmill::{
    MemoryMut, Payload as LibraryPayload, Plan as LibraryPlan,
    engine::{CHUNK_BYTES, SEALED_CHUNK_BYTES},
    format::Prologue,
};

use crate::{
    buffers::{Buffer, new_bytes},
    engine::{Engine, Run},
    errors::{detached, library},
    keys::{By, Several, To},
};

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("CHUNK_BYTES", CHUNK_BYTES)?;
    module.add("SEALED_CHUNK_BYTES", SEALED_CHUNK_BYTES)?;
    module.add_class::<Payload>()?;
    module.add_class::<Plan>()
}

/// Opens chunks of one file.
#[pyclass(frozen, module = "saltmill._saltmill")]
pub struct Payload {
    payload: LibraryPayload,
}

#[pymethods]
impl Payload {
    #[new]
    fn new(
        py: Python<'_>,
        head: &[u8],
        file_bytes: u64,
        identities: Several<By>,
    ) -> PyResult<Self> {
        let payload = py.detach(|| -> Result<_, saltmill::Error> {
            let prologue = Prologue::read(&mut &head[..])?;
            let key = prologue.open(&identities.boxed())?;
            LibraryPayload::of_file(&key, prologue.len(), file_bytes)
        });
        Ok(Self { payload: payload.map_err(|error| library(py, error))? })
    }

    #[getter]
    fn text_bytes(&self) -> u64 {
        self.payload.text_bytes()
    }

    #[getter]
    fn chunks(&self) -> u64 {
        self.payload.chunks()
    }

    fn chunks_of(&self, start: u64, stop: u64) -> (u64, u64) {
        let Range { start, end } = self.payload.chunks_of(start..stop);
        (start, end)
    }

    fn sealed(&self, first: u64, stop: u64) -> (u64, u64) {
        let Range { start, end } = self.payload.place(first..stop).sealed;
        (start, end)
    }

    fn open<'py>(
        &self,
        py: Python<'py>,
        first: u64,
        stop: u64,
        data: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        if first >= stop || stop > self.payload.chunks() {
            return Err(PyIndexError::new_err(format!("there are no chunks {first} to {stop}")));
        }
        let (data, place) = (Buffer::of(data)?, self.payload.place(first..stop));
        check(&data, &place.sealed)?;
        let text = size(&place.text);
        if stop - first <= FEW_CHUNKS {
            let sealed = data.whole(py)?;
            let open = |memory: &mut _| open_few(&self.payload, first..stop, &sealed, memory);
            return new_bytes(py, text, open).map(|(text, ())| text);
        }
        let source = data.source();
        let detached = Run { engine: None, progress: None }.detached(stop - first);
        let (text, _) = new_bytes(py, text, |memory| {
            let output = MemoryMut::new(memory, CHUNK_BYTES);
            detached.run_to_end(|engine, events| {
                self.payload.open(engine, first..stop, &source, &output, events)
            })
        })?;
        Ok(text)
    }
}

/// So many chunks are worked on by the thread that asks: an engine has to start others, and has
/// memory of its own, which it clears; that takes as long as sealing.
pub const FEW_CHUNKS: u64 = 4;

/// Opens chunks where their text stays.
pub fn open_few(
    payload: &LibraryPayload,
    chunks: Range<u64>,
    sealed: &[u8],
    text: &mut [u8],
) -> PyResult<()> {
    let start = payload.place(chunks.clone());
    for chunk in chunks {
        let place = payload.place(chunk..chunk + 1);
        let within = |range: &Range<u64>, start: u64| {
            (range.start - start) as usize..(range.end - start) as usize
        };
        let sealed = &sealed[within(&place.sealed, start.sealed.start)];
        let text = &mut text[within(&place.text, start.text.start)];
        payload.open_chunk(chunk, sealed, text).map_err(detached)?;
    }
    Ok(())
}

/// A file in parts.
#[pyclass(frozen, module = "saltmill._saltmill")]
pub struct Plan {
    plan: Arc<LibraryPlan>,
}

impl Plan {
    fn of(py: Python<'_>, plan: Result<LibraryPlan, saltmill::Error>) -> PyResult<Self> {
        Ok(Self { plan: Arc::new(plan.map_err(|error| library(py, error))?) })
    }
}

#[pymethods]
impl Plan {
    #[classmethod]
    fn to_seal(
        class: &Bound<'_, PyType>,
        recipients: Several<To>,
        text_bytes: u64,
        chunks: u64,
    ) -> PyResult<Self> {
        let py = class.py();
        // A passphrase takes a second.
        let plan = py.detach(|| LibraryPlan::to_seal(&recipients.boxed(), text_bytes, chunks));
        Self::of(py, plan)
    }

    #[classmethod]
    fn to_open(
        class: &Bound<'_, PyType>,
        head: &[u8],
        file_bytes: u64,
        identities: Several<By>,
        chunks: u64,
    ) -> PyResult<Self> {
        let plan = class.py().detach(|| {
            let prologue = Prologue::read(&mut &head[..])?;
            LibraryPlan::to_open(&prologue, &identities.boxed(), file_bytes, chunks)
        });
        Self::of(class.py(), plan)
    }

    #[classmethod]
    fn from_bytes(_class: &Bound<'_, PyType>, data: &[u8]) -> PyResult<Self> {
        let plan = LibraryPlan::from_bytes(data);
        let plan = plan.ok_or_else(|| PyValueError::new_err("these bytes are no plan"))?;
        Ok(Self { plan: Arc::new(plan) })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.plan.to_bytes())
    }

    #[getter]
    fn seals(&self) -> bool {
        self.plan.seals()
    }

    #[getter]
    fn parts(&self) -> u64 {
        self.plan.parts()
    }

    #[getter]
    fn input_bytes(&self) -> u64 {
        self.plan.input_bytes()
    }

    #[getter]
    fn output_bytes(&self) -> u64 {
        self.plan.output_bytes()
    }

    /// Start and end in the source, start and end in the target.
    fn part(&self, number: u64) -> PyResult<(u64, u64, u64, u64)> {
        let part = self.plan.part(number).ok_or_else(|| none(number))?;
        Ok((part.input.start, part.input.end, part.output.start, part.output.end))
    }

    #[pyo3(signature = (number, data, engine = None))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        number: u64,
        data: &Bound<'py, PyAny>,
        engine: Option<&Bound<'py, Engine>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let part = self.plan.part(number).ok_or_else(|| none(number))?;
        let data = Buffer::of(data)?;
        check(&data, &part.input)?;
        let detached =
            Run { engine, progress: None }.detached((data.len() / CHUNK_BYTES + 1) as u64);
        let (source, plan) = (data.source(), Arc::clone(&self.plan));
        let piece = if plan.seals() { SEALED_CHUNK_BYTES } else { CHUNK_BYTES };
        let (output, _) = new_bytes(py, size(&part.output), |memory| {
            let output = MemoryMut::new(memory, piece);
            detached.run_to_end(|engine, events| plan.run(engine, number, &source, &output, events))
        })?;
        Ok(output)
    }

    fn __repr__(&self) -> String {
        let act = if self.plan.seals() { "seal" } else { "open" };
        format!("<plan to {act} {} bytes in {} parts>", self.input_bytes(), self.parts())
    }
}

fn size(range: &Range<u64>) -> usize {
    (range.end - range.start) as usize
}

fn none(number: u64) -> PyErr {
    PyIndexError::new_err(format!("there is no part {number}"))
}

fn check(data: &Buffer<'_>, place: &Range<u64>) -> PyResult<()> {
    if data.len() == size(place) {
        return Ok(());
    }
    let (found, expected) = (data.len(), size(place));
    Err(PyValueError::new_err(format!("it has {found} bytes, and should have {expected}")))
}
