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
