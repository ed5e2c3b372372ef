// SPDX-License-Identifier: Apache-2.0
//! A file that is sealed as its text comes: what `saltmill.open(path, "wb")` is made of.

use std::sync::{Mutex, PoisonError};

use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use saltmill::Sealing;

use crate::{
    buffers::Buffer,
    engine::{Engine, Run},
    errors::library,
    keys::{Several, To},
};

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Sealer>()
}

/// Takes a text, gives a file.
#[pyclass(frozen, module = "saltmill._saltmill")]
pub struct Sealer {
    sealing: Mutex<Option<Sealing>>,
    prologue: Vec<u8>,
}

impl Sealer {
    fn with<'py>(
        &self,
        py: Python<'py>,
        act: impl FnOnce(&mut Option<Sealing>) -> PyResult<Vec<u8>> + Send,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let sealed =
            py.detach(|| act(&mut self.sealing.lock().unwrap_or_else(PoisonError::into_inner)))?;
        Ok(PyBytes::new(py, &sealed))
    }
}

fn ended() -> PyErr {
    PyValueError::new_err("the file has ended")
}

#[pymethods]
impl Sealer {
    #[new]
    fn new(py: Python<'_>, recipients: Several<To>) -> PyResult<Self> {
        // A passphrase takes a second.
        let begun = py.detach(|| Sealing::begin(&recipients.boxed()));
        let (sealing, prologue) = begun.map_err(|error| library(py, error))?;
        Ok(Self { sealing: Mutex::new(Some(sealing)), prologue })
    }

    /// What stands in front.
    #[getter]
    fn prologue(&self) -> &[u8] {
        &self.prologue
    }

    #[pyo3(signature = (text, engine = None))]
    fn update<'py>(
        &self,
        py: Python<'py>,
        text: &Bound<'py, PyAny>,
        engine: Option<&Bound<'py, Engine>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let text = Buffer::of(text)?;
        let text = text.whole(py)?;
        let detached = Run { engine, progress: None }.detached((text.len() >> 16) as u64);
        self.with(py, |sealing| {
            let sealing = sealing.as_mut().ok_or_else(ended)?;
            detached.run_to_end(|engine, _| sealing.push(engine, &text))
        })
    }

    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.with(py, |sealing| {
            let sealing = sealing.take().ok_or_else(ended)?;
            let detached = Run { engine: None, progress: None }.detached(1);
            detached.run_to_end(|engine, _| sealing.finish(engine))
        })
    }
}
