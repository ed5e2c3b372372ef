// SPDX-License-Identifier: Apache-2.0
//! Ctrl-C and its relatives: the run is asked to stop; what does not stop is ended, and so is what
//! waits for a passphrase.

use std::{
    fs, io, process,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use saltmill::{engine::CancelToken, remove_unfinished};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag::register_usize,
    iterator::Signals,
};

use crate::{
    keys::prompt,
    report::failure::{Failure, hint, reason},
    say,
};

/// How long a run may take to stop by itself, for example when a device does not answer.
const GRACE: Duration = Duration::from_secs(2);

/// The signal that came last; 0 is none. The handler itself writes it, so that whoever is
/// interrupted knows.
static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// Number of the signal that asked to end, if one did.
pub fn signal() -> Option<u8> {
    u8::try_from(SIGNAL.load(Ordering::SeqCst)).ok().filter(|signal| *signal > 0)
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
    let ignored = ignored();
    let signals = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !ignored.contains(signal));
    for signal in signals.clone() {
        register_usize(signal, Arc::clone(&SIGNAL), usize::try_from(signal).unwrap_or_default())?;
    }
    let mut signals = Signals::new(signals)?;
    thread::spawn(move || {
        let mut waiting = false;
        for _ in signals.forever() {
            cancel.cancel();
            // A prompt would wait for ever.
            if waiting || prompt::is_open() {
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

/// Signals that the caller lets us ignore: `nohup` does so, and a shell for what runs in the
/// background. They stay ignored.
fn ignored() -> Vec<i32> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    (1..=64).filter(|signal| mask >> (signal - 1) & 1 == 1).collect()
}

fn end() -> ! {
    // Held to the end: nobody begins another one meanwhile.
    let _none = remove_unfinished();
    if prompt::close() {
        // Behind the prompt.
        say::tell("");
        say::tell(Failure::interrupted());
    }
    process::exit(Failure::interrupted().exit().code().into());
}
