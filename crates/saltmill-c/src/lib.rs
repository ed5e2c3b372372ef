// SPDX-License-Identifier: Apache-2.0
//! `libsaltmill`: the library for C. What there is, is in `include/saltmill.h`, which is made from
//! this crate; `docs/c.md` shows how it is used.
//!
//! Unsafe code is in `raw` alone: a test looks.
#![allow(unsafe_code, reason = "names that C calls are `#[unsafe(no_mangle)]`")]

mod cipher;
mod device;
mod engine;
mod error;
mod files;
mod hash;
mod job;
mod keys;
mod pushed;
mod raw;
mod reader;
mod streams;

/// Bytes of text in a chunk of a file; the last one may have fewer.
pub const SALTMILL_CHUNK_BYTES: usize = 65_536;
/// Bytes of a tag of an AEAD, and those that each chunk is longer than its text.
pub const SALTMILL_TAG_BYTES: usize = 16;

const _: () = assert!(SALTMILL_CHUNK_BYTES == saltmill::engine::CHUNK_BYTES);
const _: () = assert!(SALTMILL_TAG_BYTES == saltmill::engine::TAG_BYTES);

/// What the header says of threads.
#[cfg(test)]
mod tests {
    #[test]
    fn objects_can_go_where_the_header_lets_them() {
        fn shared<T: Send + Sync>() {}
        fn sent<T: Send>() {}
        shared::<crate::engine::Engine>();
        shared::<crate::reader::Reader>();
        shared::<crate::cipher::Cipher>();
        shared::<crate::cipher::Aead>();
        shared::<crate::device::Device>();
        shared::<crate::job::Job>();
        shared::<crate::keys::Recipients>();
        shared::<crate::keys::Identities>();
        sent::<crate::pushed::Encryptor>();
        sent::<crate::pushed::Decryptor>();
        sent::<crate::hash::Hash>();
    }
}
