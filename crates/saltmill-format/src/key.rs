// SPDX-License-Identifier: Apache-2.0
//! The file key, as it passes by, and the payload's key that is derived from it.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
};

use age_core::{
    format::{FILE_KEY_BYTES, FileKey},
    primitives::hkdf,
    secrecy::ExposeSecret,
};
use zeroize::Zeroizing;

use crate::NONCE_BYTES;

/// Bytes of a payload's key.
pub const PAYLOAD_KEY_BYTES: usize = 32;

/// The key that the payload's chunks are sealed under; good for one file. Cleared when it is dropped.
pub struct PayloadKey(Zeroizing<[u8; PAYLOAD_KEY_BYTES]>);

impl PayloadKey {
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

/// Remembers the last file key that it was shown.
#[derive(Default)]
pub(crate) struct Seen(Mutex<Option<Zeroizing<[u8; FILE_KEY_BYTES]>>>);

impl Seen {
    pub(crate) fn remember(&self, key: &FileKey) {
        let copy = Zeroizing::new(*key.expose_secret());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(copy);
    }

    /// The payload's key: HKDF-SHA-256 of the file key, salted with the payload's nonce (C2SP, age.md,
    /// "Payload"). `None` if no file key was seen.
    pub(crate) fn payload_key(self, nonce: &[u8; NONCE_BYTES]) -> Option<PayloadKey> {
        let seen = self.0.into_inner().unwrap_or_else(PoisonError::into_inner)?;
        Some(PayloadKey(Zeroizing::new(hkdf(nonce, b"payload", &*seen))))
    }
}
