// SPDX-License-Identifier: Apache-2.0
//! Keys, recipients and identities, from the command line, from files and from people.

pub mod hex;
pub mod identity_files;
pub mod key_file;
pub mod parties;
pub mod prompt;
