// SPDX-License-Identifier: Apache-2.0
//! Recipients, identities and passphrases.

use std::{fs, io::BufReader, ops::RangeInclusive, path::PathBuf};

use age::{
    NoCallbacks, scrypt,
    secrecy::{ExposeSecret, SecretString},
    ssh, x25519,
};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyType,
};
use saltmill::format::hybrid;
use zeroize::Zeroizing;

use crate::errors::{IdentityError, RecipientError, os};

const HYBRID_SECRET: &str = "AGE-SECRET-KEY-PQ-1";
/// What others open without being told to: 2^22 takes 4 GiB.
const WORK_FACTORS: RangeInclusive<u8> = 1..=22;

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

/// One that was parsed.
enum KnownRecipient {
    X25519(x25519::Recipient),
    Hybrid(Box<hybrid::Recipient>),
    Ssh(ssh::Recipient),
}

impl Recipient {
    fn known(&self) -> PyResult<KnownRecipient> {
        let text = self.text.as_str();
        let public = text.starts_with("age1") || text.starts_with("ssh-");
        // Anything else may be a secret, which must not show up in a log.
        if !public || text.lines().count() > 1 {
            return Err(RecipientError::new_err(
                "it is not a recipient, which is one line that begins with age1 or ssh-; \
                 an identity is none",
            ));
        }
        let wrong = || RecipientError::new_err(format!("{text:?} is not a recipient"));
        if text.starts_with("age1pq1") {
            let parsed: hybrid::Recipient = text.parse().map_err(|_| wrong())?;
            return Ok(KnownRecipient::Hybrid(Box::new(parsed)));
        }
        if text.starts_with("ssh-") {
            return text.parse().map(KnownRecipient::Ssh).map_err(|_| wrong());
        }
        text.parse().map(KnownRecipient::X25519).map_err(|_| wrong())
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
    key: Secret,
}

#[derive(Clone)]
enum Secret {
    X25519(x25519::Identity),
    Hybrid(Box<hybrid::Identity>),
    Ssh(Box<ssh::Identity>),
}

impl Identity {
    fn parse_lines(text: &str) -> PyResult<Vec<Self>> {
        let mut found = Vec::new();
        let lines = text.lines().map(str::trim).enumerate();
        for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            // What is in the line is a secret.
            let wrong = || IdentityError::new_err(format!("line {} is no identity", number + 1));
            let key = if line.to_ascii_uppercase().starts_with(HYBRID_SECRET) {
                Secret::Hybrid(Box::new(line.parse().map_err(|_| wrong())?))
            } else {
                Secret::X25519(line.parse().map_err(|_| wrong())?)
            };
            found.push(Self { key });
        }
        Ok(found)
    }

    fn parse_all(text: &str) -> PyResult<Vec<Self>> {
        if !text.trim_start().starts_with("-----BEGIN ") {
            return Self::parse_lines(text);
        }
        match ssh::Identity::from_buffer(BufReader::new(text.as_bytes()), None) {
            Ok(key @ ssh::Identity::Unencrypted(_)) => {
                Ok(vec![Self { key: Secret::Ssh(Box::new(key)) }])
            }
            Ok(ssh::Identity::Encrypted(_)) => {
                Err(IdentityError::new_err("the SSH key has a passphrase"))
            }
            _ => Err(IdentityError::new_err("it is no SSH key that can be used")),
        }
    }

    fn recipient_text(&self) -> Option<String> {
        match &self.key {
            Secret::X25519(key) => Some(key.to_public().to_string()),
            Secret::Hybrid(key) => Some(key.to_public().to_string()),
            Secret::Ssh(key) => {
                ssh::Recipient::try_from((**key).clone()).ok().map(|r| r.to_string())
            }
        }
    }
}

