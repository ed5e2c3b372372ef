// SPDX-License-Identifier: Apache-2.0
//! What is said where no driver for devices of the machine is.

use std::time::Duration;

use saltmill::engine::Worker;

use crate::{args::EngineName, report::failure::Failure};

/// None.
pub fn found() -> Vec<EngineName> {
    Vec::new()
}

/// None.
pub fn vfio(_address: &str, _deadline: Duration) -> Result<Box<dyn Worker>, Failure> {
    Err(none())
}

/// None.
pub fn uio(_name: &str, _deadline: Duration) -> Result<Box<dyn Worker>, Failure> {
    Err(none())
}

fn none() -> Failure {
    Failure::usage("devices of the machine need Linux", "use --engine cpu")
}
