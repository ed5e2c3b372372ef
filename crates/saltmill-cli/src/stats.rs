// SPDX-License-Identifier: Apache-2.0
//! What a run did, as JSON.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use saltmill_device::{Counters, Description};
use saltmill_engine::{DeviceReport, Report, WorkerReport};
use serde::Serialize;

use crate::failure::{Failure, reason};

const MIB: f64 = 1_048_576.0;

/// A run.
#[derive(Serialize)]
struct Run {
    bytes: u64,
    seconds: f64,
    mib_per_second: f64,
    workers: Vec<Worker>,
}

#[derive(Serialize)]
struct Worker {
    name: String,
    jobs: u64,
    bytes: u64,
    /// Wall-clock time in the worker; of a simulated device it says nothing about hardware.
    seconds: f64,
    failure: Option<String>,
    device: Option<Device>,
}

/// A device: how it is built and what its counters say.
#[derive(Serialize)]
pub struct Device {
    simulated: bool,
    algorithm: String,
    structure: String,
    final_add: bool,
    unroll: u8,
    stages: u8,
    data_bytes: u8,
    address_bits: u8,
    any_alignment: bool,
    key_slots: u8,
    /// Of AES
    #[serde(skip_serializing_if = "Vec::is_empty")]
    key_bits: Vec<usize>,
    clock_hz: Option<u32>,
    core_cycles_per_block: u16,
    core_latency: u16,
    cycles: u64,
    busy: u64,
    stalled_input: u64,
    stalled_output: u64,
    blocks: u64,
    bytes: u64,
    jobs: u64,
    cycles_per_block: Option<f64>,
    utilisation: Option<f64>,
    mib_per_second_at_clock: Option<f64>,
    simulated_cycles: Option<u64>,
}

/// Statistics must not land in the output.
pub fn check(path: Option<&Path>, output_is_stdout: bool) -> Result<(), Failure> {
    if path == Some(Path::new("-")) && output_is_stdout {
        return Err(Failure::usage(
            "statistics and output can't both go to standard output",
            "name a file with --stats FILE or with -o OUT",
        ));
    }
    Ok(())
}

/// Writes what a run did, if that is asked for.
pub fn write(path: Option<&Path>, report: &Report) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let mut text = serde_json::to_string_pretty(&Run::from(report)).unwrap_or_default();
    text.push('\n');
    let written = if path == Path::new("-") {
        io::stdout().write_all(text.as_bytes())
    } else {
        fs::write(path, text)
    };
    written.map_err(|error| {
        let sentence =
            format!("statistics {} can't be written: {}", path.display(), reason(&error));
        Failure::run(sentence, "the output itself is complete")
    })
}

impl From<&Report> for Run {
    fn from(report: &Report) -> Self {
        let seconds = report.elapsed.as_secs_f64();
        Self {
            bytes: report.bytes,
            seconds,
            mib_per_second: report.bytes as f64 / MIB / seconds,
            workers: report.workers.iter().map(Worker::from).collect(),
        }
    }
}

impl From<&WorkerReport> for Worker {
    fn from(report: &WorkerReport) -> Self {
        Self {
            name: report.name.clone(),
            jobs: report.jobs,
            bytes: report.bytes,
            seconds: report.working.as_secs_f64(),
            failure: report.failure.clone(),
            device: report.device.as_ref().map(Device::from),
        }
    }
}

impl From<&DeviceReport> for Device {
    fn from(report: &DeviceReport) -> Self {
        Self::new(&report.description, &report.counters, report.simulated_cycles)
    }
}

impl Device {
    fn new(about: &Description, counters: &Counters, simulated_cycles: Option<u64>) -> Self {
        Self {
            simulated: simulated_cycles.is_some(),
            algorithm: about.algorithm.to_string(),
            structure: about.structure.to_string(),
            final_add: about.final_add,
            unroll: about.unroll,
            stages: about.stages,
            data_bytes: about.data_bytes,
            address_bits: about.address_bits,
            any_alignment: about.any_alignment,
            key_slots: about.key_slots,
            key_bits: about.key_sizes().map(|size| 8 * size.bytes()).collect(),
            clock_hz: about.clock_hz,
            core_cycles_per_block: about.cycles_per_block,
            core_latency: about.latency,
            cycles: counters.cycles,
            busy: counters.busy,
            stalled_input: counters.stalled_input,
            stalled_output: counters.stalled_output,
            blocks: counters.blocks,
            bytes: counters.bytes,
            jobs: counters.jobs,
            cycles_per_block: counters.cycles_per_block(),
            utilisation: counters.utilisation(about.cycles_per_block),
            mib_per_second_at_clock: about.clock_hz.and_then(|hz| counters.mib_per_second(hz)),
            simulated_cycles,
        }
    }

    /// Clock and counters, as a line for people.
    pub fn summary(&self) -> String {
        let clock = self
            .clock_hz
            .map_or("clock not stated".to_owned(), |hz| format!("{} MHz", f64::from(hz) / 1e6));
        format!(
            "{clock}; {} key slots; counters: {} jobs, {} bytes, {} blocks, {} cycles, \
             {} stalled on input, {} on output",
            self.key_slots,
            self.jobs,
            self.bytes,
            self.blocks,
            self.cycles,
            self.stalled_input,
            self.stalled_output,
        )
    }
}