#[pymethods]
impl Identity {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        let mut all = Self::parse_all(text)?;
        match (all.pop(), all.is_empty()) {
            (Some(one), true) => Ok(one),
            _ => Err(IdentityError::new_err("the text does not hold one identity")),
        }
    }

    /// A new one, from the system's random numbers; `post_quantum`: of ML-KEM-768 with X25519.
    #[classmethod]
    #[pyo3(signature = (*, post_quantum = false))]
    fn generate(_class: &Bound<'_, PyType>, post_quantum: bool) -> Self {
        let key = if post_quantum {
            Secret::Hybrid(Box::new(hybrid::Identity::generate()))
        } else {
            Secret::X25519(x25519::Identity::generate())
        };
        Self { key }
    }

    /// All in a file of identities, one a line, or the SSH key in it; files with a passphrase are
    /// not read. Raises `OSError`, `IdentityError`.
    #[classmethod]
    fn from_file(_class: &Bound<'_, PyType>, path: PathBuf) -> PyResult<Vec<Self>> {
        let name = path.to_string_lossy();
        let text = fs::read_to_string(&path).map(Zeroizing::new);
        let text = text.map_err(|error| os(error, Some(&name)))?;
        let found = Self::parse_all(&text)?;
        if found.is_empty() {
            return Err(IdentityError::new_err(format!("{name} holds no identity")));
        }
        Ok(found)
    }

    /// Whom others seal for.
    #[getter]
    fn recipient(&self) -> PyResult<Recipient> {
        let text = self.recipient_text();
        let none = || IdentityError::new_err("the identity has no recipient that can be told");
        text.map(|text| Recipient { text }).ok_or_else(none)
    }

    /// The secret as text, to be kept. Python does not clear it.
    fn secret(&self) -> PyResult<String> {
        match &self.key {
            Secret::X25519(key) => Ok(key.to_string().expose_secret().to_owned()),
            Secret::Hybrid(key) => Ok(key.to_string().expose_secret().to_owned()),
            Secret::Ssh(_) => Err(IdentityError::new_err("an SSH key is in a file of its own")),
        }
    }

    fn __repr__(&self) -> String {
        let recipient = self.recipient_text().unwrap_or_default();
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
    text: SecretString,
    /// Binary logarithm of scrypt's N, to seal with.
    work: Option<u8>,
    /// The largest one that is tried.
    most_work: u8,
}

#[pymethods]
impl Passphrase {
    #[new]
    #[pyo3(signature = (text, *, work_factor = None, max_work_factor = 22))]
    fn new(text: String, work_factor: Option<i64>, max_work_factor: u8) -> PyResult<Self> {
        let text = SecretString::from(text);
        let known = |work| u8::try_from(work).ok().filter(|work| WORK_FACTORS.contains(work));
        let wrong = || {
            let (least, most) = (WORK_FACTORS.start(), WORK_FACTORS.end());
            PyValueError::new_err(format!(
                "the work factor is a binary logarithm, {least} to {most}: 18 takes about a \
                 second, and each step doubles time and memory"
            ))
        };
        let work = work_factor.map(|work| known(work).ok_or_else(wrong)).transpose()?;
        Ok(Self { text, work, most_work: max_work_factor })
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

/// What can be sent to a thread; made into the library's when it is used.
#[derive(Clone)]
pub enum To {
    Recipient(Recipient),
    Passphrase(Passphrase),
}

/// The same for who decrypts.
#[derive(Clone)]
pub enum By {
    Identity(Identity),
    Passphrase(Passphrase),
}

impl<'py> FromPyObject<'_, 'py> for To {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(recipient) = object.cast::<Recipient>() {
            return Ok(Self::Recipient(recipient.get().clone()));
        }
        if let Ok(passphrase) = object.cast::<Passphrase>() {
            return Ok(Self::Passphrase(passphrase.get().clone()));
        }
        if let Ok(identity) = object.cast::<Identity>() {
            return Ok(Self::Recipient(identity.get().recipient()?));
        }
        Err(PyTypeError::new_err("recipients are saltmill.Recipient or saltmill.Passphrase"))
    }
}

impl<'py> FromPyObject<'_, 'py> for By {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(identity) = object.cast::<Identity>() {
            return Ok(Self::Identity(identity.get().clone()));
        }
        if let Ok(passphrase) = object.cast::<Passphrase>() {
            return Ok(Self::Passphrase(passphrase.get().clone()));
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
    pub fn boxed(&self) -> PyResult<Vec<Box<dyn age::Recipient>>> {
        let boxed = |to: &To| -> PyResult<Box<dyn age::Recipient>> {
            Ok(match to {
                To::Recipient(recipient) => match recipient.known()? {
                    KnownRecipient::X25519(known) => Box::new(known),
                    KnownRecipient::Hybrid(known) => known,
                    KnownRecipient::Ssh(known) => Box::new(known),
                },
                To::Passphrase(passphrase) => {
                    let mut known = scrypt::Recipient::new(passphrase.text.clone());
                    if let Some(work) = passphrase.work {
                        known.set_work_factor(work);
                    }
                    Box::new(known)
                }
            })
        };
        self.0.iter().map(boxed).collect()
    }
}

impl Several<By> {
    pub fn boxed(&self) -> Vec<Box<dyn age::Identity>> {
        let boxed = |by: &By| -> Box<dyn age::Identity> {
            match by {
                By::Identity(identity) => match &identity.key {
                    Secret::X25519(key) => Box::new(key.clone()),
                    Secret::Hybrid(key) => key.clone(),
                    Secret::Ssh(key) => Box::new((**key).clone().with_callbacks(NoCallbacks)),
                },
                By::Passphrase(passphrase) => {
                    let mut known = scrypt::Identity::new(passphrase.text.clone());
                    known.set_max_work_factor(passphrase.most_work);
                    Box::new(known)
                }
            }
        };
        self.0.iter().map(boxed).collect()
    }
}
