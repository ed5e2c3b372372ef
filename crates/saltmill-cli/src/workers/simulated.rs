// SPDX-License-Identifier: Apache-2.0
//! Workers on simulated devices.

use std::time::Instant;

use saltmill::engine::{DeviceWorker, JOB_BYTES, Transfer, Worker};
use saltmill_device::Accelerator;
use saltmill_sim::{Fault, MemoryProfile, SimConfig, SimError, System};

use crate::{args::EngineArguments, report::failure::Failure};

/// Memory of a device: the ring, and four jobs.
const DMA_BYTES: usize = 4 * JOB_BYTES + (64 << 10);
/// A simulation has at most so many devices.
const MOST_DEVICES: usize = 4;

/// The variants that there are.
pub fn variants() -> Vec<String> {
    saltmill_sim::variants()
}

/// Workers on devices that share one memory.
pub fn workers(
    arguments: &EngineArguments,
    variant: &str,
    devices: usize,
) -> Result<Vec<Box<dyn Worker>>, Failure> {
    let memory = profile(&arguments.sim_memory)?;
    if devices > MOST_DEVICES {
        let sentence = format!("{devices} simulated devices are too many");
        let hint = format!("a simulation has at most {MOST_DEVICES} devices in all");
        return Err(Failure::usage(sentence, hint));
    }
    let fault = arguments.sim_hang_at.map(|from_cycle| Fault::Hang { device: 0, from_cycle });
    let variant = variant.to_owned();
    let config =
        SimConfig { variant, devices, memory, dma_bytes: DMA_BYTES, fault, ..SimConfig::default() };
    let deadline = Instant::now() + arguments.deadline.0;
    let mut workers = Vec::new();
    for device in System::new(config).map_err(no_system)? {
        let accelerator = Accelerator::probe(device, deadline)?;
        let worker = DeviceWorker::new(accelerator, Transfer::Text)?;
        workers.push(Box::new(worker) as Box<dyn Worker>);
    }
    Ok(workers)
}

/// The memory of that name.
pub fn profile(name: &str) -> Result<MemoryProfile, Failure> {
    MemoryProfile::named(name).ok_or_else(|| {
        let known = MemoryProfile::ALL.map(|profile| profile.name).join(", ");
        let sentence = format!("there is no memory profile {name:?}");
        Failure::usage(sentence, format!("profiles are: {known}"))
    })
}

/// Why there is no such simulation.
pub fn no_system(error: SimError) -> Failure {
    match error {
        SimError::UnknownVariant { name, known } => Failure::usage(
            format!("there is no simulated device {name:?}"),
            format!("this build has {}; `make setup` builds all", known.join(", ")),
        ),
        SimError::Device(error) => error.into(),
        other => Failure::device(other.to_string(), "try it without the simulated device"),
    }
}
