// SPDX-License-Identifier: Apache-2.0
//! From the named engines to workers.

#[cfg(target_os = "linux")]
pub mod boards;
#[cfg(not(target_os = "linux"))]
#[path = "no_boards.rs"]
pub mod boards;
#[cfg(feature = "sim")]
pub mod served;
#[cfg(not(feature = "sim"))]
#[path = "not_served.rs"]
pub mod served;
#[cfg(feature = "sim")]
pub mod simulated;
#[cfg(not(feature = "sim"))]
#[path = "no_simulation.rs"]
pub mod simulated;

use std::{thread, time::Duration};

use saltmill::engine::{Algorithm, CpuWorker, Engine, Worker};

use crate::{
    args::{EngineArguments, EngineName},
    report::failure::Failure,
};

/// All workers of the named engines; the CPU if none is named, with no more threads than `jobs`.
/// `variant` is the simulated device if none is named.
pub fn workers(
    arguments: &EngineArguments,
    variant: &str,
    jobs: Option<u64>,
) -> Result<Vec<Box<dyn Worker>>, Failure> {
    let mut workers = Vec::new();
    let engines = &arguments.engines;
    if engines.is_empty() || engines.contains(&EngineName::Cpu) {
        workers.extend(cpu(arguments.workers, jobs.unwrap_or(u64::MAX)));
    }
    let devices =
        engines.iter().map(|engine| if let EngineName::Sim(n) = engine { *n } else { 0 }).sum();
    if devices > 0 {
        let variant = arguments.sim_variant.as_deref().unwrap_or(variant);
        workers.extend(simulated::workers(arguments, variant, devices)?);
    }
    for engine in engines {
        workers.extend(board(engine, arguments.deadline.0)?);
    }
    Ok(workers)
}

/// A worker on a device of this machine, if the name is one of those.
pub fn board(name: &EngineName, deadline: Duration) -> Result<Option<Box<dyn Worker>>, Failure> {
    match name {
        EngineName::Cpu | EngineName::Sim(_) => Ok(None),
        EngineName::Vfio(address) => boards::vfio(address, deadline).map(Some),
        EngineName::Uio(name) => boards::uio(name, deadline).map(Some),
    }
}

/// Whether all workers can do this; nothing is asked of them if it is none.
pub fn check(engine: &Engine, algorithm: Option<Algorithm>) -> Result<(), Failure> {
    let Some(algorithm) = algorithm else { return Ok(()) };
    match engine.without(algorithm) {
        None => Ok(()),
        Some(worker) => Err(Failure::usage(
            format!("{worker} can't do {algorithm}"),
            "`saltmill devices` shows what each engine can do; --sim-variant names a simulated device",
        )),
    }
}

/// CPU workers: so many, or one for each processor; no more than jobs: one that finds nothing to do
/// costs as much as a small file, and so does asking for the number of processors.
pub fn cpu(workers: Option<u16>, jobs: u64) -> impl Iterator<Item = Box<dyn Worker>> {
    let processors = || thread::available_parallelism().map_or(1, usize::from);
    let workers = match workers {
        Some(workers) => workers.into(),
        None if jobs > 1 => processors(),
        None => 1,
    };
    let workers = workers.min(usize::try_from(jobs).unwrap_or(usize::MAX));
    (0..workers).map(|index| Box::new(CpuWorker::new(index)) as Box<dyn Worker>)
}
