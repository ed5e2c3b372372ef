// SPDX-License-Identifier: Apache-2.0
//! Values of arguments, and what is said of those that can't be used.

use std::{fmt, str::FromStr, time::Duration};

use clap::ValueEnum;

use crate::keys::hex;

/// When to show something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// Only if standard error is a terminal
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

/// An initial counter block of AES.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iv(pub [u8; 16]);

impl FromStr for Iv {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let bad = |found| BadValue {
            sentence: format!("the IV can't be used: {found}"),
            hint: "an IV is 16 bytes: 32 hex digits, such as 00112233445566778899aabbccddeeff",
        };
        hex::parse(text).map(Self).map_err(bad)
    }
}

/// An engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineName {
    /// CPU threads.
    Cpu,
    /// So many simulated devices.
    Sim(usize),
    /// The PCI device at this address, through VFIO.
    Vfio(String),
    /// A device of the kernel module, by its name.
    Uio(String),
}

/// A simulation has at most so many devices.
const MOST_DEVICES: usize = 4;

impl FromStr for EngineName {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let bad = |sentence| BadValue {
            sentence,
            hint: "engines are: cpu, sim, sim:N for 1 to 4 simulated devices, vfio:ADDRESS, uio:NAME",
        };
        let devices = match text.split_once(':') {
            None if text == "cpu" => return Ok(Self::Cpu),
            None if text == "sim" => "1",
            Some(("sim", devices)) => devices,
            Some(("vfio", address)) if !address.is_empty() => {
                return Ok(Self::Vfio(address.into()));
            }
            Some(("uio", name)) if !name.is_empty() => return Ok(Self::Uio(name.into())),
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

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextRange {
    /// Its first byte.
    pub offset: u64,
    /// How many; none: to the end.
    pub length: Option<u64>,
}

impl FromStr for TextRange {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        let parts = text.split_once(':').and_then(|(offset, length)| {
            let length = if length.is_empty() { None } else { Some(length.parse().ok()?) };
            Some(Self { offset: offset.parse().ok()?, length })
        });
        parts.ok_or_else(|| BadValue {
            sentence: format!("{text:?} is not a range"),
            hint: "a range is OFFSET:LENGTH in bytes, or OFFSET: for everything up to the end",
        })
    }
}

impl fmt::Display for TextRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.length {
            Some(length) => write!(f, "{}:{length}", self.offset),
            None => write!(f, "{}:", self.offset),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines() {
        assert_eq!("cpu".parse(), Ok(EngineName::Cpu));
        assert_eq!("sim".parse(), Ok(EngineName::Sim(1)));
        assert_eq!("sim:4".parse(), Ok(EngineName::Sim(4)));
        assert_eq!("vfio:0000:00:02.0".parse(), Ok(EngineName::Vfio("0000:00:02.0".into())));
        assert_eq!("uio:saltmill0".parse(), Ok(EngineName::Uio("saltmill0".into())));
        for bad in [
            "", "gpu", "cpu:2", "vfio", "vfio:", "uio:", "sim:", "sim:0", "sim:5", "sim:x",
            "sim:-1", "stub",
        ] {
            assert!(bad.parse::<EngineName>().is_err(), "{bad}");
        }
    }

    #[test]
    fn deadlines() {
        assert_eq!("0.5".parse(), Ok(Seconds(Duration::from_millis(500))));
        for bad in ["", "0", "-1", "NaN", "inf", "1e300", "ten"] {
            assert!(bad.parse::<Seconds>().is_err(), "{bad}");
        }
    }

    #[test]
    fn ranges() {
        assert_eq!("5:7".parse(), Ok(TextRange { offset: 5, length: Some(7) }));
        assert_eq!("5:".parse(), Ok(TextRange { offset: 5, length: None }));
        for bad in ["", ":", "5", "-1:2", "1:-2", "1:2:3", "a:b"] {
            assert!(bad.parse::<TextRange>().is_err(), "{bad}");
        }
    }
}
