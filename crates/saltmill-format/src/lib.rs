// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![deny(clippy::missing_errors_doc)]

mod error;
mod header;
pub mod hybrid;
mod key;
mod prologue;
mod seal;
mod stream;

pub use age_core::format::FileKey;
pub use error::{OpenError, PrologueError};
pub use key::{PAYLOAD_KEY_BYTES, PayloadKey};
pub use prologue::{NONCE_BYTES, Prologue, Stanza};
pub use seal::{Sealed, seal};
pub use stream::{Opened, is_armor};
