// SPDX-License-Identifier: Apache-2.0
//! Whole files and whole bytes, sealed and opened.

use std::{
    io::{self, Cursor, Write},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use pyo3::{prelude::*, types::PyBytes};
use saltmill::{
    Error, Input, MemoryMut, Opener, Output, Payload, Place, Plan, Sealer, Task,
    engine::{CHUNK_BYTES, Offset, ReadAt, SEALED_CHUNK_BYTES},
    format::is_armor,
    read_prologue,
};

use crate::{
    buffers::{Buffer, Stream, new_bytes},
    engine::{Engine, Run},
    errors::{library, os},
    keys::{By, Several, To},
    payload::{FEW_CHUNKS, open_few},
};

/// An armor may have white space in front.
const ARMOR_LOOK: usize = 1 << 10;

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(encrypt, module)?)?;
    module.add_function(wrap_pyfunction!(decrypt, module)?)?;
    module.add_function(wrap_pyfunction!(encrypt_file, module)?)?;
    module.add_function(wrap_pyfunction!(decrypt_file, module)?)
}

/// Seals bytes in the age format, version 1 (C2SP, age.md); gives a new file as bytes.
///
/// `data`: any C-contiguous buffer of any item type, such as an array of `numpy`; its bytes are
/// sealed. `armor`: text of 64 characters a line. `engine`: who does it; by default all processors.
///
/// Raises `RecipientError`: no recipient, or some that don't go together.
#[pyfunction]
#[pyo3(signature = (data, recipients, *, armor = false, engine = None))]
fn encrypt<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    recipients: Several<To>,
    armor: bool,
    engine: Option<&Bound<'py, Engine>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let data = Buffer::of(data)?;
    let run = Run { engine, progress: None };
    if armor {
        let text = data.whole(py)?.into_owned();
        return through_memory(py, run, text, move |input| {
            let sealer = Sealer::new(recipients.boxed()).armored(true);
            Ok(sealer.task(input))
        });
    }
    let len = data.len() as u64;
    // A passphrase takes a second.
    let plan = py.detach(|| Plan::to_seal(&recipients.boxed(), len, u64::MAX));
    let plan = plan.map_err(|error| library(py, error))?;
    if plan.payload().chunks() <= FEW_CHUNKS && engine.is_none() {
        return seal_few(py, &data, &plan);
    }
    let (source, detached) = (data.source(), run.detached(plan.payload().chunks()));
    let (sealed, _) = new_bytes(py, plan.output_bytes() as usize, |memory| {
        let output = MemoryMut::new(memory, SEALED_CHUNK_BYTES);
        detached.run_to_end(|engine, events| plan.run(engine, 0, &source, &output, events))
    })?;
    Ok(sealed)
}

/// Opens bytes of the age format, with an armor or without; gives the text.
///
/// Raises `FormatError`, `IdentityError`, and `RefusedError` if anything was changed: then no text
/// is given out.
#[pyfunction]
#[pyo3(signature = (data, identities, *, engine = None))]
fn decrypt<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    identities: Several<By>,
    engine: Option<&Bound<'py, Engine>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let data = Buffer::of(data)?;
    let data_len = data.len() as u64;
    let run = Run { engine, progress: None };
    let mut start = [0; ARMOR_LOOK];
    let looked = data.len().min(ARMOR_LOOK);
    let source = data.source();
    source.read_exact_at(&mut start[..looked], 0)?;
    if is_armor(&start[..looked]) {
        let whole = data.whole(py)?.into_owned();
        return through_memory(py, run, whole, move |input| {
            Ok(Opener::new(identities.boxed()).task(input))
        });
    }
    let payload = py.detach(|| -> Result<_, Error> {
        let prologue = read_prologue(&source, data_len)?;
        let key = prologue.open(&identities.boxed())?;
        Payload::of_file(&key, prologue.len(), data_len)
    });
    let payload = payload.map_err(|error| library(py, error))?;
    let (all, text) = (0..payload.chunks(), payload.text_bytes() as usize);
    if engine.is_none() && payload.chunks() <= FEW_CHUNKS {
        let whole = data.whole(py)?;
        let sealed = &whole[payload.front_bytes() as usize..];
        return new_bytes(py, text, |memory| open_few(&payload, all, sealed, memory))
            .map(|(text, ())| text);
    }
    let detached = run.detached(payload.chunks());
    let (text, _) = new_bytes(py, text, |memory| {
        let input = Offset::new(&source, payload.front_bytes());
        let output = MemoryMut::new(memory, CHUNK_BYTES);
        detached.run_to_end(|engine, events| payload.open(engine, all, &input, &output, events))
    })?;
    Ok(text)
}

