// SPDX-License-Identifier: Apache-2.0
//! `saltmill bench device`: cycles of jobs on simulated devices that share a memory.
//!
//! One thread serves all devices in turn. Host work takes no simulated time, except that register
//! accesses take the cycles of their handshakes; they are counted, because on a board they take
//! more.

mod counted;
mod lane;

use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

use saltmill::engine::CHUNK_BYTES;
use saltmill_device::Accelerator;
use saltmill_sim::{MemoryProfile, SimConfig, System};
use serde::Serialize;

use self::{
    counted::{Accesses, Counted},
    lane::Lane,
};
use super::{data, print};
use crate::{
    args::{DeviceArguments, OperationName},
    report::failure::Failure,
    workers::simulated::{no_system, profile},
};

/// A simulation that is slower than this has stopped.
const DEADLINE: Duration = Duration::from_secs(900);
/// Memory of a device besides its text and its result: ring and padding.
const MORE_MEMORY: usize = 64 << 10;
/// Told if neither the profile nor the caller names a clock.
const NO_CLOCK: u32 = 0;

#[derive(Serialize)]
struct Found {
    label: &'static str,
    variant: String,
    memory: &'static str,
    clock_hz: u32,
    devices: u8,
    operation: String,
    bytes: u32,
    jobs: u16,
    in_flight: u8,
    polled: bool,
    cycles_per_block: u16,
    block_bytes: u16,
    inputs: data::Inputs,
    /// From the first job's call to the last one's result.
    whole_cycles: u64,
    /// For one job of each device, from the end of the first jobs to the end of the last.
    steady_cycles: Option<f64>,
    /// Of each job of the first device: from the call to the result in memory, or to the interrupt
    /// that tells of it.
    job_cycles: Vec<u64>,
    /// To write a key.
    key_accesses: Accesses,
    /// Of all jobs of the first device together.
    job_accesses: Accesses,
    sha256: String,
}

/// Runs the command.
pub fn run(arguments: &DeviceArguments) -> Result<(), Failure> {
    if arguments.operation == OperationName::Seal && arguments.bytes as usize > CHUNK_BYTES {
        let sentence = format!("{} bytes are no message", arguments.bytes);
        return Err(Failure::usage(sentence, format!("a message has at most {CHUNK_BYTES} bytes")));
    }
    print(&measure(arguments)?, arguments.json, table)
}

fn measure(arguments: &DeviceArguments) -> Result<Found, Failure> {
    let memory = profile(&arguments.sim_memory)?;
    let clock_hz = arguments.clock_hz.unwrap_or(memory.clock_hz);
    let memory = if clock_hz == NO_CLOCK { memory } else { memory.at_clock(clock_hz) };
    let deadline = Instant::now() + DEADLINE;
    let mut lanes = lanes(arguments, memory, deadline)?;
    let key_accesses = lanes[0].accesses();

    let start = lanes[0].cycles()?;
    for lane in &mut lanes {
        for _ in 0..u16::from(arguments.in_flight).min(arguments.jobs) {
            lane.submit()?;
        }
    }
    let (mut job_cycles, mut first) = (Vec::new(), start);
    for job in 0..arguments.jobs {
        for (index, lane) in lanes.iter_mut().enumerate() {
            let cycles = lane.finish(arguments.poll, deadline)?;
            if index == 0 {
                job_cycles.push(cycles);
            }
            if lane.submitted < arguments.jobs {
                lane.submit()?;
            }
        }
        if job == 0 {
            first = lanes[0].cycles()?;
        }
    }
    let end = lanes[0].cycles()?;
    let all = lanes[0].accesses();
    let mut sha256 = String::new();
    for lane in &mut lanes {
        sha256 = data::sha256(&lane.checked()?);
    }
    let description = lanes[0].accelerator.description();
    let later = f64::from(arguments.jobs) - 1.0;
    Ok(Found {
        label: "simulated",
        variant: arguments.sim_variant.clone(),
        memory: memory.name,
        clock_hz,
        devices: arguments.devices,
        operation: format!("{:?}", arguments.operation).to_lowercase(),
        bytes: arguments.bytes,
        jobs: arguments.jobs,
        in_flight: arguments.in_flight,
        polled: arguments.poll,
        cycles_per_block: description.cycles_per_block,
        block_bytes: description.block_bytes,
        inputs: if description.has_chacha20() {
            data::chacha20_inputs()
        } else {
            data::aes_inputs()
        },
        whole_cycles: end - start,
        steady_cycles: (later > 0.0).then(|| (end - first) as f64 / later),
        job_cycles,
        key_accesses,
        job_accesses: Accesses {
            reads: all.reads - key_accesses.reads,
            writes: all.writes - key_accesses.writes,
        },
        sha256,
    })
}

/// The devices, each with its key.
fn lanes(
    arguments: &DeviceArguments,
    memory: MemoryProfile,
    deadline: Instant,
) -> Result<Vec<Lane>, Failure> {
    let bytes = arguments.bytes as usize;
    let config = SimConfig {
        variant: arguments.sim_variant.clone(),
        devices: arguments.devices.into(),
        memory,
        dma_bytes: (2 * bytes + MORE_MEMORY).next_multiple_of(4096),
        ..SimConfig::default()
    };
    let mut lanes = Vec::new();
    for device in System::new(config).map_err(no_system)? {
        let mut accelerator = Accelerator::probe(Counted::new(device), deadline)?;
        accelerator.device().accesses = Accesses::default();
        lanes.push(Lane::new(accelerator, arguments.operation, bytes)?);
    }
    Ok(lanes)
}

fn table(found: &Found) -> String {
    let mut text = format!(
        "{} x{} before memory {}: {} of {} jobs of {} bytes each, {} at a time\n",
        found.variant,
        found.devices,
        found.memory,
        found.operation,
        found.jobs,
        found.bytes,
        found.in_flight
    );
    let cycles = found.steady_cycles.unwrap_or(found.whole_cycles as f64);
    let per_cycle = f64::from(found.bytes) * f64::from(found.devices) / cycles;
    let _ = write!(text, "{cycles:.0} cycles for a job of each, {per_cycle:.3} bytes per cycle");
    if found.clock_hz != NO_CLOCK {
        let rate = per_cycle * f64::from(found.clock_hz) / f64::from(1 << 20);
        let _ = write!(text, ", {rate:.1} MiB/s at {} MHz", f64::from(found.clock_hz) / 1e6);
    }
    let alone = found.job_cycles.iter().min().unwrap_or(&0);
    let jobs = f64::from(found.jobs);
    let _ = writeln!(
        text,
        "\nfrom a call to its {}: {alone} cycles at best; register accesses of a job: {:.1} \
         reads, {:.1} writes; of a key: {}",
        if found.polled { "result in memory" } else { "interrupt" },
        found.job_accesses.reads as f64 / jobs,
        found.job_accesses.writes as f64 / jobs,
        found.key_accesses.writes
    );
    text
}
