// SPDX-License-Identifier: Apache-2.0
//! The command line.

mod age;
mod bench;
mod cipher;
mod deferred;
mod files;
mod identities;
mod rekey;
mod shell;
mod sim;
mod sum;
mod values;

use std::{path::PathBuf, time::Duration};

use clap::{Args, Parser, Subcommand};

pub use age::{DecryptArguments, EncryptArguments, InspectArguments, KeygenArguments};
#[cfg(feature = "sim")]
pub use bench::OperationName;
pub use bench::{
    Bench, BenchArguments, DeviceArguments, StreamArguments, StreamName, ThroughputArguments,
};
pub use cipher::{CipherArguments, CipherName};
pub use deferred::Deferred;
pub use files::FilesArguments;
pub use identities::{IdentityArgument, IdentityArguments, WorkArguments};
pub use rekey::RekeyArguments;
pub use shell::{CompletionsArguments, ManArguments};
#[cfg(feature = "sim")]
pub use sim::WiringName;
pub use sim::{ServeArguments, SimArguments, SimCommand};
pub use sum::SumArguments;
pub use values::{BadValue, EngineName, Iv, Nonce, Seconds, TextRange, When};

/// Encrypt and decrypt files and pipes, on CPUs and crypto devices.
#[derive(Parser)]
#[command(name = "saltmill", version, after_help = EXIT_CODES, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The sub-commands.
#[derive(Subcommand)]
pub enum Command {
    /// Encrypt files to recipients or with a passphrase (age format)
    #[command(after_help = help(age::ENCRYPT_EXAMPLES))]
    Encrypt(Deferred<EncryptArguments>),
    /// Decrypt files in the age format
    #[command(after_help = help(age::DECRYPT_EXAMPLES))]
    Decrypt(Deferred<DecryptArguments>),
    /// Give encrypted files to new recipients instead of the old ones
    #[command(after_help = help(rekey::EXAMPLES))]
    Rekey(Deferred<RekeyArguments>),
    /// Make an identity, or print the recipient of one
    #[command(after_help = help(age::KEYGEN_EXAMPLES))]
    Keygen(Deferred<KeygenArguments>),
    /// Show what an encrypted file reveals without decrypting it
    #[command(after_help = EXIT_CODES)]
    Inspect(Deferred<InspectArguments>),
    /// Encrypt or decrypt a raw ChaCha20 or AES-CTR stream (no authentication)
    #[command(after_help = help(cipher::EXAMPLES))]
    Cipher(Deferred<CipherArguments>),
    /// Print digests of files, or check files against a manifest of digests
    #[command(after_help = sum::help())]
    Sum(Deferred<SumArguments>),
    /// Print a completion script for a shell
    #[command(after_help = help(shell::COMPLETIONS_EXAMPLES))]
    Completions(Deferred<CompletionsArguments>),
    /// Print a page of the manual
    #[command(after_help = help(shell::MAN_EXAMPLES))]
    Man(Deferred<ManArguments>),
    /// Measure what the published experiments measured, here and on simulated devices
    #[command(after_help = help(bench::EXAMPLES))]
    Bench(BenchArguments),
    /// Simulate devices for other programs
    #[command(after_help = help(sim::EXAMPLES))]
    Sim(SimArguments),
    /// List the engines (CPU and devices) and test them
    #[command(after_help = EXIT_CODES)]
    Devices(Deferred<DevicesArguments>),
}

const EXIT_CODES: &str = "Exit codes:
  0    success
  1    reading or writing failed
  2    the command line, a key, a nonce, a counter or a named file can't be used
  3    no engine could do the work
  4    the input can't be decrypted: no identity fits, or it was changed or cut off
  130  interrupted (other signals: 128 and the signal's number)";

/// Examples, whose lines that are indented with four spaces are run by the tests, and the exit
/// codes.
fn help(examples: &str) -> String {
    format!("{examples}\n\n{EXIT_CODES}")
}

/// Where to work and what to show.
#[derive(Args)]
pub struct RunArguments {
    /// Replace existing files
    #[arg(long)]
    pub force: bool,

    /// Where to work.
    #[command(flatten)]
    pub engines: EngineArguments,

    /// Show progress
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub progress: When,

    /// Write statistics of each worker to this file, as JSON (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub stats: Option<PathBuf>,
}

/// Arguments of `saltmill devices`.
#[derive(Args)]
pub struct DevicesArguments {
    /// Where to work.
    #[command(flatten)]
    pub engines: EngineArguments,

    /// Test each engine with known answers
    #[arg(long)]
    pub self_test: bool,

    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

/// Which engines, and how they are set up.
#[derive(Args)]
pub struct EngineArguments {
    /// Use this engine: `cpu`, `sim` or `sim:N` (one or N simulated devices), `vfio:ADDRESS` or
    /// `uio:NAME` (a device of this machine); can be repeated
    ///
    /// `vfio:0000:02:00.0` is a PCI device that Linux's vfio-pci has, `uio:saltmill0` one of the
    /// kernel module `saltmill_uio`, `uio:0000:02:00.0` one that `uio_pci_generic` has. `saltmill
    /// devices` lists those that there are.
    #[arg(long = "engine", value_name = "ENGINE")]
    pub engines: Vec<EngineName>,

    /// Number of threads of the engine `cpu` [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,

    /// Which device to simulate, for example aead-balanced; `saltmill devices` lists them
    ///
    /// The default is aead-balanced for `encrypt` and `decrypt`. For `cipher`, it is ring2 with
    /// chacha20 and aes-ring with AES, and for `sum` sha256-ring, or md5-ring with `-a md5`.
    #[arg(long, value_name = "VARIANT")]
    pub sim_variant: Option<String>,

    /// Memory to simulate: ideal, latency100, de10-nano, zedboard or pynq-z2
    #[arg(long, value_name = "PROFILE", default_value = "ideal")]
    pub sim_memory: String,

    /// Let the memory of simulated device 0 hang from this clock cycle on, for tests
    #[arg(long, value_name = "CYCLE", hide = true)]
    pub sim_hang_at: Option<u64>,

    /// Stop using an engine that needs more seconds than this for a job
    #[arg(long, value_name = "SECONDS", default_value = "30")]
    pub deadline: Seconds,
}

impl EngineArguments {
    /// A thread of the CPU that finds no work.
    fn idle() -> Self {
        Self {
            engines: vec![EngineName::Cpu],
            workers: Some(1),
            sim_variant: None,
            sim_memory: String::new(),
            sim_hang_at: None,
            deadline: Seconds(Duration::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }
}
