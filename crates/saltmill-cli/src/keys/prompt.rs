// SPDX-License-Identifier: Apache-2.0
//! Passphrases that are asked for on the terminal: whoever asks for them switches its echo off, and
//! whoever ends the process meanwhile must switch it on again.

use std::{
    fs::File,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// The terminal, and how it was before anybody asked.
static TERMINAL: OnceLock<Option<(File, Termios)>> = OnceLock::new();

/// How many may be asking just now.
static ASKING: AtomicUsize = AtomicUsize::new(0);

/// Lets somebody ask who may need to: the `age` crate, a plugin.
pub fn may_ask<T>(ask: impl FnOnce() -> T) -> T {
    TERMINAL.get_or_init(|| {
        let terminal = File::options().read(true).write(true).open("/dev/tty").ok()?;
        let modes = tcgetattr(&terminal).ok()?;
        Some((terminal, modes))
    });
    let _asking = Asking::new();
    ask()
}

/// Whether somebody waits for an answer: the echo is off, which was on.
pub fn is_open() -> bool {
    changed().is_some()
}

/// Puts the terminal back as it was, if somebody waits for an answer.
pub fn close() -> bool {
    let Some((terminal, modes)) = changed() else { return false };
    tcsetattr(terminal, OptionalActions::Now, modes).is_ok()
}

fn changed() -> Option<&'static (File, Termios)> {
    // A pager at the end of a pipe changes the terminal, too; that is no business of ours.
    let asking = ASKING.load(Ordering::SeqCst) > 0;
    let saved = TERMINAL.get().filter(|_| asking)?.as_ref()?;
    let now = tcgetattr(&saved.0).ok()?;
    let echo = |modes: &Termios| modes.local_modes.contains(LocalModes::ECHO);
    (echo(&saved.1) && !echo(&now)).then_some(saved)
}

struct Asking;

impl Asking {
    fn new() -> Self {
        ASKING.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        ASKING.fetch_sub(1, Ordering::SeqCst);
    }
}
