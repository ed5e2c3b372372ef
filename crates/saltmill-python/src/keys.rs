// SPDX-License-Identifier: Apache-2.0
//! Recipients, identities and passphrases.

use std::{fs, path::PathBuf};

use age::secrecy::ExposeSecret;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyType,
};
use saltmill::keys::{
    Identity as LibraryIdentity, KeyError, MOST_WORK, Passphrase as LibraryPassphrase,
    Recipient as LibraryRecipient,
};
use zeroize::Zeroizing;

use crate::errors::{IdentityError, RecipientError, os};

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Recipient>()?;
    module.add_class::<Identity>()?;
    module.add_class::<Passphrase>()
}

/// Whom files are sealed for: `age1...` (X25519), `age1pq1...` (ML-KEM-768 with X25519), or an SSH
/// public key. `str()` gives the text again. Raises `RecipientError`.
#[pyclass(frozen, eq, hash, module = "saltmill")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Recipient {
    text: String,
}

impl Recipient {
    fn known(&self) -> PyResult<LibraryRecipient> {
        self.text.parse().map_err(|error: KeyError| RecipientError::new_err(error.to_string()))
    }
}

#[pymethods]
impl Recipient {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        let recipient = Self { text: text.trim().to_owned() };
        recipient.known()?;
        Ok(recipient)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Recipient({:?})", self.text)
    }

    fn __getnewargs__(&self) -> (&str,) {
        (&self.text,)
    }
}

/// Who can open files: `AGE-SECRET-KEY-1...`, `AGE-SECRET-KEY-PQ-1...`, or an SSH private key
/// without a passphrase. The key is cleared from memory with the object, and is not in `repr`,
/// messages or pickles; the text that it was made from is the caller's. Raises `IdentityError`.
#[pyclass(frozen, module = "saltmill")]
#[derive(Clone)]
pub struct Identity {
    key: LibraryIdentity,
}

#[pymethods]
impl Identity {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        let error = |error: KeyError| IdentityError::new_err(error.to_string());
        let mut all = LibraryIdentity::parse_list(text).map_err(error)?;
        match (all.pop(), all.is_empty()) {
            (Some(key), true) => Ok(Self { key }),
            _ => Err(IdentityError::new_err("the text does not hold one identity")),
        }
    }

    /// A new one, from the system's random numbers; `post_quantum`: of ML-KEM-768 with X25519.
    #[classmethod]
    #[pyo3(signature = (*, post_quantum = false))]
    fn generate(_class: &Bound<'_, PyType>, post_quantum: bool) -> Self {
        Self { key: LibraryIdentity::generate(post_quantum) }
    }

    /// All in a file of identities, one a line, or the SSH key in it; files with a passphrase are
    /// not read. Raises `OSError`, `IdentityError`.
    #[classmethod]
    fn from_file(_class: &Bound<'_, PyType>, path: PathBuf) -> PyResult<Vec<Self>> {
        let name = path.to_string_lossy();
        let text = fs::read_to_string(&path).map(Zeroizing::new);
        let text = text.map_err(|error| os(error, Some(&name)))?;
        let found = LibraryIdentity::parse_list(&text)
            .map_err(|error| IdentityError::new_err(format!("{name}: {error}")))?;
        Ok(found.into_iter().map(|key| Self { key }).collect())
    }

    /// Whom others seal for.
    #[getter]
    fn recipient(&self) -> PyResult<Recipient> {
        let text = self.key.recipient();
        let none = || IdentityError::new_err("the identity has no recipient that can be told");
        text.map(|text| Recipient { text }).ok_or_else(none)
    }

    /// The secret as text, to be kept. Python does not clear it.
    fn secret(&self) -> PyResult<String> {
        let none = || IdentityError::new_err("an SSH key is in a file of its own");
        Ok(self.key.secret().ok_or_else(none)?.expose_secret().to_owned())
    }

    fn __repr__(&self) -> String {
        let recipient = self.key.recipient().unwrap_or_default();
        format!("<saltmill.Identity of {recipient}>")
    }

    /// A secret gets into a pickle only by [`secret`](Self::secret).
    #[expect(clippy::unused_self, reason = "Python calls it with one")]
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("an identity is not pickled: workers need none, plans have keys"))
    }
}

