// SPDX-License-Identifier: Apache-2.0
//! What to say of recipients, identities and passphrases that can't be used.

use std::io::ErrorKind;

use age::cli_common::ReadError;

use crate::report::failure::{Failure, hint, reason};

/// What an identity file holds.
pub const IDENTITY_FILE: &str =
    "an identity file is what `saltmill keygen` writes, or an SSH private key";

/// What a recipients file holds.
pub const RECIPIENTS_FILE: &str =
    "a recipients file holds one recipient per line; lines that begin with # are comments";

/// No passphrase was given.
pub fn no_passphrase(error: &impl std::fmt::Display) -> Failure {
    Failure::usage(
        format!("no passphrase was given: {}", first_line(&error.to_string())),
        "run it in a terminal, name a program that asks for it in PINENTRY_PROGRAM, or use -j batchpass",
    )
}

/// A plugin that can't be used.
pub fn no_plugin(name: &str, error: &dyn std::error::Error) -> Failure {
    Failure::usage(
        format!("plugin {name} can't be used: {}", first_line(&error.to_string())),
        format!("install age-plugin-{name} in a folder of PATH"),
    )
}

/// A recipient or an identity that can't be used, and the file that it is in; what is in a file of
/// identities is never shown.
pub fn unreadable(error: &ReadError, what: &str, file: &str) -> Failure {
    let (sentence, hint) = match error {
        ReadError::IdentityNotFound(name) => {
            (format!("identity file {name}: there is no such file"), "check the path")
        }
        ReadError::MissingRecipientsFile(name) => {
            (format!("recipients file {name}: there is no such file"), "check the path")
        }
        ReadError::InvalidRecipient(text) if text.starts_with("AGE-SECRET-KEY-") => (
            "an identity was given where a recipient is needed".to_owned(),
            "put it into a file and use -i; others may have seen the secret on this command line",
        ),
        ReadError::InvalidRecipient(text) => (
            format!("{text:?} is not a recipient"),
            "recipients begin with age1, ssh-ed25519 or ssh-rsa; name a file of recipients with -R",
        ),
        ReadError::InvalidRecipientsFile { filename, line_number } => {
            (format!("line {line_number} of {filename} is not a recipient"), RECIPIENTS_FILE)
        }
        ReadError::Io(error) if error.raw_os_error().is_none() => {
            let said = first_line(&error.to_string());
            let said = said.replace("identity file contains", "it contains");
            let hint = if what == "recipients file" { RECIPIENTS_FILE } else { IDENTITY_FILE };
            (format!("{what} {file} can't be used: {said}"), hint)
        }
        ReadError::Io(error) if error.kind() == ErrorKind::IsADirectory => {
            (format!("{what} {file} can't be read: {}", reason(error)), "name a file in it")
        }
        ReadError::Io(error) => {
            (format!("{what} {file} can't be read: {}", reason(error)), hint(error))
        }
        ReadError::MultipleStdin => (
            "standard input can't be read twice".to_owned(),
            "name a file instead of one of the `-`",
        ),
        other => {
            (first_line(&other.to_string()), "`saltmill keygen` makes an identity that can be used")
        }
    };
    Failure::usage(sentence, hint)
}

/// Messages of the age crate end with a full stop, may go on, and have marks of direction around
/// names.
pub fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim_end_matches('.');
    line.replace(['\u{2068}', '\u{2069}'], "")
}
