// SPDX-License-Identifier: Apache-2.0
//! Ctrl-C and its relatives: the run is asked to stop; what does not stop is ended.

use std::{
    fs, io,
    path::PathBuf,
    process,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU8, Ordering},
    },
    thread,
    time::Duration,
};

use saltmill_engine::CancelToken;
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};

use crate::failure::Exit;

/// How long a run may take to stop by itself, for example when a device does not answer.
const GRACE: Duration = Duration::from_secs(2);

/// The unfinished output, removed if the process must be ended.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// The signal that came last.
static SIGNAL: AtomicU8 = AtomicU8::new(0);

/// Number of the signal that asked to end.
pub fn signal() -> u8 {
    SIGNAL.load(Ordering::SeqCst)
}

/// Remembers the unfinished output, or that there is none.
pub fn set_unfinished(path: Option<PathBuf>) {
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = path;
}

/// Lets signals cancel the token. A second signal, or a run that does not stop, ends the process
/// with 128 and the signal's number.
pub fn watch(cancel: CancelToken) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    thread::spawn(move || {
        let mut waiting = false;
        for signal in signals.forever() {
            SIGNAL.store(u8::try_from(signal).unwrap_or_default(), Ordering::SeqCst);
            cancel.cancel();
            if waiting {
                end();
            }
            waiting = true;
            thread::spawn(move || {
                thread::sleep(GRACE);
                end();
            });
        }
    });
    Ok(())
}

fn end() -> ! {
    let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(path) = unfinished {
        let _ = fs::remove_file(path);
    }
    process::exit(Exit::Signal(signal()).code().into());
}
