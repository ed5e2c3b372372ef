// SPDX-License-Identifier: Apache-2.0
//! `saltmill bench`: what the published experiments measured, on this machine and on simulated
//! devices.

mod data;
#[cfg(feature = "sim")]
mod device;
#[cfg(not(feature = "sim"))]
#[path = "no_device.rs"]
mod device;
mod sinks;
mod stream;
mod throughput;

use serde::Serialize;

use crate::{
    args::{Bench, BenchArguments, Deferred},
    report::{failure::Failure, say},
};

/// Runs the command.
pub fn run(arguments: &BenchArguments) -> Result<(), Failure> {
    match &arguments.what {
        Bench::Throughput(Deferred(arguments)) => throughput::run(arguments),
        Bench::Stream(Deferred(arguments)) => stream::run(arguments),
        Bench::Device(Deferred(arguments)) => device::run(arguments),
    }
}

/// Prints what was found, for programs or for people.
fn print<T: Serialize>(
    found: &T,
    json: bool,
    text: impl FnOnce(&T) -> String,
) -> Result<(), Failure> {
    let shown = if json {
        serde_json::to_string_pretty(found).unwrap_or_default() + "\n"
    } else {
        text(found)
    };
    say::print(shown.as_bytes())
}

/// The middle of several times.
fn median(seconds: &[f64]) -> f64 {
    let mut sorted = seconds.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        sorted[middle]
    } else {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_median_is_the_middle() {
        assert!((super::median(&[3.0, 1.0, 2.0]) - 2.0).abs() < 1e-9);
        assert!((super::median(&[4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-9);
    }
}
