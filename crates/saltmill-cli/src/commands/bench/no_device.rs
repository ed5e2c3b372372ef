// SPDX-License-Identifier: Apache-2.0
//! What a build without the simulated device says about it.

use crate::{args::DeviceArguments, report::failure::Failure};

/// None.
pub fn run(_arguments: &DeviceArguments) -> Result<(), Failure> {
    Err(Failure::usage(
        "this build of saltmill has no simulated device",
        "build it with the cargo feature sim",
    ))
}