/// Seals where the result stays.
fn seal_few<'py>(
    py: Python<'py>,
    data: &Buffer<'py>,
    plan: &Plan,
) -> PyResult<Bound<'py, PyBytes>> {
    let source = data.source();
    let (sealed, ()) = new_bytes(py, plan.output_bytes() as usize, |memory| {
        let (payload, front) = (plan.payload(), plan.prologue());
        memory[..front.len()].copy_from_slice(front);
        for chunk in 0..payload.chunks() {
            let Place { text, sealed } = payload.place(chunk..chunk + 1);
            let place = &mut memory[sealed.start as usize..sealed.end as usize];
            source.read_exact_at(&mut place[..(text.end - text.start) as usize], text.start)?;
            payload.seal_chunk(chunk, place);
        }
        Ok(())
    })?;
    Ok(sealed)
}

/// A path or a file object.
pub enum End {
    Path(PathBuf),
    Object(Py<PyAny>),
}

impl<'py> FromPyObject<'_, 'py> for End {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<PathBuf>() {
            Ok(path) => Ok(Self::Path(path)),
            Err(_) => Ok(Self::Object((*object).clone().unbind())),
        }
    }
}

impl End {
    fn input(self) -> PyResult<Input> {
        match self {
            Self::Path(path) => {
                Input::open(&path).map_err(|error| os(error, Some(&path.to_string_lossy())))
            }
            Self::Object(object) => Ok(Input::stream(Stream::new(object))),
        }
    }

    fn output(self, replace: bool) -> Output {
        match self {
            Self::Path(path) if replace => Output::replace(path),
            Self::Path(path) => Output::create(path),
            Self::Object(object) => Output::stream(Stream::new(object)),
        }
    }
}

/// Seals a file; gives the bytes of its text. Memory is bounded: some 256 KiB for each worker.
///
/// `source`, `target`: paths, or binary file objects that are read and written from front to back.
/// A path gets its file when that is complete; one that is there is refused unless `replace`.
/// `progress` is called with the bytes done, about 20 times a second; what it raises ends the run.
///
/// Raises `OSError`, `RecipientError`, `EngineError`, and what the file objects raise.
#[pyfunction]
#[pyo3(signature = (source, target, recipients, *, armor = false, replace = false, engine = None, progress = None))]
#[expect(clippy::too_many_arguments, reason = "in Python they have names")]
fn encrypt_file<'py>(
    py: Python<'py>,
    source: End,
    target: End,
    recipients: Several<To>,
    armor: bool,
    replace: bool,
    engine: Option<&Bound<'py, Engine>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<u64> {
    let (input, output) = (source.input()?, target.output(replace));
    let task = py.detach(|| Sealer::new(recipients.boxed()).armored(armor).task(input));
    let task = task.map_err(|error| library(py, error))?;
    run_task(py, Run { engine, progress }, task, output)
}

/// Opens a file, with an armor or without; gives the bytes of its payload. As `encrypt_file`.
///
/// Nothing is written that is not authentic; a file object has then got the chunks in front. Raises
/// `FormatError`, `IdentityError` and `RefusedError`, too.
#[pyfunction]
#[pyo3(signature = (source, target, identities, *, replace = false, engine = None, progress = None))]
fn decrypt_file<'py>(
    py: Python<'py>,
    source: End,
    target: End,
    identities: Several<By>,
    replace: bool,
    engine: Option<&Bound<'py, Engine>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<u64> {
    let (input, output) = (source.input()?, target.output(replace));
    // A file object is read on this thread; a passphrase takes a second.
    let task = py.detach(|| Opener::new(identities.boxed()).task(input));
    let task = task.map_err(|error| library(py, error))?;
    run_task(py, Run { engine, progress }, task, output)
}

/// Gives the bytes that were worked on.
fn run_task(py: Python<'_>, run: Run<'_, '_>, task: Task, output: Output) -> PyResult<u64> {
    let detached = run.detached(task.work_bytes().unwrap_or(u64::MAX).div_ceil(1 << 16));
    let report =
        py.detach(|| detached.run_to_end(|engine, events| task.run(engine, output, events)))?;
    Ok(report.bytes)
}

/// What is armored, on either side: it is no bytes that lie where they are needed.
fn through_memory<'py>(
    py: Python<'py>,
    run: Run<'_, '_>,
    data: Vec<u8>,
    task: impl FnOnce(Input) -> PyResult<Result<Task, Error>> + Send,
) -> PyResult<Bound<'py, PyBytes>> {
    let collected = Collected::default();
    let jobs = data.len().div_ceil(CHUNK_BYTES) as u64;
    let input = Input::stream(Cursor::new(data));
    let task = py.detach(|| task(input))?.map_err(|error| library(py, error))?;
    let (detached, output) = (run.detached(jobs), Output::stream(collected.clone()));
    py.detach(|| detached.run_to_end(|engine, events| task.run(engine, output, events)))?;
    let bytes = collected.0.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(PyBytes::new(py, &bytes))
}

/// A stream into memory.
#[derive(Clone, Default)]
struct Collected(Arc<Mutex<Vec<u8>>>);

impl Write for Collected {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
