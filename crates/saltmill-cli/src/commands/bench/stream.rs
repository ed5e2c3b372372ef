// SPDX-License-Identifier: Apache-2.0
//! `saltmill bench stream`: a cipher on one thread, from memory to memory.

use std::{hint::black_box, time::Instant};

use serde::Serialize;

use super::{data, median, print};
use crate::{
    args::{StreamArguments, StreamName},
    report::failure::Failure,
};

#[derive(Serialize)]
struct Found {
    label: &'static str,
    algorithm: &'static str,
    bytes: usize,
    inputs: data::Inputs,
    seconds: Vec<f64>,
    /// Of the result of each run.
    sha256: Vec<String>,
}

/// Runs the command.
pub fn run(arguments: &StreamArguments) -> Result<(), Failure> {
    let bytes = arguments.bytes as usize;
    let text = data::text(bytes);
    let (mut seconds, mut sha256) = (Vec::new(), Vec::new());
    for _ in 0..arguments.runs {
        let mut buffer = black_box(text.clone());
        let started = Instant::now();
        match arguments.algorithm {
            StreamName::Chacha20 => data::chacha20().apply(0, &mut buffer),
            StreamName::Aes128Ctr => data::aes_ctr().apply(0, &mut buffer),
        }
        seconds.push(started.elapsed().as_secs_f64());
        sha256.push(data::sha256(&buffer));
    }
    let (algorithm, inputs) = match arguments.algorithm {
        StreamName::Chacha20 => ("chacha20", data::chacha20_inputs()),
        StreamName::Aes128Ctr => ("aes-128-ctr", data::aes_inputs()),
    };
    let found = Found { label: "measured", algorithm, bytes, inputs, seconds, sha256 };
    print(&found, arguments.json, |found| {
        let median = median(&found.seconds);
        format!(
            "{}, {} bytes, one thread, wall clock of this machine: median of {} runs {:.3} us, {:.1} MB/s\n",
            found.algorithm,
            found.bytes,
            found.seconds.len(),
            median * 1e6,
            found.bytes as f64 / median / 1e6
        )
    })
}
