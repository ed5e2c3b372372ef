// SPDX-License-Identifier: Apache-2.0
//! Digests of bytes and of files.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyDict},
};
use saltmill::{
    engine::{Key, TaskEvent},
    sum::{Digest, HashAlgorithm, Hasher, Request, Source, hash_files as library_hash_files},
};

use crate::{
    buffers::Buffer,
    engine::{Engine, Run},
    errors::{Error, file},
};

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let names = HashAlgorithm::ALL.map(HashAlgorithm::name);
    module.add("algorithms", pyo3::types::PyTuple::new(module.py(), names)?)?;
    module.add_class::<Hash>()?;
    module.add_function(wrap_pyfunction!(hash_files, module)?)
}

pub fn algorithm(name: &str) -> PyResult<HashAlgorithm> {
    let found = HashAlgorithm::ALL.into_iter().find(|algorithm| algorithm.name() == name);
    found.ok_or_else(|| {
        let known = HashAlgorithm::ALL.map(HashAlgorithm::name).join(", ");
        PyValueError::new_err(format!("there is no hash {name:?}; there are {known}"))
    })
}

fn key_of(key: Option<&[u8]>) -> PyResult<Option<Key>> {
    let key = key.map(|key| {
        let key = key.try_into();
        key.map(Key::new).map_err(|_| PyValueError::new_err("a key of HMAC has 32 bytes here"))
    });
    key.transpose()
}

/// A digest of bytes that come piece by piece: `md5` (RFC 1321), `sha1`, `sha224`, `sha256`,
/// `sha384`, `sha512` (FIPS 180-4), `blake3`, `hmac-sha256` (RFC 2104, `key` of 32 bytes).
///
/// Threads may share one. Once its digest is given, it takes no more. Raises `ValueError`.
#[pyclass(frozen, module = "saltmill")]
pub struct Hash {
    algorithm: HashAlgorithm,
    state: Mutex<State>,
}

enum State {
    Open(Box<Hasher>),
    Ended(Digest),
}

impl Hash {
    fn finished(&self, py: Python<'_>) -> Digest {
        py.detach(|| {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let empty = State::Ended(Digest::from(Vec::new()));
            let digest = match std::mem::replace(&mut *state, empty) {
                State::Open(hasher) => hasher.finish(),
                State::Ended(digest) => digest,
            };
            *state = State::Ended(digest.clone());
            digest
        })
    }
}

#[pymethods]
impl Hash {
    #[new]
    #[pyo3(signature = (name, data = None, *, key = None))]
    fn new(
        py: Python<'_>,
        name: &str,
        data: Option<&Bound<'_, PyAny>>,
        key: Option<&[u8]>,
    ) -> PyResult<Self> {
        let algorithm = algorithm(name)?;
        let key = key_of(key)?;
        if key.is_some() != (algorithm == HashAlgorithm::HmacSha256) {
            return Err(PyValueError::new_err("a key is for hmac-sha256, and it needs one"));
        }
        let hasher = Hasher::new(algorithm, key.as_ref());
        let hasher = hasher.map_err(|error| Error::new_err(error.to_string()))?;
        let hash = Self { algorithm, state: Mutex::new(State::Open(Box::new(hasher))) };
        if let Some(data) = data {
            hash.update(py, data)?;
        }
        Ok(hash)
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.algorithm.name()
    }

    #[getter]
    fn digest_size(&self) -> usize {
        self.algorithm.digest_bytes()
    }

    /// Takes the bytes that follow: any contiguous buffer.
    fn update(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = Buffer::of(data)?;
        let data = data.whole(py)?;
        py.detach(|| match &mut *self.state.lock().unwrap_or_else(PoisonError::into_inner) {
            State::Open(hasher) => {
                hasher.update(&data);
                Ok(())
            }
            State::Ended(_) => Err(PyValueError::new_err("its digest has been given")),
        })
    }

    /// The digest of all bytes.
    fn digest<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.finished(py).bytes())
    }

    /// The same as hex digits.
    fn hexdigest(&self, py: Python<'_>) -> String {
        self.finished(py).to_string()
    }

    fn __repr__(&self) -> String {
        format!("<saltmill.Hash {}>", self.name())
    }
}

/// Digests of files, each read once and many side by side. For each path, in order: a dictionary
/// from the algorithm's name to bytes, or the exception that it ended with.
#[pyfunction]
#[pyo3(signature = (paths, algorithms, *, key = None, engine = None))]
fn hash_files<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    algorithms: Vec<String>,
    key: Option<&[u8]>,
    engine: Option<&Bound<'py, Engine>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let chosen: Arc<[HashAlgorithm]> =
        algorithms.iter().map(|name| algorithm(name)).collect::<PyResult<_>>()?;
    let key = key_of(key)?;
    let mut outcomes: Vec<_> = paths.iter().map(|_| None).collect();
    let detached = Run { engine, progress: None }.detached(u64::MAX);
    py.detach(|| {
        let requests = paths.iter().enumerate().map(|(tag, path)| {
            let (source, algorithms) = (Source::File(path.clone()), Arc::clone(&chosen));
            Request { source, algorithms, tag }
        });
        let (mut requests, outcomes) = (requests, &mut outcomes);
        detached.run_to_end(|engine, events| {
            let done =
                library_hash_files(engine, key.as_ref(), &mut requests, &mut |event| match event {
                    TaskEvent::Ended(tag, outcome) => outcomes[tag] = Some(outcome),
                    TaskEvent::Event(event) => events(event),
                    TaskEvent::Waiting => {}
                });
            Ok(done?)
        })
    })?;
    let outcomes = outcomes.into_iter().zip(&paths).map(|(outcome, path)| match outcome {
        Some(Ok(hashed)) => {
            let by_name = PyDict::new(py);
            for (name, digest) in algorithms.iter().zip(&hashed.digests) {
                by_name.set_item(name, PyBytes::new(py, digest.bytes()))?;
            }
            Ok(by_name.into_any())
        }
        Some(Err(error)) => Ok(file(error, &path.to_string_lossy()).value(py).clone().into_any()),
        None => Ok(Error::new_err("it was not read").value(py).clone().into_any()),
    });
    outcomes.collect()
}
