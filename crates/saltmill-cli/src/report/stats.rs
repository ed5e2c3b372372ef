// SPDX-License-Identifier: Apache-2.0
//! What a run did, as JSON.

use saltmill::engine::{DeviceReport, Report, WorkerReport};
use serde::Serialize;

use crate::{
    args::RunArguments,
    io::{sources::Sources, target::Target},
    report::failure::Failure,
};

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
    device: Option<DeviceStatistics>,
}

/// A device: how it is built and what its counters say.
#[derive(Serialize)]
pub struct DeviceStatistics {
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
    missed_interrupts: u64,
    spurious_interrupts: u64,
}

/// Where it is written, if that is asked for.
pub struct Statistics(Target);

impl Statistics {
    /// Checks it: it replaces nothing without `--force`, and never what is read.
    pub fn prepare(arguments: &RunArguments, sources: &Sources) -> Result<Self, Failure> {
        let Some(path) = &arguments.stats else { return Ok(Self(Target::Nothing)) };
        Target::check("statistics file", path, sources, arguments.force).map(Self)
    }

    /// Refuses an output that is the same file.
    pub fn refuse(&self, output: &Target) -> Result<(), Failure> {
        output.refuse(&self.0, "statistics")
    }

    /// Writes what a run did.
    pub fn write(self, report: &Report) -> Result<(), Failure> {
        let mut text = serde_json::to_string_pretty(&Run::from(report)).unwrap_or_default();
        text.push('\n');
        self.0.put(text.as_bytes(), |_| Ok(()))
    }
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
            device: report.device.as_ref().map(DeviceStatistics::from),
        }
    }
}

impl From<&DeviceReport> for DeviceStatistics {
    fn from(report: &DeviceReport) -> Self {
        let DeviceReport { description: about, counters, .. } = report;
        Self {
            simulated: report.simulated_cycles.is_some(),
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
            simulated_cycles: report.simulated_cycles,
            missed_interrupts: report.missed_interrupts,
            spurious_interrupts: report.spurious_interrupts,
        }
    }
}

impl DeviceStatistics {
    /// Clock and counters, as a line for people.
    pub fn summary(&self) -> String {
        let clock = self
            .clock_hz
            .map_or("clock not stated".to_owned(), |hz| format!("{} MHz", f64::from(hz) / 1e6));
        let missed = match self.missed_interrupts {
            0 => String::new(),
            missed => format!(", {missed} interrupts missed (found by looking)"),
        };
        let spurious = match self.spurious_interrupts {
            0 => String::new(),
            spurious => format!(", {spurious} interrupts without a finished job"),
        };
        format!(
            "{clock}; {} key slots; counters: {} jobs, {} bytes, {} blocks, {} cycles, \
             {} stalled on input, {} on output{missed}{spurious}",
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