/// A passphrase, for recipients and for identities: it is the only one of a file.
///
/// `work_factor`: binary logarithm of scrypt's N (RFC 7914) to seal with, 1 to 22, by default about
/// a second; `max_work_factor`: the largest that is tried. Raises `ValueError`.
#[pyclass(frozen, module = "saltmill")]
#[derive(Clone)]
pub struct Passphrase {
    known: LibraryPassphrase,
}

#[pymethods]
impl Passphrase {
    #[new]
    #[pyo3(signature = (text, *, work_factor = None, max_work_factor = 22))]
    fn new(text: String, work_factor: Option<i64>, max_work_factor: u8) -> PyResult<Self> {
        let known = |work| u8::try_from(work).ok().filter(|work| (1..=MOST_WORK).contains(work));
        let wrong = || {
            PyValueError::new_err(format!(
                "the work factor is a binary logarithm, 1 to {MOST_WORK}: 18 takes about a \
                 second, and each step doubles time and memory"
            ))
        };
        let work_factor = work_factor.map(|work| known(work).ok_or_else(wrong)).transpose()?;
        let (text, most_work) = (text.into(), max_work_factor);
        Ok(Self { known: LibraryPassphrase { text, work_factor, most_work } })
    }

    #[expect(clippy::unused_self, reason = "Python calls it with one")]
    fn __repr__(&self) -> &'static str {
        "<saltmill.Passphrase>"
    }

    #[expect(clippy::unused_self, reason = "the same")]
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a passphrase is not pickled"))
    }
}

/// What can be sent to a thread; made into the `age` crate's when it is used.
pub struct To(LibraryRecipient);

/// The same for who decrypts.
pub struct By(LibraryIdentity);

impl<'py> FromPyObject<'_, 'py> for To {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(recipient) = object.cast::<Recipient>() {
            return recipient.get().known().map(Self);
        }
        if let Ok(passphrase) = object.cast::<Passphrase>() {
            return Ok(Self(LibraryRecipient::Passphrase(passphrase.get().known.clone())));
        }
        if let Ok(identity) = object.cast::<Identity>() {
            return identity.get().recipient()?.known().map(Self);
        }
        Err(PyTypeError::new_err("recipients are saltmill.Recipient or saltmill.Passphrase"))
    }
}

impl<'py> FromPyObject<'_, 'py> for By {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(identity) = object.cast::<Identity>() {
            return Ok(Self(identity.get().key.clone()));
        }
        if let Ok(passphrase) = object.cast::<Passphrase>() {
            return Ok(Self(LibraryIdentity::Passphrase(passphrase.get().known.clone())));
        }
        Err(PyTypeError::new_err("identities are saltmill.Identity or saltmill.Passphrase"))
    }
}

/// One, or a sequence of them.
pub struct Several<T>(pub Vec<T>);

impl<'py, T: for<'a> FromPyObject<'a, 'py, Error = PyErr>> FromPyObject<'_, 'py> for Several<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<T>() {
            Ok(one) => Ok(Self(vec![one])),
            Err(error) => match object.try_iter() {
                Ok(items) => {
                    items.map(|item| item?.extract::<T>()).collect::<PyResult<_>>().map(Self)
                }
                Err(_) => Err(error),
            },
        }
    }
}

impl Several<To> {
    pub fn boxed(&self) -> Vec<Box<dyn age::Recipient>> {
        self.0.iter().map(|to| to.0.boxed()).collect()
    }
}

impl Several<By> {
    pub fn boxed(&self) -> Vec<Box<dyn age::Identity>> {
        self.0.iter().map(|by| by.0.boxed()).collect()
    }
}
