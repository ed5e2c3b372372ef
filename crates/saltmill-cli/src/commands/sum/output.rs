// SPDX-License-Identifier: Apache-2.0
//! Lines on standard output, and what is told beside them.

use std::{
    fmt::Display,
    io::{self, BufWriter, IsTerminal, Stdout, Write},
    os::unix::ffi::OsStrExt,
    path::Path,
};

use saltmill::engine::{CancelToken, Event};
use serde::Serialize;

use crate::{
    args::{SumArguments, When},
    report::{progress::Progress, say},
};

/// What is shown while files are hashed.
pub struct Output {
    lines: BufWriter<Stdout>,
    is_terminal: bool,
    printed: io::Result<()>,
    cancel: CancelToken,
    progress: Progress,
    done: u64,
}

impl Output {
    /// Prints until nobody listens any more, and then cancels. `total` bytes are only asked for if
    /// they are shown.
    pub fn new(
        arguments: &SumArguments,
        cancel: CancelToken,
        total: impl FnOnce() -> Option<u64>,
    ) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let when = match arguments.progress {
            // Lines and a bar would be in each other's way.
            When::Auto if is_terminal => When::Never,
            when => when,
        };
        let progress = Progress::of(when, total);
        let lines = BufWriter::with_capacity(64 << 10, io::stdout());
        Self { lines, is_terminal, printed: Ok(()), cancel, progress, done: 0 }
    }

    /// Prints lines.
    pub fn print(&mut self, lines: &[u8]) {
        if self.printed.is_ok() {
            let written = self.lines.write_all(lines);
            self.check(written);
        }
        if self.is_terminal {
            self.flush();
        }
    }

    /// Prints a line of JSON.
    pub fn print_json(&mut self, line: &impl Serialize) {
        let mut text = serde_json::to_vec(line).unwrap_or_default();
        text.push(b'\n');
        self.print(&text);
    }

    /// Lets everything that was printed arrive.
    pub fn flush(&mut self) {
        if self.printed.is_ok() {
            let written = self.lines.flush();
            self.check(written);
        }
    }

    /// Tells people about a file.
    pub fn tell(&mut self, text: impl Display) {
        self.progress.suspend(|| say::tell(text));
    }

    /// Something has happened; what is printed does not wait for more.
    pub fn event(&mut self, event: &Event) {
        if let Event::Progress(bytes) = event {
            self.done = *bytes;
        }
        self.progress.event(event);
    }

    /// The run has ended: whether everything that was printed has arrived.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush();
        self.progress.finish(self.done);
        self.printed
    }

    fn check(&mut self, written: io::Result<()>) {
        if written.is_err() {
            self.cancel.cancel();
            self.printed = written;
        }
    }
}

/// A name in JSON, which has text only.
#[derive(Serialize)]
pub struct JsonName {
    file: String,
    /// The name's bytes as hex digits, if they are no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_hex: Option<String>,
}

impl JsonName {
    /// Of a file.
    pub fn new(name: &Path) -> Self {
        let file_hex = name.to_str().is_none().then(|| hex::encode(name.as_os_str().as_bytes()));
        Self { file: name.to_string_lossy().into_owned(), file_hex }
    }
}
