// SPDX-License-Identifier: Apache-2.0
//! `saltmill completions` and `saltmill man`: made from the same description as the command line.

use std::{fs, io, path::Path};

use clap::CommandFactory;
use clap_mangen::Man;

use crate::{
    args::{Arguments, CompletionsArguments, ManArguments},
    report::failure::{Failure, hint, reason},
    report::say,
};

const NAME: &str = "saltmill";

/// Prints what completes the command.
pub fn completions(arguments: &CompletionsArguments) -> Result<(), Failure> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), NAME, &mut text);
    say::print(&text)
}

/// Prints a page of the manual, or writes all.
pub fn man(arguments: &ManArguments) -> Result<(), Failure> {
    if let Some(folder) = &arguments.out_dir {
        let written = fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(Arguments::command(), folder));
        return written.map_err(|error| unwritable(folder, &error));
    }
    let mut all = Arguments::command();
    all.build();
    let command = match &arguments.command {
        None => all,
        Some(name) => all.find_subcommand(name).cloned().ok_or_else(|| {
            let sentence = format!("there is no command {name:?}");
            Failure::usage(sentence, "`saltmill --help` shows the commands")
        })?,
    };
    let mut text = Vec::new();
    let made = Man::new(command.disable_help_subcommand(true)).render(&mut text);
    made.map_err(|error| unwritable(Path::new("standard output"), &error))?;
    say::print(&text)
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let sentence = format!("{} can't be written: {}", say::shown(path), reason(error));
    Failure::run(sentence, hint(error))
}
