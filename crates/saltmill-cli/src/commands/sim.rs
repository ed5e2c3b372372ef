// SPDX-License-Identifier: Apache-2.0
//! `saltmill sim`.

use crate::{
    args::{SimArguments, SimCommand},
    report::failure::Failure,
    workers::served,
};

/// Runs the command.
pub fn run(arguments: &SimArguments) -> Result<(), Failure> {
    match &arguments.command {
        SimCommand::Serve(arguments) => served::serve(arguments),
    }
}
