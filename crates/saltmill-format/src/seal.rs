// SPDX-License-Identifier: Apache-2.0
//! The start of a new file.

use std::{collections::HashSet, io};

use age::{EncryptError, Encryptor, Recipient};
use age_core::format::{FileKey, Stanza};

use crate::{PayloadKey, key::Seen};

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
/// No recipient; some that don't go together, as a passphrase and anything else; a plugin that fails.
pub fn seal(recipients: &[impl AsRef<dyn Recipient>]) -> Result<Sealed, EncryptError> {
    let seen = Seen::default();
    let watched: Vec<_> = recipients
        .iter()
        .map(|recipient| Watched { inner: recipient.as_ref(), seen: &seen })
        .collect();
    let encryptor = Encryptor::with_recipients(watched.iter().map(|watched| watched as _))?;
    let mut prologue = Vec::new();
    // The writer that comes back is for the payload: not one byte of it is written.
    encryptor.wrap_output(&mut prologue)?;
    // Neither can be missing: the nonce is written behind the header, and a recipient has wrapped the key.
    let nonce = prologue.last_chunk().ok_or(io::Error::from(io::ErrorKind::UnexpectedEof))?;
    let key = seen.payload_key(nonce).ok_or(EncryptError::MissingRecipients)?;
    Ok(Sealed { prologue, key })
}

/// A recipient that shows the file key that it wraps.
struct Watched<'a> {
    inner: &'a dyn Recipient,
    seen: &'a Seen,
}

impl Recipient for Watched<'_> {
    fn wrap_file_key(&self, key: &FileKey) -> Result<(Vec<Stanza>, HashSet<String>), EncryptError> {
        self.seen.remember(key);
        self.inner.wrap_file_key(key)
    }
}
