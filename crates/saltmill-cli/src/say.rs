// SPDX-License-Identifier: Apache-2.0
//! What people are told on standard error, and lists and texts on standard output.

use std::{
    fmt::Display,
    io::{self, Write},
};

use crate::failure::{Failure, hint, reason};

/// Tells people. If nobody can be told, the exit code still is: that is no reason to break off.
pub fn tell(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Tells people what they must know for the work to be worth anything.
pub fn tell_secret(text: impl Display) -> Result<(), Failure> {
    writeln!(io::stderr().lock(), "{text}").map_err(|error| unwritable("standard error", &error))
}

/// Prints a list or a text. A reader that has seen enough and is gone, as `head`, is all right.
pub fn print(text: &[u8]) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    printed(output.write_all(text).and_then(|()| output.flush()))
}

/// What has become of something that was printed.
pub fn printed(outcome: io::Result<()>) -> Result<(), Failure> {
    match outcome {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(unwritable("standard output", &error))
        }
        _ => Ok(()),
    }
}

fn unwritable(what: &str, error: &io::Error) -> Failure {
    Failure::run(format!("{what} can't be written: {}", reason(error)), hint(error))
}
