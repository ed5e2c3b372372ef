// SPDX-License-Identifier: Apache-2.0
//! The start of a new file, or of one with other recipients.

use std::{collections::HashSet, io};

use age::{EncryptError, Encryptor, Recipient};
use age_core::format::{FileKey, Stanza};
use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::{
    NONCE_BYTES, PayloadKey,
    header::MAC,
    key::{LastFileKey, header_key},
};

/// The start of a new file and the key of what follows.
#[derive(Debug)]
pub struct Sealed {
    /// Header and nonce: the bytes in front of the payload.
    pub prologue: Vec<u8>,
    /// What the payload's chunks are sealed under.
    pub key: PayloadKey,
}

/// Makes a file key, wraps it for every recipient, and derives the payload's key from it.
///
/// # Errors
/// No recipient; some that don't go together, as a passphrase and anything else; a plugin that
/// fails.
pub fn seal(recipients: &[impl AsRef<dyn Recipient>]) -> Result<Sealed, EncryptError> {
    let seen = LastFileKey::default();
    let watched: Vec<_> = recipients
        .iter()
        .map(|recipient| Watched { inner: recipient.as_ref(), seen: &seen })
        .collect();
    let encryptor = Encryptor::with_recipients(watched.iter().map(|watched| watched as _))?;
    let mut prologue = Vec::new();
    // The writer that comes back is for the payload: not one byte of it is written.
    encryptor.wrap_output(&mut prologue)?;
    // Neither can be missing: the nonce is written behind the header, and a recipient has wrapped
    // the key.
    let nonce = prologue.last_chunk().ok_or(io::Error::from(io::ErrorKind::UnexpectedEof))?;
    let key = seen.into_key().ok_or(EncryptError::MissingRecipients)?;
    let key = PayloadKey::derive(&key, nonce);
    Ok(Sealed { prologue, key })
}

/// The start of a file whose file key and nonce are known, for these recipients.
///
/// The crate makes a header, greased and with recipients that go together, around our file key; its
/// authentication code is of a file key of its own, so it is made anew.
pub(crate) fn rewrap(
    key: &FileKey,
    nonce: &[u8; NONCE_BYTES],
    recipients: &[impl AsRef<dyn Recipient>],
) -> Result<Vec<u8>, EncryptError> {
    let known: Vec<_> =
        recipients.iter().map(|recipient| Known { inner: recipient.as_ref(), key }).collect();
    let encryptor = Encryptor::with_recipients(known.iter().map(|known| known as _))?;
    let mut prologue = Vec::new();
    encryptor.wrap_output(&mut prologue)?;
    // A space, the code, a newline and the nonce: what the code is of ends with `---`.
    prologue.truncate(prologue.len() - (1 + MAC + 1 + NONCE_BYTES));
    let code = Hmac::<Sha256>::new_from_slice(&*header_key(key));
    let code = code.map_err(io::Error::other)?.chain_update(&prologue).finalize();
    let code = BASE64_STANDARD_NO_PAD.encode(code.into_bytes());
    prologue.extend([b" ", code.as_bytes(), b"\n", nonce].concat());
    Ok(prologue)
}

/// A recipient that is given a known file key to wrap, whatever the crate gives it.
struct Known<'a> {
    inner: &'a dyn Recipient,
    key: &'a FileKey,
}

impl Recipient for Known<'_> {
    fn wrap_file_key(&self, _: &FileKey) -> Result<(Vec<Stanza>, HashSet<String>), EncryptError> {
        self.inner.wrap_file_key(self.key)
    }
}

/// A recipient that shows the file key that it wraps.
struct Watched<'a> {
    inner: &'a dyn Recipient,
    seen: &'a LastFileKey,
}

impl Recipient for Watched<'_> {
    fn wrap_file_key(&self, key: &FileKey) -> Result<(Vec<Stanza>, HashSet<String>), EncryptError> {
        self.seen.remember(key);
        self.inner.wrap_file_key(key)
    }
}
