// SPDX-License-Identifier: Apache-2.0
//! `saltmill encrypt`.

use std::path::Path;

use age::EncryptError;
use saltmill_engine::{Chunks, Key, Work};

use crate::{
    args::EncryptArguments,
    failure::Failure,
    input::Input,
    parties,
    transfer::{Job, Run},
};

/// The simulated device, if none is named: one that does messages.
pub const VARIANT: &str = "aead-balanced";

/// Runs the command. Nothing is made or changed before everything that can be checked is.
pub fn run(arguments: &EncryptArguments) -> Result<(), Failure> {
    let path = arguments.run.input.as_deref();
    let input = Input::open(path)?;
    let run = Run::prepare(&arguments.run, &input, None, VARIANT)?;
    let from_stdin = path.is_none_or(|path| path == Path::new("-"));
    let recipients = parties::recipients(arguments, from_stdin)?;
    let sealed = saltmill_format::seal(&recipients).map_err(|error| unfit(&error))?;
    let work = Work::Seal(Chunks::new(Key::new(*sealed.key.bytes())));
    run.work(input, Job { prefix: sealed.prologue, armor: arguments.armor, ..work.into() })
}

fn unfit(error: &EncryptError) -> Failure {
    let hint = match error {
        EncryptError::IncompatibleRecipients { .. } => {
            "call saltmill once for each kind of recipient"
        }
        EncryptError::Plugin(_) | EncryptError::PluginResolve(_) => {
            "the plugin says so; its own documentation may help"
        }
        _ => "leave out the recipients one by one to see which it is",
    };
    let said = parties::first_line(&error.to_string());
    Failure::usage(format!("the recipients can't be used: {said}"), hint)
}
