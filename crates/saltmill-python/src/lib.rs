// SPDX-License-Identifier: Apache-2.0
//! The part of the Python package `saltmill` that is not Python: thin over the library. What its
//! classes and functions are is in `_saltmill.pyi`.
#![forbid(unsafe_code)]

mod buffers;
mod cipher;
mod device;
mod device_errors;
mod device_queue;
mod engine;
mod errors;
mod files;
mod hashes;
mod keys;
mod payload;
mod reader;
mod sealing;

use pyo3::prelude::*;

#[pymodule]
fn _saltmill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    errors::add(module)?;
    device_errors::add(module)?;
    device::add(module)?;
    keys::add(module)?;
    engine::add(module)?;
    files::add(module)?;
    reader::add(module)?;
    sealing::add(module)?;
    payload::add(module)?;
    hashes::add(module)?;
    cipher::add(module)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
