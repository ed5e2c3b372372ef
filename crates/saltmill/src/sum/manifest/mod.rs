// SPDX-License-Identifier: Apache-2.0
//! Manifests: lines with a digest and the name of a file. Only bytes and text here, no files.
//!
//! Written are the manifests of GNU coreutils 9 and of BSD (`--tag`); read are also those of
//! b3sum, of `openssl dgst`, of `md5 -r` and of hashdeep.

mod bsd;
mod escape;
mod gnu;
mod hashdeep;
mod reader;
mod version;
mod writer;

pub use escape::escaped;
pub use reader::{Entry, Line, Reader};
pub use writer::Style;
