// SPDX-License-Identifier: Apache-2.0
//! From the named engines to workers.

use std::thread;

use saltmill_engine::{CpuWorker, Worker};

use crate::{
    args::{Engine, EngineArguments},
    failure::Failure,
    simulated,
};

/// All workers of the named engines; the CPU if none is named. `variant` is the simulated device if none
/// is named.
pub fn workers(
    arguments: &EngineArguments,
    variant: &str,
) -> Result<Vec<Box<dyn Worker>>, Failure> {
    let mut workers = Vec::new();
    let engines = &arguments.engines;
    if engines.is_empty() || engines.contains(&Engine::Cpu) {
        workers.extend(cpu(arguments.workers));
    }
    let devices =
        engines.iter().map(|engine| if let Engine::Sim(n) = engine { *n } else { 0 }).sum();
    if devices > 0 {
        let variant = arguments.sim_variant.as_deref().unwrap_or(variant);
        workers.extend(simulated::workers(arguments, variant, devices)?);
    }
    Ok(workers)
}

/// CPU workers: so many, or one for each processor.
pub fn cpu(workers: Option<u16>) -> impl Iterator<Item = Box<dyn Worker>> {
    let processors = || thread::available_parallelism().map_or(1, usize::from);
    let workers = workers.map_or_else(processors, usize::from);
    (0..workers).map(|index| Box::new(CpuWorker::new(index)) as Box<dyn Worker>)
}
