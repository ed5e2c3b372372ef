// SPDX-License-Identifier: Apache-2.0
//! The file key, as it passes by, and the payload's key that is derived from it.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
};

use age_core::{format::FileKey, primitives::hkdf, secrecy::ExposeSecret};
use zeroize::Zeroizing;

use crate::NONCE_BYTES;

/// Label of the key that a header's authentication code is made with.
const HEADER: &[u8] = b"header";
/// Label of the payload's key.
const PAYLOAD: &[u8] = b"payload";

/// Bytes of a payload's key.
pub const PAYLOAD_KEY_BYTES: usize = 32;

/// The key that the payload's chunks are sealed under; good for one file. Cleared when it is
/// dropped.
pub struct PayloadKey(Zeroizing<[u8; PAYLOAD_KEY_BYTES]>);

impl PayloadKey {
    /// HKDF-SHA-256 of the file key, salted with the payload's nonce (C2SP, age.md, "Payload").
    pub(crate) fn derive(key: &FileKey, nonce: &[u8; NONCE_BYTES]) -> Self {
        Self(Zeroizing::new(hkdf(nonce, PAYLOAD, key.expose_secret())))
    }

    /// The key itself.
    pub fn bytes(&self) -> &[u8; PAYLOAD_KEY_BYTES] {
        &self.0
    }
}

impl fmt::Debug for PayloadKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PayloadKey").finish_non_exhaustive()
    }
}

/// The key of a header's authentication code: HKDF-SHA-256 of the file key, without a salt (C2SP,
/// age.md, "Header MAC").
pub(crate) fn header_key(key: &FileKey) -> Zeroizing<[u8; 32]> {
    Zeroizing::new(hkdf(&[], HEADER, key.expose_secret()))
}

/// Remembers the last file key that it was shown.
#[derive(Default)]
pub(crate) struct LastFileKey(Mutex<Option<FileKey>>);

impl LastFileKey {
    pub(crate) fn remember(&self, key: &FileKey) {
        let copy = FileKey::init_with_mut(|copy| copy.copy_from_slice(key.expose_secret()));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(copy);
    }

    /// The file key, if one was seen.
    pub(crate) fn into_key(self) -> Option<FileKey> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
