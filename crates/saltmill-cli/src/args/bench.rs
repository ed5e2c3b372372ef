// SPDX-License-Identifier: Apache-2.0
//! Arguments of `saltmill bench`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Deferred;

/// The lines that are indented with four spaces are run by the tests.
pub(super) const EXAMPLES: &str = "Examples:
  Stub and software workers with stub and file sinks, as in FpgaCha's experiments A, B1, B2 and C:
    saltmill bench throughput --bytes 1048576 --runs 2 --folder .

  AES-128-CTR of 1024 bytes on one thread:
    saltmill bench stream --algorithm aes-128-ctr --bytes 1024

Wall-clock times are of this machine and of what else it does. Cycles of `bench device` are of the
simulated hardware, whatever the machine.";

/// Arguments of `saltmill bench`.
#[derive(Args)]
pub struct BenchArguments {
    /// What to measure.
    #[command(subcommand)]
    pub what: Bench,
}

/// What can be measured.
#[derive(Subcommand)]
pub enum Bench {
    /// Wall-clock time of 256 KiB tasks: stub and software workers, stub and file sinks
    #[command(after_help = super::EXIT_CODES)]
    Throughput(Deferred<ThroughputArguments>),
    /// Wall-clock time of a cipher on one thread, from memory to memory, key set-up included
    #[command(after_help = super::EXIT_CODES)]
    Stream(Deferred<StreamArguments>),
    /// Clock cycles and register accesses of jobs on simulated devices
    #[command(after_help = super::EXIT_CODES)]
    Device(Deferred<DeviceArguments>),
}

/// Arguments of `saltmill bench throughput`.
#[derive(Args)]
pub struct ThroughputArguments {
    /// Bytes of the input, a multiple of 262144
    #[arg(long, value_name = "N", default_value_t = 256 << 20, value_parser = clap::value_parser!(u64).range(1..))]
    pub bytes: u64,

    /// How often each row is run
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub runs: u16,

    /// Where the files are; they have no names there. /dev/shm is in memory
    #[arg(long, value_name = "FOLDER", default_value = "/dev/shm")]
    pub folder: PathBuf,

    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `saltmill bench stream`.
#[derive(Args)]
pub struct StreamArguments {
    /// Cipher to use
    #[arg(long, value_enum)]
    pub algorithm: StreamName,

    /// Bytes of the text
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 30))]
    pub bytes: u32,

    /// How often it is encrypted
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub runs: u16,

    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

/// Ciphers that are measured from memory to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StreamName {
    /// ChaCha20 (RFC 8439)
    Chacha20,
    /// AES in CTR mode with a key of 16 bytes
    #[value(name = "aes-128-ctr")]
    Aes128Ctr,
}

/// Arguments of `saltmill bench device`.
#[derive(Args)]
#[cfg_attr(not(feature = "sim"), allow(dead_code, reason = "no device to set up"))]
pub struct DeviceArguments {
    /// Which device to simulate; `saltmill devices` lists them
    #[arg(long, value_name = "VARIANT", default_value = "ring2")]
    pub sim_variant: String,

    /// Memory to simulate: ideal, latency100, de10-nano, zedboard or pynq-z2
    #[arg(long, value_name = "PROFILE", default_value = "ideal")]
    pub sim_memory: String,

    /// Clock of the devices, if it is not that of the memory profile: the memory stays as fast as
    /// it is in nanoseconds
    #[arg(long, value_name = "HZ", value_parser = clap::value_parser!(u32).range(1_000_000..))]
    pub clock_hz: Option<u32>,

    /// Devices that share the memory
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub devices: u8,

    /// What they do
    #[arg(long, value_enum, default_value_t = OperationName::Xor)]
    pub operation: OperationName,

    /// Bytes of a job
    #[arg(long, value_name = "N", default_value_t = 256 << 10, value_parser = clap::value_parser!(u32).range(1..=1 << 28))]
    pub bytes: u32,

    /// Jobs of each device
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,

    /// Jobs that a device has at a time; 1: it waits for the host after each
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub in_flight: u8,

    /// Find the end of a job by looking at memory, not by its interrupt
    #[arg(long)]
    pub poll: bool,

    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

/// What a device is measured with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OperationName {
    /// Keystream to memory; nothing is read
    Keystream,
    /// Text in memory encrypted
    Xor,
    /// Messages sealed: at most 64 KiB each
    Seal,
}
