// SPDX-License-Identifier: Apache-2.0
//! Keys, recipients and identities, from the command line, from files and from people.

pub mod hex;
pub mod identities;
pub mod identity_files;
pub mod key_file;
pub mod prompt;
pub mod recipients;
pub mod unusable;
