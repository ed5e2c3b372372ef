// SPDX-License-Identifier: Apache-2.0
//! What people are told on standard error, and lists and texts on standard output.

use std::{
    ffi::OsStr,
    fmt::{Display, Write as _},
    io::{self, Write},
};

use crate::report::failure::{Failure, hint, reason};

/// A name, or what somebody else says, as it can be shown on a terminal: what would steer it, turn
/// the text around, or is no text, is written out.
pub fn shown(name: impl AsRef<OsStr>) -> String {
    let mut shown = String::new();
    for chunk in name.as_ref().as_encoded_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            if steers(c) {
                shown.extend(c.escape_default());
            } else {
                shown.push(c);
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    shown
}

/// Control characters, and those that Unicode has for line ends and for the direction of text.
fn steers(c: char) -> bool {
    let other = '\u{2028}'..='\u{202E}';
    c.is_control()
        || other.contains(&c)
        || matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2066}'..='\u{2069}')
}

/// Warns people, and says what to do about it.
pub fn warn(sentence: &str, hint: &str) {
    tell(format_args!("warning: {}\nhint: {}", shown(sentence), shown(hint)));
}

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

#[cfg(test)]
mod tests {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    use super::shown;

    #[test]
    fn names_can_not_steer_a_terminal() {
        for good in ["", "notes.txt", "a b", "naïve 文件 e\u{301}", "it's \"this\" \\n"] {
            assert_eq!(shown(good), good);
        }
        assert_eq!(shown("\u{1b}[2Jx\r\n\t\u{7f}\u{9b}"), "\\u{1b}[2Jx\\r\\n\\t\\u{7f}\\u{9b}");
        assert_eq!(shown("gpj\u{202e}.exe\u{2069}"), "gpj\\u{202e}.exe\\u{2069}");
        assert_eq!(shown(OsStr::from_bytes(b"a\xff\xc3z")), "a\\xff\\xc3z");
        let once = shown("\u{1b}\n");
        assert_eq!(shown(&once), once);
    }
}
