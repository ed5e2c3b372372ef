// SPDX-License-Identifier: Apache-2.0
//! What a build without the simulated device says about serving it.

use crate::{args::ServeArguments, report::failure::Failure, workers::simulated};

/// Nothing to serve.
pub fn serve(_arguments: &ServeArguments) -> Result<(), Failure> {
    Err(simulated::none())
}
