// SPDX-License-Identifier: Apache-2.0
//! The `saltmill` command.
#![forbid(unsafe_code)]
// They panic where nobody listens; `say` does not.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod commands;
mod io;
mod keys;
mod report;
mod workers;

use std::{io::Write, process::ExitCode};

use args::{Arguments, BadValue, Command, Deferred};
use clap::{
    Parser,
    error::{ContextKind, ContextValue, ErrorKind},
};
use commands::{bench, cipher, decrypt, devices, encrypt, inspect, keygen, rekey, shell, sim, sum};
use report::{
    failure::{Exit, Failure},
    interrupt, say,
};
use rustix::process::{Resource, Rlimit, setrlimit};

fn main() -> ExitCode {
    // Keys and text must not land in a file that outlives the run. Where that can't be had, it is
    // as with others.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    let outcome = match Arguments::try_parse() {
        Ok(arguments) => run(arguments.command),
        Err(error) if !error.use_stderr() => {
            say::printed(error.print().and_then(|()| std::io::stdout().flush())).map(done)
        }
        Err(error) => Err(usage(&error)),
    };
    match outcome {
        Ok(exit) => exit.into(),
        Err(failure) => {
            // What fails because of a signal is not worth a sentence of its own.
            let failure = if interrupt::signal().is_some() { failure.by_signal() } else { failure };
            say::tell(&failure);
            failure.exit().into()
        }
    }
}

fn run(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Encrypt(Deferred(arguments)) => encrypt::run(&arguments).map(done),
        Command::Decrypt(Deferred(arguments)) => decrypt::run(&arguments).map(done),
        Command::Rekey(Deferred(arguments)) => rekey::run(&arguments).map(done),
        Command::Keygen(Deferred(arguments)) => keygen::run(&arguments).map(done),
        Command::Inspect(Deferred(arguments)) => inspect::run(&arguments).map(done),
        Command::Cipher(Deferred(arguments)) => cipher::run(&arguments).map(done),
        Command::Sum(Deferred(arguments)) => sum::run(arguments),
        Command::Completions(Deferred(arguments)) => shell::completions(&arguments).map(done),
        Command::Man(Deferred(arguments)) => shell::man(&arguments).map(done),
        Command::Bench(arguments) => bench::run(&arguments).map(done),
        Command::Sim(arguments) => sim::run(&arguments).map(done),
        Command::Devices(Deferred(arguments)) => devices::run(&arguments).map(done),
    }
}

fn done((): ()) -> Exit {
    Exit::Done
}

/// A command line that can't be understood, in our words.
fn usage(error: &clap::Error) -> Failure {
    let source = std::error::Error::source(error);
    if let Some(bad) = source.and_then(|source| source.downcast_ref::<BadValue>()) {
        return Failure::usage(&bad.sentence, bad.hint);
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Failure::usage("there is nothing to do", "`saltmill --help` shows the commands");
    }
    let text = error.render().to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<_> = first.trim_start_matches("error: ").split_whitespace().collect();
    let hint = suggestion(error)
        .unwrap_or_else(|| "see `saltmill --help` and `saltmill COMMAND --help`".to_owned());
    Failure::usage(words.join(" "), hint)
}

/// What was meant, if a word is nearly one that there is.
fn suggestion(error: &clap::Error) -> Option<String> {
    let kinds =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let found = kinds.into_iter().find_map(|kind| error.get(kind))?;
    let meant = match found {
        ContextValue::String(meant) => meant,
        // The best one is the last.
        ContextValue::Strings(all) => all.last()?,
        _ => return None,
    };
    Some(format!("did you mean `{meant}`?"))
}
