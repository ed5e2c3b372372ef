// SPDX-License-Identifier: Apache-2.0
//! The command line.

mod age;
mod cipher;
mod files;
mod shell;
mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub use age::{DecryptArguments, EncryptArguments, InspectArguments, KeygenArguments};
pub use cipher::{CipherArguments, CipherName};
pub use files::FilesArguments;
pub use shell::{CompletionsArguments, ManArguments};
pub use values::{BadValue, EngineName, Iv, Nonce, Seconds, TextRange, When};

/// Encrypts files and pipes on CPUs and streaming crypto devices.
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
    /// Encrypts to recipients, in the age format
    #[command(after_help = help(age::ENCRYPT_EXAMPLES))]
    Encrypt(EncryptArguments),
    /// Decrypts files of the age format
    #[command(after_help = help(age::DECRYPT_EXAMPLES))]
    Decrypt(DecryptArguments),
    /// Makes an identity: what decrypts, and the recipient that others encrypt to
    #[command(after_help = help(age::KEYGEN_EXAMPLES))]
    Keygen(KeygenArguments),
    /// Shows what is known of an encrypted file without decrypting it
    #[command(after_help = EXIT_CODES)]
    Inspect(InspectArguments),
    /// Encrypts or decrypts a raw stream: no header, no authentication, the same length
    #[command(after_help = help(cipher::EXAMPLES))]
    Cipher(CipherArguments),
    /// Prints what completes this command in a shell
    #[command(after_help = help(shell::COMPLETIONS_EXAMPLES))]
    Completions(CompletionsArguments),
    /// Prints a page of the manual
    #[command(after_help = help(shell::MAN_EXAMPLES))]
    Man(ManArguments),
    /// Lists the engines: what they are, how they are built, and whether they work
    #[command(after_help = EXIT_CODES)]
    Devices(DevicesArguments),
}

const EXIT_CODES: &str = "Exit codes:
  0    done
  1    reading or writing failed
  2    the command line, the key, the nonce, the counter or a named file can't be used
  3    no engine could do the work
  4    what was to be decrypted is for somebody else, or was changed or cut off
  130  interrupted (other signals: 128 and the signal's number)";

/// Examples, whose lines that are indented with four spaces are run by the tests, and the exit codes.
fn help(examples: &str) -> String {
    format!("{examples}\n\n{EXIT_CODES}")
}

/// Where to work and what to show.
#[derive(Args)]
pub struct RunArguments {
    /// Replace an output that exists
    #[arg(long)]
    pub force: bool,

    /// Where to work.
    #[command(flatten)]
    pub engines: EngineArguments,

    /// Show how far it is
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub progress: When,

    /// Write what every worker did, as JSON, to a new file; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub stats: Option<PathBuf>,
}

/// Arguments of `saltmill devices`.
#[derive(Args)]
pub struct DevicesArguments {
    /// Where to work.
    #[command(flatten)]
    pub engines: EngineArguments,

    /// Run the test vectors on each
    #[arg(long)]
    pub self_test: bool,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Which engines, and how they are set up.
#[derive(Args)]
pub struct EngineArguments {
    /// Engine: `cpu`, `sim` (a simulated device) or `sim:N` (N of them); may be given several times
    #[arg(long = "engine", value_name = "ENGINE")]
    pub engines: Vec<EngineName>,

    /// CPU threads of the engine `cpu` [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,

    /// Simulated device, such as aead-balanced (files), ring2 (chacha20) or aes-ring (AES), see `saltmill
    /// devices`
    #[arg(long, value_name = "VARIANT")]
    pub sim_variant: Option<String>,

    /// Memory of the simulated devices: ideal, latency100, de10-nano, zedboard or pynq-z2
    #[arg(long, value_name = "PROFILE", default_value = "ideal")]
    pub sim_memory: String,

    /// The memory of simulated device 0 stops answering at this clock cycle, to see what happens
    #[arg(long, value_name = "CYCLE", hide = true)]
    pub sim_hang_at: Option<u64>,

    /// Seconds in which an engine must finish a job, or it is taken out
    #[arg(long, value_name = "SECONDS", default_value = "30")]
    pub deadline: Seconds,
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
