// SPDX-License-Identifier: Apache-2.0
//! The command line.

use std::{fmt, path::PathBuf, str::FromStr, time::Duration};

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::hex;

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
    /// Encrypts or decrypts a raw stream: no header, no authentication, the same length
    #[command(after_help = CIPHER_HELP)]
    Cipher(CipherArguments),
    /// Lists the engines: what they are, how they are built, and whether they work
    #[command(after_help = EXIT_CODES)]
    Devices(DevicesArguments),
}

const EXIT_CODES: &str = "Exit codes:
  0    done
  1    reading or writing failed
  2    the command line, the key, the nonce, the counter or a named file can't be used
  3    no engine could do the work
  130  interrupted (other signals: 128 and the signal's number)";

/// The lines that are indented with four spaces are run by the tests.
const CIPHER_HELP: &str = "Examples:
  A key, and a file encrypted and decrypted with it (the same command does both):
    head -c 32 /dev/urandom > secret.key
    NONCE=000000000000004a00000000
    saltmill cipher --key-file secret.key --nonce $NONCE -o notes.enc notes.txt
    saltmill cipher --key-file secret.key --nonce $NONCE -o notes.dec notes.enc
    cmp notes.txt notes.dec

  The same bytes from OpenSSL, whose IV is the counter (4 bytes, little-endian) and then the nonce:
    KEY=$(od -An -v -tx1 secret.key | tr -d ' \\n')
    openssl enc -chacha20 -K $KEY -iv 05000000$NONCE -in notes.txt -out notes.ssl
    saltmill cipher --key-file secret.key --nonce $NONCE --counter 5 notes.txt | cmp - notes.ssl

Never use a nonce twice with the same key: the XOR of the two texts would be readable.
The cipher does not notice changes made to the encrypted file.

Exit codes:
  0    done
  1    reading or writing failed
  2    the command line, the key, the nonce, the counter or a named file can't be used
  3    no engine could do the work
  130  interrupted (other signals: 128 and the signal's number)";

/// Arguments of `saltmill cipher`.
#[derive(Args)]
pub struct CipherArguments {
    /// Cipher
    #[arg(long, value_enum, default_value_t = Algorithm::Chacha20)]
    pub algorithm: Algorithm,

    /// File with the key: exactly 32 bytes, or 64 hex digits with an optional newline
    #[arg(long, value_name = "FILE")]
    pub key_file: PathBuf,

    /// Nonce: 24 hex digits
    #[arg(long, value_name = "HEX")]
    pub nonce: Nonce,

    /// Number of the first block
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    pub counter: u32,

    /// Output; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Replace an output that exists
    #[arg(long)]
    pub force: bool,

    /// Input; `-` or none is standard input
    #[arg(value_name = "IN")]
    pub input: Option<PathBuf>,

    /// Where to work.
    #[command(flatten)]
    pub engines: EngineArguments,

    /// Show how far it is
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub progress: When,

    /// Write what every worker did, as JSON; `-` is standard output
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
    pub engines: Vec<Engine>,

    /// CPU threads of the engine `cpu` [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,

    /// Simulated device: small, ring2, pipe or ring2-hostadd [default: ring2]
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

/// Ciphers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Algorithm {
    /// RFC 8439
    Chacha20,
}

/// When to show something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// If standard error is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// A value that can't be used: a sentence and a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadValue {
    /// What is wrong with it.
    pub sentence: String,
    /// What would be right.
    pub hint: &'static str,
}

impl fmt::Display for BadValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for BadValue {}

/// A nonce of 12 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nonce(pub [u8; 12]);

impl FromStr for Nonce {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let bad = |found| BadValue {
            sentence: format!("the nonce can't be used: {found}"),
            hint: "a nonce is 12 bytes: 24 hex digits, such as 000000000000004a00000000",
        };
        hex::parse(text).map(Self).map_err(bad)
    }
}

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// CPU threads.
    Cpu,
    /// So many simulated devices.
    Sim(usize),
}

/// A simulation has at most so many devices.
const MOST_DEVICES: usize = 4;

impl FromStr for Engine {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let bad = |sentence| BadValue {
            sentence,
            hint: "engines are: cpu, sim, and sim:N for 1 to 4 simulated devices",
        };
        let devices = match text.split_once(':') {
            None if text == "cpu" => return Ok(Self::Cpu),
            None if text == "sim" => "1",
            Some(("sim", devices)) => devices,
            _ => return Err(bad(format!("there is no engine {text:?}"))),
        };
        match devices.parse() {
            Ok(devices @ 1..=MOST_DEVICES) => Ok(Self::Sim(devices)),
            _ => Err(bad(format!("{devices:?} is not a number of simulated devices"))),
        }
    }
}

/// A number of seconds above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seconds(pub Duration);

impl FromStr for Seconds {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let seconds = text.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
        let most = Duration::from_secs(24 * 3600);
        match seconds {
            Some(seconds) if !seconds.is_zero() && seconds <= most => Ok(Self(seconds)),
            _ => Err(BadValue {
                sentence: format!("{text:?} is not a deadline"),
                hint: "a deadline is a number of seconds above 0 and at most 86400, such as 2.5",
            }),
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

    #[test]
    fn engines() {
        assert_eq!("cpu".parse(), Ok(Engine::Cpu));
        assert_eq!("sim".parse(), Ok(Engine::Sim(1)));
        assert_eq!("sim:4".parse(), Ok(Engine::Sim(4)));
        for bad in ["", "gpu", "cpu:2", "sim:", "sim:0", "sim:5", "sim:x", "sim:-1", "stub"] {
            assert!(bad.parse::<Engine>().is_err(), "{bad}");
        }
    }

    #[test]
    fn deadlines() {
        assert_eq!("0.5".parse(), Ok(Seconds(Duration::from_millis(500))));
        for bad in ["", "0", "-1", "NaN", "inf", "1e300", "ten"] {
            assert!(bad.parse::<Seconds>().is_err(), "{bad}");
        }
    }
}
