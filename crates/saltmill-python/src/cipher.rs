// SPDX-License-Identifier: Apache-2.0
//! Ciphers and AEADs on the CPU, without a format around them.

use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use saltmill::engine::{
    AeadKey, AesCtr as LibraryAesCtr, AesKey, BLOCK_BYTES, Cipher, Key, ReadAt, TAG_BYTES,
};

use crate::{
    buffers::{Buffer, new_bytes},
    errors::{RefusedError, too_long},
};

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ChaCha20>()?;
    module.add_class::<AesCtr>()?;
    module.add_class::<ChaCha20Poly1305>()?;
    module.add_class::<AesGcm>()
}

fn chacha20_key(key: &[u8]) -> PyResult<Key> {
    let key = key.try_into();
    key.map(Key::new).map_err(|_| PyValueError::new_err("a key of ChaCha20 has 32 bytes"))
}

fn aes_key(key: &[u8]) -> PyResult<AesKey> {
    AesKey::new(key).ok_or_else(|| PyValueError::new_err("a key of AES has 16, 24 or 32 bytes"))
}

fn nonce_of(nonce: &[u8]) -> PyResult<[u8; 12]> {
    nonce.try_into().map_err(|_| PyValueError::new_err("the nonce has 12 bytes"))
}

/// Puts data through a cipher: new bytes, in which it is done in place.
fn through<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    cipher: impl FnOnce(&mut [u8]) + Send,
) -> PyResult<Bound<'py, PyBytes>> {
    let data = Buffer::of(data)?;
    let source = data.source();
    let (bytes, ()) = new_bytes(py, data.len(), |memory| {
        source.read_exact_at(memory, 0)?;
        cipher(memory);
        Ok(())
    })?;
    Ok(bytes)
}

/// ChaCha20 (RFC 8439, 2.4): `key` of 32 bytes, `nonce` of 12, `counter` of the first block of 64
/// bytes. Encrypts and decrypts; nothing is authenticated. No key may meet the same nonce and
/// counter again.
#[pyclass(frozen, module = "saltmill")]
struct ChaCha20 {
    cipher: Cipher,
}

#[pymethods]
impl ChaCha20 {
    #[new]
    #[pyo3(signature = (key, nonce, *, counter = 0))]
    fn new(key: &[u8], nonce: &[u8], counter: u32) -> PyResult<Self> {
        let cipher = Cipher::new(chacha20_key(key)?, nonce_of(nonce)?, counter);
        Ok(Self { cipher })
    }

    #[pyo3(signature = (data, *, offset = 0))]
    fn apply<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        offset: u64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        check_offset(offset, BLOCK_BYTES)?;
        let end = offset.saturating_add(Buffer::of(data)?.len() as u64);
        let fits = self.cipher.check_length(end);
        fits.map_err(|error| too_long(error.longest))?;
        through(py, data, |memory| self.cipher.apply(offset, memory))
    }
}

/// AES (FIPS 197) in CTR mode (SP 800-38A, 6.5): `key` of 16, 24 or 32 bytes; `iv`, the first
/// counter block of 16, counts in all its bits, as in OpenSSL. Nothing is authenticated.
#[pyclass(frozen, module = "saltmill")]
struct AesCtr {
    stream: LibraryAesCtr,
}

#[pymethods]
impl AesCtr {
    #[new]
    fn new(key: &[u8], iv: &[u8]) -> PyResult<Self> {
        let iv = iv.try_into();
        let iv = iv.map_err(|_| PyValueError::new_err("the first counter block has 16 bytes"))?;
        Ok(Self { stream: LibraryAesCtr::new(aes_key(key)?, iv) })
    }

    #[pyo3(signature = (data, *, offset = 0))]
    fn apply<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        offset: u64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        check_offset(offset, 16)?;
        through(py, data, |memory| self.stream.apply(offset, memory))
    }
}

fn check_offset(offset: u64, block: u64) -> PyResult<()> {
    if offset.is_multiple_of(block) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("the offset is not a multiple of {block}")))
}

fn seal<'py>(
    py: Python<'py>,
    key: &AeadKey,
    nonce: &[u8],
    data: &Bound<'py, PyAny>,
    aad: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let (data, nonce) = (Buffer::of(data)?, nonce_of(nonce)?);
    check_length(data.len())?;
    let source = data.source();
    let (bytes, ()) = new_bytes(py, data.len() + TAG_BYTES, |memory| {
        let (text, tag) = memory.split_at_mut(memory.len() - TAG_BYTES);
        source.read_exact_at(text, 0)?;
        tag.copy_from_slice(&key.seal(&nonce, aad, text));
        Ok(())
    })?;
    Ok(bytes)
}

fn open<'py>(
    py: Python<'py>,
    key: &AeadKey,
    nonce: &[u8],
    data: &Bound<'py, PyAny>,
    aad: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let (data, nonce) = (Buffer::of(data)?, nonce_of(nonce)?);
    let refused = || RefusedError::new_err("the tag is not that of the message");
    let len = data.len().checked_sub(TAG_BYTES).ok_or_else(refused)?;
    check_length(len)?;
    let source = data.source();
    let mut tag = [0; TAG_BYTES];
    source.read_exact_at(&mut tag, len as u64)?;
    let (bytes, ()) = new_bytes(py, len, |memory| {
        source.read_exact_at(memory, 0)?;
        key.open(&nonce, aad, memory, &tag).map_err(|_| refused())
    })?;
    Ok(bytes)
}

/// What GCM allows under one nonce (SP 800-38D, 5.2.1.1), and a little less than ChaCha20 does.
fn check_length(len: usize) -> PyResult<()> {
    let longest = (1 << 36) - 32;
    if len as u64 <= longest { Ok(()) } else { Err(too_long(longest)) }
}

/// ChaCha20-Poly1305 (RFC 8439, 2.8): `key` of 32 bytes, nonces of 12, tags of 16 behind the text.
/// No two messages may have the same nonce.
#[pyclass(frozen, module = "saltmill")]
struct ChaCha20Poly1305 {
    key: AeadKey,
}

/// AES-GCM (SP 800-38D): `key` of 16, 24 or 32 bytes, nonces of 12, tags of 16 behind the text. No
/// two messages may have the same nonce.
#[pyclass(frozen, module = "saltmill")]
struct AesGcm {
    key: AeadKey,
}

#[pymethods]
impl ChaCha20Poly1305 {
    #[new]
    fn new(key: &[u8]) -> PyResult<Self> {
        Ok(Self { key: chacha20_key(key)?.into() })
    }

    #[pyo3(signature = (nonce, data, aad = None))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: &[u8],
        data: &Bound<'py, PyAny>,
        aad: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        seal(py, &self.key, nonce, data, aad.unwrap_or_default())
    }

    #[pyo3(signature = (nonce, data, aad = None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: &[u8],
        data: &Bound<'py, PyAny>,
        aad: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        open(py, &self.key, nonce, data, aad.unwrap_or_default())
    }
}

#[pymethods]
impl AesGcm {
    #[new]
    fn new(key: &[u8]) -> PyResult<Self> {
        Ok(Self { key: aes_key(key)?.into() })
    }

    #[pyo3(signature = (nonce, data, aad = None))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: &[u8],
        data: &Bound<'py, PyAny>,
        aad: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        seal(py, &self.key, nonce, data, aad.unwrap_or_default())
    }

    #[pyo3(signature = (nonce, data, aad = None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: &[u8],
        data: &Bound<'py, PyAny>,
        aad: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        open(py, &self.key, nonce, data, aad.unwrap_or_default())
    }
}
