// SPDX-License-Identifier: Apache-2.0
//! What a build without the simulated device says about it.

use saltmill::engine::Worker;

use crate::{args::EngineArguments, report::failure::Failure};

/// None.
pub fn variants() -> Vec<String> {
    Vec::new()
}

/// None.
pub fn workers(
    _arguments: &EngineArguments,
    _variant: &str,
    _devices: usize,
) -> Result<Vec<Box<dyn Worker>>, Failure> {
    Err(none())
}

/// There is none.
pub fn none() -> Failure {
    Failure::usage(
        "this build of saltmill has no simulated device",
        "build it with the cargo feature sim, or use --engine cpu",
    )
}
