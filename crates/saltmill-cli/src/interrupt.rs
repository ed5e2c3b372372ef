// SPDX-License-Identifier: Apache-2.0
//! Ctrl-C and its relatives: the run is asked to stop; what does not stop is ended.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    process,
    sync::{
        Mutex, MutexGuard, PoisonError,
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

use crate::failure::{Exit, Failure, hint, reason};

/// How long a run may take to stop by itself, for example when a device does not answer.
const GRACE: Duration = Duration::from_secs(2);

/// Outputs that are not finished, removed if the process must be ended.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The signal that came last.
static SIGNAL: AtomicU8 = AtomicU8::new(0);

/// Number of the signal that asked to end.
pub fn signal() -> u8 {
    SIGNAL.load(Ordering::SeqCst)
}

/// An output that is not finished: remembered until this is dropped.
pub struct Unfinished(PathBuf);

impl Unfinished {
    /// Remembers it.
    pub fn new(path: &Path) -> Self {
        unfinished().insert(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A token that signals cancel.
pub fn token() -> Result<CancelToken, Failure> {
    let cancel = CancelToken::default();
    watch(cancel.clone()).map_err(|error| {
        Failure::run(format!("signals can't be caught: {}", reason(&error)), hint(&error))
    })?;
    Ok(cancel)
}

/// Lets signals cancel the token. A second signal, or a run that does not stop, ends the process
/// with 128 and the signal's number.
fn watch(cancel: CancelToken) -> io::Result<()> {
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
    // Held to the end: nobody begins another one meanwhile.
    let unfinished = unfinished();
    for path in &*unfinished {
        let _ = fs::remove_file(path);
    }
    process::exit(Exit::Signal(signal()).code().into());
}
