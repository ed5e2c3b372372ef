// SPDX-License-Identifier: Apache-2.0
//! The header of version 1 of the age file format (C2SP, age.md). It gives the payload's key; another crate
//! seals and opens the payload with it (`saltmill_engine`, whose workers share the chunks).
//!
//! Recipients, identities and the text of the header are handled by the `age` crate. That crate shows the
//! file key only to recipients and identities, so the ones here remember it on the way.
//!
//! ```
//! use age::{Identity, Recipient, x25519};
//! use saltmill_format::{Prologue, seal};
//!
//! let identity = x25519::Identity::generate();
//! let recipient: Box<dyn Recipient> = Box::new(identity.to_public());
//! let sealed = seal(&[recipient])?;
//!
//! let identity: Box<dyn Identity> = Box::new(identity);
//! let prologue = Prologue::read(&mut &sealed.prologue[..])?;
//! assert_eq!(prologue.len(), sealed.prologue.len() as u64);
//! assert_eq!(prologue.open(&[identity])?.bytes(), sealed.key.bytes());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod error;
mod header;
pub mod hybrid;
mod key;
mod prologue;
mod seal;
mod stream;

pub use error::{OpenError, PrologueError};
pub use key::{PAYLOAD_KEY_BYTES, PayloadKey};
pub use prologue::{NONCE_BYTES, Prologue, Stanza};
pub use seal::{Sealed, seal};
pub use stream::{Opened, is_armor};
