// SPDX-License-Identifier: Apache-2.0
//! Who does the work: CPU threads and devices; and how a run is watched.

use std::{
    mem::MaybeUninit,
    sync::{Mutex, OnceLock, PoisonError, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

use saltmill::{
    Error as LibraryError,
    engine::{
        Algorithm, CancelToken, CpuWorker, DeviceWorker, Engine as LibraryEngine, Event, Transfer,
        Worker,
    },
};
use saltmill_device::Accelerator;

use crate::{
    device::open,
    error::{Error, Status, call, quiet},
    raw::{Context, Text, make, needed},
};

/// A job that takes longer has failed.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// Of the command, too.
const MOST_THREADS: usize = 1024;

/// CPU threads and devices that work together on one file. Threads may share it; runs wait for each
/// other.
pub struct Engine {
    engine: Mutex<LibraryEngine>,
    cancel: CancelToken,
}

/// How a run is done and watched. All zero, or a null pointer in its place: in the usual way.
#[repr(C)]
pub struct Options<'a> {
    /// Write the armor of the age format: text of 64 characters a line.
    pub armor: bool,
    /// Replace a file that is there already.
    pub replace: bool,
    /// Who does it; null: a CPU thread for each processor, if there is work for them.
    pub engine: Option<&'a Engine>,
    /// Called on the caller's thread, now and then, with the number of bytes that are done; false
    /// ends the run. It must not use the same engine. May be null.
    pub progress: Option<extern "C" fn(context: Context, bytes: u64) -> bool>,
    /// Given back to `progress`.
    pub context: Context,
}

/// An engine of those that `names` lists, separated by commas, as the command's `--engine` names
/// them: `cpu`, `vfio:ADDRESS`, `uio:NAME`; and `sim:VARIANT` where the library was built with
/// simulated devices. Null: `cpu`. `threads`: of `cpu`, up to 1024; 0: one for each processor.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_engine_new(
    names: Text,
    threads: u32,
    engine: Option<&mut MaybeUninit<Option<Box<Engine>>>>,
) -> Status {
    call(|| {
        make(engine, || {
            let mut workers: Vec<Box<dyn Worker>> = Vec::new();
            for name in names.optional()?.unwrap_or("cpu").split(',').map(str::trim) {
                if name == "cpu" {
                    workers.extend(on_cpu(count(threads)?));
                } else {
                    let device = open(name, "ideal", 0)?;
                    let accelerator = Accelerator::probe(device, Instant::now() + PATIENCE)?;
                    workers.push(Box::new(DeviceWorker::new(accelerator, Transfer::Text)?));
                }
            }
            let cancel = CancelToken::default();
            let engine = Mutex::new(LibraryEngine::new(workers, PATIENCE, cancel.clone()));
            Ok(Engine { engine, cancel })
        })
    })
}

/// Asks the run that is under way, or else the next one, to stop. Any thread may call it.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_engine_cancel(engine: Option<&Engine>) -> Status {
    call(|| {
        needed(engine)?.cancel.cancel();
        Ok(())
    })
}

/// Frees an engine that nobody uses; its devices are wiped. Null is none.
#[unsafe(no_mangle)]
pub extern "C" fn saltmill_engine_free(engine: Option<Box<Engine>>) {
    quiet(|| drop(engine));
}

fn count(threads: u32) -> Result<usize, Error> {
    match usize::try_from(threads) {
        Ok(0) => Ok(processors()),
        Ok(threads) if threads <= MOST_THREADS => Ok(threads),
        _ => Err(Error::argument(format!("there are at most {MOST_THREADS} threads"))),
    }
}

pub fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

fn on_cpu(threads: usize) -> impl Iterator<Item = Box<dyn Worker>> {
    (0..threads).map(|index| Box::new(CpuWorker::new(index)) as Box<dyn Worker>)
}

/// An engine of CPU threads, for whoever names none; no more than there are jobs.
pub fn own(jobs: u64) -> LibraryEngine {
    let jobs = usize::try_from(jobs).unwrap_or(usize::MAX).max(1);
    let threads = if jobs > 1 { processors().min(jobs) } else { 1 };
    LibraryEngine::new(on_cpu(threads).collect(), PATIENCE, CancelToken::default())
}

/// Lets `act` use the engine of the options, for so many jobs.
pub fn run<T>(
    options: Option<&Options<'_>>,
    jobs: u64,
    act: impl FnOnce(&mut LibraryEngine, &mut dyn FnMut(Event)) -> Result<T, LibraryError>,
) -> Result<T, Error> {
    let mut mine;
    let mut lent;
    let engine = if let Some(engine) = options.and_then(|options| options.engine) {
        lent = engine.engine.lock().unwrap_or_else(PoisonError::into_inner);
        &mut *lent
    } else {
        mine = own(jobs);
        &mut mine
    };
    if let Some(worker) = engine.without(Algorithm::ChaCha20Poly1305) {
        return Err(Error::argument(format!("{worker} can't do ChaCha20-Poly1305")));
    }
    let cancel = engine.cancel_token();
    let watch = options.and_then(|options| Some((options.progress?, options.context)));
    let outcome = act(engine, &mut |event| {
        if let (Event::Progress(bytes), Some((progress, context))) = (event, watch)
            && !progress(context, bytes)
        {
            cancel.cancel();
        }
    });
    // It asked for the end of this run only.
    cancel.flag().store(false, Ordering::SeqCst);
    Ok(outcome?)
}
